// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_PARTITIONED_SCATTER_HPP
#define NDX_CPU_PARTITIONED_SCATTER_HPP

#include <ndx/cpu/partition.hpp>

namespace ndx::cpu {

/// Scatters single elements that may go anywhere in a destination larger than the caches. A first pass resolves the
/// tuples and sorts the updates by bucket. A second one applies them bucket by bucket, each while its part of the
/// destination is in the second-level cache. Every bucket gets its updates in the order of their tuples, on any number
/// of threads.
///
/// The first pass looks at all indices and writes to scratch memory only. So if all updates fit there, it is the check
/// before the first write too.
template <class Index>
class partitioned_scatter : public partition<Index> {
  using base = partition<Index>;

public:
  partitioned_scatter() = default;

  partitioned_scatter(work<Index> const& what, work<Index> const* copying, bucket_kernels const& kernels,
                      short_resolve_function<kernel_index<Index>>* resolve_short, int threads) noexcept
      : base(what, buckets_of(*what.plan, what.element_size, tuning::most_buckets), kernels.find, resolve_short),
        copying_(copying),
        kernels_(kernels) {
    plan::indexed_copy const& plan = *what.plan;
    if (kernels.apply == nullptr || plan.tail != what.element_size) return;
    if (!pays_by(all_, what)) return;
    index_t const chunk_bytes = base::whole_lines(tuning::updates_in_chunk * record_bytes(what.element_size));
    index_t const chunks = chunks_in_rounds(plan.tuples, chunk_bytes + base::starts_bytes(), tuning::scratch_bytes);
    base::take_memory(chunks, chunk_bytes, tuning::bucket_bytes, threads);
    fused_ = copying != nullptr && copies_all(*copying->plan);
  }

  /// Is every index looked at before the first write?
  [[nodiscard]] bool sees_all() const noexcept {
    return base::pays() && base::tuples_in_round() >= work_->plan->tuples;
  }

  /// Copies and scatters. False where there is a bad index that must not be: nothing has been written then.
  template <class Runner>
  bool move(Runner const& runner) const noexcept {
    return base::for_each_round(
        runner, kernels_, [this](auto const& kernels, chunk const& at) { return this->sort(kernels, at); },
        [&](index_t first, sorted_chunks const& sorted) {
          bool const copies = copying_ != nullptr && first == 0;
          if (copies && !fused_) static_cast<void>(runner.move(*copying_));
          base::for_each(all_.count, runner, [&](turn const& at) {
            if (copies && fused_) copy_and_apply(sorted, at);
            else apply(sorted, at);
          });
        });
  }

private:
  using base::all_;
  using base::work_;
  using typename base::chunk;
  using typename base::turn;

  /// Where bucket 0 begins.
  [[nodiscard]] std::byte* destination() const noexcept {
    return work_->destination + work_->plan->destination_base + all_.low;
  }

  template <class Place>
  bool sort(sort_kernels<Place> const& kernels, chunk const& at) const noexcept {
    if (!base::count(kernels.count, at)) return false;
    auto const* const places = reinterpret_cast<Place const*>(at.places);
    std::byte* const records = at.places + base::places_bytes();
    tuple_walker<Index> updates(*work_);
    updates.skip(at.first);
    update_line line{};
    line.later = at.later;
    for (index_t i = at.first; i < at.last; i += line.count, line.later.from += line.count * line.later.step) {
      line.from = work_->source + work_->plan->source_base + updates.direct();
      line.step = updates.direct_step();
      line.count = updates.pass(at.last - i);
      kernels.place(records, at.positions, places + (i - at.first), all_.shift, line);
    }
    index_t const sorted = index_t{base::starts_of(at.number)[all_.count]};
    base::keep(at, records, 0, sorted * record_bytes(work_->element_size));
    return true;
  }

  /// Are input and output packed alike, and is the output what the tuples can reach?
  [[nodiscard]] bool copies_all(plan::indexed_copy const& copy) const noexcept {
    return copy.rank == 0 && copy.run == all_.extent && index_t{1} << all_.shift <= base::desk_bytes_ &&
           copy.destination_base == work_->plan->destination_base + all_.low;
  }

  void apply(sorted_chunks const& sorted, turn const& at) const noexcept {
    std::byte* const to = destination() + all_.begin(at.part);
    if (!all_.is_packed) return kernels_.apply(to, sorted, at.part, {.ahead = true});
    kernels_.apply(to, sorted, at.part, base::fetches(destination(), at));
  }

  void copy_and_apply(sorted_chunks const& sorted, turn const& at) const noexcept {
    std::byte const* const from = copying_->source + copying_->plan->source_base;
    copy_bytes(*work_->copies, at.desk, from + all_.begin(at.part), all_.bytes(at.part), {});
    kernels_.apply(at.desk, sorted, at.part, base::fetches(from, at.later));
    copy_bytes(*work_->copies, destination() + all_.begin(at.part), at.desk, all_.bytes(at.part),
               {.stream = work_->stores != stores::temporal});
  }

  work<Index> const* copying_ = nullptr;  // what to copy before, if anything
  bucket_kernels kernels_{};
  bool fused_ = false;  // the copy is made bucket by bucket
};

}  // namespace ndx::cpu

#endif
