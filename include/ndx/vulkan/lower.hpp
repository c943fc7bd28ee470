// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_LOWER_HPP
#define NDX_VULKAN_LOWER_HPP

#include <ndx/plan/normalize.hpp>
#include <ndx/vulkan/operand.hpp>
#include <ndx/vulkan/tuning.hpp>

/// From plans in bytes to plans in units that a kernel moves at once, cut into parts that 31 bits can count.
namespace ndx::vulkan {

/// std::min, without all of <algorithm>.
constexpr index_t lesser(index_t a, index_t b) noexcept { return b < a ? b : a; }

/// All bits of the numbers of bytes that a plan in bytes adds up to places on one side.
inline std::uint64_t bits_of_places(plan::indexed_copy const& plan, through which, operand const& of) noexcept {
  std::uint64_t bits = of.place + static_cast<std::uint64_t>(base_of(plan, which));
  for (std::size_t d = 0; d < plan.rank; ++d)
    if (plan.loops[d].extent > 1) bits |= static_cast<std::uint64_t>(stride_of(plan.loops[d], which));
  if (is_indirect(plan, which))
    for (std::size_t c = 0; c < plan.coordinate_count; ++c)
      if (plan.coordinates[c].extent > 1) bits |= static_cast<std::uint64_t>(plan.coordinates[c].stride);
  return bits;
}

/// The same for the blocks that it writes: where they begin and how long they are.
inline std::uint64_t bits_of_blocks(plan::indexed_copy const& plan, operand const& destination) noexcept {
  return static_cast<std::uint64_t>(plan.run) | bits_of_places(plan, through::destination, destination);
}

/// The largest unit, 16 bytes at most, that divides all numbers with these bits: the lowest one that is set.
constexpr index_t unit_of_bits(std::uint64_t bits) noexcept {
  bits |= 16U;
  return static_cast<index_t>(bits & (~bits + 1));
}

/// The largest unit that what a plan in bytes writes can be moved in: one that divides its run and every step.
inline index_t destination_unit(plan::indexed_copy const& plan, operand const& destination) noexcept {
  return unit_of_bits(bits_of_blocks(plan, destination));
}

/// The same of what it reads and writes.
inline index_t common_unit(plan::indexed_copy const& plan, operand const& destination, operand const& source) noexcept {
  return unit_of_bits(bits_of_blocks(plan, destination) | bits_of_places(plan, through::source, source));
}

/// Do blocks that a plan in bytes writes begin or end within a sector of memory?
inline bool writes_parts_of_sectors(plan::indexed_copy const& plan, operand const& destination) noexcept {
  return bits_of_blocks(plan, destination) % tuning::sector_bytes != 0;
}

/// A plan in bytes as one in units, its run a loop like the others. Its bases are left out, as they need not be whole
/// units: the operands have to be shifted by them. What is read counts units of `source_unit` bytes.
inline plan::indexed_copy in_units(plan::indexed_copy const& bytes, index_t unit, index_t source_unit) noexcept {
  plan::indexed_copy plan = bytes;
  plan.destination_base = 0;
  plan.source_base = 0;
  for (std::size_t d = 0; d < plan.rank; ++d) {
    plan.loops[d].destination /= unit;
    plan.loops[d].source /= source_unit;
  }
  for (std::size_t c = 0; c < plan.coordinate_count; ++c) plan.coordinates[c].stride /= unit;
  plan.tail /= unit;
  plan.run = 1;
  if (bytes.run > unit) plan.loops[plan.rank++] = {bytes.run / unit, 1, unit / source_unit, 0};
  return plan;
}
inline plan::indexed_copy in_units(plan::indexed_copy const& bytes, index_t unit) noexcept {
  return in_units(bytes, unit, unit);
}

/// The innermost loop of a copy in bytes where it reads backwards what it writes forwards, by elements of so many
/// bytes; 0 where it does not.
inline index_t reversed_element(plan::indexed_copy const& plan) noexcept {
  if (plan.indirect != plan::side::none || plan.rank == 0) return 0;
  plan::loop const& inner = plan.loops[plan.rank - 1];
  bool const backwards = inner.destination == plan.run && inner.source == -plan.run;
  return backwards && (plan.run == 1 || plan.run == 2 || plan.run == 4 || plan.run == 8) ? plan.run : 0;
}

/// The same copy by 16 bytes, each of which is to be turned around, element by element. The plan in bytes.
inline plan::indexed_copy by_reversed_units(plan::indexed_copy const& bytes) noexcept {
  plan::indexed_copy plan = bytes;
  plan::loop& inner = plan.loops[plan.rank - 1];
  plan.source_base -= 16 - plan.run;
  inner = {inner.extent * plan.run / 16, 16, -16, 0};
  plan.run = 16;
  return plan;
}

/// Which loop of a copy in units reads one unit after the other, where the innermost one writes so and no other reads
/// so; `plan.rank` where there is none, or sides too short for tiles.
inline std::size_t transposed_loop(plan::indexed_copy const& plan) noexcept {
  if (plan.indirect != plan::side::none || plan.rank < 2) return plan.rank;
  plan::loop const& inner = plan.loops[plan.rank - 1];
  if (inner.destination != 1 || plan::magnitude(inner.source) < 2 || inner.extent < tuning::tile_side / 2)
    return plan.rank;
  for (std::size_t d = 0; d + 1 < plan.rank; ++d)
    if (plan::magnitude(plan.loops[d].source) == 1 && plan.loops[d].extent >= tuning::tile_side / 2) return d;
  return plan.rank;
}

/// Do all lines of a transposition begin and end between units of 16 bytes on both sides, and are they long enough for
/// tiles by those? `loop`: the one that reads one unit after the other.
inline bool transposes_by_16(plan::indexed_copy const& plan, std::size_t loop, index_t unit, operand const& destination,
                             operand const& source) noexcept {
  plan::loop const& along = plan.loops[loop];
  plan::loop const& across = plan.loops[plan.rank - 1];
  index_t const side = tuning::tile_side_by_16(unit);
  if (along.source != 1 || along.extent < side / 2 || across.extent < side / 2) return false;
  index_t bits = plan.destination_base | plan.source_base | along.extent | across.extent;
  for (std::size_t d = 0; d < plan.rank; ++d) {
    if (d != plan.rank - 1) bits |= plan.loops[d].destination;
    if (d != loop) bits |= plan.loops[d].source;
  }
  std::uint64_t const places = (destination.place | source.place) + static_cast<std::uint64_t>(bits * unit);
  return places % 16 == 0;
}

/// Do the tuples of a plan in units move contiguous rows?
inline bool has_rows(plan::indexed_copy const& plan) noexcept {
  if (plan.indirect == plan::side::none || plan.rank != plan.tuple_rank + 1) return false;
  plan::loop const& row = plan.loops[plan.tuple_rank];
  return row.destination == 1 && row.source == 1;
}

/// The tuples of a plan without what they move.
inline plan::indexed_copy tuples_of(plan::indexed_copy const& plan) noexcept {
  plan::indexed_copy result = plan;
  result.rank = plan.tuple_rank;
  result.tail = 1;
  result.run = 1;
  return result;
}

/// The places that a scatter's tuples can lead to, as tuples in the order of their slots; the tail is that of the
/// scatter.
inline plan::indexed_copy places_of(plan::indexed_copy const& plan) noexcept {
  plan::indexed_copy result;
  result.destination_base = plan.destination_base;
  result.tail = result.run = plan.run;
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    if (plan.loops[d].destination != 0) result.add({plan.loops[d].extent, plan.loops[d].destination, 0, 0}, true);
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    result.add({plan.coordinates[c].extent, plan.coordinates[c].stride, 0, 0}, true);
  for (std::size_t d = plan.tuple_rank; d < plan.rank; ++d)
    result.add({plan.loops[d].extent, plan.loops[d].destination, 0, 0}, false);
  return result;
}

/// The scatter, in bytes, of so many pairs of the number of a word and what goes there, as shaders/bucket.comp makes
/// them: indices and source are the pairs, the destination has so many words.
inline plan::indexed_copy scatter_of_pairs(index_t pairs, index_t words) noexcept {
  plan::indexed_copy plan;
  plan.indirect = plan::side::destination;
  plan.add({pairs, 0, 8, 2}, true);
  plan.coordinates[plan.coordinate_count++] = {words, 4};
  plan.coordinate_step = 1;
  plan.run = plan.tail = 4;
  return plan;
}

/// Calls `visit(part, first_tuple)` for parts of no more than `limit` points each, in row-major order of their tuples.
/// They are cut at multiples of 16, so that what is aligned by 16 bytes stays so.
template <class Visit>
void for_each_part(plan::indexed_copy const& plan, index_t limit, Visit const& visit, std::size_t dimension = 0,
                   index_t first_tuple = 0) {
  if (plan.moves_nothing()) return;
  if (plan.tuples <= limit / plan.tail) return visit(plan, first_tuple);
  index_t const extent = plan.loops[dimension].extent;
  bool const of_tuples = dimension < plan.tuple_rank;
  index_t const tuples = of_tuples ? plan.tuples / extent : plan.tuples;
  index_t const tail = of_tuples ? plan.tail : plan.tail / extent;
  bool const fits = tuples <= limit / tail;
  index_t step = fits ? limit / (tuples * tail) : 1;
  if (step > 16) step -= step % 16;
  for (index_t begin = 0; begin < extent; begin += step) {
    index_t const end = extent - begin < step ? extent : begin + step;
    plan::indexed_copy const part = plan::part(plan, dimension, begin, end);
    index_t const first = of_tuples ? first_tuple + begin * tuples : first_tuple;
    if (fits) visit(part, first);
    else for_each_part(part, limit, visit, dimension + 1, first);
  }
}

}  // namespace ndx::vulkan

#endif
