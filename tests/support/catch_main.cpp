#ifndef CUZK_CATCH_V3
#define CATCH_CONFIG_MAIN
#endif
#include "tests/support/catch.hpp"
