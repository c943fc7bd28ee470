// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_REQUESTS_HPP
#define NDX_CPU_REQUESTS_HPP

#include <ndx/cpu/isa.hpp>
#include <ndx/cpu/tuning.hpp>
#include <ndx/cpu/units.hpp>
#include <ndx/options.hpp>
#include <ndx/plan/indexed_copy.hpp>
#include <ndx/plan/resolve.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

/// What kernels are asked.
namespace ndx::cpu {

/// What a kernel cannot see from the part of the work it is given.
struct hints {
  bool stream = false;        ///< the output exceeds the caches: write past them
  bool fetch_output = false;  ///< the caches do not hold the output, but it goes there: ask for its lines early
  bool prefetch = false;      ///< the indirect side exceeds them: ask for its lines early
  bool far = false;           ///< it, or what is copied, exceeds even the last cache
  bool pace = false;          ///< ... and this processor must be asked no faster than memory answers
  bool near = false;          ///< single elements, and what is copied, come into the first-level cache at once
  bool group = false;         ///< long rows that are copied go four lines at a time
  bool gather = false;        ///< single elements of 4 and 8 bytes are read by an instruction for many of them
  bool first = false;         ///< nothing has been asked for yet
  bool owns_gaps = false;     ///< what lies between elements that are written is this thread's, too
};

/// Tuples, resolved: where on the indirect side each one leads, in bytes.
struct resolved_tuples {
  index_t const* offsets;
  index_t count;     ///< of the tuples to be moved
  index_t known;     ///< of all offsets: those behind the first `count` are of tuples to come, and may be prefetched
  bool bad = false;  ///< at least one of the tuples: its offset is `no_offset`, or none is right if that is an error
  /// To be fetched while these are moved: indices that are resolved later on, so many bytes for each of `count`.
  std::byte const* later = nullptr;
  index_t later_bytes = 0;
};

/// The type of indices that kernels are compiled for. Those without a sign are read as if they had one, wherever no
/// good one has its bit set: a kernel for each type would be twice the text, and take twice as long to compile. The 16
/// bits that `narrowed_indices` keeps use all of them.
template <class Index>
using kernel_index = std::conditional_t<sizeof(Index) == 2, Index, std::make_signed_t<Index>>;

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
  /// All bits where a negative index counts from the end of its axis; none where its type has no sign: then it is
  /// beyond the end.
  index_t from_end = std::is_signed_v<Index> ? -1 : 0;
};

/// The same for kernels.
template <class Index>
tuple_request<kernel_index<Index>> for_kernels(tuple_request<Index> const& request) noexcept {
  return {reinterpret_cast<kernel_index<Index> const*>(request.tuples),
          request.tuple_step,
          request.coordinate_step,
          request.coordinates,
          request.coordinate_count,
          request.start,
          request.step,
          request.count,
          request.from_end};
}

/// Are indices that have the bit of a sign set, though their type has none, beyond every axis?
template <class Index>
bool suits_kernels(plan::indexed_copy const& plan) noexcept {
  constexpr auto most = static_cast<index_t>(std::numeric_limits<kernel_index<Index>>::max());
  bool result = true;
  if constexpr (!std::is_same_v<Index, kernel_index<Index>>)
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) result = result && plan.coordinates[c].extent - 1 <= most;
  return result;
}

/// What resolving makes of tuples of which an index is out of range.
enum class bad_tuples {
  none,   ///< there are none
  found,  ///< whether there are any; if so, no offset is right
  marked  ///< their offsets are `no_offset`
};

/// How lines of tuples follow one another.
struct line_sequence {
  index_t count;   ///< of the lines
  index_t tuples;  ///< from the indices of one to those of the next
  index_t start;   ///< the same on the indirect side
};

inline constexpr line_sequence one_line{1, 0, 0};

/// Line i of a sequence.
template <class Index>
tuple_request<Index> nth_line(tuple_request<Index> const& first, line_sequence const& lines, index_t i) noexcept {
  tuple_request<Index> line = first;
  line.tuples += i * lines.tuples;
  line.start += i * lines.start;
  return line;
}

/// How the tuples of a request lie in memory: single indices or pairs without a gap, or anything else.
enum class packing { singles, pairs, none };

template <class Index>
packing packing_of(tuple_request<Index> const& request) noexcept {
  if (request.coordinate_count == 1 && request.tuple_step == 1) return packing::singles;
  bool const pairs = request.coordinate_count == 2 && request.coordinate_step == 1 && request.tuple_step == 2;
  return pairs ? packing::pairs : packing::none;
}

/// Do all sums of indices in range times strides fit 32 bits? And do the indices fit 31 and a sign? Then the lower
/// halves of those of 64 bits are whole as well, and one without a sign may be read as if it had one.
template <class Index>
bool is_short(tuple_request<Index> const& request) noexcept {
  constexpr std::uint64_t most_extent = 0x80000000U;
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

/// The rows of a stripe on their way from the tensor to scratch, or from there.
struct stripe_rows {
  std::byte* to;
  index_t to_pitch;
  std::byte const* from;
  index_t from_pitch;
  index_t bytes;  ///< of a row; 0 where no stripe is on its way
};

/// Lines of an output that are complete elsewhere, and where they belong; there a cache line begins.
struct staged_lines {
  std::byte* to;
  std::byte const* from;
  index_t count;
};

/// Lines of tuples, of which the first is a request, and what is done for others while these are written: the
/// destinations of the next one and of the one after that, which begin here, are fetched, and what the one before has
/// made is streamed.
struct lines_around {
  plan::loop lines;  ///< steps in bytes, and in indices
  index_t next;
  index_t later;
  staged_lines behind{};
};

/// How many rows it takes to be `prefetched_lines` ahead.
inline index_t rows_of_lines_ahead(index_t bytes) noexcept {
  index_t const lines = (bytes + 63) / 64;
  return (tuning::prefetched_lines + lines - 1) / lines;
}

/// How many rows ahead of the copy a gather prefetches.
inline index_t rows_ahead(index_t bytes) noexcept {
  bool const followed = bytes <= tuning::followed_row_bytes && follows_pages();
  return greater(rows_of_lines_ahead(bytes), followed ? tuning::followed_pages : 0);
}

/// How many bytes that side must have which tuples lead to for its rows to be fetched ahead.
inline index_t prefetched_from(index_t row_bytes, plan::side indirect, ndx::reduction update) noexcept {
  bool const replaces = update == ndx::reduction::none;
  bool const gathers = indirect == plan::side::source;
  if (this_processor() == processor::zen_5 && row_bytes <= 64 && replaces)
    return tuning::prefetched_short_rows_bytes_zen_5;
  if (this_processor() == processor::zen_3 && row_bytes <= 16 && replaces)
    return tuning::prefetched_short_rows_bytes_zen_3;
  if (this_processor() == processor::intel && element_index(row_bytes) >= 0 && gathers)
    return tuning::prefetched_elements_bytes_intel;
  return tuning::prefetched_bytes;
}

/// Are the rows of a gather that go into the caches, so many bytes in all, fetched ahead, out of a table that does not
/// fit the second-level one? Long ones compete for the lines in flight with what is written; to elements Intel's later
/// processors run ahead by themselves.
inline bool fetches_kept_rows(index_t row_bytes, index_t moved, std::uint64_t reached) noexcept {
  if (runs_ahead_little()) return true;
  if (this_processor() == processor::intel && element_index(row_bytes) >= 0) return false;
  bool const far = reached >= static_cast<std::uint64_t>(tuning::paced_bytes);
  if (this_processor() != processor::zen_4) return row_bytes <= 64 || (far && awaits_many_lines_near());
  if (row_bytes < 64) return true;
  return row_bytes <= (far ? tuning::fetched_far_row_bytes : tuning::fetched_kept_row_bytes) &&
         reached + static_cast<std::uint64_t>(moved) >= static_cast<std::uint64_t>(tuning::fetched_kept_bytes);
}

/// Are such rows found one by one, and not by steps? While a step is resolved nothing is asked of the memory, or of the
/// caches: rows of 64 bytes to 2 KiB took 0.75 to 1.0 of the time out of tables of 4 MiB, on AMD's Zen 4 and Intel's
/// Emerald Rapids.
inline bool finds_kept_rows_singly(index_t row_bytes) noexcept {
  return row_bytes >= 64 && (this_processor() == processor::zen_4 || is_intel());
}

/// Tuples that are the same in each of some groups: few enough for all offsets to be known at once.
struct tuple_groups {
  index_t const* places;  ///< where each tuple leads, seen from the group
  index_t count;          ///< of the tuples in a group
  index_t step;           ///< from one to the next on the direct side
  plan::loop loop;        ///< over the groups
  index_t bytes;          ///< that each tuple moves
};

/// The tuples from `at` on, in any mode. Is any of them bad?
template <class Index>
bool resolve_scalar(tuple_request<Index> const& request, index_t at, bounds mode, index_t* offsets) noexcept {
  bool bad = false;
  for (; at < request.count; ++at) {
    index_t offset = request.start + at * request.step;
    for (std::size_t c = 0; c < request.coordinate_count; ++c) {
      Index const read = request.tuples[at * request.tuple_step + static_cast<index_t>(c) * request.coordinate_step];
      bool const beyond = std::is_signed_v<Index> && request.from_end == 0 && std::cmp_less(read, 0);
      index_t const index = beyond ? -1 : plan::resolve_index(read, request.coordinates[c].extent, mode);
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

/// What the two innermost loops of a copy walk, strides in bytes.
struct grid {
  plan::loop outer;
  plan::loop inner;
  index_t bytes;  ///< contiguous on both sides at every step
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

/// Elements are gathered by packed tuples from so many on: two rounds of whole lines, by whichever kernel.
inline constexpr index_t least_packed_tuples = 128;

}  // namespace ndx::cpu

#endif
