// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_REQUESTS_HPP
#define NDX_CPU_REQUESTS_HPP

#include <ndx/cpu/isa.hpp>
#include <ndx/cpu/tuning.hpp>
#include <ndx/cpu/tuple_request.hpp>
#include <ndx/cpu/units.hpp>
#include <ndx/options.hpp>
#include <ndx/plan/indexed_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

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
