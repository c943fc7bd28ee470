// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_STAGING_HPP
#define NDX_VULKAN_STAGING_HPP

#include <ndx/vulkan/packed_layout.hpp>
#include <ndx/vulkan/pointer.hpp>
#include <ndx/vulkan/recording.hpp>

#include <optional>

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

/// A host tensor's place on the device, and memory of the host for what is on its way there. Large ones are packed, and
/// go in pieces; others keep their layout.
class staged {
public:
  /// For the elements of `size` bytes that a plan reaches on one side.
  staged(device_state& state, plan::indexed_copy const& plan, through which, std::size_t size, memory_use transfer)
      : state_(state), which_(which) {
    plan::indexed_copy const reached = every_element(plan, which);
    copy_ = plan::in_bytes(reached, size);
    if (reached.moves_nothing()) return;
    packed_layout const packed(reached);
    shares_places_ = !packed.exists();
    if (packed.exists() && static_cast<std::uint64_t>(copy_.tail) >= state.context->can.in_pieces) {
      state.transfers.prepare();
      packed_ = packed;
      copy_ = plan::in_bytes(packed.copy(), size);
      size_ = static_cast<VkDeviceSize>(copy_.tail);
      device_ = scoped_region(state, size_, memory_use::device);
      return;
    }
    byte_range const range = reach(copy_, through::source, operand{}, 1, copy_.run);
    auto const low = static_cast<index_t>(range.begin);
    // Element 0 keeps the alignment that the largest unit has.
    index_t const lead = ((low % 16) + 16) % 16;
    size_ = static_cast<VkDeviceSize>(lead) + range.size();
    device_ = scoped_region(state, size_, memory_use::device);
    if (device_->mapped == nullptr) host_ = scoped_region(state, size_, transfer);
    origin_ = lead - low;
  }

  /// Makes a plan that steps through the tensor do so where it is on the device.
  void relocate(plan::indexed_copy& plan) const noexcept {
    if (packed_) packed_->relocate(plan, which_);
  }

  [[nodiscard]] operand on_device() const noexcept {
    if (!device_) return {};
    return {device_->buffer, device_->offset + static_cast<std::uint64_t>(origin_),
            device_->address == 0 ? 0 : device_->address - device_->offset};
  }

  /// From the caller's tensor.
  template <class = void>
  void fill(void const* tensor) {
    if (!device_) return;
    auto const* const from = static_cast<std::byte const*>(tensor);
    if (packed_) return state_.transfers.upload(copy_, from, whole(*device_));
    copy_on_host(copy_, origin(), from, stores::automatic, shares_places_);
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
  template <class = void>
  void drain(void* tensor) {
    if (!device_) return;
    auto* const to = static_cast<std::byte*>(tensor);
    if (packed_) return state_.transfers.download(copy_, whole(*device_), to);
    state_.memory.invalidate(*visible(), 0, size_);
    copy_on_host(copy_, to, origin(), stores::automatic, shares_places_);
  }

private:
  [[nodiscard]] region const* visible() const noexcept { return host_ ? &*host_ : &*device_; }
  [[nodiscard]] byte_range whole(region const& bytes) const noexcept {
    return {bytes.buffer, bytes.offset, bytes.offset + size_};
  }
  /// Where the plan's offsets count from, where no byte of the memory need be.
  [[nodiscard]] std::byte* origin() const noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(visible()->mapped) +
                                        static_cast<std::uintptr_t>(origin_));
  }

  device_state& state_;
  through which_;
  plan::indexed_copy copy_;              // from the tensor to its place on the device, in bytes
  std::optional<packed_layout> packed_;  // goes in pieces
  bool shares_places_ = false;
  VkDeviceSize size_ = 0;
  index_t origin_ = 0;
  scoped_region device_;
  scoped_region host_;
};

}  // namespace ndx::vulkan

#endif
