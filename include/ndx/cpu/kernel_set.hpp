// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_KERNEL_SET_HPP
#define NDX_CPU_KERNEL_SET_HPP

#include <ndx/cpu/buckets.hpp>
#include <ndx/cpu/isa.hpp>
#include <ndx/cpu/tuning.hpp>
#include <ndx/plan/indexed_copy.hpp>
#include <ndx/plan/resolve.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// What the kernels of the CPU are asked, and by which names.
namespace ndx::cpu {

/// What a kernel cannot see from the part of the work it is given.
struct hints {
  bool stream = false;    ///< the output exceeds the caches: write past them
  bool prefetch = false;  ///< the indirect side exceeds them: ask for its lines early
  bool far = false;       ///< it, or what is copied, exceeds even the last cache
  bool pace = false;      ///< ... and this processor must be asked no faster than memory answers
  bool near = false;      ///< single elements, and what is copied, come into the first-level cache at once
  bool first = false;     ///< nothing has been asked for yet
};

/// Tuples, resolved: where on the indirect side each one leads, in bytes.
struct resolved_tuples {
  index_t const* offsets;
  index_t count;     ///< of the tuples to be moved
  index_t known;     ///< of all offsets: those behind the first `count` are of tuples to come, and may be prefetched
  bool bad = false;  ///< at least one of them is `no_offset`
  /// To be fetched while these are moved: indices that are resolved later on, so many bytes for each of `count`.
  std::byte const* later = nullptr;
  index_t later_bytes = 0;
};

/// Tuples along one loop, to be resolved; strides of the indirect side in bytes.
template <class Index>
struct tuple_request {
  Index const* tuples;
  index_t tuple_step;
  index_t coordinate_step;
  plan::coordinate const* coordinates;
  std::size_t coordinate_count;
  index_t start;  ///< of the first tuple, before its indices move it
  index_t step;   ///< from one tuple to the next
  index_t count;
};

/// How the tuples of a request lie in memory: single indices or pairs without a gap, or anything else.
enum class packing { singles, pairs, none };

template <class Index>
packing packing_of(tuple_request<Index> const& request) noexcept {
  if (request.coordinate_count == 1 && request.tuple_step == 1) return packing::singles;
  bool const pairs = request.coordinate_count == 2 && request.coordinate_step == 1 && request.tuple_step == 2;
  return pairs ? packing::pairs : packing::none;
}

/// Do all sums of indices in range times strides fit 32 bits, and all bounds? For indices of 64 bits the lower halves
/// of those in range, from the end or not, are whole as well.
template <class Index>
bool is_short(tuple_request<Index> const& request) noexcept {
  constexpr std::uint64_t most_extent = sizeof(Index) == 8 ? 0x80000000U : 0xffffffffU;
  std::uint64_t most = 0;
  for (std::size_t c = 0; c < request.coordinate_count; ++c) {
    auto const last = static_cast<std::uint64_t>(request.coordinates[c].extent - 1);
    auto const stride = static_cast<std::uint64_t>(request.coordinates[c].stride);
    if (last >= most_extent || stride > 0xffffffffU) return false;
    most += last * stride;
    if (most > 0xffffffffU) return false;
  }
  return true;
}

/// Updates along one axis, of some columns of the destination; places and updates lie side by side along a row.
template <class Index>
struct stripe_request {
  Index const* indices;
  index_t index_pitch;  ///< from one row of indices to the next
  std::byte const* updates;
  index_t update_pitch;
  index_t rows;
  index_t columns;
  index_t extent;  ///< of the axis
  std::byte* to;   ///< where index 0 of the first column leads
  index_t pitch;   ///< from there to index 1
};

/// std::min and std::max, without all of <algorithm>.
constexpr index_t lesser(index_t a, index_t b) noexcept { return b < a ? b : a; }
constexpr index_t greater(index_t a, index_t b) noexcept { return a < b ? b : a; }

/// Where the destinations of lines to come begin: of the next one, and of the one after that.
struct lines_ahead {
  index_t next;
  index_t later;
};

/// How many rows ahead of the copy a gather prefetches.
inline index_t rows_ahead(index_t bytes) noexcept {
  index_t const lines = (bytes + 63) / 64;
  return (tuning::prefetched_lines + lines - 1) / lines;
}

/// Tuples that are the same in each of some groups: few enough for all offsets to be known at once.
struct tuple_groups {
  index_t const* places;  ///< where each tuple leads, seen from the group
  index_t count;          ///< of the tuples in a group
  index_t step;           ///< from one to the next on the direct side
  plan::loop loop;        ///< over the groups
  index_t bytes;          ///< that each tuple moves
};

/// An address that need not lie in the object, as a prefetch takes it.
inline std::byte const* shifted(std::byte const* base, index_t offset) noexcept {
  return reinterpret_cast<std::byte const*>(reinterpret_cast<std::uintptr_t>(base) +
                                            static_cast<std::uintptr_t>(offset));
}

/// The tuples from `at` on, in any mode. Is any of them bad?
template <class Index>
bool resolve_scalar(tuple_request<Index> const& request, index_t at, bounds mode, index_t* offsets) noexcept {
  bool bad = false;
  for (; at < request.count; ++at) {
    index_t offset = request.start + at * request.step;
    for (std::size_t c = 0; c < request.coordinate_count; ++c) {
      Index const read = request.tuples[at * request.tuple_step + static_cast<index_t>(c) * request.coordinate_step];
      index_t const index = plan::resolve_index(read, request.coordinates[c].extent, mode);
      if (index < 0 && mode != bounds::trust) {
        offset = plan::no_offset;
        bad = true;
        break;
      }
      offset += index * request.coordinates[c].stride;
    }
    offsets[at] = offset;
  }
  return bad;
}

/// A register full of numbers. (GCC takes the attribute on a dependent type only in a typedef of a class.)
template <class Number, std::size_t Bytes>
struct vector_of {
  typedef Number type __attribute__((vector_size(Bytes), may_alias));
};

/// Declared first in a kernel: at its end the upper halves of the registers are clean. Instructions of baseline code
/// would wait for dirty ones, one after another. Compilers see to that themselves, but GCC 12 forgets it where a kernel
/// calls a function that is not inlined and leaves some of the registers alone.
template <std::size_t VectorBytes>
struct clean_exit {
  clean_exit() = default;
  clean_exit(clean_exit const&) = delete;
  clean_exit& operator=(clean_exit const&) = delete;
  [[gnu::always_inline]] ~clean_exit() {
#if NDX_HAS_X86_KERNELS && !defined(__clang__)
    if constexpr (VectorBytes > 16)
      asm volatile("vzeroupper" ::
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                         "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#endif
  }
};

/// Elements of 16 bytes, which no built-in type has everywhere.
struct unit16 {
  std::uint64_t halves[2];
};

/// The unit of so many bytes; void where there is none.
template <std::size_t Bytes>
using unit_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t,
                                          std::conditional_t<Bytes == 8, std::uint64_t,
                                                             std::conditional_t<Bytes == 16, unit16, void>>>>>;

/// Elements of 3, 6 and 12 bytes: three of a unit, as a pixel has them.
template <class Unit>
struct triple {
  Unit parts[3];
};

/// What the two innermost loops of a copy walk, strides in bytes.
struct grid {
  plan::loop outer;
  plan::loop inner;
  index_t bytes;  ///< contiguous on both sides at every step
};

/// Streamed stores are not ordered with what follows, not even with the release of a lock: this orders them.
inline void finish_streamed_stores() noexcept {
#if NDX_HAS_X86_KERNELS
  __builtin_ia32_sfence();
#endif
}

/// The kernels of one instruction set. Those for elements stand in the order of `unit_index` and `element_index`.
struct kernel_set {
  using copy = void(std::byte*, std::byte const*, grid const&, hints) noexcept;
  using read = void(std::byte*, index_t, std::byte const*, resolved_tuples const&, index_t, hints) noexcept;
  using read_in_groups = void(std::byte*, std::byte const*, tuple_groups const&, hints) noexcept;
  using write = void(std::byte*, std::byte const*, index_t, resolved_tuples const&, index_t, hints) noexcept;

  copy* copy_rows;
  copy* copy_stripe;
  copy* copy_elements[8];
  copy* transpose_elements[4];
  read* read_rows;
  read* read_elements[8];
  read_in_groups* read_row_groups;
  read_in_groups* read_groups[8];
  write* write_rows;
  write* write_elements[5];
  void (*keep_owned)(index_t*, index_t, index_t, std::uint64_t) noexcept;
};

/// Elements are gathered by packed tuples from so many on: two rounds of whole lines, by whichever kernel.
inline constexpr index_t least_packed_tuples = 128;

/// Those that find out where packed tuples lead while they move what is there; elements in the order of
/// `element_index`.
template <class Index>
struct gather_kernels {
  using gather = bool(std::byte*, std::byte const*, tuple_request<Index> const&, index_t, bool, hints) noexcept;

  gather* rows;
  gather* elements[8];
};

/// Rows without gaps that packed indices list, singles or pairs; strides and steps in bytes.
template <class Index>
struct listed_rows {
  static_assert(std::is_unsigned_v<Index>);

  std::byte* to;
  std::byte const* from;
  index_t step;  ///< from row to row on the side that indices do not move
  Index const* indices;
  index_t count;
  index_t bytes;       ///< of a row
  bool pairs;          ///< of indices
  bool far;            ///< no cache holds all that they could list
  bool fetches;        ///< those are fetched early
  Index last[2];       ///< the greatest index that is good, of each of a pair; of singles twice the same
  index_t strides[2];  ///< on the side that indices move
};

/// Those that move listed rows: by their bytes, in the order of `unit_index`, and of any number of bytes. False, and
/// nothing moved, where an index is bad or counted from the end.
template <class Index>
struct listed_kernels {
  using move = bool(listed_rows<Index> const&) noexcept;
  static constexpr int any_bytes = 5;

  move* gather[6];
  move* scatter[6];
};

/// 0 to 4 for 1, 2, 4, 8 and 16 bytes, which move as one unit; else -1.
constexpr int unit_index(index_t bytes) noexcept {
  for (int i = 0; i < 5; ++i)
    if (bytes == index_t{1} << i) return i;
  return -1;
}

/// The same, and 5 to 7 for 3, 6 and 12 bytes.
constexpr int element_index(index_t bytes) noexcept {
  return bytes == 3 ? 5 : bytes == 6 ? 6 : bytes == 12 ? 7 : unit_index(bytes);
}

}  // namespace ndx::cpu

#endif
