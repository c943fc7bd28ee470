// SPDX-License-Identifier: MIT
// Scatters along an axis that is not the last, a stripe of the destination at a time. Included once for each
// instruction set, by kernels.hpp.

/// The rows of a stripe leave the scratch while those of the next one come into it, so that the memory reads and writes
/// at the same time. Rows that lie far apart are nothing that a hardware prefetcher follows, so they are fetched here.
static inline void exchange_stripes(stripe_rows const& leaving, stripe_rows const& coming, index_t rows,
                                    bool streams) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  stripe_rows const out = leaving;
  stripe_rows const in = coming;
  index_t const ahead = in.bytes > 0 ? rows_of_lines_ahead(in.bytes) + 1 : 0;
  for (index_t i = 0; i < rows; ++i) {
    if (in.bytes > 0) prefetch_row(in.from, lesser(i + ahead, rows - 1) * in.from_pitch, in.bytes, false);
    if (out.bytes > 0) {
      if (streams) stream_row(out.to + i * out.to_pitch, out.from + i * out.from_pitch, out.bytes);
      else copy_row(out.to + i * out.to_pitch, out.from + i * out.from_pitch, out.bytes);
    }
    if (in.bytes > 0) copy_row(in.to + i * in.to_pitch, in.from + i * in.from_pitch, in.bytes);
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
