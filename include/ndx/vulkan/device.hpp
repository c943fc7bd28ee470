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
/// on the host or on the device, in any mix; host arguments are staged, each as the whole range that it spans, but for
/// a large table that less is gathered from than it holds, by indices of the host: the host reads it. Elements are of
/// 1, 2, 4, 8 or 16 bytes.
///
/// A handle: copies are the same device, which lives until the last copy, tensor, batch and recorder of it is gone. May
/// be used from several threads at once. Calls and batches run in the order in which they are submitted, and each sees
/// what those before it have written.
///
/// Besides what the operators throw, every call may throw `error`: out of memory (the text tells how many bytes were
/// asked for; every tensor is as it was), or a lost device, after which all that needs it fails at once.
class device {
public:
  /// The best device there is, or what NDX_VULKAN_DEVICE says: an index, or part of a name. Throws `unavailable`.
  device() : device(device_options{}) {}
  /// The device that the options ask for. Throws `unavailable` where there is none, `error` where it cannot be opened.
  explicit device(device_options const& options)
      : state_(std::make_shared<device_state>(context::create(options), options.pipeline_cache)) {}

  /// The application's own device; destroys none of what it is given, which must outlive all that is made with it.
  /// Throws `unavailable` where instance or device are of Vulkan 1.0.
  [[nodiscard]] static device adopt(adopted_handles const& handles) {
    return device(std::make_shared<device_state>(context::adopt(handles), std::string()));
  }

  /// A packed, row-major tensor in device memory; its elements are unspecified. Extents of 0 and rank 0 are allowed.
  /// Throws `shape_error` for extents below 0 and sizes of 2^63 bytes and more, `error` where there is no memory.
  template <class T, std::size_t Rank>
  [[nodiscard]] tensor<T, Rank> allocate(std::array<index_t, Rank> const& extents) const {
    tensor_view<T, Rank> const layout(device_pointer<T>(), extents);
    plan::check_layout("allocate", "tensor", plan::layout_of(layout), sizeof(T), true);
    VkDeviceSize const bytes = static_cast<VkDeviceSize>(layout.size()) * sizeof(T);
    return {std::make_unique<storage const>(state_, bytes), 0, extents, layout.strides()};
  }

  /// A packed, row-major copy of a host tensor, however that is strided, in device memory: a `tensor<T, R>` of its
  /// extents, `T` without const. Returns when the copy is there.
  template <tensor_like Host>
  [[nodiscard]] auto upload(Host const& host) const {
    auto const from = ndx::view(host);
    auto result = allocate<value_type_of<Host const&>, rank_of<Host const&>>(from.extents());
    transfer("upload", from, result.view());
    return result;
  }

  /// A host tensor into a device tensor of the same extents, else `shape_error`. Returns when the copy is there.
  template <tensor_like Host, tensor_like Device>
    requires same_value_type<Host, Device> && writable_tensor<Device>
  void upload(Host const& from, Device&& to) const { transfer("upload", ndx::view(from), ndx::view(to)); }

  /// A device tensor into a host tensor of the same extents, else `shape_error`. Writes the elements and nothing
  /// between them.
  template <tensor_like Device, tensor_like Host>
    requires same_value_type<Device, Host> && writable_tensor<Host>
  void download(Device const& from, Host&& to) const { transfer("download", ndx::view(from), ndx::view(to)); }

  /// A buffer of the application's as a packed tensor from `byte_offset` on, which must be a multiple of the element's
  /// size, else `shape_error`. The buffer needs the usage STORAGE_BUFFER, is not destroyed, and must outlive the
  /// tensor; its memory reaches to the next multiple of 4 bytes. That it is large enough is not checked.
  template <class T, std::size_t Rank>
  [[nodiscard]] tensor<T, Rank> wrap(VkBuffer buffer, VkDeviceSize byte_offset,
                                     std::array<index_t, Rank> const& extents) const {
    return wrap<T, Rank>(buffer, byte_offset, extents, plan::packed_strides(extents));
  }
  /// The same with strides of any sign, counted in elements from the one at `byte_offset`; `shape_error` where they
  /// reach back beyond the buffer.
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
    if (byte_offset > static_cast<VkDeviceSize>(std::numeric_limits<index_t>::max()) - bytes.after)
      ndx::detail::fail(shape_error(
          ndx::detail::text("wrap: byte_offset is ", byte_offset, "; due is one with which no byte lies beyond 2^63")));
    region all{};
    all.buffer = buffer;
    all.size = std::numeric_limits<VkDeviceSize>::max();
    return {std::make_unique<storage const>(state_, all), static_cast<index_t>(byte_offset), extents, strides};
  }

  /// A batch: records operators, which `batch::submit` then starts together.
  [[nodiscard]] batch begin() const { return batch(state_); }

  /// What the operators call: carries a plan out, and waits.
  template <class Operation, class T, class Index, class Destination, class Source, class Indices, class Input>
  void execute(Operation const& op, plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) const {
    static_assert(movable_on_device<T>, "ndx: elements on a Vulkan device are of 1, 2, 4, 8 or 16 bytes");
    if constexpr (movable_on_device<T>) direct_call<T, Index>(state_, op).template run<Operation::may_gather>(on);
  }

  /// Name, driver, type, memory.
  [[nodiscard]] device_info const& info() const noexcept { return state_->context->info; }
  /// The limits and features that ndx makes use of, lowered as the options asked for.
  [[nodiscard]] vulkan::capabilities const& capabilities() const noexcept { return state_->context->can; }
  /// What the copies of a device share; for ndx itself.
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
    plan::operation_on<plan::side::none> operation;
    operation.name = name;
    plan::make_copy(operation.move, source, destination);
    if (operation.move.moves_nothing()) return;
    using handle = typename To::data_handle_type;
    ndx::detail::execute(*this, operation, nullptr,
                         ndx::detail::arguments_of<typename To::value_type, std::int32_t>(
                             to.data_handle(), from.data_handle(), rebound<handle, std::int32_t>{},
                             ndx::detail::nothing_like(from), nullptr));
  }

  std::shared_ptr<device_state> state_;
};

}  // namespace ndx::vulkan

#endif
