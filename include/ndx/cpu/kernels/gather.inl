// SPDX-License-Identifier: MIT
// Gathers by packed tuples, from finding out where they lead to writing what is there in one loop: the memory is asked
// all the time, and not only between two blocks of offsets. Included once for each instruction set, by kernels.hpp.

/// Tuples [first, last), one by one. Is any of them bad?
template <class Index>
[[gnu::noinline]] static bool gather_plainly(std::byte* to, std::byte const* from, tuple_request<Index> const& request,
                                             index_t first, index_t last, index_t size, bool checked) noexcept {
  for (; first < last; ++first) {
    tuple_request<Index> one = request;
    one.tuples += first * request.tuple_step;
    one.count = 1;
    index_t offset = 0;
    if (resolve_scalar(one, 0, checked ? bounds::check : bounds::trust, &offset)) return true;
    std::memcpy(to + first * size, from + offset, static_cast<std::size_t>(size));
  }
  return false;
}

/// What `gather_elements` does, for tuples of one packing. Streamed, elements leave by lines, each a little later than
/// it is made: one that was stored in pieces can only be loaded when all of them have left the processor.
template <packing Packing, class Unit, class Index>
static bool gather_packed(std::byte* to, std::byte const* base, tuple_request<Index> const& where, bool checked,
                          hints how) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = 2 * lanes;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t held_back = 128;  // bytes
  // What is held back, what was made since lines were last sent, and what is being made.
  constexpr auto staged = static_cast<index_t>(std::bit_ceil(static_cast<std::size_t>(held_back + 2 * at_once * size)));
  tuple_request<Index> const request = where;
  plan::coordinate const axes[2] = {request.coordinates[0], request.coordinates[Packing == packing::pairs ? 1 : 0]};
  auto const unaligned = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U) / size;
  index_t const head = how.stream ? lesser(request.count, unaligned) : 0;
  if (gather_plainly(to, base, request, 0, head, size, checked)) return false;

  std::byte const* const from = base + request.start;
  std::byte* const out = to + head * size;
  Index const* const tuples = request.tuples + head * request.tuple_step;
  index_t const end = (request.count - head) / at_once * at_once;
  alignas(64) std::byte stage[staged];
  alignas(64) std::uint32_t offsets[at_once];
  numbers bad{};
  index_t sent = 0;
  for (index_t at = 0; at < end; at += at_once) {
    Index const* const first = tuples + at * request.tuple_step;
    prefetch_indices<Packing>(first, at_once);
    numbers const sum = short_offsets<true, Packing>(first, axes, bad) & ~bad;
    std::memcpy(offsets, &sum, sizeof sum);
    index_t const made = at * size;
    std::byte* const place = how.stream ? stage + made % staged : out + made;
    for (index_t i = 0; i < at_once; ++i) put<Unit>(place + i * size, from + offsets[i]);
    if (how.stream)
      for (; made - sent >= held_back; sent += 64) stream_line(out + sent, stage + sent % staged);
  }
  if (how.stream) {
    for (; end * size - sent >= 64; sent += 64) stream_line(out + sent, stage + sent % staged);
    copy_short(out + sent, stage + sent % staged, end * size - sent);
  }
  if (checked && is_any(bad)) return false;
  return !gather_plainly(to, base, request, head + end, request.count, size, checked);
}

/// Element i of the output from where tuple i leads, out of what caches hold: nothing is prefetched. The tuples are
/// packed singles or pairs of 32-bit indices where `is_short`, and have no step of their own. Streamed outputs are
/// aligned like their elements. False where an index is bad: then nothing is to be made of the output. Nothing is read
/// that no tuple leads to.
template <class Unit, class Index>
static bool gather_elements(std::byte* to, std::byte const* from, tuple_request<Index> const& request,
                            index_t /*bytes*/, bool checked, hints how) noexcept {
  return packing_of(request) == packing::pairs ? gather_packed<packing::pairs, Unit>(to, from, request, checked, how)
                                               : gather_packed<packing::singles, Unit>(to, from, request, checked, how);
}

/// `gather_elements`, null for indices that it does not take.
template <class Unit, class Index>
static constexpr typename gather_kernels<Index>::gather* element_gather() noexcept {
  if constexpr (sizeof(Index) == 4) return gather_elements<Unit, Index>;
  else return nullptr;
}

/// Rows as `gather_elements` moves elements: rows of whole cache lines, which are streamed to where lines begin, by
/// single indices of any kind and step. Rows are fetched early where the caches do not hold them.
template <class Index>
static bool gather_rows(std::byte* to, std::byte const* base, tuple_request<Index> const& where, index_t bytes,
                        bool checked, hints how) noexcept {
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
  index_t const lead = how.prefetch ? lesser(rows_ahead(bytes), request.count) : 0;
  index_t const fetched = how.prefetch ? request.count - lead : 0;
  for (index_t i = 0; i < lead; ++i) {
    index_t const offset = offset_of(i);
    for (index_t at = 0; at < bytes; at += 64) prefetch(from, offset + at);
  }
  bool const waits = how.pace && bytes <= tuning::paced_row_bytes;
  with_lines(
      bytes, [&](auto lines) __attribute__((always_inline)) {
        std::uint64_t zero = 0;
        index_t i = 0;
        for (; i < fetched && !bad; ++i) {
          prefetch(reinterpret_cast<std::byte const*>(request.tuples + i * request.tuple_step),
                   tuning::indices_ahead_bytes);
          index_t const ahead = offset_of(i + lead) + (waits ? paced(zero, tuning::paced_multiplications) : 0);
          stream_lines<lines()>(to + i * bytes, from + offset_of(i), bytes, shifted(from, ahead));
        }
        for (; i < request.count; ++i) {
          index_t const offset = offset_of(i);
          if (bad) return;
          for (index_t at = 0; at < bytes; at += 64) stream_line(to + i * bytes + at, from + offset + at);
        }
      });
  return !bad;
}
