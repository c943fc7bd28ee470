// SPDX-License-Identifier: MIT
// Packed tuples all offsets of which fit 32 bits: twice as many in a vector. Included once for each instruction set, by
// kernels.hpp.

/// Numbers of 32 bits as two vectors of 64.
template <class Numbers>
static inline void store_widened(index_t* to, Numbers numbers, vector line, vector next_line) noexcept {
  auto const half = [&]<int... I>(std::integer_sequence<int, I...>, auto first) __attribute__((always_inline)) {
    return __builtin_convertvector(__builtin_shufflevector(numbers, numbers, (I + first.value)...), vector);
  };
  using indices = std::make_integer_sequence<int, static_cast<int>(lanes)>;
  vector const low = half(indices{}, std::integral_constant<int, 0>{}) + line;
  vector const high = half(indices{}, std::integral_constant<int, static_cast<int>(lanes)>{}) + next_line;
  __builtin_memcpy(to, &low, sizeof low);
  __builtin_memcpy(to + lanes, &high, sizeof high);
}

/// The even (`Odd` 0) or odd (1) 32-bit lanes of two vectors. AVX2 moves lanes at less cost within the halves of a
/// vector than across: there each half has those of its own half of either vector, and `in_order` sets that right.
template <int Odd>
[[gnu::always_inline]] static inline vector split_lanes(vector low, vector high) noexcept {
#if NDX_VECTOR_BYTES == 32
  using numbers = vector_of<float, NDX_VECTOR_BYTES>::type;  // for which there is one instruction
  auto const first = reinterpret_cast<numbers>(low);
  auto const second = reinterpret_cast<numbers>(high);
  return reinterpret_cast<vector>(
      __builtin_shufflevector(first, second, Odd, Odd + 2, Odd + 8, Odd + 10, Odd + 4, Odd + 6, Odd + 12, Odd + 14));
#else
  return pick<std::uint32_t, Odd, 2>(low, high);
#endif
}

/// What came out of so many `split_lanes` one after the other, in the order of the lanes that went in.
template <int Splits, class Numbers>
[[gnu::always_inline]] static inline Numbers in_order(Numbers lanes_apart) noexcept {
#if NDX_VECTOR_BYTES == 32
  if constexpr (Splits == 1) return __builtin_shufflevector(lanes_apart, lanes_apart, 0, 1, 4, 5, 2, 3, 6, 7);
  if constexpr (Splits == 2) return __builtin_shufflevector(lanes_apart, lanes_apart, 0, 4, 1, 5, 2, 6, 3, 7);
#endif
  return lanes_apart;
}

/// As many indices as there are 32-bit lanes in a vector, by their lower halves; `cut` is not 0 where a half is not all
/// of an index.
template <class Index, class Numbers>
[[gnu::always_inline]] static inline vector load_short(Index const* indices, [[maybe_unused]] Numbers& cut) noexcept {
  auto const* const bytes = reinterpret_cast<std::byte const*>(indices);
  vector const read = load(bytes);
  if constexpr (sizeof(Index) == 4) {
    return read;
  } else {
    using signed_numbers = vector_of<std::int32_t, NDX_VECTOR_BYTES>::type;
    vector const more = load(bytes + vector_bytes);
    vector const low = split_lanes<0>(read, more);
    vector const high = split_lanes<1>(read, more);
    cut |= reinterpret_cast<Numbers>(high) ^ reinterpret_cast<Numbers>(reinterpret_cast<signed_numbers>(low) >> 31);
    return low;
  }
}

/// The axes that short tuples address.
struct short_axes {
  std::uint32_t extents[2];
  std::uint32_t strides[2];
  std::uint32_t from_end[2];  ///< what is added to a negative index
};

template <packing Packing, class Index>
[[gnu::always_inline]] static inline short_axes short_axes_of(tuple_request<Index> const& request) noexcept {
  short_axes axes{};
  NDX_UNROLLED(2)
  for (std::size_t c = 0; c < (Packing == packing::pairs ? 2 : 1); ++c) {
    plan::coordinate const axis = request.coordinates[c];
    axes.extents[c] = static_cast<std::uint32_t>(axis.extent);
    axes.strides[c] = static_cast<std::uint32_t>(axis.stride);
    axes.from_end[c] = static_cast<std::uint32_t>(axis.extent & request.from_end);
  }
  return axes;
}

/// What 2 * lanes packed tuples move, where `is_short`, by their indices alone: 0 for bad ones. Is any bad, then `any`
/// is not 0.
template <bool Checked, packing Packing, class Index, class Numbers>
[[gnu::always_inline]] static inline Numbers short_offsets(Index const* tuples, short_axes const& axes,
                                                           Numbers& any) noexcept {
  static_assert(std::is_signed_v<Index>);
  using signed_numbers = vector_of<std::int32_t, NDX_VECTOR_BYTES>::type;
  constexpr bool is_pair = Packing == packing::pairs;
  vector read[2] = {load_short(tuples, any)};
  if constexpr (is_pair) {
    vector const more = load_short(tuples + 2 * lanes, any);
    read[1] = split_lanes<1>(read[0], more);
    read[0] = split_lanes<0>(read[0], more);
  }
  Numbers sum{};
  Numbers bad{};
  NDX_UNROLLED(2)
  for (std::size_t c = 0; c < (is_pair ? 2 : 1); ++c) {
    auto value = reinterpret_cast<Numbers>(read[c]);
    value += reinterpret_cast<Numbers>(reinterpret_cast<signed_numbers>(read[c]) < 0) & axes.from_end[c];
    if constexpr (Checked) bad |= reinterpret_cast<Numbers>(value >= axes.extents[c]);
    sum += value * axes.strides[c];
  }
  if constexpr (Checked) {
    any |= bad;
    sum &= ~bad;
  }
  return in_order<(is_pair ? 1 : 0) + (sizeof(Index) == 8 ? 1 : 0)>(sum);
}

/// `resolve_vectors` for tuples that are short: twice as many at once. Offsets are only right if none is bad.
template <bool Checked, packing Packing, class Index>
static inline index_t resolve_widened(tuple_request<Index> const& where, index_t* offsets, bool& any_bad) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = 2 * lanes;
  tuple_request<Index> const request = where;
  short_axes const axes = short_axes_of<Packing>(request);
  vector line{};
  for (index_t lane = 0; lane < lanes; ++lane) line[lane] = request.start + request.step * lane;
  vector next_line = line + request.step * lanes;
  numbers bad{};
  index_t at = 0;
  for (; at + at_once <= request.count; at += at_once) {
    Index const* const first = request.tuples + at * request.tuple_step;
    prefetch_indices<Packing>(first, at_once);
    store_widened(offsets + at, short_offsets<Checked, Packing>(first, axes, bad), line, next_line);
    line += request.step * at_once;
    next_line += request.step * at_once;
  }
  if constexpr (Checked) any_bad = any_bad || is_any(bad);
  return at;
}

template <bool Checked, packing Packing, class Index>
static inline bool resolve_in_32_bits(tuple_request<Index> const& where, std::uint32_t* offsets) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = 2 * lanes;
  tuple_request<Index> const request = where;
  short_axes const axes = short_axes_of<Packing>(request);
  numbers bad{};
  index_t at = 0;
  for (; at + at_once <= request.count; at += at_once) {
    Index const* const first = request.tuples + at * request.tuple_step;
    prefetch_indices<Packing>(first, at_once);
    numbers const several = short_offsets<Checked, Packing>(first, axes, bad);
    __builtin_memcpy(offsets + at, &several, sizeof several);
  }
  tuple_request<Index> rest = request;
  rest.tuples += at * request.tuple_step;
  rest.count -= at;
  index_t of_rest[at_once];
  bool const found = resolve_scalar(rest, 0, Checked ? bounds::check : bounds::trust, of_rest);
  for (index_t i = 0; i < rest.count; ++i) offsets[at + i] = static_cast<std::uint32_t>(of_rest[i]);
  return found || (Checked && is_any(bad));
}

/// `resolve` for packed tuples that are short and lead to places by their indices alone, in 32 bits. Is any of them
/// bad? Then offsets are not right.
template <bool Checked, class Index>
static bool resolve_short(tuple_request<Index> const& request, std::uint32_t* offsets) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  return packing_of(request) == packing::pairs ? resolve_in_32_bits<Checked, packing::pairs>(request, offsets)
                                               : resolve_in_32_bits<Checked, packing::singles>(request, offsets);
}
