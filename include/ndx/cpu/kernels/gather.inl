// SPDX-License-Identifier: MIT
// Gathers by packed tuples, from finding out where they lead to writing what is there in one loop: the memory is asked
// all the time, and not only between two blocks of offsets. Included once for each instruction set, by kernels.hpp.

/// What a register is put together from: elements as they are, and two parts at a time of those that have three.
template <class Unit>
struct pieces_of {
  using type = Unit;
  static constexpr index_t parts = 1;  ///< of an element
};
template <class Part>
struct pieces_of<triple<Part>> {
  using type = unit_of<2 * sizeof(Part)>;
  static constexpr index_t parts = 3;
};

/// The piece that begins with part `First` of the elements at some offsets, counted through all of them.
template <class Unit, std::size_t First>
[[gnu::always_inline]] static inline auto read_piece(std::byte const* from, std::uint32_t const* offsets) noexcept {
  using piece = typename pieces_of<Unit>::type;
  piece value;
  if constexpr (pieces_of<Unit>::parts == 1) {
    __builtin_memcpy(&value, from + offsets[First], sizeof value);
  } else {
    constexpr std::size_t part = sizeof(Unit) / 3;
    std::byte const* const place = from + offsets[First / 3] + First % 3 * part;
    if constexpr (First % 3 < 2) {
      __builtin_memcpy(&value, place, sizeof value);
    } else {
      unit_of<part> parts[2];
      __builtin_memcpy(&parts[0], place, part);
      __builtin_memcpy(&parts[1], from + offsets[First / 3 + 1], part);
      value = static_cast<piece>(parts[0] | static_cast<piece>(parts[1]) << (8 * part));
    }
  }
  return value;
}

/// So many bytes of the elements at some offsets, in a register, from part `First` on. By halves down to 16 bytes: a
/// compiler that sees all offsets at once loads all of them first, and runs out of registers.
template <std::size_t Bytes, class Unit, std::size_t First = 0>
[[gnu::always_inline]] static inline auto collect(std::byte const* from, std::uint32_t const* offsets) noexcept {
  using numbers = typename vector_of<std::int64_t, Bytes>::type;
  using piece = typename pieces_of<Unit>::type;
  constexpr std::size_t part = sizeof(Unit) / pieces_of<Unit>::parts;
  if constexpr (Bytes > 16) {
    auto const low = collect<Bytes / 2, Unit, First>(from, offsets);
    auto const high = collect<Bytes / 2, Unit, First + Bytes / 2 / part>(from, offsets);
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline))->numbers {
      return __builtin_shufflevector(low, high, static_cast<int>(I)...);
    }
    (std::make_index_sequence<Bytes / 8>{});
  } else if constexpr (sizeof(piece) == Bytes) {
    piece const whole = read_piece<Unit, First>(from, offsets);
    numbers value;
    __builtin_memcpy(&value, &whole, sizeof value);
    return value;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      return reinterpret_cast<numbers>(
          typename vector_of<piece, Bytes>::type{read_piece<Unit, First + I*(sizeof(piece) / part)>(from, offsets)...});
    }
    (std::make_index_sequence<Bytes / sizeof(piece)>{});
  }
}

/// Is there an instruction that reads as many elements of this size as a vector holds, from anywhere?
template <class Unit>
inline constexpr bool has_gather = NDX_VECTOR_BYTES == 64 && (sizeof(Unit) == 4 || sizeof(Unit) == 8);

/// A vector of the elements at some offsets, below 2^31, by that instruction.
template <class Unit>
[[gnu::always_inline]] static inline vector collect_at_once([[maybe_unused]] std::byte const* from,
                                                            [[maybe_unused]] std::uint32_t const* offsets) noexcept {
  vector value{};
#if NDX_VECTOR_BYTES == 64
  using places = typename vector_of<std::int32_t, 256 / sizeof(Unit)>::type;
  places read;
  __builtin_memcpy(&read, offsets, sizeof read);
  if constexpr (sizeof(Unit) == 4)
    value = reinterpret_cast<vector>(__builtin_ia32_gathersiv16si(reinterpret_cast<places>(value), from, read,
                                                                  static_cast<unsigned short>(0xffff), 1));
  else
    value = reinterpret_cast<vector>(__builtin_ia32_gathersiv8di(
        reinterpret_cast<vector_of<long long, 64>::type>(value), from, read, static_cast<unsigned char>(0xff), 1));
#endif
  return value;
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
  constexpr index_t parts = pieces_of<Unit>::parts;
  constexpr index_t elements_in_lines = 64 * parts / size;  // that fill whole ones, as many as an element has parts
  constexpr index_t round = at_once < elements_in_lines ? elements_in_lines : at_once;
  static_assert(2 * round <= least_packed_tuples);
  constexpr index_t most_rounds = 2 * tuning::tuples_in_step / round;
  tuple_request<Index> const request = where;
  short_axes const axes = short_axes_of<Packing>(request);
  std::byte const* const from = base + request.start;
  alignas(64) std::uint32_t offsets[most_rounds][round];
  numbers bad{};
  std::uint64_t zero = 0;
  auto const find = [&](index_t first, std::uint32_t * found) __attribute__((always_inline)) {
    NDX_UNROLLED(8)
    for (index_t i = 0; i < round; i += at_once) {
      Index const* const tuples = request.tuples + (first + i) * (Packing == packing::pairs ? 2 : 1);
      prefetch_indices<Packing, true>(tuples, at_once);
      numbers const places = short_offsets<true, Packing>(tuples, axes, bad);
      __builtin_memcpy(found + i, &places, sizeof places);
    }
  };
  auto const fetch = [&](std::uint32_t const* found, index_t begin, index_t end) __attribute__((always_inline)) {
    with_flag(
        how.near, [&](auto near) __attribute__((always_inline)) {
          for (index_t i = begin; i < end; ++i) {
            prefetch<near()>(from, found[i] + (how.pace ? paced(zero, tuning::paced_multiplications) : 0));
            if constexpr (parts == 3) prefetch<near()>(from, found[i] + size - 1);
          }
        });
  };
  // Where there are places to be fetched, a line of elements is moved after as many of them.
  auto const move = [&](index_t first, std::uint32_t const* found, std::uint32_t const* fetched, bool streamed,
                        auto far) __attribute__((always_inline)) {
    // A period begins with an element again.
    auto const move_vector = [&](index_t period, auto number) __attribute__((always_inline)) {
      constexpr std::size_t part = number() * sizeof(vector) / (sizeof(Unit) / parts);
      index_t const at = period + static_cast<index_t>(number()) * vector_bytes;
      if (fetched != nullptr && at % 64 == 0) fetch(fetched, at / size, (at + 64) / size);
      auto const collected = [&]() __attribute__((always_inline)) {
        if constexpr (has_gather<Unit> && !far.value)
          if (how.gather) return collect_at_once<Unit>(from, found + at / size);
        return reinterpret_cast<vector>(collect<NDX_VECTOR_BYTES, Unit, part>(from, found + period / size));
      };
      vector const value = collected();
      if (how.fetch_output && at % 64 == 0) prefetch_output(to + first * size + at, tuning::output_bytes_ahead);
      if (streamed) stream(to + first * size + at, value);
      else store(to + first * size + at, value);
    };
    NDX_UNROLLED(4)
    for (index_t period = 0; period < round * size; period += parts * vector_bytes)
      [&]<std::size_t... V>(std::index_sequence<V...>) __attribute__((always_inline)) {
        (move_vector(period, std::integral_constant<std::size_t, V>{}), ...);
      }
    (std::make_index_sequence<std::size_t{parts}>{});
  };
  // The rounds: one from where the output begins to its first line, those that begin with a line, and the last one.
  index_t const last = request.count - round;
  index_t head = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U) / (size / parts);
  if (parts == 3) head = 43 * head % elements_in_lines;  // 3 * 43 is 1, counted in as many parts as a line has
  index_t const first_step = head > 0 ? head : round;
  auto const move_all = [&](auto far) __attribute__((always_inline)) {
    constexpr index_t rounds = far.value ? most_rounds : 2;  // whose offsets are kept
    index_t next = 0;
    index_t next_step = first_step;
    index_t found = 0;
    auto const find_next = [&]() __attribute__((always_inline)) {
      std::uint32_t* const places = offsets[found++ % rounds];
      find(next, places);
      next = next == last ? request.count : lesser(next + next_step, last);
      next_step = round;
      return places;
    };
    if (!far.value) find_next();
    else
      for (index_t tuples = 0; tuples < tuning::tuples_ahead && found < rounds - 1 && next <= last; tuples += round)
        fetch(find_next(), 0, round);
    bool streamed = how.stream && head == 0;
    index_t at = 0;
    index_t moved = 0;
    for (index_t step = first_step; at < last; at = lesser(at + step, last), step = round, streamed = how.stream) {
      std::uint32_t const* fetched = nullptr;
      if (!far.value) find_next();
      else if (next <= last) fetched = find_next();
      move(at, offsets[moved++ % rounds], fetched, streamed, far);
    }
    move(last, offsets[moved % rounds], nullptr, false, far);
  };
  if (how.prefetch) move_all(std::true_type{});
  else move_all(std::false_type{});
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
