// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_HOST_COPY_HPP
#define NDX_VULKAN_HOST_COPY_HPP

#include <ndx/cpu/parallel.hpp>

#include <cstddef>
#include <cstdint>

namespace ndx::vulkan {

/// Carries out a copy between host memories, its plan in bytes; by every core unless some elements are `shared` by
/// several steps, as two threads must not write one place. A template, as is what calls it, so that a file which
/// includes the header and calls no operator compiles no kernel.
template <class = void>
void copy_on_host(plan::indexed_copy const& copy, std::byte* to, std::byte const* from, ndx::stores how,
                  bool shared = false) {
  cpu::work<std::int32_t> work{};
  work.copies = &cpu::copy_kernels_of<1>(cpu::default_instruction_set());
  work.plan = &copy;
  work.destination = to;
  work.source = from;
  work.mode = bounds::trust;
  work.stores = how;
  work.element_size = 1;
  cpu::executor_reference const threads;
  cpu::parallel const every_core{shared ? 1 : threads.threads(0), 1, threads};
  work.how.stream = cpu::streams(how, 2 * copy.tail, cpu::streamed_call_bytes(every_core.threads));
  if (every_core.threads == 1) static_cast<void>(cpu::mover<std::int32_t>(work).move());
  else static_cast<void>(every_core.move(work));
}

}  // namespace ndx::vulkan

#endif
