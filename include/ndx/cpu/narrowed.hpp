// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_NARROWED_HPP
#define NDX_CPU_NARROWED_HPP

#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/walker.hpp>
#include <ndx/plan/operation.hpp>

#include <atomic>

namespace ndx::cpu {

/// The check of a scatter's indices that keeps them for the pass that writes. Along an axis of at most 2^16 elements an
/// index needs 16 bits: that pass then reads a quarter of what the check has read.
template <class Index>
class narrowed_indices {
public:
  explicit narrowed_indices(work<Index> const& what, narrow_function<Index>* kernel) noexcept
      : work_(what), kernel_(kernel) {
    if (!can_be_narrowed(*what.plan)) return;
    index_t const bytes = what.plan->tuples * static_cast<index_t>(sizeof(std::uint16_t));
    std::byte* const memory = scratch::of_this_thread().indices.take(static_cast<std::size_t>(bytes + 64));
    if (memory == nullptr) return;
    // What is read by stripes is read in pieces, from as many pages.
    bool const in_order = what.plan->loops[what.plan->tuple_rank - 1].destination == 0;
    streams_ = in_order && cpu::streams(what.stores, bytes, tuning::streamed_narrowed_bytes);
    data_ = reinterpret_cast<std::uint16_t*>(memory);
    if (streams_) data_ += 64 / static_cast<index_t>(sizeof(*data_)) - before_line();
  }

  /// Is this the way to check them?
  [[nodiscard]] bool pays() const noexcept { return data_ != nullptr; }

  /// Looks at every index. False where one is bad.
  template <class Runner>
  [[nodiscard]] bool check(Runner const& runner) const noexcept {
    index_t const tuples = work_.plan->tuples;
    index_t const step = tuning::bytes_in_part / static_cast<index_t>(sizeof(Index));
    std::atomic<bool> good{true};
    runner.run((tuples + step - 1) / step, [&](index_t part) {
      if (!good.load(std::memory_order_relaxed)) return;
      index_t const first = part * step;
      if (!narrow(first, lesser(step, tuples - first))) good.store(false, std::memory_order_relaxed);
      if (streams_) finish_streamed_stores();
    });
    return good.load(std::memory_order_relaxed);
  }

  /// The same operation, by what the check has left.
  template <class Operation>
  [[nodiscard]] Operation operation(Operation const& by_callers) const noexcept {
    Operation result = by_callers;
    result.bounds = bounds::trust;
    result.move.indices_base = 0;
    index_t step = 1;
    for (std::size_t d = result.move.tuple_rank; d-- > 0; step *= result.move.loops[d].extent)
      result.move.loops[d].indices = step;
    return result;
  }
  template <class T>
  [[nodiscard]] plan::arguments<T, std::uint16_t> arguments(plan::arguments<T, Index> const& of_caller) const noexcept {
    return {of_caller.destination, of_caller.source, data_, of_caller.input, of_caller.fill};
  }

private:
  [[nodiscard]] bool narrow(index_t first, index_t count) const noexcept {
    if (packed_) {
      Index const* const indices = work_.indices + work_.plan->indices_base + first;
      return kernel_(data_ + first, indices, count, work_.plan->coordinates[0].extent, streams_);
    }
    tuple_walker<Index> walker(work_);
    walker.skip(first);
    return walker.narrow(kernel_, data_ + first, count, streams_);
  }

  /// How many indices come before a cache line of the caller's begins: so many of those that are kept, too.
  [[nodiscard]] index_t before_line() const noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(work_.indices + work_.plan->indices_base);
    return static_cast<index_t>(((0 - address) & 63U) / sizeof(Index));
  }

  /// Each index moves one element, is read once, and lies next to the one before, at least along a line.
  [[nodiscard]] bool can_be_narrowed(plan::indexed_copy const& plan) noexcept {
    if (plan.coordinate_count != 1 || plan.tail != work_.element_size || plan.tuple_rank == 0) return false;
    index_t const extent = plan.coordinates[0].extent;
    if (extent < 1 || extent > index_t{1} << 16U) return false;
    packed_ = true;
    index_t step = 1;
    for (std::size_t d = plan.tuple_rank; d-- > 0; step *= plan.loops[d].extent) {
      if (plan.loops[d].indices == 0) return false;
      packed_ = packed_ && plan.loops[d].indices == step;
    }
    plan::loop const& line = plan.loops[plan.tuple_rank - 1];
    if (!packed_ && (line.indices != 1 || line.extent < tuning::tuples_in_step)) return false;
    return plan.tuples >= tuning::narrowed_bytes / static_cast<index_t>(sizeof(Index)) &&
           plan.tuples <= tuning::scratch_bytes / static_cast<index_t>(sizeof(std::uint16_t));
  }

  work<Index> const& work_;
  narrow_function<Index>* kernel_;
  bool packed_ = false;   // are all of them one run?
  bool streams_ = false;  // do they leave the caches?
  std::uint16_t* data_ = nullptr;
};

}  // namespace ndx::cpu

#endif
