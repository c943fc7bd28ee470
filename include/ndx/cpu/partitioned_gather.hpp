// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_PARTITIONED_GATHER_HPP
#define NDX_CPU_PARTITIONED_GATHER_HPP

#include <ndx/cpu/partition.hpp>

namespace ndx::cpu {

/// Gathers single elements from anywhere in a source larger than the caches, in three passes. The first one resolves
/// the tuples and sorts them by bucket: each gets a slot for its element among those of its bucket. The second one
/// reads the elements bucket by bucket, each while its part of the source is in the second-level cache. The third one
/// deals them to the output, chunk by chunk.
template <class Index>
class partitioned_gather : public partition<Index> {
  using base = partition<Index>;

public:
  partitioned_gather() = default;

  partitioned_gather(work<Index> const& what, gather_bucket_kernels const& kernels,
                     short_resolve_function<kernel_index<Index>>* resolve_short, int threads) noexcept
      : base(what, buckets_of(*what.plan, what.plan->run, tuning::most_gathered_buckets), kernels.find, resolve_short),
        kernels_(&kernels),
        unit_(unit_index(what.plan->run)) {
    plan::indexed_copy const& plan = *what.plan;
    if (unit_ < 0 || plan.rank != plan.tuple_rank) return;
    index_t const chunk_bytes = base::whole_lines(numbers_from() + tuning::updates_in_chunk * number_bytes);
    index_t const chunks =
        chunks_in_rounds(plan.tuples, chunk_bytes + base::starts_bytes(), tuning::gathered_scratch_bytes);
    if (!gather_pays_by(all_, what, chunks * tuning::updates_in_chunk, threads)) return;
    base::take_memory(chunks, chunk_bytes, 0, threads);
  }

  /// False where there is a bad index that must not be.
  template <class Runner>
  bool move(Runner const& runner) const noexcept {
    std::byte const* const source = work_->source + work_->plan->source_base + all_.low;
    return base::for_each_round(
        runner, *kernels_, [this](auto const& kernels, chunk const& at) { return this->sort(kernels, at); },
        [&](index_t first, sorted_chunks const& sorted) {
          base::for_each(all_.count, runner, [&](turn const& at) {
            kernels_->elements[unit_](source + all_.begin(at.part), sorted, at.part, base::fetches(source, at),
                                      work_->how.gather);
          });
          base::for_each(sorted.count, runner,
                         [&](turn const& at) { deal(first, at.part, lesser(at.later, sorted.count - 1)); });
        });
  }

private:
  using base::all_;
  using base::work_;
  using typename base::chunk;
  using typename base::turn;

  static constexpr index_t number_bytes = sizeof(std::uint16_t);

  /// A chunk has its slots, and then the number of each tuple's.
  [[nodiscard]] index_t slot() const noexcept { return slot_bytes(work_->plan->run); }
  [[nodiscard]] index_t numbers_from() const noexcept { return tuning::updates_in_chunk * slot(); }

  template <class Place>
  bool sort(list_kernels<Place> const& kernels, chunk const& at) const noexcept {
    if (!base::count(kernels.count, at)) return false;
    std::byte* const slots = at.places + base::places_bytes();
    index_t const tuples = at.last - at.first;
    kernels.list({slots, reinterpret_cast<std::uint16_t*>(slots + numbers_from()), unit_index(slot()), at.later},
                 at.positions, reinterpret_cast<Place const*>(at.places), tuples, all_.shift);
    base::keep(at, slots, 0, tuples * slot());
    base::keep(at, slots, numbers_from(), tuples * number_bytes);
    return true;
  }

  [[nodiscard]] std::byte const* slots_of(index_t number) const noexcept {
    return base::memory_ + number * base::chunk_bytes_;
  }
  [[nodiscard]] std::uint16_t const* numbers_of(index_t number) const noexcept {
    return reinterpret_cast<std::uint16_t const*>(slots_of(number) + numbers_from());
  }

  /// The elements of a chunk of the round that begins with tuple `first`, while a later chunk is fetched.
  void deal(index_t first, index_t number, index_t later) const noexcept {
    index_t const begin = first + number * tuning::updates_in_chunk;
    index_t const end = base::end_of_chunk(begin);
    tuple_walker<Index> outputs(*work_);
    outputs.skip(begin);
    filled_slots from{slots_of(number), numbers_of(number), slots_of(later), numbers_of(later)};
    for (index_t i = begin, count; i < end; i += count) {
      std::byte* const to = work_->destination + work_->plan->destination_base + outputs.direct();
      count = outputs.pass(end - i);
      kernels_->deal_elements[unit_](to, outputs.direct_step(), from, count, work_->how);
      from.numbers += count;
      from.later_slots += count * slot();
      from.later_numbers += count;
    }
  }

  gather_bucket_kernels const* kernels_ = nullptr;
  int unit_ = -1;
};

}  // namespace ndx::cpu

#endif
