// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PLAN_PARAMETERS_HPP
#define NDX_VULKAN_PLAN_PARAMETERS_HPP

#include <ndx/plan/slots.hpp>
#include <ndx/vulkan/lower.hpp>
#include <ndx/vulkan/parameters.hpp>

/// What kernels read of a plan in units.
namespace ndx::vulkan {

/// What of the parameters is in the plan. `unit` in bytes; bases count from the element that the plan calls 0.
/// `places`: the slots of the plan, or those of one that it is a part of.
inline parameters parameters_of(plan::indexed_copy const& plan, index_t unit, plan::slots const& places) noexcept {
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

inline parameters parameters_of(plan::indexed_copy const& plan, index_t unit) noexcept {
  return parameters_of(plan, unit, plan::slots_of(plan));
}

/// The parameters of a transposition of which `loop` is the one that reads one unit after the other: its points are
/// tiles with so many units along their sides, each a workgroup.
inline parameters transposition_of(plan::indexed_copy const& plan, std::size_t loop, index_t unit, index_t side_of_tile,
                                   std::uint32_t workgroup_size) noexcept {
  plan::loop const along = plan.loops[loop];
  plan::loop const across = plan.loops[plan.rank - 1];
  plan::indexed_copy tiles = plan;
  tiles.rank = 0;
  tiles.tail = 1;
  auto const tiled = [units = side_of_tile](plan::loop const& side) {
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
