// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_CARRY_OUT_HPP
#define NDX_CPU_CARRY_OUT_HPP

#include <ndx/cpu/host_operation.hpp>
#include <ndx/cpu/narrowed.hpp>

/// The ways in which `simd` and `par_simd` carry out an operation. A runner has a number of `threads`,
/// `run(parts, part)` calls `part(i)` for every i, `check(work)` and `move(work)` do what the mover of that name does.
namespace ndx::cpu {

template <class Operation, class T, class Index, class Runner>
void copy_or_gather(Operation const& op, plan::arguments<T, Index> const& on, instruction_set set, stores stores,
                    Runner const& runner) {
  host_operation<Index> const host(op, on, set, stores, runner.threads);
  if (window_fill<Index> const around = host.filled_around(runner.threads); around.pays()) return around.write(runner);
  if constexpr (Operation::may_gather)
    if (partitioned_gather<Index> const partitioned = host.template gathered<T>(set, runner.threads);
        partitioned.pays()) {
      if (!partitioned.move(runner)) plan::fail_first_bad_index(op, on.indices);
      return;
    }
  if (op.copy != nullptr) static_cast<void>(runner.move(host.copying));
  if (!runner.move(host.moving)) plan::fail_first_bad_index(op, on.indices);
}

/// What is left of a scatter when its indices are known to be good, or need not be.
template <class T, class Index, class Runner>
void write_updates(host_operation<Index>& host, instruction_set set, Runner const& runner) {
  host.template trust_indices<T>(set);
  if (merged_rows<Index> const merged = host.merged(runner.threads); merged.pays()) return merged.write(runner);
  stripes<Index> const striped = host.striped(runner.threads);
  if (host.operation->copy != nullptr && !striped.copies()) static_cast<void>(runner.move(host.copying));
  if (striped.pays()) striped.move(runner);
  else static_cast<void>(runner.move(host.moving));
}

template <class Operation, class T, class Index, class Runner>
void scatter(Operation const& op, plan::arguments<T, Index> const& on, instruction_set set, stores stores,
             Runner const& runner) {
  host_operation<Index> host(op, on, set, stores, runner.threads);
  partitioned_scatter<Index> const partitioned = host.template partitioned<T>(set, runner.threads);
  if (partitioned.pays()) {
    if (!partitioned.sees_all()) {
      if (host.checks_first() && !runner.check(host.moving)) plan::fail_first_bad_index(op, on.indices);
      host.template trust_indices<T>(set);
    }
    if (!partitioned.move(runner)) plan::fail_first_bad_index(op, on.indices);
    return;
  }
  if (host.checks_first()) {
    if (kept_destination<Index> const kept = host.kept(); kept.pays()) {
      if (op.copy != nullptr) static_cast<void>(runner.move(host.copying));
      if (runner.move(host.moving)) return;
      kept.put_back();
      plan::fail_first_bad_index(op, on.indices);
    }
    if constexpr (sizeof(Index) == 8) {
      if (narrowed_indices<Index> const narrowed(host.moving, narrower<Index>(set)); narrowed.pays()) {
        if (!narrowed.check(runner)) plan::fail_first_bad_index(op, on.indices);
        Operation const by_narrowed = narrowed.operation(op);
        host_operation<std::uint16_t> rest(by_narrowed, narrowed.arguments(on), set, stores, runner.threads);
        return write_updates<T>(rest, set, runner);
      }
    }
    if (!runner.check(host.moving)) plan::fail_first_bad_index(op, on.indices);
  }
  write_updates<T>(host, set, runner);
}

/// In the best of the ways that there are for it.
template <class Operation, class T, class Index, class Runner>
void carry_out(Operation const& op, plan::arguments<T, Index> const& on, instruction_set set, stores stores,
               Runner const& runner) {
  if constexpr (Operation::may_scatter) {
    if (op.reset != nullptr) {
      // Two operations, of which the first one checks the indices and copies the input.
      Operation first = op;
      first.move = *op.reset;
      first.reset = nullptr;
      first.reduction = ndx::reduction::none;
      plan::arguments<T, Index> from_fill = on;
      from_fill.source = on.fill;
      scatter(first, from_fill, set, stores, runner);
      Operation second = op;
      second.copy = nullptr;
      second.reset = nullptr;
      if (second.bounds == bounds::check) second.bounds = bounds::trust;
      return scatter(second, on, set, stores, runner);
    }
    if (op.move.indirect == plan::side::destination) return scatter(op, on, set, stores, runner);
  }
  copy_or_gather(op, on, set, stores, runner);
}

}  // namespace ndx::cpu

#endif
