// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_NEST_HPP
#define NDX_CPU_NEST_HPP

#include <ndx/cpu/kernels.hpp>
#include <ndx/plan/bytes.hpp>

namespace ndx::cpu {

/// The tail of a plan, strides and run in bytes: what a plain copy is, and what one tuple of a gather or scatter moves.
struct nest {
  plan::loop const* loops;
  std::size_t count;
  index_t run;
};

/// One loop over elements or blocks.
inline void copy_line(kernel_set const& kernels, plan::loop const& line, index_t run, std::byte* to,
                      std::byte const* from, hints how) noexcept {
  int const unit = unit_index(run);
  if (unit >= 0) kernels.copy_elements[unit](to, line.destination, from, line.source, line.extent, how);
  else kernels.copy_rows(to, line.destination, from, line.source, line.extent, run, how);
}

/// Two loops of which the inner one is contiguous only where it writes, and the outer one only where it reads: tile by
/// tile, so that each line of the source is used whole while it is in the first-level cache.
inline void copy_transposed(kernel_set const& kernels, plan::loop const& outer, plan::loop const& inner, index_t run,
                            std::byte* to, std::byte const* from, hints how) noexcept {
  how.stream = false;  // a tile does not fill whole lines at once
  for (index_t j = 0; j < outer.extent; j += tuning::tile) {
    index_t const rows = lesser(tuning::tile, outer.extent - j);
    for (index_t i = 0; i < inner.extent; i += tuning::tile) {
      plan::loop line = inner;
      line.extent = lesser(tuning::tile, inner.extent - i);
      for (index_t row = j; row < j + rows; ++row)
        copy_line(kernels, line, run, to + row * outer.destination + i * inner.destination,
                  from + row * outer.source + i * inner.source, how);
    }
  }
}

inline bool is_transposition(plan::loop const& outer, plan::loop const& inner, index_t run) noexcept {
  return inner.destination == run && (outer.source == run || outer.source == -run) &&
         plan::magnitude(inner.source) >= 64;
}

/// The order of the loops is free: the one that reads contiguously goes right above the innermost one.
inline std::size_t transposed_with(nest const& loops) noexcept {
  for (std::size_t d = 0; d + 1 < loops.count; ++d)
    if (is_transposition(loops.loops[d], loops.loops[loops.count - 1], loops.run)) return d;
  return loops.count;
}

inline void copy_nest(kernel_set const& kernels, nest const& loops, std::byte* to, std::byte const* from,
                      hints how) noexcept {
  if (loops.count == 0) return kernels.copy_rows(to, 0, from, 0, 1, loops.run, how);
  plan::loop const& inner = loops.loops[loops.count - 1];
  if (loops.count == 1) return copy_line(kernels, inner, loops.run, to, from, how);
  std::size_t const partner = transposed_with(loops);
  if (partner == 0 && loops.count == 2)
    return copy_transposed(kernels, loops.loops[0], inner, loops.run, to, from, how);
  // Peel the first loop, or the second where the first is the partner of the innermost.
  std::size_t const peeled = partner == 0 ? 1 : 0;
  plan::loop const& outer = loops.loops[peeled];
  plan::loop rest[plan::max_rank];
  for (std::size_t d = 0, kept = 0; d < loops.count; ++d)
    if (d != peeled) rest[kept++] = loops.loops[d];
  for (index_t i = 0; i < outer.extent; ++i)
    copy_nest(kernels, {rest, loops.count - 1, loops.run}, to + i * outer.destination, from + i * outer.source, how);
}

}  // namespace ndx::cpu

#endif
