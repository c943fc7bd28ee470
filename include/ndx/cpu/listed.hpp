// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_LISTED_HPP
#define NDX_CPU_LISTED_HPP

#include <ndx/cpu/kernels.hpp>
#include <ndx/cpu/walk.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/plan/operation.hpp>

#include <limits>

/// The calls that are made most, from the plan as it was made to the loop that moves rows, and no more between: each
/// index or pair of them, packed and good, names a row without gaps, or an element, that others replace. What
/// `host_operation` would find out of such a call takes as long as to move a hundred rows.
namespace ndx::cpu {

/// The loops [first, last) of a plan as one. False where they are not evenly apart. Written so that the compiler keeps
/// the plan in registers: with a loop over all of max_rank, or with one that starts anew behind extents of 1, it would
/// be in memory, and calls on four rows take twice as long.
[[gnu::always_inline]] inline bool join_loops(plan::indexed_copy const& plan, std::size_t first, std::size_t last,
                                              plan::loop& whole) noexcept {
  whole = cpu::line_of(plan, first, last);
  bool joined = true;
  for (std::size_t d = last; d-- > first + 1;) {
    plan::loop const& outer = plan.loops[d - 1];
    if (outer.extent == 1) continue;
    joined = joined && plan::detail::joinable(outer, whole);
    whole.extent *= outer.extent;
  }
  return joined;
}

/// Carries out the plan of a gather or scatter as it was made, in place of the long way. False where it is another
/// call, or an index is bad or counted from the end: then nothing has been written.
template <plan::side Indirect, class T, class Index>
[[gnu::always_inline]] inline bool move_listed(plan::indexed_copy const& plan, plan::arguments<T, Index> const& on,
                                               instruction_set set, index_t most_bytes) noexcept {
  using unsigned_index = std::make_unsigned_t<Index>;
  constexpr auto size = static_cast<index_t>(sizeof(T));
  constexpr bool gathers = Indirect == plan::side::source;
  // Two steps, as products of any extents need not fit.
  if (plan.tuples > most_bytes || plan.tail > most_bytes || plan.moves_nothing()) return false;
  bool const pairs = plan.coordinate_count == 2 && plan.coordinate_step == 1;
  auto const per_row = static_cast<index_t>(plan.coordinate_count);
  if (per_row != 1 && !pairs) return false;
  index_t const bytes = plan.tuples * (plan.tail * size + per_row * index_t{sizeof(Index)});
  if (bytes > most_bytes) return false;
  plan::loop line;
  plan::loop run;
  if (!join_loops(plan, 0, plan.tuple_rank, line) || !join_loops(plan, plan.tuple_rank, plan.rank, run)) return false;
  index_t const still = gathers ? line.source : line.destination;
  if (line.extent > 1 && (line.indices != per_row || still != 0)) return false;
  if (plan.run != 1 || (run.extent > 1 && (run.destination != 1 || run.source != 1))) return false;

  listed_rows<unsigned_index> rows;
  rows.to = reinterpret_cast<std::byte*>(on.destination) + plan.destination_base * size;
  rows.from = reinterpret_cast<std::byte const*>(on.source) + plan.source_base * size;
  rows.step = (gathers ? line.destination : line.source) * size;
  rows.indices = reinterpret_cast<unsigned_index const*>(on.indices) + plan.indices_base;
  rows.count = plan.tuples;
  rows.bytes = plan.tail * size;
  rows.pairs = pairs;
  std::uint64_t reach = 0;  // along the longest axis
  auto const add_axis = [&](std::size_t c, plan::coordinate const& axis) __attribute__((always_inline)) {
    auto const last = static_cast<std::uint64_t>(axis.extent - 1);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    rows.last[c] = static_cast<unsigned_index>(last < most ? last : most);
    rows.strides[c] = plan::wrapping_multiply(axis.stride, size);
    std::uint64_t const reached = static_cast<std::uint64_t>(axis.extent) * plan::magnitude(rows.strides[c]);
    if (reached > reach) reach = reached;
    return axis.extent > 0;
  };
  // By constants, without which all of the plan would have to be in memory.
  if (!add_axis(0, plan.coordinates[0])) return false;
  if (!pairs) rows.last[1] = rows.last[0];
  else if (!add_axis(1, plan.coordinates[1])) return false;
  rows.far = reach >= static_cast<std::uint64_t>(tuning::paced_bytes);
  if (rows.far && bytes > tuning::listed_far_bytes) return false;
  // Many elements take less time by the instruction for them, which the long way has.
  if ((size == 4 || size == 8) && gathers && rows.bytes == size && rows.count >= tuning::least_gathered &&
      reach <= static_cast<std::uint64_t>(tuning::prefetched_bytes) && set == instruction_set::avx512 &&
      gathers_by_instruction())
    return false;
  bool const short_rows = rows.bytes <= tuning::listed_fetched_row_bytes;
  index_t const lines = rows.count * ((rows.bytes + 63) / 64);
  bool const fetches_gathered = (short_rows || awaits_many_lines_near()) && lines >= tuning::least_fetched_lines;
  bool const fetches_early = lines >= tuning::least_lines_fetched_early &&
                             rows.bytes <= tuning::listed_fetched_early_row_bytes &&
                             reach > static_cast<std::uint64_t>(tuning::prefetched_bytes) && runs_ahead_little();
  rows.fetches = fetches_early || (rows.far && (!gathers || fetches_gathered));
  listed_kernels<unsigned_index> const& kernels = listed_kernels_of<!gathers, unsigned_index, grain_of(sizeof(T))>(set);
  int const unit = unit_index(rows.bytes);
  return (unit >= 0 ? kernels.elements[unit] : kernels.rows)(rows);
}

}  // namespace ndx::cpu

#endif
