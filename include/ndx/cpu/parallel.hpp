// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_PARALLEL_HPP
#define NDX_CPU_PARALLEL_HPP

#include <ndx/cpu/executor.hpp>
#include <ndx/cpu/simd.hpp>

namespace ndx {

namespace cpu {

/// How a plan is cut: parts of `step` iterations of one loop; `dimension == plan.rank` is the run.
struct division {
  std::size_t dimension = 0;
  index_t extent = 1;
  index_t step = 1;

  [[nodiscard]] index_t parts() const noexcept { return (extent + step - 1) / step; }
  [[nodiscard]] plan::indexed_copy part(plan::indexed_copy const& plan, index_t i) const noexcept {
    return plan::part(plan, dimension, i * step, lesser((i + 1) * step, extent));
  }
};

/// May this loop be cut? Parts of the work must not write the same element, so a scatter is only cut where every
/// iteration has a destination of its own.
inline bool is_divisible(plan::indexed_copy const& plan, std::size_t dimension) noexcept {
  return plan.indirect != plan::side::destination || dimension == plan.rank || plan.loops[dimension].destination != 0;
}

/// The first loop long enough to keep the threads evenly busy, else the longest. `dimensions`: those that count.
inline division divide(plan::indexed_copy const& plan, std::size_t dimensions, index_t bytes, index_t element_size,
                       int threads) noexcept {
  division best{0, 0, 1};
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (!is_divisible(plan, d)) continue;
    index_t const extent = d == plan.rank ? plan.run : plan.loops[d].extent;
    if (extent > best.extent) best = {d, extent, 1};
    if (best.extent >= index_t{8} * threads) break;
  }
  if (best.extent == 0) return best;
  index_t const share = (best.extent + threads - 1) / threads;
  index_t const iteration = bytes / best.extent;
  best.step = lesser(share, iteration >= tuning::bytes_in_part ? 1 : tuning::bytes_in_part / (iteration + 1) + 1);
  // Whole cache lines, so that no line is written by two threads, or half of it past the caches; and whole elements.
  // Where a step is but a few lines an even share counts for more.
  bool const cuts_runs = best.dimension == plan.rank;
  index_t const line = 64 / ((iteration | 64) & -(iteration | 64));  // by the lowest bit, 64 at most
  index_t const grain = cuts_runs ? 64 * element_size : line;
  if (cuts_runs || best.step >= 8 * grain) best.step = (best.step + grain - 1) / grain * grain;
  return best;
}

/// Some threads, as a runner.
struct parallel {
  int threads;
  index_t element_size;
  executor_reference on;

  /// Runs `part(i)` for every i.
  template <class Part>
  void run(index_t parts, Part const& part) const noexcept {
    on.run(threads, parts, part);
  }

  /// Runs `body(mover)` for every part of the work, in any order, until one says false; false then.
  template <class Index, class Body>
  bool for_each_part(work<Index> const& what, division const& cut, Body const& body) const noexcept {
    std::atomic<bool> good{true};
    run(cut.parts(), [&](index_t i) {
      if (!good.load(std::memory_order_relaxed)) return;
      plan::indexed_copy const part = cut.part(*what.plan, i);
      work<Index> mine = what;
      mine.plan = &part;
      if (!body(mover<Index>(mine))) good.store(false, std::memory_order_relaxed);
    });
    return good.load(std::memory_order_relaxed);
  }

  template <class Index>
  bool check(work<Index> const& what) const noexcept {
    plan::indexed_copy const& plan = *what.plan;
    if (plan.tuples == 0) return true;
    if (plan.tuple_rank == 0) return mover<Index>(what).check();
    // Reading indices writes nothing, so any loop may be cut.
    plan::indexed_copy readable = plan;
    readable.indirect = plan::side::source;
    index_t const bytes = plan.tuples * static_cast<index_t>(plan.coordinate_count * sizeof(Index));
    division const cut = divide(readable, plan.tuple_rank, bytes, element_size, threads);
    return for_each_part(what, cut, [](mover<Index> part) { return part.check(); });
  }

  template <class Index>
  bool move(work<Index> const& what) const noexcept {
    plan::indexed_copy const& plan = *what.plan;
    if (plan.moves_nothing() || plan.tuples * plan.tail < tuning::parallel_bytes) return mover<Index>(what).move();
    bool const scatters = plan.indirect == plan::side::destination;
    // Cutting the tail of a scatter makes every thread read all indices: where those are few, and move much each.
    bool const cuts_tail = !scatters || (plan.tail >= tuning::cut_row_bytes && plan.tuples < index_t{8} * threads);
    std::size_t const dimensions = cuts_tail ? plan.rank + 1 : plan.tuple_rank;
    division const cut = divide(plan, dimensions, plan.tuples * plan.tail, element_size, threads);
    if (!scatters || cut.extent >= threads)
      return for_each_part(what, cut, [](mover<Index> part) { return part.move(); });
    return move_owned(what);
  }

  /// A scatter whose tuples may lead anywhere: every thread walks all of them, in order, and writes those whose
  /// destination lies in its own share. So no element is torn, and the last of several updates wins.
  template <class Index>
  bool move_owned(work<Index> const& what) const noexcept {
    reach const far = reach_of_tuples(*what.plan);
    // Every thread resolves all tuples: that only pays where the writes, not the tuples, are what takes the time.
    if (far.bytes() < static_cast<std::uint64_t>(tuning::prefetched_bytes)) return mover<Index>(what).move();
    std::uint64_t const share = far.bytes() / static_cast<std::uint64_t>(threads) + 1;
    run(threads, [&](index_t i) {
      ownership const owned{plan::wrapping_add(static_cast<index_t>(static_cast<std::uint64_t>(i) * share),
                                               -static_cast<index_t>(far.before)),
                            share};
      mover<Index>(what).move(owned);
    });
    return true;
  }
};

}  // namespace cpu

/// `simd` on every core. Every destination belongs to one thread, so results are those of `simd`, to the bit, at any
/// number of threads.
class par_simd_policy {
public:
  constexpr par_simd_policy() = default;

  /// The same on at most `count` threads, the caller's among them; 0 means every processor that the process may run on,
  /// or every thread of the executor.
  [[nodiscard]] constexpr par_simd_policy threads(int count) const noexcept {
    par_simd_policy result = *this;
    result.threads_ = count;
    return result;
  }

  /// The same on the threads of an `executor` instead of this library's. Does not own it: it must outlive the policy
  /// and its copies.
  template <executor Executor>
  [[nodiscard]] constexpr par_simd_policy on(Executor& host) const noexcept {
    par_simd_policy result = *this;
    result.executor_ = cpu::executor_reference(host);
    return result;
  }
  template <executor Executor>
  void on(Executor const&& temporary) const = delete;

  /// The same with the kernels of one instruction set; `unsupported_error` on use where the processor lacks it.
  [[nodiscard]] constexpr par_simd_policy with(instruction_set set) const noexcept {
    par_simd_policy result = *this;
    result.simd_ = simd_.with(set);
    return result;
  }

  /// The same with outputs written into the caches, or past them.
  [[nodiscard]] constexpr par_simd_policy stores(ndx::stores chosen) const noexcept {
    par_simd_policy result = *this;
    result.simd_ = simd_.stores(chosen);
    return result;
  }

  template <class Operation, class T, class Index>
  void execute(Operation const& op, plan::arguments<T, Index> const& on) const {
    if constexpr (Operation::may_scatter)
      if (op.reduction == ndx::reduction::mean)
        return cpu::carry_out_mean(op, on, [&](Operation const& sums) { execute(sums, on); });
    index_t const bytes =
        (plan::wrapping_multiply(op.move.tuples, op.move.tail) + (op.copy != nullptr ? op.copy->tail : 0)) *
        static_cast<index_t>(sizeof(T));
    int const count = bytes < cpu::tuning::parallel_bytes ? 1 : executor_.threads(threads_);
    if (count <= 1) return simd_.execute(op, on);

    instruction_set const set = simd_.instructions();
    cpu::carry_out(op, on, set, simd_.stores(), cpu::parallel{count, static_cast<index_t>(sizeof(T)), executor_});
  }

  /// As `simd` has it.
  [[nodiscard]] constexpr bool takes_as_made(plan::operation const& op) const noexcept {
    return simd_.takes_as_made(op);
  }
  template <class T, class Index>
  [[gnu::always_inline]] bool move_few(plan::indexed_copy const& plan, bounds mode,
                                       plan::arguments<T, Index> const& on) const {
    return simd_.move_few(plan, mode, on);
  }
  [[nodiscard]] constexpr bool takes_listed(plan::indexed_copy const& plan, bounds mode) const noexcept {
    return simd_.takes_listed(plan, mode);
  }
  template <plan::side Indirect, class T, class Index>
  [[gnu::always_inline]] bool move_listed(plan::indexed_copy const& plan, plan::arguments<T, Index> const& on) const {
    return simd_.move_listed<Indirect>(plan, on, cpu::lesser(cpu::tuning::listed_bytes, cpu::tuning::parallel_bytes));
  }

private:
  simd_policy simd_;
  int threads_ = 0;
  cpu::executor_reference executor_;
};

inline constexpr par_simd_policy par_simd{};

}  // namespace ndx

#endif
