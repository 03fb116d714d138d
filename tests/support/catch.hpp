#pragma once
// Catch2 of either major version.
#ifdef CUZK_CATCH_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
