// SPDX-License-Identifier: MIT
// From tuples of indices to offsets, a vector at a time. Included once for each instruction set, by kernels.hpp.

/// `lanes` indices, `step` apart, as 64-bit numbers.
template <class Index>
static inline vector load_indices(Index const* from, index_t step) noexcept {
  vector value{};
  if (step == 1) {
    if constexpr (sizeof(Index) == 8) {
      __builtin_memcpy(&value, from, sizeof value);
    } else {
      using narrow = typename vector_of<Index, NDX_VECTOR_BYTES / 2>::type;
      narrow half;
      __builtin_memcpy(&half, from, sizeof half);
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
  __builtin_memcpy(&pairs, from, sizeof pairs);
  if constexpr (sizeof(Index) == 8) {
    vector more;
    __builtin_memcpy(&more, from + lanes, sizeof more);
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

/// The products of numbers below 2^32, for which there is an instruction everywhere; whole products take several, or a
/// slow one.
template <class Unsigned>
static inline Unsigned multiply_narrow(Unsigned value, std::uint64_t factor) noexcept {
#if defined(__clang__) || !NDX_HAS_X86_KERNELS
  return (value & 0xffffffffU) * factor;
#else
  using numbers = vector_of<int, NDX_VECTOR_BYTES>::type;
  auto const a = reinterpret_cast<numbers>(value);
  auto const b = reinterpret_cast<numbers>(Unsigned{} + factor);
#if NDX_VECTOR_BYTES == 64
  using products = vector_of<long long, NDX_VECTOR_BYTES>::type;
  return reinterpret_cast<Unsigned>(__builtin_ia32_pmuludq512_mask(a, b, products{}, 0xff));
#elif NDX_VECTOR_BYTES == 32
  return reinterpret_cast<Unsigned>(__builtin_ia32_pmuludq256(a, b));
#else
  return reinterpret_cast<Unsigned>(__builtin_ia32_pmuludq128(a, b));
#endif
#endif
}

/// Adds what one coordinate of a vector of tuples contributes to their offsets; notes which are bad.
template <bool Checked, bool Narrow, class Index, class Unsigned>
static inline void accumulate(vector index, plan::coordinate const& axis, Unsigned& offset, vector& bad) noexcept {
  auto const extent = static_cast<std::uint64_t>(axis.extent);
  auto const stride = static_cast<std::uint64_t>(axis.stride);
  auto value = reinterpret_cast<Unsigned>(index);  // without a sign, so that bad indices may overflow
  if constexpr (std::is_signed_v<Index>) value += reinterpret_cast<Unsigned>(index < 0) & extent;
  if constexpr (Checked) bad |= reinterpret_cast<vector>(value >= extent);
  if constexpr (Narrow) offset += multiply_narrow(value, stride);
  else offset += value * stride;
}

/// Do all indices in range and all strides fit 32 bits?
template <class Index>
static inline bool is_narrow(tuple_request<Index> const& request) noexcept {
  bool result = true;
  for (std::size_t c = 0; c < request.coordinate_count; ++c)
    result = result && static_cast<std::uint64_t>(request.coordinates[c].extent - 1) <= 0xffffffffU &&
             static_cast<std::uint64_t>(request.coordinates[c].stride) <= 0xffffffffU;
  return result;
}

/// Is any lane of a vector not 0?
template <class Vector>
static inline bool is_any(Vector const& lanes_of) noexcept {
  bool result = false;
  for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(lanes_of[0]); ++lane)
    result = result || lanes_of[lane] != 0;
  return result;
}

/// Blocks are read with pauses between them, in which hardware prefetchers forget the stream of indices. `Near`: into
/// the first-level cache as well.
template <packing Packing, bool Near = false, class Index>
[[gnu::always_inline]] static inline void prefetch_indices(Index const* from, index_t tuples) noexcept {
  index_t const consumed = tuples * (Packing == packing::pairs ? 2 : 1) * static_cast<index_t>(sizeof(Index));
  auto const* const bytes = reinterpret_cast<std::byte const*>(from);
  for (index_t byte = 0; byte < consumed; byte += 64) {
    prefetch(bytes, tuning::indices_ahead_bytes + byte);
    if constexpr (Near) prefetch_near(bytes, tuning::indices_near_bytes + byte);
  }
}

/// The offsets of as many tuples as fill whole vectors.
template <bool Checked, bool Narrow, packing Packing, class Index>
static inline void resolve_vectors(tuple_request<Index> const& where, index_t* offsets, vector& any_bad) noexcept {
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  // Copies: an offset that is stored might change what a reference leads to, which would be read again after each.
  tuple_request<Index> const request = where;
  plan::coordinate const first_axis = request.coordinates[0];
  plan::coordinate const second_axis = request.coordinates[Packing == packing::pairs ? 1 : 0];
  auto const step = static_cast<std::uint64_t>(request.step);
  unsigned_vector line{};
  for (index_t lane = 0; lane < lanes; ++lane)
    line[lane] = static_cast<std::uint64_t>(request.start) + step * static_cast<std::uint64_t>(lane);
  vector seen = any_bad;
  for (index_t at = 0; at + lanes <= request.count; at += lanes) {
    unsigned_vector offset = line;
    vector bad{};
    Index const* const first = request.tuples + at * request.tuple_step;
    if constexpr (Packing != packing::none) prefetch_indices<Packing>(first, lanes);
    if constexpr (Packing == packing::singles) {
      accumulate<Checked, Narrow, Index>(load_indices(first, 1), first_axis, offset, bad);
    } else if constexpr (Packing == packing::pairs) {
      accumulate<Checked, Narrow, Index>(load_paired<0>(first), first_axis, offset, bad);
      accumulate<Checked, Narrow, Index>(load_paired<1>(first), second_axis, offset, bad);
    } else {
      for (std::size_t c = 0; c < request.coordinate_count; ++c)
        accumulate<Checked, Narrow, Index>(
            load_indices(first + static_cast<index_t>(c) * request.coordinate_step, request.tuple_step),
            request.coordinates[c], offset, bad);
    }
    auto result = reinterpret_cast<vector>(offset);
    if constexpr (Checked) {
      result = (result & ~bad) | (bad & plan::no_offset);
      seen |= bad;
    }
    __builtin_memcpy(offsets + at, &result, sizeof result);
    line += step * static_cast<std::uint64_t>(lanes);
  }
  any_bad = seen;
}

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
    if constexpr (std::is_signed_v<Index>)
      cut |= reinterpret_cast<Numbers>(high) ^ reinterpret_cast<Numbers>(reinterpret_cast<signed_numbers>(low) >> 31);
    else cut |= reinterpret_cast<Numbers>(high);
    return low;
  }
}

/// What 2 * lanes packed tuples move, where `is_short`, by their indices alone: 0 for bad ones. Is any bad, then `any`
/// is not 0.
template <bool Checked, packing Packing, class Index, class Numbers>
[[gnu::always_inline]] static inline Numbers short_offsets(Index const* tuples, plan::coordinate const* axes,
                                                           Numbers& any) noexcept {
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
  for (std::size_t c = 0; c < (is_pair ? 2 : 1); ++c) {
    auto value = reinterpret_cast<Numbers>(read[c]);
    auto const extent = static_cast<std::uint32_t>(axes[c].extent);
    if constexpr (std::is_signed_v<Index>)
      value += reinterpret_cast<Numbers>(reinterpret_cast<signed_numbers>(read[c]) < 0) & extent;
    if constexpr (Checked) bad |= reinterpret_cast<Numbers>(value >= extent);
    sum += value * static_cast<std::uint32_t>(axes[c].stride);
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
  constexpr std::size_t coordinates = Packing == packing::pairs ? 2 : 1;
  plan::coordinate const axes[2] = {request.coordinates[0], request.coordinates[coordinates - 1]};
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

/// The same without vectors, for all tuples. Is any of them bad?
template <bool Checked, packing Packing, class Index>
static inline bool resolve_plainly(tuple_request<Index> const& where, index_t* offsets) noexcept {
  tuple_request<Index> const request = where;
  std::size_t const coordinates = Packing == packing::singles ? 1
                                  : Packing == packing::pairs ? 2
                                                              : request.coordinate_count;
  plan::coordinate const first_axis = request.coordinates[0];
  plan::coordinate const second_axis = request.coordinates[Packing == packing::pairs ? 1 : 0];
  Index const* tuple = request.tuples;
  auto line = static_cast<std::uint64_t>(request.start);
  bool found = false;
  for (index_t at = 0; at < request.count; ++at) {
    std::uint64_t offset = line;
    bool bad = false;
    auto const accumulate_plainly = [&](Index read, plan::coordinate const& axis) __attribute__((always_inline)) {
      auto const extent = static_cast<std::uint64_t>(axis.extent);
      auto const index = static_cast<std::int64_t>(read);
      auto value = static_cast<std::uint64_t>(index);
      if constexpr (std::is_signed_v<Index>) value += static_cast<std::uint64_t>(index >> 63) & extent;
      if constexpr (Checked) bad = bad | (value >= extent);
      offset += value * static_cast<std::uint64_t>(axis.stride);
    };
    if constexpr (Packing == packing::none) {
      for (std::size_t c = 0; c < coordinates; ++c)
        accumulate_plainly(tuple[static_cast<index_t>(c) * request.coordinate_step], request.coordinates[c]);
      tuple += request.tuple_step;
    } else {
      prefetch_indices<Packing>(tuple, 1);
      accumulate_plainly(tuple[0], first_axis);
      if constexpr (Packing == packing::pairs) accumulate_plainly(tuple[1], second_axis);
      tuple += coordinates;
    }
    offsets[at] = bad ? plan::no_offset : static_cast<index_t>(offset);
    found = found | bad;
    line += static_cast<std::uint64_t>(request.step);
  }
  return found;
}

/// Two lanes are no gain over none, and SSE2 cannot compare numbers of 64 bits.
inline constexpr bool resolves_by_vectors = lanes > 2;

template <bool Checked, packing Packing, class Index>
static inline bool resolve_packed(tuple_request<Index> const& request, index_t* offsets) noexcept {
  if constexpr (!resolves_by_vectors) {
    if constexpr (Packing != packing::none) {
      if (is_short(request)) {
        bool bad = false;
        index_t const at = resolve_widened<Checked, Packing>(request, offsets, bad);
        if (!bad) return resolve_scalar(request, at, Checked ? bounds::check : bounds::trust, offsets);
      }
    }
    return resolve_plainly<Checked, Packing>(request, offsets);
  } else {
    bool const found =  // of those that fill no vector
        resolve_scalar(request, request.count / lanes * lanes, Checked ? bounds::check : bounds::trust, offsets);
    vector any_bad{};
    if (is_narrow(request)) resolve_vectors<Checked, true, Packing>(request, offsets, any_bad);
    else resolve_vectors<Checked, false, Packing>(request, offsets, any_bad);
    return found || (Checked && is_any(any_bad));
  }
}

/// The offsets of `request.count` tuples; `no_offset` for bad ones where they are `Checked`. Is any of them bad?
template <bool Checked, class Index>
static bool resolve(tuple_request<Index> const& request, index_t* offsets) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  switch (packing_of(request)) {
    case packing::singles:
      return resolve_packed<Checked, packing::singles>(request, offsets);
    case packing::pairs:
      return resolve_packed<Checked, packing::pairs>(request, offsets);
    case packing::none:
      break;
  }
  return resolve_packed<Checked, packing::none>(request, offsets);
}

template <bool Checked, packing Packing, class Index>
static inline bool resolve_in_32_bits(tuple_request<Index> const& where, std::uint32_t* offsets) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = 2 * lanes;
  tuple_request<Index> const request = where;
  plan::coordinate const axes[2] = {request.coordinates[0], request.coordinates[Packing == packing::pairs ? 1 : 0]};
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

/// How many of them come before a cache line begins. Vectors of indices are read from there on: most callers' indices
/// begin within a line, and a vector that lies in two takes twice as long.
template <class Index>
static inline index_t before_line(Index const* indices, index_t count) noexcept {
  auto const bytes = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(indices) & 63U);
  return lesser(count, bytes / static_cast<index_t>(sizeof(Index)));
}

/// Do packed indices all lie in the range of one extent? What `resolve` finds out too, at the speed of reading.
template <class Index>
static bool verify(Index const* indices, index_t count, index_t extent) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  auto const end = static_cast<std::uint64_t>(extent);
  vector bad{};
  bool good = true;
  index_t at = 0;
  auto const verify_plainly = [&](index_t last) __attribute__((always_inline)) {
    for (; at < last; ++at) good = good && plan::resolve_index(indices[at], extent, bounds::check) >= 0;
  };
  if constexpr (resolves_by_vectors) verify_plainly(before_line(indices, count));
  for (; resolves_by_vectors && at + lanes <= count; at += lanes) {
    prefetch(reinterpret_cast<std::byte const*>(indices + at), tuning::checked_ahead_bytes);
    auto const value = reinterpret_cast<unsigned_vector>(load_indices(indices + at, 1));
    // Moved up by the extent, the good indices of a signed type are those in [0, 2 * extent).
    if constexpr (std::is_signed_v<Index>) bad |= reinterpret_cast<vector>(value + end >= 2 * end);
    else bad |= reinterpret_cast<vector>(value >= end);
  }
  verify_plainly(count);
  return good && !is_any(bad);
}

/// `verify` for extents of at most 2^16, which keeps what it reads: the good indices, as numbers in [0, extent).
template <class Index>
static bool narrow(std::uint16_t* to, Index const* indices, index_t count, index_t extent) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t at = 0;
  bool good = true;
  auto const narrow_plainly = [&](index_t last) __attribute__((always_inline)) {
    for (; at < last; ++at) {
      index_t const index = plan::resolve_index(indices[at], extent, bounds::check);
      good = good && index >= 0;
      to[at] = static_cast<std::uint16_t>(index);
    }
  };
  if constexpr (resolves_by_vectors) {
    using numbers = vector_of<std::uint16_t, NDX_VECTOR_BYTES>::type;
    narrow_plainly(before_line(indices, count));
    vector seen{};   // every bit that any index has
    numbers most{};  // the greatest lower halves
    for (; at + 4 * lanes <= count; at += 4 * lanes) {
      vector quarters[4];
      for (index_t q = 0; q < 4; ++q) {
        Index const* const from = indices + at + q * lanes;
        prefetch(reinterpret_cast<std::byte const*>(from), tuning::checked_ahead_bytes);
        vector index = load_indices(from, 1);
        if constexpr (std::is_signed_v<Index>) index += (index >> 63) & extent;
        seen |= index;
        quarters[q] = index;
      }
      vector const low = pick<std::uint32_t, 0, 2>(quarters[0], quarters[1]);
      vector const high = pick<std::uint32_t, 0, 2>(quarters[2], quarters[3]);
      auto const narrowed = reinterpret_cast<numbers>(pick<std::uint16_t, 0, 2>(low, high));
      most = narrowed > most ? narrowed : most;
      __builtin_memcpy(to + at, &narrowed, sizeof narrowed);
    }
    for (index_t lane = 0; lane < lanes; ++lane) good = good && (seen[lane] >> 16) == 0;
    for (index_t lane = 0; lane < 4 * lanes; ++lane) good = good && most[lane] < extent;
  }
  narrow_plainly(count);
  return good;
}

/// Leaves only the offsets within [first, first + extent), the others become `no_offset`.
static inline void keep_owned(index_t* offsets, index_t count, index_t first, std::uint64_t extent) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  for (index_t at = 0; at < count; at += lanes) {  // whole vectors: there is room for them
    vector offset;
    __builtin_memcpy(&offset, offsets + at, sizeof offset);
    auto const distance = reinterpret_cast<unsigned_vector>(offset) - static_cast<std::uint64_t>(first);
    auto const owned = reinterpret_cast<vector>(distance < extent);
    offset = (offset & owned) | (~owned & plan::no_offset);
    __builtin_memcpy(offsets + at, &offset, sizeof offset);
  }
}
