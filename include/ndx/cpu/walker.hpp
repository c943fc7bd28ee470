// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_WALKER_HPP
#define NDX_CPU_WALKER_HPP

#include <ndx/cpu/kernels.hpp>
#include <ndx/cpu/stores.hpp>
#include <ndx/plan/indexed_copy.hpp>

namespace ndx::cpu {

/// What a mover works on; the plan in bytes.
template <class Index>
struct work {
  copy_kernels const* copies;
  read_kernels const* reads = nullptr;    ///< where something is gathered
  write_kernels const* writes = nullptr;  ///< where something is scattered
  plan::indexed_copy const* plan;
  std::byte* destination;
  std::byte const* source;
  Index const* indices;
  bounds mode;
  hints how;
  ndx::stores stores;
  resolve_function<Index>* resolve = nullptr;  ///< null for the modes that are resolved one by one
  verify_function<Index>* verify = nullptr;
  write_kernels::write* reduce = nullptr;  ///< null where an update replaces
  /// Null where indices may be bad and that is no error, or are folded.
  gather_kernels<kernel_index<Index>> const* gathers = nullptr;
  /// For single elements by single indices, where these are known to be good.
  line_function<kernel_index<Index>>* write_lines = nullptr;
  stripe_function<kernel_index<Index>>* write_stripe = nullptr;  ///< the same for a stripe of the destination
  std::byte const* fill;
  index_t element_size;
};

/// Walks the tuples of a plan in their order, and resolves them. Refers to the work that it is told of.
template <class Index>
class tuple_walker {
public:
  explicit tuple_walker(work<Index> const& what) noexcept : work_(what), plan_(*what.plan) {
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

  /// Looks at every tuple. False where one is bad.
  bool check() noexcept {
    if (has_packed_indices()) return check_packed();
    index_t offsets[tuning::tuples_in_step];
    for (index_t left = plan_.tuples; left > 0; left -= tuning::tuples_in_step)
      if (resolve(offsets, lesser(left, tuning::tuples_in_step))) return false;
    return true;
  }

  /// Do the tuples of a line lead to places by their indices alone?
  [[nodiscard]] bool has_still_lines() const noexcept { return indirect_step_ == 0; }

  /// Are they also packed singles or pairs, all offsets of which fit 32 bits?
  [[nodiscard]] bool has_short_tuples() const noexcept {
    return has_still_lines() && packing_of(line()) != packing::none && is_short(line());
  }

  [[nodiscard]] index_t tuples_in_line() const noexcept { return line_.extent; }

  /// Where the indices of the next tuple are.
  [[nodiscard]] std::byte const* indices() const noexcept {
    return reinterpret_cast<std::byte const*>(request(1).tuples);
  }

  /// The bytes of a tuple's indices, where they lie without gaps along a line; else 0.
  [[nodiscard]] index_t packed_bytes() const noexcept {
    auto const count = static_cast<index_t>(plan_.coordinate_count);
    bool const packed = line_.indices == count && (count == 1 || plan_.coordinate_step == 1);
    return packed ? count * index_t{sizeof(Index)} : 0;
  }

  /// On to a tuple, from the first one.
  void skip(index_t tuples) noexcept {
    position_ = tuples % line_.extent;
    index_t lines = tuples / line_.extent;
    bool const reads = plan_.indirect == plan::side::source;
    for (std::size_t d = plan_.tuple_rank; d-- > 1; lines /= plan_.loops[d - 1].extent) {
      plan::loop const& loop = plan_.loops[d - 1];
      index_t const steps = place_[d - 1] = lines % loop.extent;
      direct_ += steps * (reads ? loop.destination : loop.source);
      indirect_ += steps * (reads ? loop.source : loop.destination);
      indices_ += steps * loop.indices;
    }
  }

  /// Writes where the next tuples lead, so many of them. Is any of them bad?
  bool resolve(index_t* offsets, index_t count) noexcept {
    if (work_.resolve != nullptr) return resolve_lines(work_.resolve, offsets, count);
    return resolve_each(
        [this](tuple_request<Index> const& line, index_t* to) { return resolve_scalar(line, 0, work_.mode, to); },
        offsets, count);
  }

  /// The same where they are short, by the kernel for those.
  bool resolve_short(short_resolve_function<kernel_index<Index>>* kernel, std::uint32_t* offsets,
                     index_t count) noexcept {
    return resolve_each(
        [kernel](tuple_request<Index> const& line, std::uint32_t* to) { return kernel(for_kernels(line), to); },
        offsets, count);
  }

  /// Keeps the next tuples' only indices, so many of them, which lie packed, as 16 bits. False where one is bad.
  bool narrow(narrow_function<Index>* kernel, std::uint16_t* to, index_t count, bool streams) noexcept {
    while (count > 0) {
      index_t const in_line = lesser(count, line_.extent - position_);
      if (!kernel(to, request(in_line).tuples, in_line, plan_.coordinates[0].extent, streams)) return false;
      to += in_line;
      count -= in_line;
      position_ = 0;  // what there is more of begins with the next line
      next_line();
    }
    return true;
  }

  /// As many of the next tuples as lie evenly on the direct side, at most `left`; unresolved.
  index_t pass(index_t left) noexcept {
    index_t const count = linear_ ? left : lesser(left, line_.extent - position_);
    position_ += count;
    if (position_ == line_.extent && !linear_) {
      position_ = 0;
      next_line();
    }
    return count;
  }

  /// From the start of a line to that of the next.
  void next_line() noexcept { advance(plan_.tuple_rank); }

  /// From the start of the first line in the loop around lines to that of the next such loop.
  void next_lines() noexcept { advance(plan_.tuple_rank > 0 ? plan_.tuple_rank - 1 : 0); }

  /// All tuples of the line at whose start this stands.
  [[nodiscard]] tuple_request<Index> line() const noexcept { return request(line_.extent); }

  /// Where the next tuple is on the direct side.
  [[nodiscard]] index_t direct() const noexcept { return direct_ + position_ * direct_step_; }
  [[nodiscard]] index_t direct_step() const noexcept { return direct_step_; }

private:
  /// So many steps of a loop around lines, or back to its start.
  void step(std::size_t loop_index, index_t steps) noexcept {
    bool const reads = plan_.indirect == plan::side::source;
    plan::loop const& loop = plan_.loops[loop_index];
    place_[loop_index] += steps;
    direct_ += steps * (reads ? loop.destination : loop.source);
    indirect_ += steps * (reads ? loop.source : loop.destination);
    indices_ += steps * loop.indices;
  }

  /// A step of the innermost of so many loops that is not the line.
  void advance(std::size_t loops) noexcept {
    while (loops-- > 1) {
      index_t const last = plan_.loops[loops - 1].extent - 1;
      if (place_[loops - 1] < last) return step(loops - 1, 1);
      step(loops - 1, -last);
    }
  }

  /// Whole lines of a loop around them together, as far as `count` reaches.
  template <class Kernel, class Offset>
  [[gnu::always_inline]] bool resolve_lines(Kernel const& kernel, Offset* offsets, index_t count) noexcept {
    bool bad = false;
    while (count > 0) {
      line_sequence lines = one_line;
      index_t in_line = lesser(count, line_.extent - position_);
      if (position_ == 0 && plan_.tuple_rank > 1 && count >= 2 * line_.extent) {
        std::size_t const around = plan_.tuple_rank - 2;
        plan::loop const& loop = plan_.loops[around];
        lines = {lesser(count / line_.extent, loop.extent - place_[around]), loop.indices,
                 plan_.indirect == plan::side::source ? loop.source : loop.destination};
      }
      bool const some = kernel(request(in_line), lines, offsets);
      bad = bad || some;
      offsets += lines.count * in_line;
      count -= lines.count * in_line;
      position_ += in_line;
      if (position_ == line_.extent) {
        position_ = 0;
        if (lines.count > 1) step(plan_.tuple_rank - 2, lines.count - 1);
        next_line();
      }
    }
    return bad;
  }

  /// By a kernel that takes one line.
  template <class Kernel, class Offset>
  bool resolve_each(Kernel const& kernel, Offset* offsets, index_t count) noexcept {
    return resolve_lines(
        [&kernel](tuple_request<Index> const& first, line_sequence const& lines, Offset* to) {
          bool bad = false;
          for (index_t i = 0; i < lines.count; ++i) {
            bool const some = kernel(nth_line(first, lines, i), to + i * first.count);
            bad = bad || some;
          }
          return bad;
        },
        offsets, count);
  }

  /// Are the indices along a line one run of numbers with one bound?
  [[nodiscard]] bool has_packed_indices() const noexcept {
    auto const count = plan_.coordinate_count;
    plan::coordinate const* const axes = plan_.coordinates.data();
    return packed_bytes() != 0 && (count == 1 || (count == 2 && axes[0].extent == axes[1].extent));
  }

  /// Lines whose indices follow one another are looked at together.
  bool check_packed() noexcept {
    auto const count = static_cast<index_t>(plan_.coordinate_count);
    index_t tuples = line_.extent;
    std::size_t above = plan_.tuple_rank > 0 ? plan_.tuple_rank - 1 : 0;  // loops that are not among them
    for (; above > 0 && plan_.loops[above - 1].indices == tuples * count; --above)
      tuples *= plan_.loops[above - 1].extent;
    for (index_t left = plan_.tuples; left > 0; left -= tuples) {
      if (!work_.verify(work_.indices + plan_.indices_base + indices_, tuples * count, plan_.coordinates[0].extent))
        return false;
      advance(above + 1);
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

  work<Index> const& work_;
  plan::indexed_copy const& plan_;
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
