// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MOVER_HPP
#define NDX_CPU_MOVER_HPP

#include <ndx/cpu/nest.hpp>
#include <ndx/plan/normalize.hpp>

namespace ndx::cpu {

/// The tuples whose destinations a thread owns: those from `first`, `extent` bytes wide. All, where extent is 0.
struct ownership {
  index_t first = 0;
  std::uint64_t extent = 0;
};

/// What a mover works on; the plan in bytes.
template <class Index>
struct work {
  kernel_set const* kernels;
  plan::indexed_copy const* plan;
  std::byte* destination;
  std::byte const* source;
  Index const* indices;
  bounds mode;
  hints how;
  resolve_function<Index>* resolve;  ///< null for the modes that are resolved one by one
  verify_function<Index>* verify;
  kernel_set::write* reduce;         ///< null where an update replaces
  line_function<Index>* write_line;  ///< for single elements by single indices; null unless these are known to be good
  stripe_function<Index>* write_stripe;  ///< the same for a stripe of the destination
  std::byte const* fill;
  index_t element_size;
};

/// Walks the tuples of a plan block by block: resolves one block while the lines that it leads to are being fetched for
/// the next.
template <class Index>
class mover {
public:
  explicit mover(work<Index> const& what) noexcept
      : work_(what),
        plan_(*what.plan),
        tail_{plan_.loops.data() + plan_.tuple_rank, plan_.rank - plan_.tuple_rank, plan_.run} {
    bool const reads = plan_.indirect == plan::side::source;
    line_ = plan_.tuple_rank > 0 ? plan_.loops[plan_.tuple_rank - 1] : plan::loop{1, 0, 0, 0};
    direct_step_ = reads ? line_.destination : line_.source;
    indirect_step_ = reads ? line_.source : line_.destination;
    for (std::size_t d = 1; d < plan_.tuple_rank; ++d) {
      plan::loop const& outer = plan_.loops[d - 1];
      plan::loop const& inner = plan_.loops[d];
      linear_ = linear_ && (reads ? outer.destination == plan::wrapping_multiply(inner.destination, inner.extent)
                                  : outer.source == plan::wrapping_multiply(inner.source, inner.extent));
    }
  }

  /// Looks at every tuple and moves nothing. False where one is bad.
  bool check() noexcept {
    if (has_packed_indices()) return check_packed();
    offset_block block;
    for (index_t left = plan_.tuples; left > 0; left -= block.count) {
      next(block, left);
      if (block.bad) return false;
    }
    return true;
  }

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
  /// Are the indices along a line one run of numbers with one bound?
  [[nodiscard]] bool has_packed_indices() const noexcept {
    auto const count = plan_.coordinate_count;
    plan::coordinate const* const axes = plan_.coordinates.data();
    return line_.indices == static_cast<index_t>(count) &&
           (count == 1 || (count == 2 && plan_.coordinate_step == 1 && axes[0].extent == axes[1].extent));
  }

  bool check_packed() noexcept {
    auto const count = line_.extent * static_cast<index_t>(plan_.coordinate_count);
    for (index_t left = plan_.tuples; left > 0; left -= line_.extent) {
      if (!work_.verify(work_.indices + plan_.indices_base + indices_, count, plan_.coordinates[0].extent))
        return false;
      next_line();
    }
    return true;
  }

  bool move_tuples(ownership const& owned) noexcept {
    if (work_.write_line != nullptr && plan_.coordinate_count == 1 && plan_.tail == work_.element_size &&
        owned.extent == 0)
      return write_lines();
    offset_block blocks[2];
    index_t left = plan_.tuples;
    next(blocks[0], left);
    if (owned.extent != 0) work_.kernels->keep_owned(blocks[0], owned.first, owned.extent);
    for (int current = 0;; current ^= 1) {
      offset_block& block = blocks[current];
      offset_block& ahead = blocks[current ^ 1];
      left -= block.count;
      ahead.count = 0;
      if (left > 0) next(ahead, left);
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
    }
    return true;
  }

  bool write_lines() noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base;
    for (index_t left = plan_.tuples; left > 0; left -= line_.extent) {
      tuple_request<Index> const line = request(line_.extent);
      std::byte const* const updates = from + direct_;
      next_line();
      work_.write_line(to, updates, direct_step_, line, indirect_, work_.how);
    }
    return true;
  }

  /// The tuples that come next, as many of them, all in one line.
  [[nodiscard]] tuple_request<Index> request(index_t count) const noexcept {
    return {work_.indices + plan_.indices_base + indices_ + position_ * line_.indices,
            line_.indices,
            plan_.coordinate_step,
            plan_.coordinates.data(),
            plan_.coordinate_count,
            indirect_ + position_ * indirect_step_,
            indirect_step_,
            count};
  }

  /// An empty tail: nothing moves, but a gather's indices have not been looked at yet.
  bool check_nothing() noexcept {
    return plan_.tuples == 0 || plan_.indirect != plan::side::source || work_.mode == bounds::ignore ||
           work_.mode == bounds::trust || check();
  }

  /// The next tuples, at most a block of them, and at most to the end of their line where the direct side jumps there.
  void next(offset_block& block, index_t left) noexcept {
    block.count = 0;
    block.bad = false;
    block.direct = direct_ + position_ * direct_step_;
    left = lesser(left, tuning::tuples_in_block);
    while (block.count < left) {
      index_t const count = lesser(left - block.count, line_.extent - position_);
      index_t* const offsets = block.offsets + block.count;
      bool const bad = work_.resolve != nullptr ? work_.resolve(request(count), offsets)
                                                : resolve_scalar(request(count), 0, work_.mode, offsets);
      block.bad = block.bad || bad;
      block.count += count;
      position_ += count;
      if (position_ == line_.extent) {
        position_ = 0;
        next_line();
        if (!linear_) break;
      }
    }
  }

  void next_line() noexcept {
    for (std::size_t d = plan_.tuple_rank; d-- > 1;) {
      plan::loop const& loop = plan_.loops[d - 1];
      bool const wraps = ++place_[d - 1] == loop.extent;
      index_t const steps = wraps ? 1 - loop.extent : 1;
      bool const reads = plan_.indirect == plan::side::source;
      direct_ += steps * (reads ? loop.destination : loop.source);
      indirect_ += steps * (reads ? loop.source : loop.destination);
      indices_ += steps * loop.indices;
      if (!wraps) return;
      place_[d - 1] = 0;
    }
  }

  void read(offset_block const& block, offset_block const& ahead) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + block.direct;
    std::byte const* const from = work_.source + plan_.source_base;
    if (tail_.count == 0) {
      int const element = element_index(tail_.run);
      auto* const kernel = element >= 0 ? work_.kernels->read_elements[element] : work_.kernels->read_rows;
      kernel(to, direct_step_, from, block, ahead, tail_.run, work_.how);
    } else {
      for (index_t i = 0; i < block.count; ++i)
        copy_nest(*work_.kernels, tail_, to + i * direct_step_, from + block.offsets[i], work_.how);
    }
  }

  void read_or_fill(offset_block const& block) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + block.direct;
    for (index_t i = 0; i < block.count; ++i) {
      if (block.offsets[i] == plan::no_offset) fill(tail_, to + i * direct_step_);
      else
        copy_nest(*work_.kernels, tail_, to + i * direct_step_, work_.source + plan_.source_base + block.offsets[i],
                  work_.how);
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
      write_rows(to, from, direct_step_, block, ahead);
    } else {
      for (index_t i = 0; i < block.count; ++i)
        if (block.offsets[i] != plan::no_offset) write_nest(tail_, to + block.offsets[i], from + i * direct_step_);
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
  plan::loop line_;      // the innermost loop over tuples
  index_t direct_step_;  // along it
  index_t indirect_step_;
  bool linear_ = true;                  // the direct side goes from line to line as it goes along one
  index_t position_ = 0;                // in the line
  index_t place_[plan::max_rank] = {};  // in the loops above it
  index_t direct_ = 0;                  // where the line starts
  index_t indirect_ = 0;
  index_t indices_ = 0;
};

}  // namespace ndx::cpu

#endif
