// SPDX-License-Identifier: MIT
// Scatters along an axis that is not the last, a stripe of the destination at a time. Included once for each
// instruction set, by kernels.hpp.

/// Rows of `bytes` from one pitch to another. Rows that lie far apart are nothing that a hardware prefetcher follows,
/// so they are fetched here where `how` says that they are not in a cache yet.
static inline void copy_stripe(std::byte* to, std::byte const* from, grid const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  plan::loop const& rows = g.inner;
  index_t const distance = tuning::prefetched_lines * 64 / g.bytes + 1;
  for (index_t i = 0; i < rows.extent; ++i) {
    if (how.prefetch) {
      prefetch_row(from, lesser(i + distance, rows.extent - 1) * rows.source, g.bytes, false);
    }
    if (how.stream) stream_row(to + i * rows.destination, from + i * rows.source, g.bytes);
    else copy_row(to + i * rows.destination, from + i * rows.source, g.bytes);
  }
}

/// Calls `one(place, update)` for every update of a stripe, row after row.
template <index_t Size, class Index, class One>
[[gnu::always_inline]] static inline void for_each_in_stripe(stripe_request<Index> const& request,
                                                             One const& one) noexcept {
  index_t const columns = request.columns;
  index_t const extent = request.extent;
  index_t const pitch = request.pitch;
  std::byte* const to = request.to;
  for (index_t row = 0; row < request.rows; ++row) {
    Index const* const indices = request.indices + row * request.index_pitch;
    std::byte const* const updates = request.updates + row * request.update_pitch;
    index_t const ahead = lesser(tuning::stripe_rows_ahead, request.rows - 1 - row);
    auto const* const next_indices = reinterpret_cast<std::byte const*>(indices + ahead * request.index_pitch);
    prefetch_row<true>(next_indices, 0, columns * static_cast<index_t>(sizeof(Index)), false);
    prefetch_row<true>(updates, ahead * request.update_pitch, columns * Size, false);
    for (index_t column = 0; column < columns; ++column) {
      auto index = static_cast<std::int64_t>(indices[column]);
      if constexpr (std::is_signed_v<Index>) index += (index >> 63) & extent;
      one(to + index * pitch + column * Size, updates + column * Size);
    }
  }
}

template <class Unit, class Index>
static inline void write_stripe(stripe_request<Index> const& request) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  for_each_in_stripe<static_cast<index_t>(sizeof(Unit))>(
      request, [](std::byte * place, std::byte const* update)
                   __attribute__((always_inline)) { __builtin_memcpy(place, update, sizeof(Unit)); });
}

template <ndx::reduction Op, class T, class Index>
static inline void reduce_stripe(stripe_request<Index> const& request) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  for_each_in_stripe<static_cast<index_t>(sizeof(T))>(
      request, [](std::byte * place, std::byte const* update) __attribute__((always_inline)) {
        auto& element = *reinterpret_cast<T*>(place);
        element = plan::combine<Op>(element, *reinterpret_cast<T const*>(update));
      });
}
