// SPDX-License-Identifier: MIT
// The entry point where the installed Catch2 2 has no library that brings one.
#define CATCH_CONFIG_MAIN
#include "support/catch.hpp"
