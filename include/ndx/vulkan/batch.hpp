// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_BATCH_HPP
#define NDX_VULKAN_BATCH_HPP

#include <ndx/vulkan/direct_call.hpp>

#include <memory>
#include <utility>

namespace ndx::vulkan {

namespace detail {

/// A call whose tensors all lie on the device, into a recording.
template <class T, class Index, class Destination, class Source, class Indices, class Input>
void record(recording& into, plan::operation const& op,
            plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
  constexpr bool all_on_device =
      device_handle<Destination> && device_handle<Source> && device_handle<Indices> && device_handle<Input>;
  static_assert(all_on_device,
                "ndx: a batch and a recorder take device tensors only; a host tensor has to be uploaded first");
  static_assert(movable_on_device<T>, "ndx: elements on a Vulkan device are of 1, 2, 4, 8 or 16 bytes");
  if constexpr (all_on_device && movable_on_device<T>) {
    device_state const& state = into.out().state();
    device_call call = described<T, Index>(op, on.fill);
    call.tensors.destination = operand_of(state, op.name, "output", on.destination);
    bool const scatters = op.move.indirect == plan::side::destination;
    call.tensors.source = operand_of(state, op.name, scatters ? "updates" : "input", on.source);
    call.tensors.indices = operand_of(state, op.name, "indices", on.indices);
    call.input = operand_of(state, op.name, "input", on.input);
    into.run(call);
  }
}

/// The commands of a batch, until they are done.
class batch_work {
public:
  explicit batch_work(std::shared_ptr<device_state> const& state)
      : state_(state),
        period_(*state),
        commands_(*state->context, state->submissions),
        recording_(state, commands_.buffer(), false) {}
  batch_work(batch_work const&) = delete;
  batch_work& operator=(batch_work const&) = delete;
  // What the commands use goes after they are done.
  ~batch_work() { commands_.settle(); }

  template <class Record>
  void add(Record const& operation) {
    if (commands_.submitted())
      ndx::detail::fail(unsupported_error("batch: has been submitted; due is a new one from begin()"));
    if (broken_)
      ndx::detail::fail(
          unsupported_error("batch: could not be recorded or submitted before; due is a new one from begin()"));
    broken_ = true;
    operation(recording_);
    broken_ = false;
  }

  void submit() {
    add([](recording& all) { all.end(); });
    broken_ = true;
    commands_.submit();
    broken_ = false;
  }
  [[nodiscard]] bool done() { return commands_.done(); }
  void wait() {
    commands_.wait();
    recording_.finish();
  }

private:
  std::shared_ptr<device_state> state_;
  usage_period period_;
  submission commands_;
  recording recording_;
  bool broken_ = false;
};

}  // namespace detail

/// A batch that has been submitted. The last of its copies and its batch waits for the device before it goes.
class pending {
public:
  explicit pending(std::shared_ptr<detail::batch_work> work) noexcept : work_(std::move(work)) {}

  /// Are all operators done? Does not wait. Throws `error` where the device is lost.
  [[nodiscard]] bool done() const { return work_->done(); }
  /// Waits; then throws the `index_error` of the first operator, in the order of recording, that has met a bad index.
  /// The operators after it have run. Throws `error` where the device is lost. Again, the outcome is the same.
  void wait() const { work_->wait(); }

private:
  std::shared_ptr<detail::batch_work> work_;
};

/// A policy that records: many operators, one submission. They run in the order of their calls where one depends on
/// another, and together where none does. Takes device tensors only, of one device; these may go before the batch is
/// done. From one thread at a time. One that goes before it is submitted runs nothing.
///
/// What does not depend on the values of indices is checked while recording, and throws there; the operator is then not
/// in the batch, which goes on. After an `error` of Vulkan's while recording the batch is of no use.
///
///     ndx::vulkan::batch b = gpu.begin();
///     ndx::gather_nd(b, table, rows, taken);
///     ndx::scatter_nd(b, sums, rows, taken, sums, {.reduction = ndx::reduction::add});
///     b.submit().wait();
class batch {
public:
  explicit batch(std::shared_ptr<device_state> const& state) : work_(std::make_shared<detail::batch_work>(state)) {}
  batch(batch&&) noexcept = default;
  batch& operator=(batch&&) noexcept = default;

  template <class T, class Index, class Destination, class Source, class Indices, class Input>
  void execute(plan::operation const& op, plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    work_->add([&](recording& into) { detail::record(into, op, on); });
  }

  /// Starts the recorded operators. Nothing can be recorded after that: `unsupported_error`.
  pending submit() {
    work_->submit();
    return pending(work_);
  }

private:
  std::shared_ptr<detail::batch_work> work_;
};

}  // namespace ndx::vulkan

#endif
