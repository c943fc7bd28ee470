// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_HOST_GATHER_HPP
#define NDX_VULKAN_HOST_GATHER_HPP

#include <ndx/cpu/host_operation.hpp>
#include <ndx/cpu/parallel.hpp>
#include <ndx/vulkan/staging.hpp>

#include <cstddef>

/// Gathers from a host table that take less time on the host than the table takes to the device.
namespace ndx::vulkan {

/// Is a gather whose table and indices are on the host to be done there?
inline bool gathers_on_host(plan::operation const& op, std::size_t element_size) noexcept {
  plan::indexed_copy const& move = op.move;
  if (move.indirect != plan::side::source || move.moves_nothing()) return false;
  plan::indexed_copy const table = plan::in_bytes(every_element(move, through::source), element_size);
  if (table.moves_nothing()) return false;
  std::uint64_t const bytes = reach(table, through::source, {}, 1, table.run).size();
  auto const gathered = static_cast<std::uint64_t>(move.tuples * move.tail) * element_size;
  return bytes >= tuning::gathered_on_host && gathered < bytes;
}

/// Does it, on every core.
template <class T, class Index>
void gather_on_host(plan::operation const& op, plan::arguments<T, Index> const& on) {
  cpu::executor_reference const threads;
  cpu::parallel const every_core{threads.threads(0), static_cast<index_t>(sizeof(T)), threads};
  plan::operation_on<plan::side::source> const gather{op};
  cpu::host_operation<Index> const host(gather, on, cpu::default_instruction_set(), stores::automatic,
                                        every_core.threads);
  if (!every_core.move(host.moving)) plan::fail_first_bad_index(op, on.indices);
}

/// The two steps of a gather whose output is not on the host: into packed memory, and from there to where it belongs.
struct gather_in_two_steps {
  plan::operation to_packed;
  plan::operation to_output;

  explicit gather_in_two_steps(plan::operation const& op) noexcept : to_packed(op) {
    plan::indexed_copy& packed = to_packed.move;
    plan::indexed_copy& rest = to_output.move;
    to_output.name = op.name;
    index_t stride = packed.run;
    for (std::size_t d = packed.rank; d-- > 0; stride *= packed.loops[d].extent) packed.loops[d].destination = stride;
    packed.destination_base = 0;
    for (std::size_t d = 0; d < packed.rank; ++d)
      rest.add({packed.loops[d].extent, op.move.loops[d].destination, packed.loops[d].destination, 0}, false);
    if (packed.run > 1) rest.add({packed.run, 1, 1, 0}, false);
    rest.destination_base = op.move.destination_base;
    plan::normalize(rest);
  }
};

}  // namespace ndx::vulkan

#endif
