// SPDX-License-Identifier: MIT
// Gathers by packed tuples, from finding out where they lead to writing what is there in one loop: the memory is asked
// all the time, and not only between two blocks of offsets. Included once for each instruction set, by kernels.hpp.

/// So many bytes of the elements at some offsets, in a register. By halves down to 16 bytes: a compiler that sees all
/// offsets at once loads all of them first, and runs out of registers.
template <std::size_t Bytes, class Unit>
[[gnu::always_inline]] static inline auto collect(std::byte const* from, std::uint32_t const* offsets) noexcept {
  using numbers = typename vector_of<std::int64_t, Bytes>::type;
  if constexpr (Bytes > 16) {
    auto const low = collect<Bytes / 2, Unit>(from, offsets);
    auto const high = collect<Bytes / 2, Unit>(from, offsets + Bytes / 2 / sizeof(Unit));
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline))->numbers {
      return __builtin_shufflevector(low, high, static_cast<int>(I)...);
    }
    (std::make_index_sequence<Bytes / 8>{});
  } else if constexpr (sizeof(Unit) == Bytes) {
    numbers value;
    __builtin_memcpy(&value, from + offsets[0], sizeof value);
    return value;
  } else {
    auto const element = [&](std::size_t i) __attribute__((always_inline)) {
      Unit value;
      __builtin_memcpy(&value, from + offsets[i], sizeof value);
      return value;
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      return reinterpret_cast<numbers>(typename vector_of<Unit, Bytes>::type{element(I)...});
    }
    (std::make_index_sequence<Bytes / sizeof(Unit)>{});
  }
}

/// What `gather_elements` does, for tuples of one packing, in rounds of whole lines: where a round leads is found out
/// some rounds before its elements are read, so that their loads wait for no arithmetic and, where they are fetched at
/// once, for no memory either; and what is read goes to its place from registers. Elements of a later round are fetched
/// by turns with lines that are moved: all of a round's at once are more than a core can await. The first and the last
/// round lie wherever the output begins and ends, and may overlap those between.
template <packing Packing, class Unit, class Index>
static bool gather_packed(std::byte* to, std::byte const* base, tuple_request<Index> const& where, bool checked,
                          hints how) noexcept {
  using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = 2 * lanes;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t round = at_once * size < 64 ? 64 / size : at_once;
  static_assert(2 * round <= least_packed_tuples);
  constexpr index_t most_rounds = 2 * tuning::tuples_in_step / round;
  tuple_request<Index> const request = where;
  plan::coordinate const axes[2] = {request.coordinates[0], request.coordinates[Packing == packing::pairs ? 1 : 0]};
  std::byte const* const from = base + request.start;
  alignas(64) std::uint32_t offsets[most_rounds][round];
  numbers bad{};
  std::uint64_t zero = 0;
  auto const find = [&](index_t first, std::uint32_t * found) __attribute__((always_inline)) {
    for (index_t i = 0; i < round; i += at_once) {
      Index const* const tuples = request.tuples + (first + i) * (Packing == packing::pairs ? 2 : 1);
      prefetch_indices<Packing, true>(tuples, at_once);
      numbers const places = short_offsets<true, Packing>(tuples, axes, bad);
      __builtin_memcpy(found + i, &places, sizeof places);
    }
  };
  auto const fetch = [&](std::uint32_t const* found, index_t begin, index_t end) __attribute__((always_inline)) {
    if (how.pace)
      for (index_t i = begin; i < end; ++i) prefetch(from, found[i] + paced(zero, tuning::paced_multiplications));
    else
      for (index_t i = begin; i < end; ++i) prefetch(from, found[i]);
  };
  // Where there are places to be fetched, a line of elements is moved after as many of them.
  auto const move = [&](index_t first, std::uint32_t const* found, std::uint32_t const* fetched, auto streamed)
      __attribute__((always_inline)) {
    for (index_t at = 0; at < round * size; at += vector_bytes) {
      if (fetched != nullptr && at % 64 == 0) fetch(fetched, at / size, (at + 64) / size);
      vector const value = collect<NDX_VECTOR_BYTES, Unit>(from, found + at / size);
      if constexpr (streamed.value) stream(to + first * size + at, value);
      else store(to + first * size + at, value);
    }
  };
  auto const last = request.count - round;
  auto const move_all = [&](auto streamed, auto far) __attribute__((always_inline)) {
    constexpr index_t rounds = far.value ? most_rounds : 2;
    index_t at = 0;
    index_t const head = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U) / size;
    if (streamed.value && head > 0) {
      find(0, offsets[0]);
      move(0, offsets[0], nullptr, std::false_type{});
      at = head;
    }
    // Of the rounds, which are found in turn: where the next one is, and how many there have been.
    index_t next = at;
    index_t found = 0;
    auto const find_next = [&]() __attribute__((always_inline)) {
      std::uint32_t* const places = offsets[found++ % rounds];
      find(next, places);
      next = next == last ? request.count : lesser(next + round, last);
      return places;
    };
    std::uint32_t* const first_found = find_next();
    if constexpr (far.value) {
      fetch(first_found, 0, round);
      for (index_t tuples = round; tuples < tuning::tuples_ahead && found < rounds - 1 && next <= last; tuples += round)
        fetch(find_next(), 0, round);
    }
    index_t moved = 0;
    for (; at < last; at = lesser(at + round, last)) {
      std::uint32_t const* fetched = nullptr;
      if (!far.value) find_next();
      else if (next <= last) fetched = find_next();
      move(at, offsets[moved++ % rounds], fetched, streamed);
    }
    move(last, offsets[moved % rounds], nullptr, std::false_type{});
  };
  auto const move_streamed = [&](auto far) __attribute__((always_inline)) {
    if (how.stream) move_all(std::true_type{}, far);
    else move_all(std::false_type{}, far);
  };
  if (how.prefetch) move_streamed(std::true_type{});
  else move_streamed(std::false_type{});
  return !checked || !is_any(bad);
}

/// Element i of the output from where tuple i leads, which is fetched early where the caches do not hold it. The tuples
/// are `least_packed_tuples` or more, packed singles or pairs where `is_short`, and have no step of their own.
/// Streamed outputs are aligned like their elements. False where an index is bad: then nothing is to be made of the
/// output. Nothing is read that no good tuple could lead to.
template <class Unit, class Index>
static bool gather_elements(std::byte* to, std::byte const* from, tuple_request<Index> const& request,
                            index_t /*bytes*/, bool checked, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  return packing_of(request) == packing::pairs ? gather_packed<packing::pairs, Unit>(to, from, request, checked, how)
                                               : gather_packed<packing::singles, Unit>(to, from, request, checked, how);
}

/// Rows as `gather_elements` moves elements: rows of whole cache lines, which are streamed to where lines begin, by
/// single indices of any kind and step. Rows are fetched early where the caches do not hold them.
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
