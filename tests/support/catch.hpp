// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_CATCH_HPP
#define NDX_TESTS_SUPPORT_CATCH_HPP

// Catch2 2 is one header; Catch2 3 has many. The macros that the tests use are the same.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif
