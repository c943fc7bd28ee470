// SPDX-License-Identifier: MIT
#include "elements.hpp"

// The one place where the oracle's arithmetic is compiled for each type.
#define NDX_TEST_ELEMENT(...)                                                                     \
  template <>                                                                                     \
  oracle::element_type const& test::type_of<__VA_ARGS__>() {                                      \
    static oracle::element_type const type = oracle::describe_element<__VA_ARGS__>(#__VA_ARGS__); \
    return type;                                                                                  \
  }

NDX_TEST_ELEMENT(std::int8_t)
NDX_TEST_ELEMENT(std::int16_t)
NDX_TEST_ELEMENT(std::int32_t)
NDX_TEST_ELEMENT(std::int64_t)
NDX_TEST_ELEMENT(std::uint8_t)
NDX_TEST_ELEMENT(std::uint16_t)
NDX_TEST_ELEMENT(std::uint32_t)
NDX_TEST_ELEMENT(std::uint64_t)
NDX_TEST_ELEMENT(ndx::float16)
NDX_TEST_ELEMENT(ndx::bfloat16)
NDX_TEST_ELEMENT(float)
NDX_TEST_ELEMENT(double)
NDX_TEST_ELEMENT(test::pixel)
NDX_TEST_ELEMENT(test::point)
NDX_TEST_ELEMENT(test::record)
NDX_TEST_ELEMENT(std::complex<double>)
