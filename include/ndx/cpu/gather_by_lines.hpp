// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_GATHER_BY_LINES_HPP
#define NDX_CPU_GATHER_BY_LINES_HPP

#include <ndx/cpu/reach.hpp>
#include <ndx/cpu/walker.hpp>

namespace ndx::cpu {

/// A gather of elements or rows whose kernels take whole lines of tuples, indices and all: either all lines of the loop
/// around them at once, or each by itself.
template <class Index>
class gather_by_lines {
public:
  /// Of a plan without a tail, at the first of whose tuples the walker stands.
  gather_by_lines(work<Index> const& what, tuple_walker<Index>& tuples) noexcept
      : work_(what), plan_(*what.plan), tuples_(tuples) {}

  /// All lines: single elements by several lines of packed single indices, where nothing is to be fetched early.
  [[nodiscard]] bool takes_all() noexcept {
    int const element = element_index(plan_.run);
    bool const fits = work_.gathers != nullptr && element >= 0 && plan_.tuple_rank > 1 &&
                      packing_of(tuples_.line()) == packing::singles && (is_kept() || brings_rows());
    if (fits) takes_all_ = work_.gathers->lines[element];
    return fits;
  }

  /// To be called where it takes them. False where a bad index stopped it; so does `move_each`.
  bool move_all() noexcept {
    plan::loop const& lines = plan_.loops[plan_.tuple_rank - 2];
    for (index_t left = plan_.tuples; left > 0; tuples_.next_lines()) {
      auto const first = for_kernels(tuples_.line());
      if (!takes_all_(to(), tuples_.direct_step(), from(), first, lines, work_.mode == bounds::check)) return false;
      left -= first.count * lines.extent;
    }
    return true;
  }

  /// Each line: of packed tuples, unless it is too short for a kernel to begin anew with each.
  [[nodiscard]] bool takes_each() noexcept {
    if (work_.gathers == nullptr || tuples_.direct_step() != plan_.run) return false;
    auto grain = reinterpret_cast<std::uintptr_t>(work_.destination + plan_.destination_base);
    for (std::size_t d = 0; d + 1 < plan_.tuple_rank; ++d)
      grain |= static_cast<std::uintptr_t>(plan_.loops[d].destination);
    int const element = element_index(plan_.run);
    bool const fits = element >= 0 ? takes_elements(grain) : takes_rows(grain);
    if (fits) takes_each_ = element >= 0 ? work_.gathers->elements[element] : work_.gathers->rows;
    return fits;
  }

  bool move_each() noexcept {
    bool const checked = work_.mode == bounds::check;
    for (index_t left = plan_.tuples; left > 0; left -= tuples_.tuples_in_line(), tuples_.next_line())
      if (!takes_each_(to(), from(), for_kernels(tuples_.line()), plan_.run, checked, work_.how)) return false;
    return true;
  }

private:
  using kernels = gather_kernels<kernel_index<Index>>;

  /// Is nothing to be fetched, as the caches hold it or as a core runs ahead to it by itself?
  [[nodiscard]] bool is_kept() const noexcept {
    return !work_.how.prefetch && !work_.how.stream && !work_.how.fetch_output;
  }

  /// Does each line of tuples lead to one short row, which the processor brings by itself, as most of it is read or as
  /// it is not far away?
  [[nodiscard]] bool brings_rows() const noexcept {
    plan::coordinate const axis = plan_.coordinates[0];
    if (work_.stores == ndx::stores::streaming) return false;
    if (!tuples_.has_still_lines() || axis.stride <= 0 || axis.extent > tuning::gathered_row_bytes / axis.stride)
      return false;
    index_t const row = axis.extent * axis.stride;
    if (row <= 64 || 64 * tuples_.tuples_in_line() >= tuning::gathered_row_tuples * row) return true;
    return !work_.how.stream && !work_.how.fetch_output &&
           reach_of_tuples(plan_).bytes() <= static_cast<std::uint64_t>(tuning::gathered_rows_bytes);
  }

  /// `grain`: the bits of where the lines of the output begin.
  [[nodiscard]] bool takes_elements(std::uintptr_t grain) const noexcept {
    auto const part = static_cast<std::uintptr_t>(plan_.run & -plan_.run);  // of an element of three, as of any other
    bool const aligned = !work_.how.stream || (grain & (part - 1)) == 0;
    index_t const least = work_.how.prefetch ? tuning::line_of_rows_ahead * tuning::tuples_ahead : least_packed_tuples;
    return aligned && tuples_.has_short_tuples() && tuples_.tuples_in_line() >= least;
  }

  [[nodiscard]] bool takes_rows(std::uintptr_t grain) const noexcept {
    bool const whole_lines = ((grain | static_cast<std::uintptr_t>(plan_.run)) & 63U) == 0;
    bool const of_kind = work_.how.stream ? whole_lines : finds_kept_rows_singly(plan_.run);
    index_t const least =
        work_.how.prefetch ? tuning::line_of_rows_ahead * rows_of_lines_ahead(plan_.run) : tuning::least_line_of_rows;
    return of_kind && plan_.coordinate_count == 1 && tuples_.has_still_lines() && tuples_.tuples_in_line() >= least;
  }

  [[nodiscard]] std::byte* to() const noexcept { return work_.destination + plan_.destination_base + tuples_.direct(); }
  [[nodiscard]] std::byte const* from() const noexcept { return work_.source + plan_.source_base; }

  work<Index> const& work_;
  plan::indexed_copy const& plan_;
  tuple_walker<Index>& tuples_;
  typename kernels::gather_lines* takes_all_ = nullptr;
  typename kernels::gather* takes_each_ = nullptr;
};

}  // namespace ndx::cpu

#endif
