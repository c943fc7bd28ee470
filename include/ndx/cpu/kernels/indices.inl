// SPDX-License-Identifier: MIT
// Indices in vectors: how they are read. Included once for each instruction set, by kernels.hpp.

/// Two lanes are no gain over none, and SSE2 cannot compare numbers of 64 bits.
inline constexpr bool resolves_by_vectors = lanes > 2;

/// `lanes` indices, `step` apart, as 64-bit numbers.
template <class Index>
static inline vector load_indices(Index const* from, index_t step) noexcept {
  vector value{};
  if (step == 1) {
    if constexpr (sizeof(Index) == 8) {
      __builtin_memcpy(&value, from, sizeof value);
    } else {
      using narrow = typename vector_of<Index, NDX_VECTOR_BYTES / 2>::type;
      narrow half;
      __builtin_memcpy(&half, from, sizeof half);
      value = __builtin_convertvector(half, vector);
    }
  } else {
    NDX_UNROLLED(8)
    for (index_t lane = 0; lane < lanes; ++lane) value[lane] = static_cast<std::int64_t>(from[lane * step]);
  }
  return value;
}

/// One coordinate of `lanes` packed pairs.
template <int Odd, class Index>
static inline vector load_paired(Index const* from) noexcept {
  vector pairs;
  __builtin_memcpy(&pairs, from, sizeof pairs);
  if constexpr (sizeof(Index) == 8) {
    vector more;
    __builtin_memcpy(&more, from + lanes, sizeof more);
    return pick<std::int64_t, Odd, 2>(pairs, more);
  } else {
    using unsigned_vector = vector_of<std::uint64_t, NDX_VECTOR_BYTES>::type;
    // A pair is one 64-bit number, the first index its lower half: shifts extend either half.
    if constexpr (std::is_signed_v<Index>) {
      if constexpr (Odd == 0) pairs = reinterpret_cast<vector>(reinterpret_cast<unsigned_vector>(pairs) << 32);
      return pairs >> 32;
    } else {
      auto const halves = reinterpret_cast<unsigned_vector>(pairs);
      return reinterpret_cast<vector>(Odd == 0 ? halves & 0xffffffffU : halves >> 32);
    }
  }
}

/// Is any lane of a vector not 0? Compilers take the lanes out one by one unless they are told the instruction.
template <class Vector>
static inline bool is_any(Vector const& lanes_of) noexcept {
  static_assert(sizeof(Vector) == NDX_VECTOR_BYTES);
#if NDX_HAS_X86_KERNELS
#if NDX_VECTOR_BYTES == 16
  using numbers = vector_of<char, 16>::type;
  auto const zeros = reinterpret_cast<numbers>(reinterpret_cast<numbers>(lanes_of) == 0);
  return __builtin_ia32_pmovmskb128(zeros) != 0xffff;
#else
  using numbers = vector_of<long long, NDX_VECTOR_BYTES>::type;
  auto const all = reinterpret_cast<numbers>(lanes_of);
#if NDX_VECTOR_BYTES == 32
  return __builtin_ia32_ptestz256(all, all) == 0;
#else
  constexpr int not_equal = 4;
  return __builtin_ia32_cmpq512_mask(all, numbers{}, not_equal, static_cast<unsigned char>(0xff)) != 0;
#endif
#endif
#else
  bool result = false;
  for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(lanes_of[0]); ++lane)
    result = result || lanes_of[lane] != 0;
  return result;
#endif
}

/// Blocks are read with pauses between them, in which hardware prefetchers forget the stream of indices. `Near`: into
/// the first-level cache, for loops that have no such pauses.
template <packing Packing, bool Near = false, class Index>
[[gnu::always_inline]] static inline void prefetch_indices(Index const* from, index_t tuples) noexcept {
  index_t const ahead = Near ? tuning::indices_near_bytes : tuning::indices_ahead_bytes;
  index_t const consumed = tuples * (Packing == packing::pairs ? 2 : 1) * static_cast<index_t>(sizeof(Index));
  auto const* const bytes = reinterpret_cast<std::byte const*>(from);
  NDX_UNROLLED(8)
  for (index_t byte = 0; byte < consumed; byte += 64) prefetch<Near>(bytes, ahead + byte);
}
