// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MOVER_HPP
#define NDX_CPU_MOVER_HPP

#include <ndx/cpu/nest.hpp>
#include <ndx/cpu/walker.hpp>
#include <ndx/plan/normalize.hpp>

namespace ndx::cpu {

/// The tuples whose destinations a thread owns: those from `first`, `extent` bytes wide. All, where extent is 0.
struct ownership {
  index_t first = 0;
  std::uint64_t extent = 0;
};

/// Moves what the tuples of a plan lead to, block by block: one block while the lines of the next are being fetched.
template <class Index>
class mover {
public:
  explicit mover(work<Index> const& what) noexcept
      : work_(what),
        plan_(*what.plan),
        tail_{plan_.loops.data() + plan_.tuple_rank, plan_.rank - plan_.tuple_rank, plan_.run},
        tuples_(what) {}

  /// Looks at every tuple and moves nothing. False where one is bad.
  bool check() noexcept { return tuples_.check(); }

  /// False where a bad index stopped it, which happens to gathers alone: scatters are checked before.
  bool move(ownership const& owned = {}) noexcept {
    if (plan_.moves_nothing()) return check_nothing();
    bool good = true;
    if (plan_.indirect == plan::side::none) {
      copy_nest(*work_.kernels, tail_, work_.destination + plan_.destination_base, work_.source + plan_.source_base,
                work_.how);
    } else {
      good = move_tuples(owned);
    }
    if (work_.how.stream) finish_streamed_stores();
    return good;
  }

private:
  bool move_tuples(ownership const& owned) noexcept {
    if (work_.write_line != nullptr && plan_.coordinate_count == 1 && plan_.tail == work_.element_size &&
        owned.extent == 0)
      return write_lines();
    offset_block blocks[2];
    index_t left = plan_.tuples;
    work_.how.first = true;
    tuples_.next(blocks[0], left);
    if (owned.extent != 0) work_.kernels->keep_owned(blocks[0], owned.first, owned.extent);
    for (int current = 0;; current ^= 1) {
      offset_block& block = blocks[current];
      offset_block& ahead = blocks[current ^ 1];
      left -= block.count;
      ahead.count = 0;
      if (left > 0) tuples_.next(ahead, left);
      if (owned.extent != 0) work_.kernels->keep_owned(ahead, owned.first, owned.extent);
      if (plan_.indirect == plan::side::destination) {
        write(block, ahead);
      } else if (!block.bad) {
        read(block, ahead);
      } else if (work_.mode == bounds::ignore) {
        read_or_fill(block);
      } else {
        return false;
      }
      if (left == 0) break;
      work_.how.first = false;
    }
    return true;
  }

  bool write_lines() noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base;
    for (index_t left = plan_.tuples, count = 0; left > 0; left -= count) {
      tuple_request<Index> const line = tuples_.line();
      std::byte const* const updates = from + tuples_.direct();
      count = line.count;
      tuples_.next_line();
      work_.write_line(to, updates, tuples_.direct_step(), line, tuples_.line().start, work_.how);
    }
    return true;
  }

  /// An empty tail: nothing moves, but a gather's indices have not been looked at yet.
  bool check_nothing() noexcept {
    return plan_.tuples == 0 || plan_.indirect != plan::side::source || work_.mode == bounds::ignore ||
           work_.mode == bounds::trust || check();
  }

  void read(offset_block const& block, offset_block const& ahead) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + block.direct;
    std::byte const* const from = work_.source + plan_.source_base;
    if (tail_.count == 0) {
      int const element = element_index(tail_.run);
      auto* const kernel = element >= 0 ? work_.kernels->read_elements[element] : work_.kernels->read_rows;
      kernel(to, tuples_.direct_step(), from, block, ahead, tail_.run, work_.how);
    } else {
      for (index_t i = 0; i < block.count; ++i)
        copy_nest(*work_.kernels, tail_, to + i * tuples_.direct_step(), from + block.offsets[i], work_.how);
    }
  }

  void read_or_fill(offset_block const& block) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + block.direct;
    for (index_t i = 0; i < block.count; ++i) {
      if (block.offsets[i] == plan::no_offset) fill(tail_, to + i * tuples_.direct_step());
      else
        copy_nest(*work_.kernels, tail_, to + i * tuples_.direct_step(),
                  work_.source + plan_.source_base + block.offsets[i], work_.how);
    }
  }

  void fill(nest const& loops, std::byte* to) noexcept {
    if (loops.count == 0) {
      plan::loop const line{loops.run / work_.element_size, work_.element_size, 0, 0};
      copy_line(*work_.kernels, line, work_.element_size, to, work_.fill, work_.how);
      return;
    }
    for (index_t i = 0; i < loops.loops->extent; ++i)
      fill({loops.loops + 1, loops.count - 1, loops.run}, to + i * loops.loops->destination);
  }

  void write(offset_block const& block, offset_block const& ahead) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base + block.direct;
    if (tail_.count == 0) {
      write_rows(to, from, tuples_.direct_step(), block, ahead);
    } else {
      for (index_t i = 0; i < block.count; ++i)
        if (block.offsets[i] != plan::no_offset)
          write_nest(tail_, to + block.offsets[i], from + i * tuples_.direct_step());
    }
  }

  void write_rows(std::byte* to, std::byte const* from, index_t from_stride, offset_block const& block,
                  offset_block const& ahead) noexcept {
    int const unit = unit_index(tail_.run);
    auto* const kernel = work_.reduce != nullptr ? work_.reduce
                         : unit >= 0             ? work_.kernels->write_elements[unit]
                                                 : work_.kernels->write_rows;
    kernel(to, from, from_stride, block, ahead, tail_.run, work_.how);
  }

  void write_nest(nest const& loops, std::byte* to, std::byte const* from) noexcept {
    if (work_.reduce == nullptr) return copy_nest(*work_.kernels, loops, to, from, work_.how);
    plan::loop const& outer = *loops.loops;
    if (loops.count > 1) {
      for (index_t i = 0; i < outer.extent; ++i)
        write_nest({loops.loops + 1, loops.count - 1, loops.run}, to + i * outer.destination, from + i * outer.source);
      return;
    }
    // The innermost loop is a block of rows at known places.
    offset_block line;
    offset_block nothing;
    for (index_t first = 0; first < outer.extent; first += line.count) {
      line.count = lesser(outer.extent - first, tuning::tuples_in_block);
      for (index_t i = 0; i < line.count; ++i) line.offsets[i] = (first + i) * outer.destination;
      write_rows(to, from + first * outer.source, outer.source, line, nothing);
    }
  }

  work<Index> work_;
  plan::indexed_copy const& plan_;
  nest tail_;
  tuple_walker<Index> tuples_;
};

}  // namespace ndx::cpu

#endif
