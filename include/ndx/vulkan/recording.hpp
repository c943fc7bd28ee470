// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_RECORDING_HPP
#define NDX_VULKAN_RECORDING_HPP

#include <ndx/vulkan/commands.hpp>
#include <ndx/vulkan/passes.hpp>
#include <ndx/vulkan/report.hpp>

#include <deque>
#include <limits>

namespace ndx::vulkan {

/// One call of an operator whose tensors all lie on the device. T-free.
struct device_call {
  plan::operation const* operation = nullptr;
  index_t element_size = 1;
  element_kind element{};  ///< for reductions
  call_tensors tensors;
  operand input;
  fail_function* fail = nullptr;
};

/// Operators into a command buffer, one after the other, and what is to be looked at when they have run.
class recording {
public:
  recording(std::shared_ptr<device_state> state, VkCommandBuffer buffer, bool runs_again)
      : commands_(std::move(state), buffer, runs_again) {}

  [[nodiscard]] commands& out() noexcept { return commands_; }
  [[nodiscard]] commands const& out() const noexcept { return commands_; }

  void run(device_call const& call) {
    if (!may_tear(call)) return carry_out(call);
    plan::operation by_one = *call.operation;
    by_one.duplicates = duplicates::last;
    device_call whole = call;
    whole.operation = &by_one;
    carry_out(whole);
  }

  /// When the commands are done: throws for the first operation that has met a bad index.
  void finish() const {
    for (part const& each : parts_) {
      report_block const& block = commands_.report_at(each.report);
      if (block.first != no_word) checks_[each.check].fail(block, each.first_tuple);
    }
  }

  /// To be called last while recording what is submitted once.
  void end() {
    if (commands_.reports_to_fetch() > tuning::reports_read_one_by_one) commands_.fetch_reports();
    commands_.barrier_to_all();
  }

private:
  /// `call`, as it is.
  void carry_out(device_call const& call) {
    plan::operation const& op = *call.operation;
    plan::indexed_copy const move = plan::in_bytes(op.move, static_cast<std::size_t>(call.element_size));
    check_counts(op);
    bool const scatters = move.indirect == plan::side::destination;
    passes run(commands_, call.tensors);
    bool const in_one_pass = op.reset == nullptr && op.reduction != reduction::mean;
    bool const few = in_one_pass && run.finds_few(move, {call.element, call.element_size, op}, call.input);
    bool const looks_first = can_fail(op) && !few && (scatters || move.tail == 0);
    wait_for_earlier(call, move, few ? byte_range{} : run.scratch_of(op, move, call.element_size));
    if (can_fail(op)) {
      auto const readers = looks_first ? report_readers::kernels : report_readers::nobody;
      reserve_reports(run, call, looks_first ? tuples_of(move) : move, readers);
    }
    if (few) return run.move_few();
    if (looks_first) {
      run.look(move, op.bounds);
      if (move.moves_nothing() && op.copy == nullptr) return;
      commands_.barrier();
      run.obey_reports();
    }
    if (op.copy != nullptr && !op.copy->moves_nothing()) {
      operand const input = op.copies_fill ? commands_.constant(call.tensors.fill) : call.input;
      passes copy(commands_, {.destination = call.tensors.destination, .source = input});
      copy.follow(run);
      copy.move(plan::in_bytes(*op.copy, static_cast<std::size_t>(call.element_size)), bounds::trust);
      commands_.barrier();
    }
    if (move.moves_nothing()) return;
    // The indices have been looked at, and nothing is written where one of them is bad.
    bounds const mode = looks_first && op.bounds == bounds::check ? bounds::ignore : op.bounds;
    if (op.reset != nullptr) {
      call_tensors from_fill = call.tensors;
      from_fill.source = commands_.constant(call.tensors.fill);
      passes reset(commands_, from_fill);
      reset.follow(run);
      reset.move(plan::in_bytes(*op.reset, static_cast<std::size_t>(call.element_size)), mode);
      commands_.barrier();
    }
    if (replaces_last(op)) run.write_last(move, mode);
    else if (op.reduction != reduction::none) reduce(run, call, move, mode);
    else run.move(move, mode);
  }

  /// Might two updates of one element leave words of both in it? Devices write 16 bytes at once; but one that is a
  /// processor may take the store of a vector apart, as Mesa's lavapipe does: there each place has to have one writer.
  [[nodiscard]] bool may_tear(device_call const& call) const noexcept {
    plan::operation const& op = *call.operation;
    return commands_.can().is_processor && op.move.indirect == plan::side::destination &&
           op.reduction == reduction::none && op.duplicates == duplicates::any && call.element_size > 4;
  }

  /// May this operation have to throw an `index_error`?
  static bool can_fail(plan::operation const& op) noexcept {
    if (op.move.indirect == plan::side::none || op.move.tuples == 0) return false;
    if (op.bounds == bounds::check) return true;
    if (op.bounds != bounds::clamp && op.bounds != bounds::wrap) return false;
    for (std::size_t c = 0; c < op.move.coordinate_count; ++c)
      if (op.move.coordinates[c].extent == 0) return true;
    return false;
  }

  /// The count of a mean is a word, which must not overflow.
  static void check_counts(plan::operation const& op) {
    constexpr index_t most = std::numeric_limits<std::uint32_t>::max() - 1;
    if (op.reduction == reduction::mean && op.move.tuples > most)
      ndx::detail::fail(unsupported_error(ndx::detail::text(op.name, ": reduction: a mean of ", op.move.tuples,
                                                            " tuples; due are at most ", most, " on a device")));
  }

  void reduce(passes& run, device_call const& call, plan::indexed_copy const& move, bounds mode) {
    reduction_request const request{call.element, call.element_size, *call.operation};
    run.reduce(move, mode, request);
    if (call.operation->reduction == reduction::mean) run.divide(move, mode, request);
  }

  void wait_for_earlier(device_call const& call, plan::indexed_copy const& move, byte_range const& scratch) {
    plan::operation const& op = *call.operation;
    byte_range destination;
    byte_range source;
    byte_range input;
    byte_range indices;
    if (!move.moves_nothing()) {
      destination = reach(move, through::destination, call.tensors.destination, 1, move.run);
      source = reach(move, through::source, call.tensors.source, 1, move.run);
    }
    if (move.indirect != plan::side::none && move.tuples != 0)
      indices =
          reach(move, through::indices, call.tensors.indices, call.tensors.index_size(), call.tensors.index_size());
    if (op.copy != nullptr && !op.copy->moves_nothing()) {
      plan::indexed_copy const copy = plan::in_bytes(*op.copy, static_cast<std::size_t>(call.element_size));
      if (!op.copies_fill) input = reach(copy, through::source, call.input, 1, copy.run);
      byte_range const all = reach(copy, through::destination, call.tensors.destination, 1, copy.run);
      destination = destination.size() == 0 ? all
                                            : byte_range{all.buffer, lesser(all.begin, destination.begin),
                                                         greater(all.end, destination.end)};
    }
    commands_.begin({{source, indices, input}, {destination, scratch}});
  }

  /// One block for each part that the plan will be cut into.
  void reserve_reports(passes& run, device_call const& call, plan::indexed_copy const& plan, report_readers readers) {
    std::vector<index_t> const first_tuples = run.first_tuples(plan);
    report_place place = commands_.reports(first_tuples.size(), readers);
    run.report_to(place);
    checks_.emplace_back(*call.operation, call.fail);
    for (index_t const first : first_tuples) {
      parts_.push_back({checks_.size() - 1, first, place});
      place.offset += sizeof(report_block);
    }
  }

  /// A part of an operation, whose tuples count from `first_tuple`, and where it reports bad ones.
  struct part {
    std::size_t check;
    index_t first_tuple;
    report_place report;
  };

  static std::uint64_t lesser(std::uint64_t a, std::uint64_t b) noexcept { return a < b ? a : b; }
  static std::uint64_t greater(std::uint64_t a, std::uint64_t b) noexcept { return a < b ? b : a; }

  commands commands_;
  std::deque<pending_check> checks_;  // large, and many in a batch
  std::vector<part> parts_;
};

}  // namespace ndx::vulkan

#endif
