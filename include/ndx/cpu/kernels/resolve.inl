// SPDX-License-Identifier: MIT
// From tuples of indices to offsets, a vector at a time. Included once for each instruction set, by kernels.hpp.

/// `lanes` indices, `step` apart, as 64-bit numbers.
template <class Index>
static inline vector load_indices(Index const* from, index_t step) noexcept {
  vector value{};
  if (step == 1) {
    if constexpr (sizeof(Index) == 8) {
      std::memcpy(&value, from, sizeof value);
    } else {
      using narrow = typename vector_of<Index, NDX_VECTOR_BYTES / 2>::type;
      narrow half;
      std::memcpy(&half, from, sizeof half);
      value = __builtin_convertvector(half, vector);
    }
  } else {
    for (index_t lane = 0; lane < lanes; ++lane) value[lane] = static_cast<std::int64_t>(from[lane * step]);
  }
  return value;
}

/// Every second number of two vectors, from the first (`Odd` 0) or the second (1) on.
template <int Odd>
static inline vector every_second(vector low, vector high) noexcept {
#if defined(__clang__)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(low, high, (2 * I + Odd)...);
  }
  (std::make_integer_sequence<int, static_cast<int>(lanes)>{});
#else
  vector order{};
  for (index_t lane = 0; lane < lanes; ++lane) order[lane] = 2 * lane + Odd;
  return __builtin_shuffle(low, high, order);
#endif
}

/// One coordinate of `lanes` packed pairs.
template <int Odd, class Index>
static inline vector load_paired(Index const* from) noexcept {
  vector pairs;
  std::memcpy(&pairs, from, sizeof pairs);
  if constexpr (sizeof(Index) == 8) {
    vector more;
    std::memcpy(&more, from + lanes, sizeof more);
    return every_second<Odd>(pairs, more);
  } else {
    using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
    // A pair is one 64-bit number, the first index its lower half: shifts extend either half.
    if constexpr (std::is_signed_v<Index>) {
      if constexpr (Odd == 0) pairs = reinterpret_cast<vector>(reinterpret_cast<unsigned_vector>(pairs) << 32);
      return pairs >> 32;
    } else {
      auto const halves = reinterpret_cast<unsigned_vector>(pairs);
      return reinterpret_cast<vector>(Odd == 0 ? halves & 0xffffffffU : halves >> 32);
    }
  }
}

/// Adds what one coordinate of a vector of tuples contributes to their offsets; notes which are bad.
template <bool Checked, class Index, class Unsigned>
static inline void accumulate(vector index, plan::coordinate const& axis, Unsigned& offset, vector& bad) noexcept {
  auto const extent = static_cast<std::uint64_t>(axis.extent);
  auto value = reinterpret_cast<Unsigned>(index);  // without a sign, so that bad indices may overflow
  if constexpr (std::is_signed_v<Index>) value += reinterpret_cast<Unsigned>(index < 0) & extent;
  if constexpr (Checked) bad |= reinterpret_cast<vector>(value >= extent);
  offset += value * static_cast<std::uint64_t>(axis.stride);
}

/// The offsets of `request.count` tuples; `no_offset` for bad ones where they are `Checked`. Is any of them bad?
template <bool Checked, class Index>
static bool resolve(tuple_request<Index> const& request, index_t* offsets) noexcept {
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  vector any_bad{};
  unsigned_vector line{};
  for (index_t lane = 0; lane < lanes; ++lane)
    line[lane] = static_cast<std::uint64_t>(request.start) +
                 static_cast<std::uint64_t>(request.step) * static_cast<std::uint64_t>(lane);
  bool const paired = request.coordinate_count == 2 && request.coordinate_step == 1 && request.tuple_step == 2;
  // Blocks are read with pauses between them, in which hardware prefetchers forget the stream of indices.
  index_t const consumed = lanes * request.tuple_step * static_cast<index_t>(sizeof(Index));
  index_t const fetched = consumed > 0 && consumed <= 4 * vector_bytes ? consumed : 0;
  index_t at = 0;
  for (; at + lanes <= request.count; at += lanes) {
    unsigned_vector offset = line;
    vector bad{};
    Index const* const first = request.tuples + at * request.tuple_step;
    for (index_t byte = 0; byte < fetched; byte += 64)
      prefetch(reinterpret_cast<std::byte const*>(first), tuning::indices_ahead_bytes + byte);
    if (paired) {
      accumulate<Checked, Index>(load_paired<0>(first), request.coordinates[0], offset, bad);
      accumulate<Checked, Index>(load_paired<1>(first), request.coordinates[1], offset, bad);
    } else {
      for (std::size_t c = 0; c < request.coordinate_count; ++c)
        accumulate<Checked, Index>(
            load_indices(first + static_cast<index_t>(c) * request.coordinate_step, request.tuple_step),
            request.coordinates[c], offset, bad);
    }
    auto result = reinterpret_cast<vector>(offset);
    if constexpr (Checked) {
      result = (result & ~bad) | (bad & plan::no_offset);
      any_bad |= bad;
    }
    std::memcpy(offsets + at, &result, sizeof result);
    line += static_cast<std::uint64_t>(request.step) * static_cast<std::uint64_t>(lanes);
  }
  bool found = resolve_scalar(request, at, Checked ? bounds::check : bounds::trust, offsets);
  for (index_t lane = 0; lane < lanes; ++lane) found = found || any_bad[lane] != 0;
  return found;
}

/// Leaves only the offsets within [first, first + extent), the others become `no_offset`.
static inline void keep_owned(offset_block& block, index_t first, std::uint64_t extent) noexcept {
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  for (index_t at = 0; at < block.count; at += lanes) {  // whole vectors: the block has room for them
    vector offset;
    std::memcpy(&offset, block.offsets + at, sizeof offset);
    auto const distance = reinterpret_cast<unsigned_vector>(offset) - static_cast<std::uint64_t>(first);
    auto const owned = reinterpret_cast<vector>(distance < extent);
    offset = (offset & owned) | (~owned & plan::no_offset);
    std::memcpy(block.offsets + at, &offset, sizeof offset);
  }
}
