// SPDX-License-Identifier: MIT
// From tuples of indices to offsets, a vector at a time. Included once for each instruction set, by kernels.hpp.

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

/// Adds what one coordinate of a vector of tuples contributes to their offsets. Where it is bad, `bad` gets a sign.
template <bool Checked, bool Narrow, class Index, class Unsigned>
static inline void accumulate(vector index, plan::coordinate const& axis, Unsigned& offset, vector& bad) noexcept {
  auto const extent = static_cast<std::uint64_t>(axis.extent);
  auto const stride = static_cast<std::uint64_t>(axis.stride);
  auto value = reinterpret_cast<Unsigned>(index);  // without a sign, so that bad indices may overflow
  if constexpr (std::is_signed_v<Index>) value += reinterpret_cast<Unsigned>(index >> 63) & extent;
  if constexpr (Checked) bad |= reinterpret_cast<vector>(value | (extent - 1 - value));
  if constexpr (Narrow) offset += multiply_narrow(value, stride);
  else offset += value * stride;
}

/// The same for packed pairs of 32 bits as they lie, one in each lane of 64.
template <bool Checked, class Index, class Unsigned>
static inline void accumulate_pairs(vector pairs, plan::coordinate const& first, plan::coordinate const& second,
                                    Unsigned& offset, vector& bad) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  using signed_numbers = vector_of<std::int32_t, NDX_VECTOR_BYTES>::type;
  auto const both_extents = static_cast<std::uint64_t>(second.extent) << 32 | static_cast<std::uint64_t>(first.extent);
  auto const extents = reinterpret_cast<numbers>(Unsigned{} + both_extents);
  auto value = reinterpret_cast<numbers>(pairs);
  if constexpr (std::is_signed_v<Index>)
    value += reinterpret_cast<numbers>(reinterpret_cast<signed_numbers>(pairs) >> 31) & extents;
  if constexpr (Checked) {
    auto const either = reinterpret_cast<Unsigned>(value | (extents - 1 - value));
    bad |= reinterpret_cast<vector>(either | either << 32);
  }
  auto const halves = reinterpret_cast<Unsigned>(value);
  offset += multiply_narrow(halves, static_cast<std::uint64_t>(first.stride)) +
            multiply_narrow(halves >> 32, static_cast<std::uint64_t>(second.stride));
}

/// Do all indices in range and all strides fit 32 bits, and indices of pairs of so many 31?
template <packing Packing, class Index>
static inline bool is_narrow(tuple_request<Index> const& request) noexcept {
  constexpr std::uint64_t most_extent =
      Packing == packing::pairs && sizeof(Index) == 4 ? 0x7fffffffU : std::uint64_t{1} << 32;
  bool result = true;
  for (std::size_t c = 0; c < request.coordinate_count; ++c)
    result = result && static_cast<std::uint64_t>(request.coordinates[c].extent - 1) < most_extent &&
             static_cast<std::uint64_t>(request.coordinates[c].stride) <= 0xffffffffU;
  return result;
}

/// Which tuples are resolved: all before one, which may be the first behind a line.
struct resolved_until {
  index_t line;
  index_t tuple;  ///< in that line
};

/// The offsets of as many tuples as fill whole vectors. Packed lines that follow one another are taken together: the
/// last vector of a line reaches into those behind it, whose offsets are written after it.
template <bad_tuples Bad, bool Narrow, packing Packing, class Index>
static inline resolved_until resolve_vectors(tuple_request<Index> const& where, line_sequence const& sequence,
                                             index_t* offsets, vector& any_bad) noexcept {
  constexpr bool checked = Bad != bad_tuples::none;
  using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  // Copies: an offset that is stored might change what a reference leads to, which would be read again after each.
  tuple_request<Index> const request = where;
  line_sequence const lines_of_tuples = sequence;
  plan::coordinate const first_axis = request.coordinates[0];
  plan::coordinate const second_axis = request.coordinates[Packing == packing::pairs ? 1 : 0];
  auto const step = static_cast<std::uint64_t>(request.step);
  unsigned_vector steps{};
  for (index_t lane = 0; lane < lanes; ++lane) steps[lane] = step * static_cast<std::uint64_t>(lane);
  vector seen = any_bad;
  auto start = static_cast<std::uint64_t>(request.start);
  index_t left = lines_of_tuples.count * request.count;
  Index const* tuples = request.tuples;
  for (index_t line = 0; line < lines_of_tuples.count; ++line) {
    unsigned_vector place = steps + start;
    index_t const end = lesser(request.count, left - lanes + 1);
    index_t at = 0;
    for (; at < end; at += lanes) {
      unsigned_vector offset = place;
      vector bad{};
      Index const* const first = tuples + at * request.tuple_step;
      if constexpr (Packing != packing::none) prefetch_indices<Packing>(first, lanes);
      if constexpr (Packing == packing::singles) {
        accumulate<checked, Narrow, Index>(load_indices(first, 1), first_axis, offset, bad);
      } else if constexpr (Packing == packing::pairs && sizeof(Index) == 4 && Narrow) {
        accumulate_pairs<checked, Index>(load(reinterpret_cast<std::byte const*>(first)), first_axis, second_axis,
                                         offset, bad);
      } else if constexpr (Packing == packing::pairs) {
        accumulate<checked, Narrow, Index>(load_paired<0>(first), first_axis, offset, bad);
        accumulate<checked, Narrow, Index>(load_paired<1>(first), second_axis, offset, bad);
      } else {
        for (std::size_t c = 0; c < request.coordinate_count; ++c)
          accumulate<checked, Narrow, Index>(
              load_indices(first + static_cast<index_t>(c) * request.coordinate_step, request.tuple_step),
              request.coordinates[c], offset, bad);
      }
      auto result = reinterpret_cast<vector>(offset);
      if constexpr (Bad == bad_tuples::marked) {
        bad >>= 63;
        result = (result & ~bad) | (bad & plan::no_offset);
      }
      if constexpr (checked) seen |= bad;
      __builtin_memcpy(offsets + at, &result, sizeof result);
      place += step * static_cast<std::uint64_t>(lanes);
    }
    if (at < request.count) {
      any_bad = seen;
      return {line, at};
    }
    left -= request.count;
    offsets += request.count;
    tuples += lines_of_tuples.tuples;
    start += static_cast<std::uint64_t>(lines_of_tuples.start);
  }
  any_bad = seen;
  return {lines_of_tuples.count, 0};
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

/// Of lines whose tuples follow one another, or of a single one.
template <bad_tuples Bad, packing Packing, class Index>
static inline bool resolve_joined(tuple_request<Index> const& first, line_sequence const& lines,
                                  index_t* offsets) noexcept {
  constexpr bool checked = Bad != bad_tuples::none;
  vector bad{};  // has a sign where one is
  resolved_until const until = is_narrow<Packing>(first)
                                   ? resolve_vectors<Bad, true, Packing>(first, lines, offsets, bad)
                                   : resolve_vectors<Bad, false, Packing>(first, lines, offsets, bad);
  bool found = checked && is_any(reinterpret_cast<vector>(bad < 0));
  // Of those that fill no vector.
  index_t tuple = until.tuple;
  for (index_t line = until.line; line < lines.count; ++line, tuple = 0) {
    bool const some = resolve_scalar(nth_line(first, lines, line), tuple, checked ? bounds::check : bounds::trust,
                                     offsets + line * first.count);
    found = found || some;
  }
  return found;
}

template <bad_tuples Bad, packing Packing, class Index>
static inline bool resolve_line(tuple_request<Index> const& request, index_t* offsets) noexcept {
  constexpr bool checked = Bad != bad_tuples::none;
  if constexpr (resolves_by_vectors) return resolve_joined<Bad, Packing>(request, one_line, offsets);
  if constexpr (Packing != packing::none) {
    if (is_short(request)) {
      bool bad = false;
      index_t const at = resolve_widened<checked, Packing>(for_kernels(request), offsets, bad);
      if (!bad) return resolve_scalar(request, at, checked ? bounds::check : bounds::trust, offsets);
    }
  }
  return resolve_plainly<checked, Packing>(request, offsets);
}

template <bad_tuples Bad, packing Packing, class Index>
static inline bool resolve_lines(tuple_request<Index> const& first, line_sequence const& lines,
                                 index_t* offsets) noexcept {
  if constexpr (resolves_by_vectors && Packing != packing::none)
    if (lines.count == 1 || lines.tuples == first.count * first.tuple_step)
      return resolve_joined<Bad, Packing>(first, lines, offsets);
  bool found = false;
  for (index_t line = 0; line < lines.count; ++line) {
    bool const some = resolve_line<Bad, Packing>(nth_line(first, lines, line), offsets + line * first.count);
    found = found || some;
  }
  return found;
}

/// The offsets of all tuples of some lines, each of `request.count`. Is any of them bad?
template <bad_tuples Bad, class Index>
static bool resolve(tuple_request<Index> const& request, line_sequence const& lines, index_t* offsets) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  switch (packing_of(request)) {
    case packing::singles:
      return resolve_lines<Bad, packing::singles>(request, lines, offsets);
    case packing::pairs:
      return resolve_lines<Bad, packing::pairs>(request, lines, offsets);
    case packing::none:
      break;
  }
  constexpr bad_tuples unpacked = Bad == bad_tuples::none ? bad_tuples::none : bad_tuples::marked;
  return resolve_lines<unpacked, packing::none>(request, lines, offsets);
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
