// SPDX-License-Identifier: MIT
// Gathers of rows by single indices, in one loop from finding out where a row lies to writing it, as gather.inl has it
// for elements. Included once for each instruction set, by kernels.hpp.

/// Rows by single indices of any kind and step. Those that are streamed are whole cache lines and go to where lines
/// begin; others are of any length. Where the caches do not hold them they are fetched early.
template <class Index>
static bool gather_rows(std::byte* to, std::byte const* base, tuple_request<Index> const& where, index_t bytes,
                        bool checked, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  tuple_request<Index> const request = where;
  std::byte const* const from = base + request.start;
  auto const extent = static_cast<std::uint64_t>(request.coordinates[0].extent);
  auto const stride = static_cast<std::uint64_t>(request.coordinates[0].stride);
  std::uint64_t const end = checked ? extent : ~std::uint64_t{};
  bool bad = false;
  // Twice for each row, when it is fetched and when it is read: that takes less than to remember it.
  auto const offset_of = [&](index_t i) __attribute__((always_inline)) {
    auto const index = static_cast<std::int64_t>(request.tuples[i * request.tuple_step]);
    auto value = static_cast<std::uint64_t>(index);
    if constexpr (std::is_signed_v<Index>) value += static_cast<std::uint64_t>(index >> 63) & extent;
    bad = bad | (value >= end);
    return static_cast<index_t>(value * stride);
  };
  // Intel's later processors run far enough ahead by themselves where they need not wait for room past the caches.
  bool const fetches = how.prefetch && (how.stream || !follows_pages() || runs_ahead_little());
  index_t const lead = fetches ? lesser(rows_ahead(bytes), request.count) : 0;
  index_t const fetched = fetches ? request.count - lead : 0;
  bool const in_lines = are_in_lines(from, bytes);
  for (index_t i = 0; i < lead; ++i) prefetch_row(from, offset_of(i), bytes, in_lines);
  // Two loops much alike: as one, called with what moves a row, streamed rows of 64 bytes took up to 1.3 times as long.
  if (how.stream) {
    bool const waits = how.pace && bytes <= tuning::paced_row_bytes;
    bool const grouped = bytes >= tuning::grouped_row_bytes;
    with_lines_of(
        in_lines, bytes, [&](auto lines, auto ends_later) __attribute__((always_inline)) {
          std::uint64_t zero = 0;
          index_t i = 0;
          for (; i < fetched && !bad; ++i) {
            prefetch(reinterpret_cast<std::byte const*>(request.tuples + i * request.tuple_step),
                     tuning::indices_ahead_bytes);
            index_t const ahead = offset_of(i + lead) + (waits ? paced(zero, tuning::paced_multiplications) : 0);
            stream_lines<lines()>(to + i * bytes, from + offset_of(i), bytes, shifted(from, ahead), grouped);
            if constexpr (ends_later()) prefetch(from, ahead + bytes - 1);
          }
          for (; i < request.count; ++i) {
            index_t const offset = offset_of(i);
            if (bad) return;
            for (index_t at = 0; at < bytes; at += 64) stream_line(to + i * bytes + at, from + offset + at);
          }
        });
    return !bad;
  }
  if (how.fetch_output) {
    for (index_t i = 0; i < request.count; ++i) {
      index_t const offset = offset_of(i);
      if (bad) return false;
      prefetch(reinterpret_cast<std::byte const*>(request.tuples + i * request.tuple_step),
               tuning::indices_ahead_bytes);
      index_t const ahead = i < fetched ? offset_of(i + lead) : 0;
      copy_fetched(
          to + i * bytes, from + offset, bytes,
          output_ahead(bytes, bytes), [&](index_t at) __attribute__((always_inline)) {
            if (i < fetched) prefetch(from, ahead + at);
          });
      if (i < fetched && !in_lines) prefetch(from, ahead + bytes - 1);
    }
    return !bad;
  }
  bool const waits = how.pace && bytes <= 64;
  with_lines(
      bytes, [&](auto lines) __attribute__((always_inline)) {
        std::uint64_t zero = 0;
        index_t i = 0;
        for (; i < fetched && !bad; ++i) {
          prefetch(reinterpret_cast<std::byte const*>(request.tuples + i * request.tuple_step),
                   tuning::indices_ahead_bytes);
          index_t const ahead = offset_of(i + lead) + (waits ? paced(zero, tuning::paced_multiplications) : 0);
          prefetch_row(from, ahead, bytes, in_lines);
          copy_lines<lines()>(to + i * bytes, from + offset_of(i), bytes);
        }
        for (; i < request.count; ++i) {
          index_t const offset = offset_of(i);
          if (bad) return;
          copy_lines<lines()>(to + i * bytes, from + offset, bytes);
        }
      });
  return !bad;
}
