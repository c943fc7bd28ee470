// SPDX-License-Identifier: MIT
// Updates of single elements one by one, by single indices that are known to be good: along lines, and in stripes of
// the destination. Each is an instruction or two that all processors have, whatever their vectors: so these kernels are
// there once, and not for each instruction set. Included by kernels.hpp with the baseline.

/// Where tuple i of one index leads that is known to be good.
template <class Index>
[[gnu::always_inline]] static inline index_t trusted_place(tuple_request<Index> const& request, plan::coordinate axis,
                                                           index_t i) noexcept {
  auto index = static_cast<std::int64_t>(request.tuples[i * request.tuple_step]);
  if constexpr (std::is_signed_v<Index>) index += (index >> 63) & axis.extent;
  return request.start + i * request.step + index * axis.stride;
}

/// How a row is fetched, cache line by cache line, while as many tuples as a line has are written.
struct row_fetches {
  index_t lines;    ///< of the row; 0 where it is not fetched
  index_t at_once;  ///< of them, in a round of `places_at_once` tuples
  bool twice;       ///< a long row takes more from memory at a time than the first-level cache can await
  index_t updates;  ///< bytes of them in a round, if they lie close
};

/// All of a line of tuples may go to one short row: then the row of the next line can be fetched meanwhile.
template <class Index>
[[gnu::always_inline]] static inline row_fetches fetches_of(tuple_request<Index> const& line, index_t from_stride,
                                                            hints how) noexcept {
  plan::coordinate const axis = line.coordinates[0];
  bool const one_row = line.step == 0 && axis.stride > 0 && axis.extent <= tuning::fetched_row_bytes / axis.stride;
  if (!how.prefetch || !one_row) return {};
  index_t const lines = (axis.extent * axis.stride + 63) / 64;
  if (lines > line.count) return {};
  index_t const rounds = line.count / tuning::places_at_once + 1;
  return {lines, (lines + rounds - 1) / rounds, how.far && lines * 64 >= tuning::later_row_bytes,
          from_stride <= 64 ? tuning::places_at_once * from_stride : 0};
}

/// Lines [first, end) of those that are finished leave past the caches.
[[gnu::always_inline]] static inline void stream_staged(staged_lines const staged, index_t first,
                                                        index_t end) noexcept {
  for (index_t line = first; line < end; ++line) stream_line(staged.to + line * 64, staged.from + line * 64);
}

/// Calls `one(place, update)` for every tuple of a line while rows at `next` and `later` are fetched, and lines that
/// are `behind` are streamed, which the memory writes while this thread waits for others. In a function of its own:
/// together with the loop over lines GCC ran out of registers, and a line took 1.2 to 1.4 times as long.
template <class Index, class One>
[[gnu::noinline]] static inline void write_and_fetch(std::byte* to, std::byte const* from, index_t from_stride,
                                                     tuple_request<Index> const& where, std::byte const* next,
                                                     std::byte const* later, row_fetches const& fetched_rows,
                                                     staged_lines const& staged, One const& one) noexcept {
  // Copies: a store of bytes might change what a reference leads to, which would be read again after each.
  tuple_request<Index> request = where;
  request.step = 0;  // as it is, so that the compiler knows
  plan::coordinate const axis = request.coordinates[0];
  row_fetches const fetched = fetched_rows;
  staged_lines const behind = staged;
  index_t const count = request.count;
  index_t streamed = 0;
  // Where nothing is streamed it is another loop: one that looked in each round took 1.05 times as long.
  with_flag(
      behind.count > 0, [&](auto streams) __attribute__((always_inline)) {
        index_t i = 0;
        for (index_t line = 0; i < count; line += fetched.at_once) {
          index_t const end_of_lines = lesser(fetched.lines, line + fetched.at_once);
          for (index_t l = line; l < end_of_lines; ++l) prefetch<true>(next, l * 64);
          if (fetched.twice) {
            for (index_t l = line; l < end_of_lines; ++l) prefetch(later, l * 64);
            for (index_t byte = 0; byte < fetched.updates; byte += 64)
              prefetch(from + i * from_stride, tuning::copied_bytes_ahead + byte);
            if (request.tuple_step == 1) prefetch_indices<packing::singles>(request.tuples + i, tuning::places_at_once);
          }
          if constexpr (streams()) {
            index_t const finished = lesser(behind.count, end_of_lines);
            stream_staged(behind, streamed, finished);
            streamed = finished;
          }
          NDX_UNROLLED(4)
          for (index_t end = lesser(count, i + tuning::places_at_once); i < end; ++i)
            one(to + trusted_place(request, axis, i), from + i * from_stride);
        }
      });
  stream_staged(behind, streamed, behind.count);
}

/// Calls `one(place, update)` for every tuple of a line.
template <class Index, class One>
[[gnu::always_inline]] static inline void write_trusted(std::byte* to, std::byte const* from, index_t from_stride,
                                                        tuple_request<Index> const request, hints how,
                                                        One const& one) noexcept {
  plan::coordinate const axis = request.coordinates[0];
  index_t const count = request.count;
  index_t i = 0;
  NDX_UNROLLED(4)
  for (index_t const known = how.prefetch ? count - tuning::tuples_ahead : 0; i < known; ++i) {
    prefetch(to, trusted_place(request, axis, i + tuning::tuples_ahead));
    one(to + trusted_place(request, axis, i), from + i * from_stride);
  }
  NDX_UNROLLED(4)
  for (; i < count; ++i) one(to + trusted_place(request, axis, i), from + i * from_stride);
}

/// Calls `one(place, update)` for every tuple of some lines, without a detour by offsets in memory: single indices that
/// are known to be good cost less to resolve than to store and load.
template <class Index, class One>
[[gnu::always_inline]] static inline void for_each_trusted(std::byte* to, std::byte const* from, index_t from_stride,
                                                           tuple_request<Index> const& first_line,
                                                           lines_around const& around, hints how,
                                                           One const& one) noexcept {
  plan::loop const lines = around.lines;
  row_fetches const fetched = fetches_of(first_line, from_stride, how);
  if (fetched.lines == 0) stream_staged(around.behind, 0, around.behind.count);
  for (index_t i = 0; i < lines.extent; ++i) {
    tuple_request<Index> line = first_line;
    line.tuples += i * lines.indices;
    line.start += i * lines.destination;
    std::byte const* const updates = from + i * lines.source;
    if (fetched.lines == 0) {
      write_trusted(to, updates, from_stride, line, how, one);
      continue;
    }
    index_t const left = lines.extent - i;
    index_t const next = left > 1 ? line.start + lines.destination : around.next;
    index_t const later = left > 2 ? next + lines.destination : left > 1 ? around.next : around.later;
    write_and_fetch(to, updates, from_stride, line, shifted(to, next), shifted(to, later), fetched, around.behind, one);
  }
}

template <class Unit, class Index>
static inline void write_lines(std::byte* to, std::byte const* from, index_t from_stride,
                               tuple_request<Index> const& request, lines_around const& around, hints how) noexcept {
  for_each_trusted(
      to, from, from_stride, request, around, how,
      [](std::byte * place, std::byte const* update)
          __attribute__((always_inline)) { __builtin_memcpy(place, update, sizeof(Unit)); });
}

template <ndx::reduction Op, class T, class Index>
static inline void reduce_lines(std::byte* to, std::byte const* from, index_t from_stride,
                                tuple_request<Index> const& request, lines_around const& around, hints how) noexcept {
  for_each_trusted(
      to, from, from_stride, request, around, how,
      [](std::byte * place, std::byte const* update) __attribute__((always_inline)) {
        auto& element = *reinterpret_cast<T*>(place);
        element = plan::combine<Op>(element, *reinterpret_cast<T const*>(update));
      });
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
  for_each_in_stripe<static_cast<index_t>(sizeof(Unit))>(
      request, [](std::byte * place, std::byte const* update)
                   __attribute__((always_inline)) { __builtin_memcpy(place, update, sizeof(Unit)); });
}

template <ndx::reduction Op, class T, class Index>
static inline void reduce_stripe(stripe_request<Index> const& request) noexcept {
  for_each_in_stripe<static_cast<index_t>(sizeof(T))>(
      request, [](std::byte * place, std::byte const* update) __attribute__((always_inline)) {
        auto& element = *reinterpret_cast<T*>(place);
        element = plan::combine<Op>(element, *reinterpret_cast<T const*>(update));
      });
}
