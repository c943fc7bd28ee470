// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_STAGING_HPP
#define NDX_VULKAN_STAGING_HPP

#include <ndx/cpu/simd.hpp>
#include <ndx/vulkan/pointer.hpp>
#include <ndx/vulkan/recording.hpp>

#include <vector>

/// Host tensors of a call on the device: the same layout there, for as long as the call takes.
namespace ndx::vulkan {

/// The operand that a device tensor is; fails where it lies on another device.
template <class T>
operand operand_of(device_state const& state, char const* operator_name, char const* argument,
                   device_pointer<T> const& pointer) {
  if (pointer.owner() == nullptr) return {};
  if (pointer.owner()->state() != &state)
    ndx::detail::fail(unsupported_error(ndx::detail::text(
        operator_name, ": ", argument, ": a tensor of another device; due is one of the policy's device")));
  region const& bytes = pointer.owner()->bytes();
  return {bytes.buffer, bytes.offset + static_cast<std::uint64_t>(pointer.offset()),
          bytes.address == 0 ? 0 : bytes.address - bytes.offset};
}

/// A copy of all elements that a plan can reach on one side, each to the place where it is: for two memories of the
/// same layout. In elements.
inline plan::indexed_copy every_element(plan::indexed_copy const& plan, through which) noexcept {
  plan::indexed_copy copy;
  auto const add = [&](index_t extent, index_t stride) {
    if (extent == 0 || (extent != 1 && stride != 0)) copy.add({extent, stride, stride, 0}, false);
  };
  std::size_t const loops = which == through::indices ? plan.tuple_rank : plan.rank;
  if (is_indirect(plan, which))
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) add(plan.coordinates[c].extent, plan.coordinates[c].stride);
  for (std::size_t d = 0; d < loops; ++d) add(plan.loops[d].extent, stride_of(plan.loops[d], which));
  if (which == through::indices) add(static_cast<index_t>(plan.coordinate_count), plan.coordinate_step);
  else if (plan.run > 1) add(plan.run, 1);
  copy.destination_base = copy.source_base = base_of(plan, which);
  plan::normalize(copy);
  return copy;
}

/// One block on both sides, so large that it goes between host and device in pieces?
inline bool goes_in_pieces(plan::indexed_copy const& copy, std::size_t element_size) noexcept {
  return copy.indirect == plan::side::none && copy.rank == 0 &&
         static_cast<std::uint64_t>(copy.run) * element_size >= tuning::transferred_in_pieces;
}

/// The host's copy of a staged tensor, and its place on the device.
class staged {
public:
  /// For the elements of `T` that `copy` (of `every_element`) reaches.
  template <class T>
  staged(device_state& state, plan::indexed_copy const& copy, T const*, memory_use transfer) : state_(state) {
    if (copy.moves_nothing()) return;
    operand const nowhere{};
    byte_range const reached =
        reach(plan::in_bytes(copy, sizeof(T)), through::source, nowhere, 1, copy.run * static_cast<index_t>(sizeof(T)));
    auto const low = static_cast<index_t>(reached.begin);
    in_pieces_ = goes_in_pieces(copy, sizeof(T));
    if (in_pieces_) state.transfers.prepare();
    // Element 0 keeps the alignment that the largest unit has.
    lead_ = ((low % 16) + 16) % 16;
    size_ = static_cast<VkDeviceSize>(lead_ + static_cast<index_t>(reached.size()));
    device_ = scoped_region(state, size_, memory_use::device);
    if (device_->mapped == nullptr && !in_pieces_) host_ = scoped_region(state, size_, transfer);
    origin_ = lead_ - low;
  }

  [[nodiscard]] operand on_device() const noexcept {
    if (!device_) return {};
    return {device_->buffer, device_->offset + static_cast<std::uint64_t>(origin_),
            device_->address == 0 ? 0 : device_->address - device_->offset};
  }

  /// From the caller's tensor.
  template <class T>
  void fill(plan::indexed_copy const& copy, T const* from) {
    if (!device_) return;
    if (in_pieces_)
      return state_.transfers.upload(reinterpret_cast<std::byte const*>(from + copy.source_base), block());
    ndx::simd.execute(plan::operation{.name = "staging", .move = copy},
                      plan::arguments<T, std::int32_t>{element<T>(), from, nullptr, nullptr, nullptr});
    state_.memory.flush(*visible(), 0, size_);
  }
  /// Copies to where kernels read, for which a barrier has to follow; false where they read what `fill` wrote.
  bool record_upload(commands& out) const {
    if (host_) out.copy(whole(*host_), whole(*device_));
    return static_cast<bool>(host_);
  }
  void record_download(commands& out) const {
    if (!host_) return;
    out.barrier_to_transfers();
    out.copy(whole(*device_), whole(*host_));
  }

  /// To the caller's tensor, element by element: what lies between them is not touched.
  template <class T>
  void drain(plan::indexed_copy const& copy, T* to) {
    if (!device_) return;
    if (in_pieces_) return state_.transfers.download(block(), reinterpret_cast<std::byte*>(to + copy.destination_base));
    state_.memory.invalidate(*visible(), 0, size_);
    ndx::simd.execute(plan::operation{.name = "staging", .move = copy},
                      plan::arguments<T, std::int32_t>{to, element<T>(), nullptr, nullptr, nullptr});
  }

private:
  [[nodiscard]] region const* visible() const noexcept { return host_ ? &*host_ : &*device_; }
  /// The elements on the device, without what lies before them.
  [[nodiscard]] byte_range block() const noexcept {
    byte_range const all = whole(*device_);
    return {all.buffer, all.begin + static_cast<std::uint64_t>(lead_), all.end};
  }
  [[nodiscard]] byte_range whole(region const& bytes) const noexcept {
    return {bytes.buffer, bytes.offset, bytes.offset + size_};
  }
  template <class T>
  [[nodiscard]] T* element() const noexcept {
    // The plan's offsets count from here, where no byte of the memory need be.
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(visible()->mapped) +
                                static_cast<std::uintptr_t>(origin_));
  }

  device_state& state_;
  VkDeviceSize size_ = 0;
  index_t lead_ = 0;
  index_t origin_ = 0;
  bool in_pieces_ = false;
  scoped_region device_;
  scoped_region host_;
};

}  // namespace ndx::vulkan

#endif
