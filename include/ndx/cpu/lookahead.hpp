// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_LOOKAHEAD_HPP
#define NDX_CPU_LOOKAHEAD_HPP

#include <ndx/cpu/walker.hpp>

#include <cstring>

namespace ndx::cpu {

/// The tuples whose destinations a thread owns: those from `first`, `extent` bytes wide. All, where extent is 0.
struct ownership {
  index_t first = 0;
  std::uint64_t extent = 0;
};

/// Walks the tuples of a plan in steps that lie evenly on the direct side, while those to come are resolved as far
/// ahead as the kernels prefetch. Some at a time: while tuples are resolved, the memory is asked for indices alone.
template <class Index>
class lookahead {
public:
  /// At least `distance` tuples known beyond those at hand, where there are so many.
  lookahead(work<Index> const& what, tuple_walker<Index> const& first, ownership const& owned,
            index_t distance) noexcept
      : writes_(what.writes),
        owned_(owned),
        here_(first),
        ahead_(first),
        distance_(lesser(distance, most_ahead)),
        later_bytes_(distance > 0 && fetches_indices(what) ? first.packed_bytes() : 0),
        left_(what.plan->tuples),
        unresolved_(left_) {}

  [[nodiscard]] bool done() const noexcept { return left_ == 0; }

  /// The next tuples; valid until those after them are asked for.
  resolved_tuples next() noexcept {
    direct_ = here_.direct();
    index_t const count = here_.pass(lesser(tuning::tuples_in_step, left_));
    left_ -= count;
    begin_ = moved_;
    moved_ += count;
    index_t const missing = moved_ + distance_ - end_;
    if (missing > 0) resolve(greater(missing, tuning::tuples_in_step));
    return {offsets_ + begin_,
            count,
            end_ - begin_,
            bad_end_ > begin_,
            shifted(ahead_.indices(), tuning::indices_ahead_bytes),
            later_bytes_};
  }

  /// Where the first of them is on the direct side.
  [[nodiscard]] index_t direct() const noexcept { return direct_; }
  [[nodiscard]] index_t direct_step() const noexcept { return here_.direct_step(); }

private:
  static constexpr index_t most_ahead = 4 * tuning::tuples_in_step;
  static constexpr index_t capacity = 6 * tuning::tuples_in_step;
  static constexpr index_t vector_slack = 8;  // `keep_owned` works on whole vectors

  /// Are later indices fetched while tuples are moved? Where they are not checked they are read faster than memory
  /// answers.
  static bool fetches_indices(work<Index> const& what) noexcept {
    bool const checks = what.plan->indirect == plan::side::source && what.mode != bounds::trust;
    return !checks && !is_amd_family_19h();
  }

  void resolve(index_t count) noexcept {
    count = lesser(count, unresolved_);
    if (end_ + count > capacity || begin_ == end_) {
      std::memmove(offsets_, offsets_ + begin_, static_cast<std::size_t>(end_ - begin_) * sizeof(index_t));
      end_ -= begin_;
      moved_ -= begin_;
      bad_end_ -= begin_;
      begin_ = 0;
    }
    bool const bad = ahead_.resolve(offsets_ + end_, count);
    if (owned_.extent != 0) writes_->keep_owned(offsets_ + end_, count, owned_.first, owned_.extent);
    end_ += count;
    unresolved_ -= count;
    if (bad || owned_.extent != 0) bad_end_ = end_;
  }

  write_kernels const* writes_;
  ownership owned_;
  tuple_walker<Index> here_;   // at the tuples that are moved next
  tuple_walker<Index> ahead_;  // at those that are resolved next
  index_t distance_;
  index_t later_bytes_;
  index_t left_;
  index_t unresolved_;
  index_t begin_ = 0;    // in `offsets_`: the first of the tuples given last,
  index_t moved_ = 0;    // the first behind them,
  index_t end_ = 0;      // the first unknown one,
  index_t bad_end_ = 0;  // and one behind which none is bad
  index_t direct_ = 0;
  alignas(64) index_t offsets_[capacity + vector_slack];
};

}  // namespace ndx::cpu

#endif
