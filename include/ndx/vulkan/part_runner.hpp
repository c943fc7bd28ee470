// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PART_RUNNER_HPP
#define NDX_VULKAN_PART_RUNNER_HPP

#include <ndx/vulkan/dispatcher.hpp>
#include <ndx/vulkan/job_maker.hpp>
#include <ndx/vulkan/lower.hpp>
#include <ndx/vulkan/packing.hpp>

namespace ndx::vulkan {

/// Carries out jobs over one pair of tensors, each cut into parts that can be counted, and that fit what indices and
/// updates are packed into where tensors are seen through windows.
class part_runner {
public:
  part_runner(commands& out, call_tensors const& tensors)
      : out_(out),
        tensors_(tensors),
        limits_(out.can()),
        jobs_(out.can(), tensors_),
        dispatcher_(out, tensors_, jobs_.addressable()) {}
  part_runner(part_runner const&) = delete;
  part_runner& operator=(part_runner const&) = delete;

  [[nodiscard]] call_tensors const& tensors() const noexcept { return tensors_; }
  [[nodiscard]] job_maker const& jobs() const noexcept { return jobs_; }

  /// Where the parts of the plan that looks at indices report.
  void report_to(byte_range const& reports) noexcept { dispatcher_.report_to(reports); }
  /// From now on nothing is written if a bad index has been reported.
  void obey_reports() noexcept { dispatcher_.obey(dispatcher_.reports()); }
  /// Obeys the same reports, and packs into the same scratch, so that a barrier has to lie between the two.
  void follow(part_runner const& other) noexcept {
    dispatcher_.obey(other.dispatcher_.obeyed());
    packed_indices_ = other.packed_indices_;
    packed_source_ = other.packed_source_;
  }

  /// Will a plan in bytes be seen through windows? Then it needs scratch for two blocks of `packed_bytes`.
  [[nodiscard]] bool packs(plan::indexed_copy const& bytes) const {
    if (jobs_.addressable()) return false;
    job const what = jobs_.moving(bytes, bounds::trust, 1);
    return !limits_.fits(what.destinations()) || !limits_.fits(what.sources()) || !indices_fit(what.plan);
  }
  [[nodiscard]] index_t packed_bytes() const noexcept {
    return lesser(tuning::packed_bytes, static_cast<index_t>(limits_.window()));
  }
  void pack_into(operand const& scratch) noexcept {
    packed_indices_ = scratch;
    packed_source_ = shifted(scratch, packed_bytes());
  }

  /// The points of a part at most.
  [[nodiscard]] index_t limit(job const& what) const {
    index_t const padded = what.padded_tail();
    index_t result =
        padded == what.plan.tail ? tuning::points_in_part : tuning::points_in_part / padded * what.plan.tail;
    if (packs_indices(what)) {
      index_t const tuple_bytes = static_cast<index_t>(what.plan.coordinate_count) * tensors_.index_size();
      result = lesser(result, packed_bytes() / tuple_bytes * what.plan.tail);
    }
    if (packs_source(what)) result = lesser(result, packed_bytes() / what.unit);
    return result;
  }

  void run(job const& what) {
    bool first = true;
    std::uint64_t report = 0;
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const& plan, index_t) {
      // Tuples of a later part come after those of an earlier one, both may use the same scratch, or read what the
      // other writes.
      if (!first && (what.in_order || what.reads_ends() || packs_indices(what))) out_.barrier();
      first = false;
      job part = what;
      part.plan = plan;
      run_part(part, report++);
    });
  }

  void run_part(job part, std::uint64_t report = 0) {
    jobs_.take_tiles(part);
    operand indices = tensors_.indices;
    bool packed = false;
    if (packs_indices(part)) {
      move_packed(packed_indices_, indices, pack_indices(part.plan), tensors_.index_size());
      indices = packed_indices_;
      packed = true;
    }
    if (packs_source(part)) {
      move_packed(packed_source_, part.source, pack_source(part.plan), part.unit);
      part.source = packed_source_;
      packed = true;
    }
    if (packed) out_.barrier();
    dispatcher_.dispatch(part, indices, report);
  }

private:
  [[nodiscard]] bool indices_fit(plan::indexed_copy const& plan) const noexcept {
    return plan.indirect == plan::side::none ||
           limits_.fits(reach(plan, through::indices, tensors_.indices, tensors_.index_size(), tensors_.index_size()));
  }

  /// Where windows are the only way, each part's indices have to be packed if they do not fit one, and its updates if
  /// they must be met in order.
  [[nodiscard]] bool packs_indices(job const& what) const { return !jobs_.addressable() && !indices_fit(what.plan); }
  [[nodiscard]] bool packs_source(job const& what) const {
    return !jobs_.addressable() && what.in_order && !limits_.fits(what.sources());
  }

  void move_packed(operand const& scratch, operand const& source, plan::indexed_copy const& copy, index_t element) {
    part_runner packing(out_, {.destination = scratch, .source = source});
    packing.run(packing.jobs_.moving(plan::in_bytes(copy, static_cast<std::size_t>(element)), bounds::trust));
  }

  commands& out_;
  call_tensors tensors_;
  binding_limits limits_;
  job_maker jobs_;
  dispatcher dispatcher_;
  operand packed_indices_;
  operand packed_source_;
};

}  // namespace ndx::vulkan

#endif
