// The same for tests.
#include <cmake/precompiled.hpp>

#include <gtest/gtest.h>
