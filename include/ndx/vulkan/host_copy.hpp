// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_HOST_COPY_HPP
#define NDX_VULKAN_HOST_COPY_HPP

#include <ndx/cpu/parallel.hpp>

#include <cstddef>
#include <cstdint>

namespace ndx::vulkan {

/// A copy between host memories, its plan in bytes. Templates, as is what calls them, so that a file which includes the
/// header and calls no operator compiles no kernel.
template <class = void>
cpu::work<std::int32_t> work_on_host(plan::indexed_copy const& copy, std::byte* to, std::byte const* from,
                                     ndx::stores how, int threads) noexcept {
  cpu::work<std::int32_t> work{};
  work.copies = &cpu::copy_kernels_of<1>(cpu::default_instruction_set());
  work.plan = &copy;
  work.destination = to;
  work.source = from;
  work.mode = bounds::trust;
  work.stores = how;
  work.element_size = 1;
  work.how.stream = cpu::streams(how, 2 * copy.tail, cpu::streamed_call_bytes(threads));
  return work;
}

/// All of it, by every core unless some elements are `shared` by several steps, as two threads must not write one
/// place.
template <class = void>
void copy_on_host(plan::indexed_copy const& copy, std::byte* to, std::byte const* from, ndx::stores how,
                  bool shared = false) {
  cpu::executor_reference const threads;
  cpu::parallel const every_core{shared ? 1 : threads.threads(0), 1, threads};
  auto const work = work_on_host(copy, to, from, how, every_core.threads);
  if (every_core.threads == 1) static_cast<void>(cpu::mover<std::int32_t>(work).move());
  else static_cast<void>(every_core.move(work));
}

/// How such a copy is cut into shares for all cores.
inline cpu::division shares_on_host(plan::indexed_copy const& copy) noexcept {
  return cpu::divide(copy, copy.rank + 1, copy.tail, 1, cpu::executor_reference().threads(0));
}

/// Share `i` of it out of `shares`, by the calling thread. Where the copy is cut into more, it takes some of them.
template <class = void>
void copy_share_on_host(plan::indexed_copy const& copy, std::byte* to, std::byte const* from, ndx::stores how,
                        index_t i, index_t shares) noexcept {
  cpu::division const cut = shares_on_host(copy);
  for (; i < cut.parts(); i += shares) {
    plan::indexed_copy const part = cut.part(copy, i);
    static_cast<void>(cpu::mover<std::int32_t>(work_on_host(part, to, from, how, 1)).move());
  }
}

}  // namespace ndx::vulkan

#endif
