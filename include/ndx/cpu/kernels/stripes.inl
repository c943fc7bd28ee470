// SPDX-License-Identifier: MIT
// The way of stripes to scratch and back, for scatters along an axis that is not the last. Included once for each
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
