// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_ELEMENTS_HPP
#define NDX_TESTS_SUPPORT_ELEMENTS_HPP

#include "oracle.hpp"

#include <ndx/float16.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

namespace test {

/// One element type for each way of moving it: a power of two bytes, an odd number, more than a register, with padding.
struct pixel {
  std::uint8_t red, green, blue;
  friend constexpr bool operator==(pixel const&, pixel const&) = default;
};

struct point {
  float x, y, z;
  friend constexpr bool operator==(point const&, point const&) = default;
};

struct record {
  double time;
  std::int32_t key;  // four bytes of padding follow, and they move too
  double value;
};

static_assert(sizeof(pixel) == 3 && sizeof(point) == 12 && sizeof(record) == 24);
static_assert(sizeof(std::complex<double>) == 16);

/// Defined for the types above, for all arithmetic types but bool, for float16 and bfloat16.
template <class T>
oracle::element_type const& type_of();

enum class index_kind { int32, int64, uint32, uint64 };

template <class I>
inline constexpr index_kind kind_of = sizeof(I) == 4 ? (std::is_signed_v<I> ? index_kind::int32 : index_kind::uint32)
                                                     : (std::is_signed_v<I> ? index_kind::int64 : index_kind::uint64);

constexpr bool is_signed(index_kind kind) { return kind == index_kind::int32 || kind == index_kind::int64; }
constexpr int width(index_kind kind) { return kind == index_kind::int32 || kind == index_kind::uint32 ? 32 : 64; }

/// Values as the oracle and the harness take them.
template <class T>
oracle::elements elements_of(oracle::shape extents, std::vector<T> const& values) {
  oracle::elements result{std::move(extents), sizeof(T), std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
  return result;
}

/// 0, 1, 2, ... in row-major order.
template <class T>
oracle::elements counting(oracle::shape extents) {
  std::vector<T> values;
  for (oracle::integer i = 0; i < oracle::product(extents); ++i) values.push_back(static_cast<T>(i));
  return elements_of(std::move(extents), values);
}

}  // namespace test

template <>
inline constexpr oracle::format oracle::format_of<ndx::float16> = oracle::binary16;
template <>
inline constexpr oracle::format oracle::format_of<ndx::bfloat16> = oracle::bfloat16_format;

#endif
