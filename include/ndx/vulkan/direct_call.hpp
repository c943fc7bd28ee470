// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DIRECT_CALL_HPP
#define NDX_VULKAN_DIRECT_CALL_HPP

#include <ndx/vulkan/host_gather.hpp>
#include <ndx/vulkan/staging.hpp>

#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace ndx::vulkan {

/// What an operation is beside its tensors.
template <class T, class Index>
device_call described(plan::operation const& op, T const* fill) noexcept {
  device_call call;
  call.operation = &op;
  call.element_size = sizeof(T);
  call.element = element_kind_of<T>();
  call.tensors.index_kind = index_kind_of<Index>;
  call.tensors.fill = repeated(fill);
  call.fail = fail_index<Index>;
  return call;
}

/// A call that submits and waits, its tensors on the host or on the device.
template <class T, class Index>
class direct_call {
public:
  direct_call(std::shared_ptr<device_state> state, plan::operation const& op) : state_(std::move(state)), op_(op) {
    if (op.copy != nullptr) op_.copy = &copy_.emplace(*op.copy);
    if (op.reset != nullptr) op_.reset = &reset_.emplace(*op.reset);
  }
  direct_call(direct_call const&) = delete;
  direct_call& operator=(direct_call const&) = delete;

  /// `MayGather`: else what gathers on the host is not compiled.
  template <bool MayGather, class Destination, class Source, class Indices, class Input>
  void run(plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    if constexpr (MayGather && host_handle<Source> && host_handle<Indices>)
      if (gathers_on_host(op_, sizeof(T)) && gather_first(on)) return;
    if constexpr (host_handle<Source> != host_handle<Destination>)
      if (transfer(on)) return;
    // Staging first: memory that cannot be had must not leave half a call behind.
    stage(on);
    bool const scatters = op_.move.indirect == plan::side::destination;
    device_call call = described<T, Index>(op_, on.fill);
    call.tensors.source = on_device(scatters ? "updates" : "input", on.source, source_);
    if (op_.move.indirect != plan::side::none) call.tensors.indices = on_device("indices", on.indices, indices_);
    if (op_.copy != nullptr && !op_.copies_fill) call.input = on_device("input", on.input, input_);
    call.tensors.destination = on_device("output", on.destination, destination_);

    submission commands(*state_->context, state_->submissions);
    recording record(state_, commands.buffer(), false);
    settling const done_before_it_goes{commands};
    bool uploads = false;
    for (std::optional<staged> const* each : {&source_, &indices_, &input_, &destination_})
      if (*each && (each != &destination_ || updates_in_place_))
        uploads = (*each)->record_upload(record.out()) || uploads;
    if (uploads) record.out().barrier();
    record.run(call);
    if (destination_) destination_->record_download(record.out());
    record.end();
    commands.submit();
    commands.wait();
    record.finish();
    if constexpr (host_handle<Destination>) destination_->drain(on.destination);
  }

private:
  /// Of a table on the host. False where there is no memory for what is gathered.
  template <class Destination, class Source, class Indices, class Input>
  bool gather_first(plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    if constexpr (host_handle<Destination>) {
      gather_on_host<T, Index>(op_, {on.destination, on.source, on.indices, nullptr, on.fill});
    } else {
      gather_in_two_steps const steps(op_);
      auto const bytes = static_cast<std::size_t>(op_.move.tuples * op_.move.tail) * sizeof(T);
      std::unique_ptr<std::byte[]> const packed(new (std::nothrow) std::byte[bytes]);
      if (packed == nullptr) return false;
      auto* const gathered = reinterpret_cast<T*>(packed.get());
      gather_on_host<T, Index>(steps.to_packed, {gathered, on.source, on.indices, nullptr, on.fill});
      direct_call<T, Index>(state_, steps.to_output)
          .template run<false>(plan::arguments<T, Index, Destination, T const*, Index const*, T const*>{
              on.destination, gathered, nullptr, nullptr, nullptr});
    }
    return true;
  }

  /// Between host and device without other memory there, in the device's order. False where that is no way: for few
  /// bytes, what lies apart on the device, elements of the host that are needed several times, and a buffer that
  /// commands may not copy from or to.
  template <class Arguments>
  bool transfer(Arguments const& on) {
    constexpr bool uploads = host_handle<decltype(on.source)>;
    auto const bytes =
        static_cast<std::uint64_t>(plan::wrapping_multiply(op_.move.tail, static_cast<index_t>(sizeof(T))));
    if (op_.copy != nullptr || op_.move.indirect != plan::side::none || bytes < state_->context->can.in_pieces)
      return false;
    plan::indexed_copy copy = uploads ? op_.move : reversed(op_.move);
    plan::normalize(copy);
    plan::indexed_copy const reached = every_element(copy, through::source);
    if (!is_packed(copy) || reached.tail != copy.tail || !packed_layout(reached).exists()) return false;
    copy = plan::in_bytes(copy, sizeof(T));
    index_t const base = std::exchange(copy.destination_base, 0);
    auto const block = [&](operand const& of) {
      std::uint64_t const begin = of.place + static_cast<std::uint64_t>(base);
      return byte_range{of.buffer, begin, begin + bytes};
    };
    if constexpr (uploads) {
      operand const to = operand_of(*state_, op_.name, "output", on.destination);
      if (!on.destination.owner()->owns()) return false;
      state_->transfers.upload(copy, reinterpret_cast<std::byte const*>(on.source), block(to));
    } else {
      operand const from = operand_of(*state_, op_.name, "input", on.source);
      if (!on.source.owner()->owns()) return false;
      state_->transfers.download(copy, block(from), reinterpret_cast<std::byte*>(on.destination));
    }
    return true;
  }

  /// What commands use must not go while they run, even where waiting for them fails.
  struct settling {
    submission& commands;
    ~settling() { commands.settle(); }
  };

  /// Brings the tensors that are on the host to the device, and the plans to where they are there.
  template <class Destination, class Source, class Indices, class Input>
  void stage(plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    if constexpr (host_handle<Source>) {
      source_.emplace(*state_, op_.move, through::source, sizeof(T), memory_use::upload).fill(on.source);
      source_->relocate(op_.move);
    }
    if constexpr (host_handle<Indices>) {
      if (op_.move.indirect != plan::side::none) {
        indices_.emplace(*state_, op_.move, through::indices, sizeof(Index), memory_use::upload).fill(on.indices);
        indices_->relocate(op_.move);
        if (reset_) indices_->relocate(*reset_);
      }
    }
    if constexpr (host_handle<Input>) {
      if (copy_ && !op_.copies_fill) {
        input_.emplace(*state_, *copy_, through::source, sizeof(T), memory_use::upload).fill(on.input);
        input_->relocate(*copy_);
      }
    }
    if constexpr (host_handle<Destination>) {
      plan::indexed_copy const& written = copy_ ? *copy_ : op_.move;
      destination_.emplace(*state_, written, through::destination, sizeof(T), memory_use::download);
      updates_in_place_ = !copy_ && op_.move.indirect == plan::side::destination;
      if (updates_in_place_) destination_->fill(on.destination);
      destination_->relocate(op_.move);
      if (copy_) destination_->relocate(*copy_);
      if (reset_) destination_->relocate(*reset_);
    }
  }

  template <class Handle>
  operand on_device(char const* argument, Handle const& handle, std::optional<staged> const& stage) const {
    if constexpr (host_handle<Handle>) return stage ? stage->on_device() : operand{};
    else return operand_of(*state_, op_.name, argument, handle);
  }

  std::shared_ptr<device_state> state_;
  plan::operation op_;
  std::optional<plan::indexed_copy> copy_;
  std::optional<plan::indexed_copy> reset_;
  std::optional<staged> source_;
  std::optional<staged> indices_;
  std::optional<staged> input_;
  std::optional<staged> destination_;
  bool updates_in_place_ = false;
};

}  // namespace ndx::vulkan

#endif
