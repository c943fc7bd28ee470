// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_PARTITION_HPP
#define NDX_CPU_PARTITION_HPP

#include <ndx/cpu/bucket_choice.hpp>
#include <ndx/cpu/mover.hpp>
#include <ndx/cpu/scratch.hpp>

#include <atomic>
#include <cstring>

namespace ndx::cpu {

/// Scatters single elements that may go anywhere in a destination larger than the caches. A first pass resolves the
/// tuples and sorts the updates, chunk by chunk, by the bucket of the destination that they go to. A second one applies
/// them bucket by bucket, each while its part of the destination is in the second-level cache. Every bucket gets its
/// updates in the order of their tuples, on any number of threads.
///
/// The first pass looks at all indices and writes to scratch memory only. So if all updates fit there, it is the check
/// before the first write too.
template <class Index>
class partitioned_scatter {
public:
  /// One that does not pay.
  partitioned_scatter() = default;

  /// `resolve_short` is null for the modes in which that cannot be done.
  partitioned_scatter(work<Index> const& what, work<Index> const* copying, bucket_kernels const& kernels,
                      short_resolve_function<Index>* resolve_short, int threads) noexcept
      : work_(&what), copying_(copying), kernels_(kernels) {
    plan::indexed_copy const& plan = *what.plan;
    if (kernels.apply == nullptr || plan.tail != what.element_size) return;
    all_ = buckets_of(plan, what.element_size);
    if (!pays_by(all_, what)) return;
    if (tuple_walker<Index>(what).has_short_tuples()) resolve_short_ = resolve_short;
    fused_ = copying != nullptr && copies_all(*copying->plan);
    index_t const chunks = (plan.tuples + tuning::updates_in_chunk - 1) / tuning::updates_in_chunk;
    chunks_in_round_ = lesser(chunks, tuning::scratch_bytes / (chunk_bytes() + starts_bytes()));
    threads_ = lesser(threads, chunks_in_round_);
    memory_ = scratch::of_this_thread().updates.take(
        static_cast<std::size_t>(chunks_in_round_ * (chunk_bytes() + starts_bytes()) + threads_ * desk_bytes()));
  }

  /// Is this the way to do it?
  [[nodiscard]] bool pays() const noexcept { return memory_ != nullptr; }
  /// And is every index looked at before the first write?
  [[nodiscard]] bool sees_all() const noexcept { return pays() && updates_in_round() >= work_->plan->tuples; }

  /// Copies and scatters. False where there is a bad index that must not be: nothing has been written then.
  template <class Runner>
  bool move(Runner const& runner) const noexcept {
    index_t const tuples = work_->plan->tuples;
    for (index_t first = 0; first < tuples; first += updates_in_round()) {
      index_t const last = lesser(tuples, first + updates_in_round());
      std::atomic<bool> good{true};
      index_t const chunks = (last - first + tuning::updates_in_chunk - 1) / tuning::updates_in_chunk;
      for_each(chunks, runner, [&](turn const& at) {
        index_t const begin = first + at.part * tuning::updates_in_chunk;
        index_t const later = first + at.later * tuning::updates_in_chunk;
        index_t const end = lesser(last, begin + tuning::updates_in_chunk);
        if (!(resolve_short_ != nullptr ? sort(kernels_.sort_short, at.part, begin, end, later, at.desk)
                                        : sort(kernels_.sort, at.part, begin, end, later, at.desk)))
          good.store(false, std::memory_order_relaxed);
      });
      if (!good.load(std::memory_order_relaxed)) return false;
      bool const copies = copying_ != nullptr && first == 0;
      if (copies && !fused_) static_cast<void>(runner.move(*copying_));
      sorted_chunks const sorted{memory_, chunk_bytes(), starts_of(0), all_.count, chunks};
      for_each(all_.count, runner, [&](turn const& at) {
        if (copies && fused_) copy_and_apply(sorted, at);
        else apply(sorted, at);
      });
    }
    return true;
  }

private:
  /// What a thread does next, and after that.
  struct turn {
    index_t part;
    index_t later;    ///< none, where it is not below their number
    bool is_first;    ///< of this thread
    std::byte* desk;  ///< memory that no other part uses meanwhile
  };

  /// Calls `carry_out(turn)` for every part.
  template <class Runner, class Part>
  void for_each(index_t parts, Runner const& runner, Part const& carry_out) const noexcept {
    std::atomic<index_t> next{0};
    auto const claim = [&next] { return next.fetch_add(1, std::memory_order_relaxed); };
    runner.run(threads_, [&](index_t thread) {
      std::byte* const desk = memory_ + chunks_in_round_ * (chunk_bytes() + starts_bytes()) + thread * desk_bytes();
      bool is_first = true;
      for (index_t part = claim(), later; part < parts; part = later, is_first = false) {
        later = claim();
        carry_out(turn{part, later, is_first, desk});
      }
      finish_streamed_stores();
    });
  }

  static constexpr index_t whole_lines(index_t bytes) noexcept { return (bytes + 63) & ~index_t{63}; }
  [[nodiscard]] index_t chunk_bytes() const noexcept {
    return whole_lines(tuning::updates_in_chunk * record_bytes(work_->element_size));
  }
  [[nodiscard]] index_t starts_bytes() const noexcept {
    return whole_lines((all_.count + 1) * index_t{sizeof(std::uint32_t)});
  }
  [[nodiscard]] index_t places_bytes() const noexcept {
    return tuning::updates_in_chunk * index_t{sizeof(std::uint64_t)};
  }
  /// For the places of a chunk, its records and two tables of its buckets; or for one bucket.
  [[nodiscard]] index_t desk_bytes() const noexcept {
    index_t const bytes = places_bytes() + chunk_bytes() + 2 * starts_bytes();
    return bytes < tuning::bucket_bytes ? tuning::bucket_bytes : bytes;
  }
  [[nodiscard]] index_t updates_in_round() const noexcept { return chunks_in_round_ * tuning::updates_in_chunk; }
  [[nodiscard]] std::uint32_t* starts_of(index_t chunk) const noexcept {
    return reinterpret_cast<std::uint32_t*>(memory_ + chunks_in_round_ * chunk_bytes()) + chunk * (all_.count + 1);
  }
  /// Where bucket 0 begins.
  [[nodiscard]] std::byte* destination() const noexcept {
    return work_->destination + work_->plan->destination_base + all_.low;
  }

  /// The indices of a chunk from tuple `later` on are fetched while memory has nothing else to do.
  template <class Place>
  bool sort(sort_kernels<Place> const& kernels, index_t chunk, index_t first, index_t last, index_t later,
            std::byte* desk) const noexcept {
    auto* const places = reinterpret_cast<Place*>(desk);
    std::byte* const records = desk + places_bytes();
    auto* const positions = reinterpret_cast<std::uint32_t*>(records + chunk_bytes());
    auto* const more_counts = reinterpret_cast<std::uint32_t*>(records + chunk_bytes() + starts_bytes());
    std::memset(positions, 0, static_cast<std::size_t>(2 * starts_bytes()));
    tuple_walker<Index> tuples(*work_);
    tuples.skip(first);
    tuple_walker<Index> updates = tuples;
    if (!find(tuples, places, last - first)) return false;
    kernels.count(places, last - first, all_.shift, positions, more_counts);
    std::uint32_t* const starts = starts_of(chunk);
    std::uint32_t sum = 0;
    for (index_t i = 0; i <= all_.count; ++i) {
      starts[i] = sum;
      sum += std::exchange(positions[i], sum) + more_counts[i];
    }
    update_line line{};
    line.later = desk;  // in the caches already, and again and again: as good as nothing
    if (fetches_ahead() && later + tuning::updates_in_chunk <= work_->plan->tuples) {
      tuple_walker<Index> fetched(*work_);
      fetched.skip(later);
      line.later = fetched.indices();
      line.later_step = fetched.packed_bytes();
    }
    for (index_t at = first; at < last; at += line.count, line.later += line.count * line.later_step) {
      line.from = work_->source + work_->plan->source_base + updates.direct();
      line.step = updates.direct_step();
      line.count = updates.pass(last - at);
      kernels.place(records, positions, places + (at - first), all_.shift, line);
    }
    index_t const sorted = index_t{starts[all_.count]} * record_bytes(work_->element_size);
    copy_bytes(*work_->copies, memory_ + chunk * chunk_bytes(), records, sorted, {.stream = true});
    return true;
  }

  /// The places of the next tuples. False where one is bad that must not be.
  bool find(tuple_walker<Index>& tuples, std::uint64_t* places, index_t count) const noexcept {
    index_t offsets[tuning::tuples_in_step];
    for (index_t at = 0; at < count; at += tuning::tuples_in_step) {
      index_t const in_step = lesser(count - at, tuning::tuples_in_step);
      bool const bad = tuples.resolve(offsets, in_step);
      if (bad && work_->mode != bounds::ignore) return false;
      kernels_.find({offsets, in_step, in_step, bad}, all_, places + at);
    }
    return true;
  }

  /// The same where they are short: then the destination begins where bucket 0 does, and places are offsets.
  bool find(tuple_walker<Index>& tuples, std::uint32_t* places, index_t count) const noexcept {
    return !tuples.resolve_short(resolve_short_, places, count);
  }

  /// Are input and output packed alike, and is the output what the tuples can reach?
  [[nodiscard]] bool copies_all(plan::indexed_copy const& copy) const noexcept {
    return copy.rank == 0 && copy.run == all_.extent && index_t{1} << all_.shift <= desk_bytes() &&
           copy.destination_base == work_->plan->destination_base + all_.low;
  }

  /// Prefetches what a later bucket, if any, needs of the tensor in which bucket 0 begins at `from`. Where that is not
  /// done each bucket is read instead.
  [[nodiscard]] fetching fetches(std::byte const* from, index_t later) const noexcept {
    if (!fetches_ahead() || later >= all_.count) return {};
    return {.later = from + all_.begin(later), .later_bytes = all_.bytes(later)};
  }
  static bool fetches_ahead() noexcept { return !is_amd_family_19h(); }

  void apply(sorted_chunks const& sorted, turn const& at) const noexcept {
    std::byte* const to = destination() + all_.begin(at.part);
    if (!all_.is_packed) return kernels_.apply(to, sorted, at.part, {.ahead = true});
    fetching how = fetches(destination(), at.later);
    if (at.is_first || !fetches_ahead()) how.read = all_.bytes(at.part);
    kernels_.apply(to, sorted, at.part, how);
  }

  void copy_and_apply(sorted_chunks const& sorted, turn const& at) const noexcept {
    std::byte const* const from = copying_->source + copying_->plan->source_base;
    copy_bytes(*work_->copies, at.desk, from + all_.begin(at.part), all_.bytes(at.part), {});
    kernels_.apply(at.desk, sorted, at.part, fetches(from, at.later));
    copy_bytes(*work_->copies, destination() + all_.begin(at.part), at.desk, all_.bytes(at.part),
               {.stream = work_->stores != stores::temporal});
  }

  work<Index> const* work_ = nullptr;
  work<Index> const* copying_ = nullptr;  // what to copy before, if anything
  bucket_kernels kernels_{};
  short_resolve_function<Index>* resolve_short_ = nullptr;  // if tuples are short
  buckets all_{};
  bool fused_ = false;  // the copy is made bucket by bucket
  index_t threads_ = 1;
  index_t chunks_in_round_ = 0;
  std::byte* memory_ = nullptr;
};

}  // namespace ndx::cpu

#endif
