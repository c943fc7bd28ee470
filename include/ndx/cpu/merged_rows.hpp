// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MERGED_ROWS_HPP
#define NDX_CPU_MERGED_ROWS_HPP

#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/walker.hpp>

#include <cstring>

namespace ndx::cpu {

/// A scatter of long rows into a copy of its input, in one pass over the output. First each row of the output learns
/// its update, the last of several; then rows are written once each, in their order, from the input or from the
/// updates. A copy and a scatter after it would write the rows with updates twice.
template <class Index>
class merged_rows {
public:
  /// To be asked after the check: the indices must be good. `copying` is null in place.
  merged_rows(work<Index> const& moving, work<Index> const* copying, int threads) noexcept : work_(moving) {
    if (copying == nullptr || moving.reduce != nullptr) return;
    plan::indexed_copy const& plan = *moving.plan;
    plan::indexed_copy const& copy = *copying->plan;
    // One run is copied, and updates that lie evenly are rows of it.
    if (copy.rank != 0 || plan.moves_nothing() || plan.rank != plan.tuple_rank || plan.tuple_rank > 1) return;
    first_row_ = copy.destination_base;
    if (!leads_to_rows(plan) || copy.run % plan.run != 0) return;
    input_ = copying->source + copy.source_base;
    rows_ = copy.run / plan.run;
    how_ = copying->how;
    // For outputs beyond the caches, which are not streamed where their lines are fetched.
    if (!pays_for(plan, threads) || !(how_.stream || (how_.fetch_output && how_.far))) return;
    how_.prefetch = true;
    how_.pace = how_.far && drops_prefetches();
    std::byte* const memory = scratch::of_this_thread().updates.take(static_cast<std::size_t>(rows_) * sizeof(*taken_));
    taken_ = reinterpret_cast<std::uint32_t*>(memory);
  }

  /// Is this the way to do it?
  [[nodiscard]] bool pays() const noexcept { return taken_ != nullptr; }

  template <class Runner>
  void write(Runner const& runner) const noexcept {
    find_updates();
    index_t const step = tuning::bytes_in_part / work_.plan->run + 1;
    runner.run((rows_ + step - 1) / step,
               [&](index_t part) { write_rows(part * step, lesser(rows_, (part + 1) * step)); });
  }

private:
  [[nodiscard]] bool leads_to_rows(plan::indexed_copy const& plan) const noexcept {
    bool whole = (plan.destination_base - first_row_) % plan.run == 0;
    for (std::size_t d = 0; d < plan.tuple_rank; ++d) whole = whole && plan.loops[d].destination % plan.run == 0;
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) whole = whole && plan.coordinates[c].stride % plan.run == 0;
    return whole;
  }

  /// The shortest row that pays where `many` rows get an update, and `several` threads write.
  [[nodiscard]] index_t least_row_bytes(bool many, bool several) const noexcept {
    if (how_.fetch_output) return tuning::merged_fetched_row_bytes / (many ? 2 : 1);
    return tuning::merged_row_bytes / (many && several ? 8 : many || several ? 4 : 1);
  }

  [[nodiscard]] bool pays_for(plan::indexed_copy const& plan, int threads) const noexcept {
    bool const many = 2 * plan.tuples >= rows_;
    return plan.run >= least_row_bytes(many, threads > 1) && plan.tuples >= rows_ / tuning::merged_share &&
           plan.tuples <= most_tuples && rows_ <= tuning::scratch_bytes / static_cast<index_t>(sizeof(*taken_));
  }

  void find_updates() const noexcept {
    std::memset(taken_, 0, static_cast<std::size_t>(rows_) * sizeof(*taken_));
    plan::indexed_copy const& plan = *work_.plan;
    // A quotient without a division: what is divided is a multiple, and the quotient has 32 bits.
    double const rows_in_byte = 1.0 / static_cast<double>(plan.run);
    index_t const base = plan.destination_base - first_row_;
    tuple_walker<Index> tuples(work_);
    index_t offsets[tuning::tuples_in_step];
    for (index_t first = 0, count; first < plan.tuples; first += count) {
      count = lesser(tuning::tuples_in_step, plan.tuples - first);
      static_cast<void>(tuples.resolve(offsets, count));
      for (index_t i = 0; i < count; ++i) {
        if (offsets[i] == plan::no_offset) continue;
        auto const row = static_cast<index_t>(static_cast<double>(base + offsets[i]) * rows_in_byte + 0.5);
        taken_[row] = static_cast<std::uint32_t>(first + i + 1);
      }
    }
  }

  void write_rows(index_t row, index_t last) const noexcept {
    plan::indexed_copy const& plan = *work_.plan;
    index_t const bytes = plan.run;
    std::byte const* const updates = work_.source + plan.source_base;
    // Rows of either tensor, as places from the input on.
    auto const to_updates =
        static_cast<index_t>(reinterpret_cast<std::uintptr_t>(updates) - reinterpret_cast<std::uintptr_t>(input_));
    index_t const step = plan.tuple_rank > 0 ? plan.loops[0].source : 0;
    index_t const ahead = lesser(rows_ahead(bytes), tuning::tuples_in_step);
    index_t offsets[2 * tuning::tuples_in_step];
    hints how = how_;
    how.first = true;
    for (index_t count; row < last; row += count) {
      count = lesser(tuning::tuples_in_step, last - row);
      index_t const known = lesser(count + ahead, last - row);
      for (index_t i = 0; i < known; ++i) {
        std::uint32_t const taken = taken_[row + i];
        offsets[i] = taken == 0 ? (row + i) * bytes : to_updates + (index_t{taken} - 1) * step;
      }
      work_.writes->read_rows(work_.destination + first_row_ + row * bytes, bytes, input_, {offsets, count, known},
                              bytes, how);
      how.first = false;
    }
    if (how.stream) finish_streamed_stores();
  }

  static constexpr index_t most_tuples = 0xffff'fffe;

  work<Index> work_;
  std::byte const* input_ = nullptr;
  index_t first_row_ = 0;
  index_t rows_ = 0;
  hints how_;
  std::uint32_t* taken_ = nullptr;  // for each row the number of its update, from 1 on
};

}  // namespace ndx::cpu

#endif
