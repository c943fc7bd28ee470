// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_COMBINE_HPP
#define NDX_PLAN_COMBINE_HPP

#include <ndx/float16.hpp>
#include <ndx/options.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

/// What the reductions do to one element: the definition, on the element's own type.
namespace ndx::plan {

template <class T>
concept half_precision = std::same_as<T, float16> || std::same_as<T, bfloat16>;

template <class T>
concept floating_element = std::same_as<T, float> || std::same_as<T, double> || half_precision<T>;

/// Types that have arithmetic of their own: integers of 8 to 64 bits, float16, bfloat16, float and double.
template <class T>
concept number = floating_element<T> ||(std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8);

/// The type that stands for T in arithmetic.
template <class T>
using number_of = typename ndx::reduced_as<T>::type;

/// Types that have reductions: numbers, and those of other libraries that are numbers by `ndx::reduced_as`.
template <class T>
concept reducible = number<number_of<T>>;

namespace detail {

template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

/// IEEE 754-2019 minimum and maximum: a NaN wins, and zeros order by sign.
template <bool Greater, floating_element T>
constexpr T extreme(T a, T b) noexcept {
  if (a != a) return a;
  if (b != b) return b;
  if (a == b) {
    // Equal numbers have the same bits, but for zeros: the sign bit of -0 must win for the minimum.
    auto const x = std::bit_cast<bits_of<T>>(a);
    auto const y = std::bit_cast<bits_of<T>>(b);
    return std::bit_cast<T>(static_cast<bits_of<T>>(Greater ? x & y : x | y));
  }
  return (Greater ? a > b : a < b) ? a : b;
}

}  // namespace detail

/// input op update. Integers wrap around; float16 and bfloat16 round once: the float in between is wide enough for that
/// (24 bits are at least twice 11 plus 2).
template <ndx::reduction Op, reducible T>
constexpr T combine(T input, T update) noexcept {
  if constexpr (Op == ndx::reduction::none) {
    return update;
  } else if constexpr (!number<T>) {
    using arithmetic = number_of<T>;
    return std::bit_cast<T>(combine<Op>(std::bit_cast<arithmetic>(input), std::bit_cast<arithmetic>(update)));
  } else if constexpr (floating_element<T>) {
    if constexpr (Op == ndx::reduction::add) return static_cast<T>(input + update);
    else if constexpr (Op == ndx::reduction::sub) return static_cast<T>(input - update);
    else if constexpr (Op == ndx::reduction::mul) return static_cast<T>(input * update);
    else return detail::extreme<Op == ndx::reduction::max>(input, update);
  } else if constexpr (Op == ndx::reduction::min) {
    return update < input ? update : input;
  } else if constexpr (Op == ndx::reduction::max) {
    return input < update ? update : input;
  } else {
    // In 64 bits without a sign: defined for every value, and the lower bits are those of the narrower operation.
    auto const a = static_cast<std::uint64_t>(input);
    auto const b = static_cast<std::uint64_t>(update);
    return static_cast<T>(Op == ndx::reduction::add ? a + b : Op == ndx::reduction::sub ? a - b : a * b);
  }
}

/// The type that a reduction of `T` is compiled for: sums, differences and products that wrap around have the same bits
/// with a sign and without, so one kernel serves both types.
template <ndx::reduction Op, reducible T>
using without_sign =
    typename std::conditional_t<std::integral<T> && (Op == ndx::reduction::add || Op == ndx::reduction::sub ||
                                                     Op == ndx::reduction::mul),
                                std::make_unsigned<T>, std::type_identity<T>>::type;

/// What a reduction begins with where the element itself takes no part: combined with an update it gives the update.
/// The sum of no floating-point numbers is -0, as +0 would make +0 of a -0.
template <reducible T>
constexpr T identity_of(ndx::reduction chosen) noexcept {
  using arithmetic = number_of<T>;
  using limits = std::numeric_limits<arithmetic>;
  auto const as_element = [](arithmetic value) { return std::bit_cast<T>(value); };
  switch (chosen) {
    case ndx::reduction::none:
      break;
    case ndx::reduction::add:
    case ndx::reduction::sub:
    case ndx::reduction::mean:
      if constexpr (floating_element<arithmetic>) return as_element(static_cast<arithmetic>(-0.0F));
      break;
    case ndx::reduction::mul:
      return as_element(static_cast<arithmetic>(1));
    case ndx::reduction::min:
      if constexpr (floating_element<arithmetic>)
        return as_element(static_cast<arithmetic>(std::numeric_limits<float>::infinity()));
      else return as_element(limits::max());
    case ndx::reduction::max:
      if constexpr (floating_element<arithmetic>)
        return as_element(static_cast<arithmetic>(-std::numeric_limits<float>::infinity()));
      else return as_element(limits::lowest());
  }
  return as_element(arithmetic{});
}

/// The mean of `count` numbers, one at least, whose sum this is. Integers round towards minus infinity. float and
/// double divide by the nearest number of their type to `count`; float16 and bfloat16 do so as float, and round once
/// more.
template <reducible T>
constexpr T quotient(T sum, index_t count) noexcept {
  if constexpr (!number<T>) {
    return std::bit_cast<T>(quotient(std::bit_cast<number_of<T>>(sum), count));
  } else if constexpr (floating_element<T>) {
    using wide = std::conditional_t<std::same_as<T, double>, double, float>;
    return static_cast<T>(static_cast<wide>(sum) / static_cast<wide>(count));
  } else if constexpr (std::is_signed_v<T>) {
    auto const dividend = static_cast<std::int64_t>(sum);
    return static_cast<T>(dividend / count - (dividend % count < 0 ? 1 : 0));
  } else {
    return static_cast<T>(static_cast<std::uint64_t>(sum) / static_cast<std::uint64_t>(count));
  }
}

/// Calls `with.template operator()<Op>()` for the reduction chosen at run time. Kernels are asked for the sum of a
/// mean.
template <class With>
constexpr void with_reduction(ndx::reduction chosen, With&& with) {
  switch (chosen) {
    case ndx::reduction::none:
      return with.template operator()<ndx::reduction::none>();
    case ndx::reduction::add:
    case ndx::reduction::mean:
      return with.template operator()<ndx::reduction::add>();
    case ndx::reduction::mul:
      return with.template operator()<ndx::reduction::mul>();
    case ndx::reduction::min:
      return with.template operator()<ndx::reduction::min>();
    case ndx::reduction::max:
      return with.template operator()<ndx::reduction::max>();
    case ndx::reduction::sub:
      return with.template operator()<ndx::reduction::sub>();
  }
}

}  // namespace ndx::plan

#endif
