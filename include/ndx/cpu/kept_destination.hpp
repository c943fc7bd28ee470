// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_KEPT_DESTINATION_HPP
#define NDX_CPU_KEPT_DESTINATION_HPP

#include <ndx/cpu/reach.hpp>
#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/walker.hpp>

#include <cstring>

namespace ndx::cpu {

/// What a scatter under `bounds::check` may write, kept until its indices have all been good. Where that is little next
/// to the indices these are read once, by the pass that writes, and what was there is put back if one of them is bad.
/// That no one sees: the output of a call is not to be read meanwhile.
template <class Index>
class kept_destination {
public:
  /// `copying` is null in place.
  kept_destination(work<Index> const& moving, work<Index> const* copying) noexcept {
    plan::indexed_copy const& plan = *moving.plan;
    if (moving.mode != bounds::check || plan.moves_nothing() || plan.rank != plan.tuple_rank) return;
    // There is a way for single elements by single indices that have been looked at.
    if (plan.coordinate_count == 1 && plan.tail == moving.element_size) return;
    for (std::size_t d = 0; d < plan.tuple_rank; ++d)
      if (plan.loops[d].destination != 0) return;
    index_t const indices = bytes_of_indices(plan, sizeof(Index));
    if (indices < tuning::kept_indices_bytes) return;
    // All of it is the output's own: what lies between others' elements could not be put back.
    reach const far = reach_of_tuples(plan);
    auto const bytes = static_cast<index_t>(far.bytes()) + plan.run;
    if (plan::wrapping_multiply(places_of_indices(plan), plan.run) != bytes || bytes >= tuning::prefetched_bytes ||
        bytes > indices / tuning::kept_share)
      return;
    index_t const begin = plan.destination_base - static_cast<index_t>(far.before);
    if (copying != nullptr) {
      plan::indexed_copy const& copy = *copying->plan;
      if (copy.rank != 0 || copy.destination_base != begin || copy.run != bytes) return;
    }
    kept_ = scratch::of_this_thread().indices.take(static_cast<std::size_t>(bytes));
    bytes_ = static_cast<std::size_t>(bytes);
    destination_ = moving.destination + begin;
    if (kept_ != nullptr) std::memcpy(kept_, destination_, bytes_);
  }

  /// Is this the way to do it?
  [[nodiscard]] bool pays() const noexcept { return kept_ != nullptr; }

  void put_back() const noexcept { std::memcpy(destination_, kept_, bytes_); }

private:
  std::byte* kept_ = nullptr;
  std::byte* destination_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ndx::cpu

#endif
