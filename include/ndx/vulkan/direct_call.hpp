// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DIRECT_CALL_HPP
#define NDX_VULKAN_DIRECT_CALL_HPP

#include <ndx/vulkan/host_gather.hpp>
#include <ndx/vulkan/staging.hpp>

#include <memory>
#include <new>
#include <optional>

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
  direct_call(std::shared_ptr<device_state> state, plan::operation const& op) : state_(std::move(state)), op_(op) {}

  template <class Destination, class Source, class Indices, class Input>
  void run(plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    if constexpr (host_handle<Source> && host_handle<Indices>)
      if (gathers_on_host(op_, sizeof(T)) && gather_first(on)) return;
    if constexpr (host_handle<Source> != host_handle<Destination>)
      if (op_.copy == nullptr && goes_in_pieces(op_.move, sizeof(T)) && transfer(on)) return;
    bool const scatters = op_.move.indirect == plan::side::destination;
    plan::indexed_copy const& written = op_.copy != nullptr ? *op_.copy : op_.move;
    // Staging first: memory that cannot be had must not leave half a call behind.
    device_call call = described<T, Index>(op_, on.fill);
    call.tensors.source = input(scatters ? "updates" : "input", on.source, op_.move, through::source, source_);
    if (op_.move.indirect != plan::side::none)
      call.tensors.indices = input("indices", on.indices, op_.move, through::indices, indices_);
    if (op_.copy != nullptr && !op_.copies_fill)
      call.input = input("input", on.input, *op_.copy, through::source, input_);
    call.tensors.destination = output(on.destination, written, scatters && op_.copy == nullptr);

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
    if constexpr (host_handle<Destination>)
      destination_->template drain<T>(every_element(written, through::destination), on.destination);
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
          .run(plan::arguments<T, Index, Destination, T const*, Index const*, T const*>{on.destination, gathered,
                                                                                        nullptr, nullptr, nullptr});
    }
    return true;
  }

  /// Between host and device without other memory there. False where the device's is of a buffer that commands may not
  /// copy from or to.
  template <class Arguments>
  bool transfer(Arguments const& on) {
    auto const block = [&](char const* argument, auto const& handle, index_t base) {
      operand const of = operand_of(*state_, op_.name, argument, handle);
      std::uint64_t const begin = of.place + static_cast<std::uint64_t>(base) * sizeof(T);
      return byte_range{of.buffer, begin, begin + static_cast<std::uint64_t>(op_.move.run) * sizeof(T)};
    };
    if constexpr (host_handle<decltype(on.source)>) {
      if (!on.destination.owner()->owns()) return false;
      state_->transfers.upload(reinterpret_cast<std::byte const*>(on.source + op_.move.source_base),
                               block("output", on.destination, op_.move.destination_base));
    } else {
      if (!on.source.owner()->owns()) return false;
      state_->transfers.download(block("input", on.source, op_.move.source_base),
                                 reinterpret_cast<std::byte*>(on.destination + op_.move.destination_base));
    }
    return true;
  }

  /// What commands use must not go while they run, even where waiting for them fails.
  struct settling {
    submission& commands;
    ~settling() { commands.settle(); }
  };

  template <class Handle>
  operand input(char const* argument, Handle const& handle, plan::indexed_copy const& plan, through which,
                std::optional<staged>& stage) {
    if constexpr (host_handle<Handle>) {
      plan::indexed_copy const copy = every_element(plan, which);
      stage.emplace(*state_, copy, handle, memory_use::upload);
      stage->fill(copy, handle);
      return stage->on_device();
    } else {
      return operand_of(*state_, op_.name, argument, handle);
    }
  }

  template <class Handle>
  operand output(Handle const& handle, plan::indexed_copy const& plan, bool in_place) {
    if constexpr (host_handle<Handle>) {
      plan::indexed_copy const copy = every_element(plan, through::destination);
      destination_.emplace(*state_, copy, handle, memory_use::download);
      updates_in_place_ = in_place;
      if (in_place) destination_->fill(copy, handle);
      return destination_->on_device();
    } else {
      return operand_of(*state_, op_.name, "output", handle);
    }
  }

  std::shared_ptr<device_state> state_;
  plan::operation const& op_;
  std::optional<staged> source_;
  std::optional<staged> indices_;
  std::optional<staged> input_;
  std::optional<staged> destination_;
  bool updates_in_place_ = false;
};

}  // namespace ndx::vulkan

#endif
