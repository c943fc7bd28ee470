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

/// The one step of a loop that is none.
inline constexpr plan::loop no_loop{1, 0, 0, 0};

/// Two loops over elements or rows.
inline void copy_grid(copy_kernels const& kernels, grid const& g, std::byte* to, std::byte const* from,
                      hints how) noexcept {
  int const element = element_index(g.bytes);
  if (element >= 0) kernels.elements[element](to, from, g, how);
  else kernels.rows(to, from, g, how);
}

/// One row.
inline void copy_bytes(copy_kernels const& kernels, std::byte* to, std::byte const* from, index_t bytes,
                       hints how) noexcept {
  kernels.rows(to, from, {no_loop, no_loop, bytes}, how);
}

/// One loop over elements or rows.
inline void copy_line(copy_kernels const& kernels, plan::loop const& line, index_t run, std::byte* to,
                      std::byte const* from, hints how) noexcept {
  copy_grid(kernels, {no_loop, line, run}, to, from, how);
}

/// Elements of so many bytes per side of a tile.
inline index_t tile_side(index_t bytes) noexcept {
  if (!is_intel()) return tuning::tile;
  return greater(tuning::tile, lesser(tuning::most_tile, tuning::tile_bytes / bytes));
}

/// Two loops of which the inner one is contiguous only where it writes, and the outer one only where it reads.
inline void copy_transposed(copy_kernels const& kernels, plan::loop outer, plan::loop const& inner, index_t run,
                            std::byte* to, std::byte const* from, hints how) noexcept {
  if (outer.source < 0) {  // the other way round
    from += (outer.extent - 1) * outer.source;
    to += (outer.extent - 1) * outer.destination;
    outer.source = -outer.source;
    outer.destination = -outer.destination;
  }
  int const unit = unit_index(run);
  bool const fills_lines = inner.extent * run >= 64 && outer.extent * run >= 64;
  if (unit >= 0 && unit < 4 && fills_lines) return kernels.transposed[unit](to, from, {outer, inner, run}, how);
  // By tiles, so that each line of either side is used whole while it is in the first-level cache.
  how.stream = how.fetch_output = false;
  index_t const side = tile_side(run);
  index_t const columns = lesser(inner.extent, side);
  index_t const rows = side * side / columns;
  for (index_t j = 0; j < outer.extent; j += rows) {
    plan::loop down = outer;
    down.extent = lesser(rows, outer.extent - j);
    for (index_t i = 0; i < inner.extent; i += columns) {
      plan::loop along = inner;
      along.extent = lesser(columns, inner.extent - i);
      // A short loop is better the outer one.
      bool const swapped = along.extent < down.extent;
      copy_grid(kernels, {swapped ? along : down, swapped ? down : along, run},
                to + j * outer.destination + i * inner.destination, from + j * outer.source + i * inner.source, how);
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

inline void copy_nest(copy_kernels const& kernels, nest const& loops, std::byte* to, std::byte const* from,
                      hints how) noexcept {
  if (loops.count == 0) return copy_bytes(kernels, to, from, loops.run, how);
  plan::loop const& inner = loops.loops[loops.count - 1];
  if (loops.count == 1) return copy_line(kernels, inner, loops.run, to, from, how);
  std::size_t const partner = transposed_with(loops);
  if (partner == 0 && loops.count == 2)
    return copy_transposed(kernels, loops.loops[0], inner, loops.run, to, from, how);
  if (partner == loops.count && loops.count == 2)
    return copy_grid(kernels, {loops.loops[0], inner, loops.run}, to, from, how);
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
