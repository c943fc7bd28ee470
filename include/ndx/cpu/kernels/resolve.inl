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

/// The offsets of `request.count` tuples; `no_offset` for bad ones where they are `Checked`. Is any of them bad?
template <bool Checked, class Index>
static inline bool resolve(tuple_request<Index> const& request, index_t* offsets) noexcept {
  using unsigned_vector = typename vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
  vector any_bad{};
  vector line{};
  for (index_t lane = 0; lane < lanes; ++lane)
    line[lane] = plan::wrapping_add(request.start, plan::wrapping_multiply(lane, request.step));
  index_t at = 0;
  for (; at + lanes <= request.count; at += lanes) {
    // Without a sign, so that lanes with bad indices may overflow.
    auto offset = reinterpret_cast<unsigned_vector>(line);
    vector bad{};
    for (std::size_t c = 0; c < request.coordinate_count; ++c) {
      auto const extent = static_cast<std::uint64_t>(request.coordinates[c].extent);
      vector const index = load_indices(
          request.tuples + at * request.tuple_step + static_cast<index_t>(c) * request.coordinate_step,
          request.tuple_step);
      auto value = reinterpret_cast<unsigned_vector>(index);
      if constexpr (std::is_signed_v<Index>) value += reinterpret_cast<unsigned_vector>(index < 0) & extent;
      if constexpr (Checked) bad |= reinterpret_cast<vector>(value >= extent);
      offset += value * static_cast<std::uint64_t>(request.coordinates[c].stride);
    }
    auto result = reinterpret_cast<vector>(offset);
    if constexpr (Checked) {
      result = (result & ~bad) | (bad & plan::no_offset);
      any_bad |= bad;
    }
    std::memcpy(offsets + at, &result, sizeof result);
    line = reinterpret_cast<vector>(reinterpret_cast<unsigned_vector>(line) +
                                    static_cast<std::uint64_t>(request.step) * static_cast<std::uint64_t>(lanes));
  }
  bool found = resolve_scalar(request, at, Checked ? bounds::check : bounds::trust, offsets);
  for (index_t lane = 0; lane < lanes; ++lane) found = found || any_bad[lane] != 0;
  return found;
}
