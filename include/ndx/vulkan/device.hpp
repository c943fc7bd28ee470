// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DEVICE_HPP
#define NDX_VULKAN_DEVICE_HPP

#include <ndx/ops/call.hpp>
#include <ndx/vulkan/batch.hpp>
#include <ndx/vulkan/devices.hpp>
#include <ndx/vulkan/tensor.hpp>

#include <limits>
#include <memory>
#include <utility>

namespace ndx::vulkan {

/// A Vulkan device: a policy that submits and waits, and the source of device tensors. Every argument of a call may lie
/// on the host or on the device; host arguments are staged. A handle: copies are the same device. May be used from
/// several threads at once.
class device {
public:
  /// The best device there is, or what NDX_VULKAN_DEVICE says: an index, or part of a name. Throws `unavailable`.
  device() : device(device_options{}) {}
  explicit device(device_options const& options)
      : state_(std::make_shared<device_state>(context::create(options), options.pipeline_cache)) {}

  /// The application's own device; destroys none of what it is given.
  [[nodiscard]] static device adopt(adopted_handles const& handles) {
    return device(std::make_shared<device_state>(context::adopt(handles), std::string()));
  }

  /// Device memory; its elements are unspecified.
  template <class T, std::size_t Rank>
  [[nodiscard]] tensor<T, Rank> allocate(std::array<index_t, Rank> const& extents) const {
    tensor_view<T, Rank> const layout(device_pointer<T>(), extents);
    plan::check_layout("allocate", "tensor", plan::layout_of(layout), sizeof(T), true);
    VkDeviceSize const bytes = static_cast<VkDeviceSize>(layout.size()) * sizeof(T);
    return {std::make_unique<storage const>(state_, bytes), 0, extents, layout.strides()};
  }

  /// A packed copy of a host tensor in device memory.
  template <tensor_like Host>
  [[nodiscard]] auto upload(Host const& host) const {
    auto const from = ndx::view(host);
    auto result = allocate<value_type_of<Host const&>, rank_of<Host const&>>(from.extents());
    transfer("upload", from, result.view());
    return result;
  }

  /// A host tensor into a device tensor of the same extents.
  template <tensor_like Host, tensor_like Device>
    requires same_value_type<Host, Device> && writable_tensor<Device>
  void upload(Host const& from, Device&& to) const { transfer("upload", ndx::view(from), ndx::view(to)); }

  /// A device tensor into a host tensor of the same extents.
  template <tensor_like Device, tensor_like Host>
    requires same_value_type<Device, Host> && writable_tensor<Host>
  void download(Device const& from, Host&& to) const { transfer("download", ndx::view(from), ndx::view(to)); }

  /// A buffer of the application's as a packed tensor from `byte_offset` on, which must be a multiple of the element's
  /// size. The buffer needs the usage STORAGE_BUFFER, is not destroyed, and must outlive the tensor; its memory reaches
  /// to the next multiple of 4 bytes.
  template <class T, std::size_t Rank>
  [[nodiscard]] tensor<T, Rank> wrap(VkBuffer buffer, VkDeviceSize byte_offset,
                                     std::array<index_t, Rank> const& extents) const {
    return wrap<T, Rank>(buffer, byte_offset, extents, plan::packed_strides(extents));
  }
  /// The same with strides, counted in elements from the one at `byte_offset`.
  template <class T, std::size_t Rank>
  [[nodiscard]] tensor<T, Rank> wrap(VkBuffer buffer, VkDeviceSize byte_offset,
                                     std::array<index_t, Rank> const& extents,
                                     std::array<index_t, Rank> const& strides) const {
    tensor_view<T, Rank> const layout(device_pointer<T>(), extents, strides);
    plan::footprint const bytes =
        plan::check_layout("wrap", "tensor", plan::layout_of(layout), sizeof(T), buffer != VK_NULL_HANDLE);
    if (byte_offset % sizeof(T) != 0)
      ndx::detail::fail(shape_error(ndx::detail::text("wrap: byte_offset is ", byte_offset, "; due is a multiple of ",
                                                      sizeof(T), ", the size of an element")));
    if (byte_offset < bytes.before)
      ndx::detail::fail(shape_error(ndx::detail::text("wrap: byte_offset is ", byte_offset, "; due is at least ",
                                                      bytes.before, ", as the strides reach back so far")));
    region all{};
    all.buffer = buffer;
    all.size = std::numeric_limits<VkDeviceSize>::max();
    return {std::make_unique<storage const>(state_, all), static_cast<index_t>(byte_offset), extents, strides};
  }

  /// A batch: records operators, which `batch::submit` then starts together.
  [[nodiscard]] batch begin() const { return batch(state_); }

  template <class T, class Index, class Destination, class Source, class Indices, class Input>
  void execute(plan::operation const& op,
               plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) const {
    static_assert(movable_on_device<T>, "ndx: elements on a Vulkan device are of 1, 2, 4, 8 or 16 bytes");
    if constexpr (movable_on_device<T>) direct_call<T, Index>(state_, op).run(on);
  }

  [[nodiscard]] device_info const& info() const noexcept { return state_->context->info; }
  [[nodiscard]] vulkan::capabilities const& capabilities() const noexcept { return state_->context->can; }
  [[nodiscard]] std::shared_ptr<device_state> const& state() const noexcept { return state_; }

private:
  explicit device(std::shared_ptr<device_state> state) noexcept : state_(std::move(state)) {}

  /// A plain copy of all elements.
  template <class From, class To>
  void transfer(char const* name, From const& from, To const& to) const {
    plan::layout const source = plan::layout_of(from);
    plan::layout const destination = plan::layout_of(to);
    ndx::detail::argument const input = ndx::detail::measured(name, "input", from);
    ndx::detail::argument const output = ndx::detail::measured(name, "output", to);
    plan::check_same_shape(name, source, destination);
    ndx::detail::check_no_self_overlap(name, output);
    ndx::detail::check_apart(name, output, input);
    plan::operation operation{.name = name, .move = plan::make_copy(source, destination)};
    plan::normalize(operation.move);
    if (operation.move.moves_nothing()) return;
    using handle = typename To::data_handle_type;
    ndx::detail::execute<typename To::value_type, std::int32_t>(*this, operation, to.data_handle(), from.data_handle(),
                                                                rebound<handle, std::int32_t>{},
                                                                ndx::detail::nothing_like(from), nullptr);
  }

  std::shared_ptr<device_state> state_;
};

}  // namespace ndx::vulkan

#endif
