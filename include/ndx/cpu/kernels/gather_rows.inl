// SPDX-License-Identifier: MIT
// Gathers of rows by single indices, in one loop from finding out where a row lies to writing it, as gather.inl has it
// for elements. Included once for each instruction set, by kernels.hpp.

/// Where the rows lie that single indices of any kind and step name. Its functions are inlined, as they could not be
/// `static`: the linker must find none of them.
template <class Index>
struct row_finder {
  Index const* tuples;
  index_t tuple_step;
  std::uint64_t stride;
  std::uint64_t from_end;  ///< what is added to a negative index
  std::uint64_t end;       ///< that no index may reach: the extent, or none
  bool bad = false;        ///< one did

  [[gnu::always_inline]] row_finder(tuple_request<Index> const& request, bool checked) noexcept
      : tuples(request.tuples),
        tuple_step(request.tuple_step),
        stride(static_cast<std::uint64_t>(request.coordinates[0].stride)),
        from_end(static_cast<std::uint64_t>(request.coordinates[0].extent & request.from_end)),
        end(checked ? static_cast<std::uint64_t>(request.coordinates[0].extent) : ~std::uint64_t{}) {}

  /// Called twice for each row, when it is fetched and when it is read: that takes less than to remember it.
  [[gnu::always_inline]] index_t operator()(index_t i) noexcept {
    auto const index = static_cast<std::int64_t>(tuples[i * tuple_step]);
    std::uint64_t const value =
        static_cast<std::uint64_t>(index) + (static_cast<std::uint64_t>(index >> 63) & from_end);
    bad = bad | (value >= end);
    return static_cast<index_t>(value * stride);
  }

  /// Fetches the indices of rows that are found later.
  [[gnu::always_inline]] void prefetch_after(index_t i) const noexcept {
    prefetch(reinterpret_cast<std::byte const*>(tuples + i * tuple_step), tuning::indices_ahead_bytes);
  }
};

/// Rows into the caches, of which `lead` have been fetched, while the lines of the output are. In a function of its
/// own: beside this loop GCC made one of others that took up to 1.3 times as long (Emerald Rapids).
template <class Index>
[[gnu::noinline]] static bool gather_fetched(std::byte* to, std::byte const* from, row_finder<Index> offset_of,
                                             index_t count, index_t lead, index_t bytes, bool in_lines) noexcept {
  index_t const fetched = lead > 0 ? count - lead : 0;
  for (index_t i = 0; i < count; ++i) {
    index_t const offset = offset_of(i);
    if (offset_of.bad) return false;
    offset_of.prefetch_after(i);
    std::byte const* const next = i < fetched ? shifted(from, offset_of(i + lead)) : nullptr;
    copy_fetched(to + i * bytes, from + offset, bytes, tuning::output_bytes_ahead, next, in_lines);
  }
  return !offset_of.bad;
}

/// Rows by single indices of any kind and step. Those that are streamed are whole cache lines and go to where lines
/// begin; others are of any length. Where the caches do not hold them they are fetched early.
template <class Index>
static bool gather_rows(std::byte* to, std::byte const* base, tuple_request<Index> const& where, index_t bytes,
                        bool checked, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  tuple_request<Index> const request = where;
  std::byte const* const from = base + request.start;
  row_finder<Index> offset_of(request, checked);
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
          for (; i < fetched && !offset_of.bad; ++i) {
            offset_of.prefetch_after(i);
            index_t const ahead = offset_of(i + lead) + (waits ? paced(zero, tuning::paced_multiplications) : 0);
            stream_lines<lines()>(to + i * bytes, from + offset_of(i), bytes, shifted(from, ahead), grouped);
            if constexpr (ends_later()) prefetch(from, ahead + bytes - 1);
          }
          for (; i < request.count; ++i) {
            index_t const offset = offset_of(i);
            if (offset_of.bad) return;
            for (index_t at = 0; at < bytes; at += 64) stream_line(to + i * bytes + at, from + offset + at);
          }
        });
    return !offset_of.bad;
  }
  if (how.fetch_output) return gather_fetched(to, from, offset_of, request.count, lead, bytes, in_lines);
  bool const waits = how.pace && bytes <= 64;
  with_lines(
      bytes, [&](auto lines) __attribute__((always_inline)) {
        std::uint64_t zero = 0;
        index_t i = 0;
        for (; i < fetched && !offset_of.bad; ++i) {
          offset_of.prefetch_after(i);
          index_t const ahead = offset_of(i + lead) + (waits ? paced(zero, tuning::paced_multiplications) : 0);
          prefetch_row(from, ahead, bytes, in_lines);
          copy_lines<lines()>(to + i * bytes, from + offset_of(i), bytes);
        }
        for (; i < request.count; ++i) {
          index_t const offset = offset_of(i);
          if (offset_of.bad) return;
          copy_lines<lines()>(to + i * bytes, from + offset, bytes);
        }
      });
  return !offset_of.bad;
}
