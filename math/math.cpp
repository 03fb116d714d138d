#include "math/curve.hpp"
#include "math/field_bytes.hpp"
