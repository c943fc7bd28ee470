// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_LOWER_HPP
#define NDX_VULKAN_LOWER_HPP

#include <ndx/plan/bytes.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/vulkan/parameters.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <vulkan/vulkan_core.h>

/// From plans to what kernels take: units, parts that 32 bits can count, and the bytes that each part reaches.
namespace ndx::vulkan {

/// A tensor of a call as the device sees it.
struct operand {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint64_t place = 0;      ///< of the element that the plan calls 0: bytes from the start of the buffer
  VkDeviceAddress address = 0;  ///< of the start of the buffer; 0 where the device has no addresses
};

/// The bytes [begin, end) of a buffer.
struct byte_range {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
};

inline bool overlap(byte_range const& a, byte_range const& b) noexcept {
  return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

/// Which numbers a plan counts when it steps through a tensor.
enum class through : unsigned char { destination, source, indices };

inline index_t stride_of(plan::loop const& loop, through which) noexcept {
  return which == through::destination ? loop.destination : which == through::source ? loop.source : loop.indices;
}

inline index_t base_of(plan::indexed_copy const& plan, through which) noexcept {
  return which == through::destination ? plan.destination_base
         : which == through::source    ? plan.source_base
                                       : plan.indices_base;
}

inline bool is_indirect(plan::indexed_copy const& plan, through which) noexcept {
  return (which == through::destination && plan.indirect == plan::side::destination) ||
         (which == through::source && plan.indirect == plan::side::source);
}

/// The bytes that a plan of one point or more can reach; strides in bytes, or in elements of `scale` bytes.
inline byte_range reach(plan::indexed_copy const& plan, through which, operand const& of, index_t scale,
                        index_t width) noexcept {
  index_t low = base_of(plan, which);
  index_t high = low;
  auto const add = [&](index_t extent, index_t stride) {
    if (extent > 1) (stride < 0 ? low : high) += (extent - 1) * stride;
  };
  std::size_t const loops = which == through::indices ? plan.tuple_rank : plan.rank;
  for (std::size_t d = 0; d < loops; ++d) add(plan.loops[d].extent, stride_of(plan.loops[d], which));
  if (is_indirect(plan, which)) {
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) {
      if (plan.coordinates[c].extent == 0) return {};  // no tuple leads anywhere
      add(plan.coordinates[c].extent, plan.coordinates[c].stride);
    }
  }
  if (which == through::indices) add(static_cast<index_t>(plan.coordinate_count), plan.coordinate_step);
  return {of.buffer, of.place + static_cast<std::uint64_t>(low * scale),
          of.place + static_cast<std::uint64_t>(high * scale + width)};
}

/// The largest unit, 16 bytes at most, that a plan in bytes can be moved in: one that divides its run and every step.
inline index_t common_unit(plan::indexed_copy const& plan, operand const& destination, operand const& source) noexcept {
  std::uint64_t all = 16U | static_cast<std::uint64_t>(plan.run);
  all |= destination.place + static_cast<std::uint64_t>(plan.destination_base);
  all |= source.place + static_cast<std::uint64_t>(plan.source_base);
  for (std::size_t d = 0; d < plan.rank; ++d)
    if (plan.loops[d].extent > 1)
      all |= static_cast<std::uint64_t>(plan.loops[d].destination) | static_cast<std::uint64_t>(plan.loops[d].source);
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    if (plan.coordinates[c].extent > 1) all |= static_cast<std::uint64_t>(plan.coordinates[c].stride);
  return static_cast<index_t>(all & (~all + 1));  // the lowest bit that is set
}

/// The same tensor seen from a base that a plan has.
inline operand shifted(operand of, index_t bytes) noexcept {
  of.place += static_cast<std::uint64_t>(bytes);
  return of;
}

/// A plan in bytes as one in units, its run a loop like the others. Its bases are left out, as they need not be whole
/// units: the operands have to be shifted by them.
inline plan::indexed_copy in_units(plan::indexed_copy const& bytes, index_t unit) noexcept {
  plan::indexed_copy plan = bytes;
  plan.destination_base = 0;
  plan.source_base = 0;
  for (std::size_t d = 0; d < plan.rank; ++d) {
    plan.loops[d].destination /= unit;
    plan.loops[d].source /= unit;
  }
  for (std::size_t c = 0; c < plan.coordinate_count; ++c) plan.coordinates[c].stride /= unit;
  plan.tail /= unit;
  plan.run = 1;
  if (bytes.run > unit) plan.loops[plan.rank++] = {bytes.run / unit, 1, 1, 0};
  return plan;
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

/// As in shaders/move.comp.
inline constexpr index_t units_of_row_at_once = 2;

/// The tuples of a plan without what they move.
inline plan::indexed_copy tuples_of(plan::indexed_copy const& plan) noexcept {
  plan::indexed_copy result = plan;
  result.rank = plan.tuple_rank;
  result.tail = 1;
  result.run = 1;
  return result;
}

/// Calls `visit(part, first_tuple)` for parts of no more than `limit` points each, in row-major order of their tuples.
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
  index_t const step = fits ? limit / (tuples * tail) : 1;
  for (index_t begin = 0; begin < extent; begin += step) {
    index_t const end = extent - begin < step ? extent : begin + step;
    plan::indexed_copy const part = plan::part(plan, dimension, begin, end);
    index_t const first = of_tuples ? first_tuple + begin * tuples : first_tuple;
    if (fits) visit(part, first);
    else for_each_part(part, limit, visit, dimension + 1, first);
  }
}

/// The numbers of the places that a scatter's tuples can lead to: each coordinate counts, and each loop that moves the
/// destination.
struct slots {
  index_t count = 1;
  index_t of_loops[plan::max_rank] = {};
  index_t of_coordinates[plan::max_rank] = {};
};

inline slots slots_of(plan::indexed_copy const& plan) noexcept {
  slots result;
  for (std::size_t c = plan.coordinate_count; c-- > 0;) {
    result.of_coordinates[c] = result.count;
    result.count = plan::wrapping_multiply(result.count, plan.coordinates[c].extent);
  }
  for (std::size_t d = plan.tuple_rank; d-- > 0;) {
    if (plan.loops[d].destination == 0) continue;
    result.of_loops[d] = result.count;
    result.count = plan::wrapping_multiply(result.count, plan.loops[d].extent);
  }
  return result;
}

/// What of the parameters is in the plan. `unit` in bytes; bases count from the element that the plan calls 0.
inline parameters parameters_of(plan::indexed_copy const& plan, index_t unit) noexcept {
  parameters result;
  result.tuples = static_cast<std::uint32_t>(plan.tuples);
  result.tail_units = static_cast<std::uint32_t>(plan.tail);
  result.points = result.tuples * result.tail_units;
  if (result.tail_units != 0) result.tail_divisor = divisor(result.tail_units);
  result.tuple_rank = static_cast<std::uint32_t>(plan.tuple_rank);
  result.rank = static_cast<std::uint32_t>(plan.rank);
  result.coordinate_count = static_cast<std::uint32_t>(plan.coordinate_count);
  result.unit_bytes = static_cast<std::uint32_t>(unit);
  result.destination_base = plan.destination_base;
  result.source_base = plan.source_base;
  result.indices_base = plan.indices_base;
  result.coordinate_step = plan.coordinate_step;
  slots const places = slots_of(plan);
  for (std::size_t d = 0; d < plan.rank; ++d) {
    plan::loop const& loop = plan.loops[d];
    result.loops[d].extent = static_cast<std::uint32_t>(loop.extent);
    if (loop.extent < index_t{1} << 31U) {  // a longer one is the outermost, and nothing is divided by that
      divisor const by(result.loops[d].extent);
      result.loops[d].multiplier = by.multiplier;
      result.loops[d].shift = by.shift;
    }
    result.loops[d].destination = loop.destination;
    result.loops[d].source = loop.source;
    result.loops[d].indices = loop.indices;
    if (d < plan.tuple_rank) result.loops[d].slot = places.of_loops[d];
  }
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    result.coordinates[c] = {plan.coordinates[c].extent, plan.coordinates[c].stride, places.of_coordinates[c], {}};
  return result;
}

/// Do the tuples of a plan in units of 16 bytes move contiguous rows that invocations move by pairs?
inline bool has_rows(plan::indexed_copy const& plan) noexcept {
  if (plan.indirect == plan::side::none || plan.rank != plan.tuple_rank + 1) return false;
  plan::loop const& row = plan.loops[plan.tuple_rank];
  return row.destination == 1 && row.source == 1 && row.extent >= tuning::least_row_units &&
         row.extent % units_of_row_at_once == 0;
}

/// The parameters of such a plan.
inline parameters rows_of(plan::indexed_copy const& plan, index_t unit) noexcept {
  plan::indexed_copy columns = plan;
  columns.loops[plan.tuple_rank].extent /= units_of_row_at_once;
  columns.tail /= units_of_row_at_once;
  return parameters_of(columns, unit);
}

/// The parameters of a transposition of which `loop` is the one that reads one unit after the other: its points are
/// tiles, each a workgroup.
inline parameters transposition_of(plan::indexed_copy const& plan, std::size_t loop, index_t unit,
                                   std::uint32_t workgroup_size) noexcept {
  plan::loop const along = plan.loops[loop];
  plan::loop const across = plan.loops[plan.rank - 1];
  plan::indexed_copy tiles = plan;
  tiles.rank = 0;
  tiles.tail = 1;
  auto const tiled = [units = tuning::tile_side](plan::loop const& side) {
    return plan::loop{(side.extent + units - 1) / units, units * side.destination, units * side.source, 0};
  };
  for (std::size_t d = 0; d + 1 < plan.rank; ++d)
    if (d != loop) tiles.add(plan.loops[d], false);
  tiles.add(tiled(along), false);
  tiles.add(tiled(across), false);
  parameters result = parameters_of(tiles, unit);
  result.points *= workgroup_size;
  result.coordinates[0] = {along.extent, along.destination, along.source, {}};
  result.coordinates[1] = {across.extent, across.source, {}, {}};
  return result;
}

}  // namespace ndx::vulkan

#endif
