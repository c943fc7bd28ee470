// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <ndx/float16.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

// What the formats are, in double arithmetic: it holds every number of both, and every number halfway between two of
// them.
struct format {
  int exponent_bits;
  int mantissa_bits;

  std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << mantissa_bits; }
  bool is_nan(std::uint32_t bits) const { return (bits & 0x7fffu) > infinity(); }

  // Infinity counts as the number that would follow the largest one: so rounding to nearest overflows where IEEE 754
  // says.
  double magnitude(std::uint32_t bits) const {
    auto const exponent = static_cast<int>(bits >> mantissa_bits);
    auto const mantissa = static_cast<double>(bits & ((1u << mantissa_bits) - 1));
    int const bias = (1 << (exponent_bits - 1)) - 1;
    if (exponent == 0) return std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return std::ldexp(mantissa + std::ldexp(1.0, mantissa_bits), exponent - bias - mantissa_bits);
  }
};

template <class T>
constexpr format format_of{};
template <>
constexpr format format_of<ndx::float16>{5, 10};
template <>
constexpr format format_of<ndx::bfloat16>{8, 7};

// Rounds by search in the table of all numbers of the format: shares nothing with an implementation that shifts bits.
class nearest {
public:
  explicit nearest(format f) {
    for (std::uint32_t bits = 0; bits <= f.infinity(); ++bits) numbers_.push_back(f.magnitude(bits));
  }

  std::uint16_t operator()(float x) const {
    std::uint32_t const sign = std::signbit(x) ? 0x8000u : 0u;
    auto const magnitude = static_cast<double>(std::fabs(x));
    auto const above = std::lower_bound(numbers_.begin(), numbers_.end(), magnitude);
    auto bits = static_cast<std::uint32_t>(above - numbers_.begin());
    if (above == numbers_.end()) {
      bits = static_cast<std::uint32_t>(numbers_.size() - 1);
    } else if (*above != magnitude) {
      double const to_above = *above - magnitude;
      double const to_below = magnitude - *(above - 1);
      if (to_below < to_above || (to_below == to_above && bits % 2 == 1)) --bits;
    }
    return static_cast<std::uint16_t>(sign | bits);
  }

private:
  std::vector<double> numbers_;
};

template <class T>
constexpr bool has_the_promised_shape() {
  return sizeof(T) == 2 && alignof(T) == 2 && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> &&
         std::is_convertible_v<float, T> && std::is_convertible_v<T, float> &&
         std::same_as<decltype(T::bits), std::uint16_t> && std::same_as<decltype(T::from_bits(std::uint16_t{})), T>;
}
static_assert(has_the_promised_shape<ndx::float16>());
static_assert(has_the_promised_shape<ndx::bfloat16>());
static_assert(!std::is_convertible_v<ndx::bfloat16, ndx::float16> &&
              !std::is_convertible_v<ndx::float16, ndx::bfloat16>);

static_assert(ndx::float16{1.0f}.bits == 0x3c00 && float{ndx::float16::from_bits(0xc000)} == -2.0f);
static_assert(ndx::bfloat16{1.0f}.bits == 0x3f80 && float{ndx::bfloat16::from_bits(0xc000)} == -2.0f);

bool is_nan_bits(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

}  // namespace

TEMPLATE_TEST_CASE("every 16-bit pattern converts to its number and back", "[float16]", ndx::float16, ndx::bfloat16) {
  constexpr format f = format_of<TestType>;
  std::uint32_t wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    auto const original = TestType::from_bits(static_cast<std::uint16_t>(bits));
    if (original.bits != bits) ++wrong;
    float const wide = static_cast<float>(original);
    TestType const back{wide};
    if (f.is_nan(bits)) {
      if (!is_nan_bits(std::bit_cast<std::uint32_t>(wide)) || !f.is_nan(back.bits)) ++wrong;
      continue;
    }
    double const magnitude =
        (bits & 0x7fffu) == f.infinity() ? std::numeric_limits<double>::infinity() : f.magnitude(bits & 0x7fffu);
    if (static_cast<double>(std::fabs(wide)) != magnitude || std::signbit(wide) != (bits >> 15 == 1)) ++wrong;
    if (back.bits != bits) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("conversion from float rounds to nearest, ties to even", "[float16]", ndx::float16, ndx::bfloat16) {
  constexpr format f = format_of<TestType>;
  nearest const expected(f);
  std::uint32_t wrong = 0;
  auto const check = [&](float x) {
    if (TestType{x}.bits != expected(x) && ++wrong < 10) {
      INFO("float bits " << std::bit_cast<std::uint32_t>(x) << ": " << TestType{x}.bits << ", due " << expected(x));
      CHECK(false);
    }
  };
  auto const check_around = [&](float x) {
    for (float sign : {1.0f, -1.0f}) {
      check(sign * x);
      check(sign * std::nextafter(x, 0.0f));
      check(sign * std::nextafter(x, std::numeric_limits<float>::infinity()));
    }
  };
  SECTION("at each number, at each point halfway to the next, and one unit of float beside them") {
    for (std::uint32_t bits = 0; bits < f.infinity(); ++bits) {
      double const number = f.magnitude(bits);
      double const next = f.magnitude(bits + 1);
      check_around(static_cast<float>(number));
      check_around(static_cast<float>((number + next) / 2));
    }
  }
  SECTION("at seeded random floats") {
    std::mt19937 random(20240607);
    for (int i = 0; i < 300'000; ++i) {
      std::uint32_t const bits = static_cast<std::uint32_t>(random());
      if (!is_nan_bits(bits)) check(std::bit_cast<float>(bits));
    }
  }
  SECTION("at the ends of float") {
    check_around(0.0f);
    check_around(std::numeric_limits<float>::min());
    check_around(std::numeric_limits<float>::denorm_min());
    check(std::numeric_limits<float>::max());
    check(std::numeric_limits<float>::lowest());
    check(std::numeric_limits<float>::infinity());
    check(-std::numeric_limits<float>::infinity());
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding at the edges of float16", "[float16]") {
  auto const bits = [](float x) { return ndx::float16{x}.bits; };
  CHECK(bits(65504.0f) == 0x7bff);
  CHECK(bits(65519.996f) == 0x7bff);
  CHECK(bits(65520.0f) == 0x7c00);
  CHECK(bits(-65520.0f) == 0xfc00);
  CHECK(bits(0x1p-24f) == 0x0001);
  CHECK(bits(0x1p-25f) == 0x0000);
  CHECK(bits(0x1.8p-25f) == 0x0001);
  CHECK(bits(0x1.8p-24f) == 0x0002);
  CHECK(bits(-0.0f) == 0x8000);
  CHECK(bits(0x1.ffcp-15f) == 0x0400);  // the largest subnormal and a half: up to the smallest normal
}

TEST_CASE("rounding at the edges of bfloat16", "[float16]") {
  auto const bits = [](float x) { return ndx::bfloat16{x}.bits; };
  CHECK(bits(std::numeric_limits<float>::max()) == 0x7f80);
  CHECK(bits(0x1.fep127f) == 0x7f7f);
  CHECK(bits(0x1.fefffep127f) == 0x7f7f);
  CHECK(bits(0x1.ffp127f) == 0x7f80);
  CHECK(bits(0x1p-133f) == 0x0001);
  CHECK(bits(0x1p-134f) == 0x0000);
  CHECK(bits(0x1.8p-133f) == 0x0002);
  CHECK(bits(-0.0f) == 0x8000);
}

TEMPLATE_TEST_CASE("a NaN of float stays a NaN, whatever its payload and sign", "[float16]", ndx::float16,
                   ndx::bfloat16) {
  constexpr format f = format_of<TestType>;
  // 0x7f800001: a payload that truncation to 16 bits would turn into infinity; 0x7fffffff: one that rounding would
  // carry away.
  for (std::uint32_t payload :
       {0x7f800001u, 0x7f801000u, 0x7f80ffffu, 0x7fbfffffu, 0x7fc00000u, 0x7fffffffu, 0x7fff8000u})
    for (std::uint32_t sign : {0u, 0x80000000u}) {
      INFO("float bits " << (payload | sign));
      CHECK(f.is_nan(TestType{std::bit_cast<float>(payload | sign)}.bits));
    }
}
