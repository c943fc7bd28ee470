// SPDX-License-Identifier: MIT
// Lanes of vectors in another order. Included once for each instruction set, by kernels.hpp.

/// Lanes of two vectors, `low` before `high`: lane i is lane `Order{}(i)` of both.
template <class Lane, class Order>
static inline vector shuffled(vector low, vector high, Order) noexcept {
  using numbers = typename vector_of<Lane, NDX_VECTOR_BYTES>::type;
  constexpr int count = static_cast<int>(vector_bytes / static_cast<index_t>(sizeof(Lane)));
  auto const first = reinterpret_cast<numbers>(low);
  auto const second = reinterpret_cast<numbers>(high);
#if defined(__clang__)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return reinterpret_cast<vector>(__builtin_shufflevector(first, second, (Order{}(I))...));
  }
  (std::make_integer_sequence<int, count>{});
#else
  numbers order{};
  for (int i = 0; i < count; ++i) order[i] = static_cast<Lane>(Order{}(i));
  return reinterpret_cast<vector>(__builtin_shuffle(first, second, order));
#endif
}

/// Units First, First + Step, .. of two vectors, `low` before `high`; those of 16 bytes are two lanes each.
template <class Unit, int First, int Step>
static inline vector pick(vector low, vector high) noexcept {
  constexpr int lanes_of_unit = sizeof(Unit) == 16 ? 2 : 1;
  return shuffled<std::conditional_t<sizeof(Unit) == 16, std::uint64_t, Unit>>(
      low, high, [](int at) { return (First + Step * (at / lanes_of_unit)) * lanes_of_unit + at % lanes_of_unit; });
}
