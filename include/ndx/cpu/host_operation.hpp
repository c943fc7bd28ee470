// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_HOST_OPERATION_HPP
#define NDX_CPU_HOST_OPERATION_HPP

#include <ndx/cpu/kept_destination.hpp>
#include <ndx/cpu/merged_rows.hpp>
#include <ndx/cpu/mover.hpp>
#include <ndx/cpu/partitioned_gather.hpp>
#include <ndx/cpu/partitioned_scatter.hpp>
#include <ndx/cpu/reach.hpp>
#include <ndx/cpu/stripes.hpp>
#include <ndx/cpu/window_fill.hpp>
#include <ndx/plan/operation.hpp>

/// What `simd` and `par_simd` decide alike.
namespace ndx::cpu {

/// One operation on host memory, T-free. Plans in bytes.
template <class Index>
struct host_operation {
  /// Indices that a check has left as 16 bits lead to lines and stripes, for which there are kernels, or are resolved
  /// one by one.
  static constexpr bool is_narrowed = sizeof(Index) == 2;

  plan::operation const* operation;
  plan::indexed_copy move;
  plan::indexed_copy copy;
  work<Index> moving;
  work<Index> copying;  // where there is a copy

  template <class Operation, class T>
  host_operation(Operation const& op, plan::arguments<T, Index> const& on, instruction_set set, ndx::stores stores,
                 int threads) noexcept
      : operation(&op), move(plan::in_bytes(op.move, sizeof(T))) {
    constexpr std::size_t grain = grain_of(sizeof(T));
    moving.copies = &copy_kernels_of<grain>(set);
    moving.plan = &move;
    moving.destination = reinterpret_cast<std::byte*>(on.destination);
    moving.source = reinterpret_cast<std::byte const*>(on.source);
    moving.indices = on.indices;
    moving.mode = op.bounds;
    moving.stores = stores;
    moving.fill = reinterpret_cast<std::byte const*>(on.fill);
    moving.element_size = static_cast<index_t>(sizeof(T));
    bool const folds = op.bounds == bounds::clamp || op.bounds == bounds::wrap;
    if constexpr (Operation::may_gather) moving.reads = &read_kernels_of<grain>(set);
    if constexpr (Operation::may_scatter) {
      moving.writes = &write_kernels_of<grain>(set);
      moving.reduce = reducer<T>(set, op.reduction);
    }
    if constexpr ((Operation::may_gather || Operation::may_scatter) && !is_narrowed) {
      if (!folds) moving.resolve = resolver<Index>(set, op.bounds);
      moving.verify = verifier<Index>(set);
      if constexpr (Operation::may_gather)
        if (!folds && op.bounds != bounds::ignore && suits_kernels<Index>(move))
          moving.gathers = &gather_kernels_of<kernel_index<Index>, grain>(set);
    }
    index_t const moved = plan::wrapping_multiply(move.tuples, move.tail);
    index_t used = plan::wrapping_add(moved, bytes_of_indices(move, sizeof(Index)));
    index_t other_side = moved;
    bool const scatters = move.indirect == plan::side::destination;
    bool const gathers = move.indirect == plan::side::source;
    bool scatters_far = false;
    std::uint64_t reached = 0;
    if (move.indirect != plan::side::none) {
      reached = reach_of_tuples(move).bytes() + static_cast<std::uint64_t>(move.tail);
      moving.how.far = reached >= static_cast<std::uint64_t>(tuning::paced_bytes);
      moving.how.pace = moving.how.far && drops_prefetches();
      if (reached < static_cast<std::uint64_t>(moved)) other_side = static_cast<index_t>(reached);
      scatters_far = scatters && op.copy == nullptr && streams_scatter(stores, moved, reached);
    } else {
      moving.how.far = moved >= tuning::paced_bytes;
      moving.how.pace = moving.how.far && is_amd_family_19h();
    }
    moving.how.near = awaits_many_lines_near();
    moving.how.group = copies_in_groups();
    moving.how.gather = gathers_by_instruction();
    used = plan::wrapping_add(used, other_side);
    index_t const streamed = streamed_call_bytes(threads);
    moving.how.stream = scatters_far || streams(stores, used, scatters ? streamed : unless_fetched(streamed, threads));
    index_t const fetched = gathers ? tuning::fetched_gather_bytes : tuning::fetched_copy_bytes;
    moving.how.fetch_output = !scatters && !moving.how.stream && fetches_output(used, fetched);
    index_t const prefetched = prefetched_from(move.run, move.indirect, op.reduction);
    moving.how.prefetch = reached > static_cast<std::uint64_t>(prefetched);
    if (gathers && !moving.how.stream)
      moving.how.prefetch = moving.how.prefetch && fetches_kept_rows(move.run, moved, reached);
    if (op.copy != nullptr) {
      copy = plan::in_bytes(*op.copy, sizeof(T));
      copying = moving;
      copying.plan = &copy;
      copying.source = reinterpret_cast<std::byte const*>(op.copies_fill ? on.fill : on.input);
      copying.how.stream = streams(stores, copy.tail, unless_fetched(tuning::streamed_copy_bytes, threads));
      copying.how.fetch_output = !copying.how.stream && fetches_output(2 * copy.tail, tuning::fetched_copy_bytes);
      copying.how.far = copy.tail >= tuning::paced_bytes;
      copying.how.pace = copying.how.far && is_amd_family_19h();
    }
  }
  host_operation(host_operation const&) = delete;
  host_operation& operator=(host_operation const&) = delete;

  /// Must all indices be looked at before the first write?
  [[nodiscard]] bool checks_first() const noexcept {
    return move.indirect == plan::side::destination && operation->bounds != bounds::ignore &&
           operation->bounds != bounds::trust && (operation->bounds == bounds::check || has_empty_axis());
  }

  /// To be called after the check. A scatter's indices are good then, or by the caller's word: there is nothing to
  /// find.
  template <class T>
  void trust_indices(instruction_set set) noexcept {
    if (move.indirect != plan::side::destination) return;
    if (operation->bounds != bounds::check && operation->bounds != bounds::trust) return;
    if constexpr (!is_narrowed) moving.resolve = resolver<Index>(set, bounds::trust);
    if (!suits_kernels<Index>(move)) return;
    moving.write_lines = line_writer<T, kernel_index<Index>>(operation->reduction);
    moving.write_stripe = stripe_writer<T, kernel_index<Index>>(operation->reduction);
  }

  /// The way that keeps what it writes over; to be asked instead of the check.
  [[nodiscard]] kept_destination<Index> kept() const noexcept { return {moving, copied()}; }

  /// The way by stripes; to be asked after `trust_indices`.
  [[nodiscard]] stripes<Index> striped(int threads) const noexcept { return {moving, copied(), threads}; }

  /// The way by rows that are merged with their updates; to be asked after the check.
  [[nodiscard]] merged_rows<Index> merged(int threads) const noexcept { return {moving, copied(), threads}; }

  /// The way of a window in what is all the same.
  [[nodiscard]] window_fill<Index> filled_around(int threads) const noexcept { return {copied(), moving, threads}; }

  /// The way by buckets, which is none where it does not pay; to be asked before `trust_indices`.
  template <class T>
  [[nodiscard]] partitioned_scatter<Index> partitioned(instruction_set set, int threads) const noexcept {
    if (move.indirect != plan::side::destination || move.tuples < tuning::bucketed_updates) return {};
    return {moving, copied(), bucket_kernels_of<T>(set, operation->reduction), resolver_of_short(set), threads};
  }

  /// The same for a gather.
  template <class T>
  [[nodiscard]] partitioned_gather<Index> gathered(instruction_set set, int threads) const noexcept {
    if (move.indirect != plan::side::source || move.tuples < tuning::bucketed_updates) return {};
    if (operation->bounds == bounds::ignore || copied() != nullptr) return {};
    return {moving, gather_bucket_kernels_of<grain_of(sizeof(T))>(set), resolver_of_short(set), threads};
  }

private:
  /// The copy of a scatter's input, if there is one.
  [[nodiscard]] work<Index> const* copied() const noexcept { return operation->copy != nullptr ? &copying : nullptr; }

  /// The kernel for short tuples; null for the modes that it does not do.
  [[nodiscard]] short_resolve_function<kernel_index<Index>>* resolver_of_short(instruction_set set) const noexcept {
    bool const checks = operation->bounds == bounds::check;
    return checks || operation->bounds == bounds::trust ? short_resolver<kernel_index<Index>>(set, checks) : nullptr;
  }

  [[nodiscard]] bool has_empty_axis() const noexcept {
    for (std::size_t c = 0; c < move.coordinate_count; ++c)
      if (move.coordinates[c].extent == 0) return true;
    return false;
  }
};

}  // namespace ndx::cpu

#endif
