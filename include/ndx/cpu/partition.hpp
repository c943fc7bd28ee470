// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_PARTITION_HPP
#define NDX_CPU_PARTITION_HPP

#include <ndx/cpu/bucket_choice.hpp>
#include <ndx/cpu/mover.hpp>
#include <ndx/cpu/scratch.hpp>

#include <atomic>
#include <cstring>

namespace ndx::cpu {

/// Tuples that may lead anywhere in a tensor larger than the caches, sorted by the part of it, its bucket, that they
/// lead to: chunk by chunk, and each chunk in the caches. What comes of that is in scratch memory. Where it does not
/// hold all of them, they are taken in rounds.
template <class Index>
class partition {
public:
  /// One that does not pay.
  partition() = default;

  /// Is this the way to do it?
  [[nodiscard]] bool pays() const noexcept { return memory_ != nullptr; }

protected:
  using find_function = void(resolved_tuples const&, buckets const&, std::uint64_t*) noexcept;
  template <class Place>
  using count_function = void(Place const*, index_t, int, std::uint32_t*, std::uint32_t*) noexcept;

  /// What a thread does next, and after that.
  struct turn {
    index_t part;
    index_t later;    ///< none, where it is not below their number
    bool is_first;    ///< of this thread
    std::byte* desk;  ///< memory that no other part uses meanwhile
  };

  /// Tuples that are sorted together.
  struct chunk {
    index_t number;  ///< in the round
    index_t first;   ///< of its tuples, and the one behind the last
    index_t last;
    std::byte* places;  ///< room for where each leads
    /// Where the next record of each bucket goes in the chunk, once they are counted.
    std::uint32_t* positions;
    indices_ahead later;
  };

  /// `resolve_short` is null for the modes in which that cannot be done.
  partition(work<Index> const& what, buckets const& all, find_function* find_places,
            short_resolve_function<kernel_index<Index>>* resolve_short) noexcept
      : work_(&what),
        all_(all),
        find_(find_places),
        resolve_short_(tuple_walker<Index>(what).has_short_tuples() ? resolve_short : nullptr) {}

  /// For so many chunks at a time, of each of which `chunk_bytes` are kept. A thread gets as much again while it sorts,
  /// and at least `desk_bytes`.
  void take_memory(index_t chunks, index_t chunk_bytes, index_t desk_bytes, int threads) noexcept {
    chunk_bytes_ = chunk_bytes;
    index_t const to_sort = places_bytes() + chunk_bytes + 2 * starts_bytes();
    desk_bytes_ = desk_bytes < to_sort ? to_sort : desk_bytes;
    chunks_in_round_ = chunks;
    threads_ = lesser(threads, chunks_in_round_);
    memory_ = scratch::of_this_thread().updates.take(
        static_cast<std::size_t>(chunks_in_round_ * (chunk_bytes + starts_bytes()) + threads_ * desk_bytes_));
  }

  /// Round after round calls `sort(kernels, chunk)` for all chunks, with the kernels for places of their width, and
  /// then `finish(first, chunks)`, where tuple `first` is the round's first one. False where a `sort` is: that round is
  /// not finished.
  template <class Runner, class Kernels, class Sort, class Finish>
  bool for_each_round(Runner const& runner, Kernels const& kernels, Sort const& sort,
                      Finish const& finish) const noexcept {
    for (index_t first = 0; first < work_->plan->tuples; first += tuples_in_round()) {
      index_t const chunks = chunks_of(lesser(work_->plan->tuples - first, tuples_in_round()));
      std::atomic<bool> good{true};
      for_each(chunks, runner, [&](turn const& at) {
        chunk const here = chunk_at(first, at);
        if (!(resolve_short_ != nullptr ? sort(kernels.sort_short, here) : sort(kernels.sort, here)))
          good.store(false, std::memory_order_relaxed);
      });
      if (!good.load(std::memory_order_relaxed)) return false;
      finish(first, sorted_chunks{memory_, chunk_bytes_, starts_of(0), all_.count, chunks});
    }
    return true;
  }

  /// Finds where the tuples of a chunk lead and where its buckets start. False where one is bad that must not be.
  template <class Place>
  bool count(count_function<Place>* count_places, chunk const& at) const noexcept {
    std::uint32_t* const positions = at.positions;
    std::uint32_t* const more_counts = positions + starts_bytes() / index_t{sizeof(std::uint32_t)};
    std::memset(positions, 0, static_cast<std::size_t>(2 * starts_bytes()));
    auto* const places = reinterpret_cast<Place*>(at.places);
    tuple_walker<Index> tuples(*work_);
    tuples.skip(at.first);
    if (!find(tuples, places, at.last - at.first)) return false;
    count_places(places, at.last - at.first, all_.shift, positions, more_counts);
    std::uint32_t* const starts = starts_of(at.number);
    std::uint32_t sum = 0;
    for (index_t i = 0; i <= all_.count; ++i) {
      starts[i] = sum;
      sum += std::exchange(positions[i], sum) + more_counts[i];
    }
    return true;
  }

  /// Calls `carry_out(turn)` for every part.
  template <class Runner, class Part>
  void for_each(index_t parts, Runner const& runner, Part const& carry_out) const noexcept {
    std::atomic<index_t> next{0};
    auto const claim = [&next] { return next.fetch_add(1, std::memory_order_relaxed); };
    runner.run(threads_, [&](index_t thread) {
      std::byte* const desk = memory_ + chunks_in_round_ * (chunk_bytes_ + starts_bytes()) + thread * desk_bytes_;
      bool is_first = true;
      for (index_t part = claim(), later; part < parts; part = later, is_first = false) {
        later = claim();
        carry_out(turn{part, later, is_first, desk});
      }
      finish_streamed_stores();
    });
  }

  static constexpr index_t whole_lines(index_t bytes) noexcept { return (bytes + 63) & ~index_t{63}; }
  [[nodiscard]] index_t starts_bytes() const noexcept {
    return whole_lines((all_.count + 1) * index_t{sizeof(std::uint32_t)});
  }
  static index_t places_bytes() noexcept { return tuning::updates_in_chunk * index_t{sizeof(std::uint64_t)}; }
  [[nodiscard]] index_t tuples_in_round() const noexcept { return chunks_in_round_ * tuning::updates_in_chunk; }
  /// Behind the last tuple of a chunk that begins with this one.
  [[nodiscard]] index_t end_of_chunk(index_t first) const noexcept {
    return lesser(work_->plan->tuples, first + tuning::updates_in_chunk);
  }
  [[nodiscard]] std::uint32_t* starts_of(index_t number) const noexcept {
    return reinterpret_cast<std::uint32_t*>(memory_ + chunks_in_round_ * chunk_bytes_) + number * (all_.count + 1);
  }
  /// Keeps what has been made of a chunk at a desk.
  void keep(chunk const& at, std::byte const* made, index_t from, index_t bytes) const noexcept {
    copy_bytes(*work_->copies, memory_ + at.number * chunk_bytes_ + from, made + from, bytes, {.stream = true});
  }

  /// Prefetches what a later bucket, if any, needs of the tensor in which bucket 0 begins at `from`. Where that is not
  /// done each bucket is read instead.
  [[nodiscard]] fetching fetches(std::byte const* from, index_t later) const noexcept {
    if (!fetches_ahead() || later >= all_.count) return {};
    return {.later = from + all_.begin(later), .later_bytes = all_.bytes(later)};
  }
  /// The same for the bucket at hand, too, where it has not been fetched.
  [[nodiscard]] fetching fetches(std::byte const* from, turn const& at) const noexcept {
    fetching how = fetches(from, at.later);
    if (at.is_first || !fetches_ahead()) how.read = all_.bytes(at.part);
    return how;
  }

  work<Index> const* work_ = nullptr;
  buckets all_{};
  index_t chunk_bytes_ = 0;
  index_t desk_bytes_ = 0;
  std::byte* memory_ = nullptr;

private:
  static bool fetches_ahead() noexcept { return !is_amd_family_19h(); }

  /// A chunk of the round that begins with tuple `first`.
  [[nodiscard]] chunk chunk_at(index_t first, turn const& at) const noexcept {
    index_t const begin = first + at.part * tuning::updates_in_chunk;
    return {at.part,
            begin,
            end_of_chunk(begin),
            at.desk,
            reinterpret_cast<std::uint32_t*>(at.desk + places_bytes() + chunk_bytes_),
            indices_later(first + at.later * tuning::updates_in_chunk, at.desk)};
  }

  /// The indices of a chunk from tuple `later` on, to be fetched while memory has nothing else to do; `instead` where
  /// there is nothing to be fetched.
  [[nodiscard]] indices_ahead indices_later(index_t later, std::byte const* instead) const noexcept {
    if (!fetches_ahead() || later + tuning::updates_in_chunk > work_->plan->tuples) return {instead, 0};
    tuple_walker<Index> fetched(*work_);
    fetched.skip(later);
    return {fetched.indices(), fetched.packed_bytes()};
  }

  /// The places of the next tuples. False where one is bad that must not be.
  bool find(tuple_walker<Index>& tuples, std::uint64_t* places, index_t count) const noexcept {
    index_t offsets[tuning::tuples_in_step];
    for (index_t at = 0; at < count; at += tuning::tuples_in_step) {
      index_t const in_step = lesser(count - at, tuning::tuples_in_step);
      bool const bad = tuples.resolve(offsets, in_step);
      if (bad && work_->mode != bounds::ignore) return false;
      find_({offsets, in_step, in_step, bad}, all_, places + at);
    }
    return true;
  }

  /// The same where they are short: then the tensor begins where bucket 0 does, and places are offsets.
  bool find(tuple_walker<Index>& tuples, std::uint32_t* places, index_t count) const noexcept {
    return !tuples.resolve_short(resolve_short_, places, count);
  }

  find_function* find_ = nullptr;
  short_resolve_function<kernel_index<Index>>* resolve_short_ = nullptr;  // if tuples are short
  index_t threads_ = 1;
  index_t chunks_in_round_ = 0;
};

}  // namespace ndx::cpu

#endif
