// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VULKAN_WAYS_HPP
#define NDX_TESTS_SUPPORT_VULKAN_WAYS_HPP

#include "views.hpp"
#include "vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <bit>
#include <bitset>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <type_traits>

namespace test {

/// The device of these tests, with validation and held to its limits. NDX_TEST_LIMITS in the environment lowers what it
/// can do, NDX_TEST_GPU_ASSISTED=1 lets validation instrument the shaders.
ndx::vulkan::device const& vulkan_device();

/// The memory of a call's tensors, in device memory byte by byte: so that views of all layouts work on it, and whatever
/// a kernel writes beside their elements is seen.
class device_images {
public:
  explicit device_images(operands const& all) {
    for (operand const* each : {&all.input, &all.indices, &all.updates, &all.output}) {
      auto const bytes = static_cast<ndx::index_t>(each->bytes);
      auto const found = images_.try_emplace(each->memory, image{*each, {}}).first;
      found->second.memory = vulkan_device().allocate<std::byte, 1>({bytes});
      vulkan_device().upload(host(*each), found->second.memory);
    }
  }

  /// Back to where they came from, whatever the call has done.
  void restore() const {
    for (auto const& [memory, each] : images_) vulkan_device().download(each.memory, host(each.of));
  }

  template <class T, std::size_t Rank>
  ndx::vulkan::tensor_view<T, Rank> operator()(as<T, Rank>, operand const& o) const {
    auto const& memory = images_.at(o.memory).memory;
    ndx::index_t const offset = o.data == nullptr ? 0 : static_cast<std::byte*>(o.data) - o.memory;
    return {ndx::vulkan::device_pointer<T>(memory.view().data_handle().owner(), offset), to_array<Rank>(*o.extents),
            to_array<Rank>(*o.strides)};
  }

private:
  struct image {
    operand of;
    ndx::vulkan::tensor<std::byte, 1> memory;
  };

  static ndx::tensor_view<std::byte, 1> host(operand const& o) {
    return {o.memory, {static_cast<ndx::index_t>(o.bytes)}};
  }

  std::map<std::byte*, image> images_;
};

/// Runs `call(policy, view)` on device tensors; what it throws is thrown when the host has the results.
template <class Run>
void on_device_images(operands const& all, Run const& run) {
  device_images const images(all);
  std::exception_ptr thrown;
  try {
    run(images);
  } catch (...) {
    thrown = std::current_exception();
  }
  images.restore();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

struct on_device {
  template <class Call>
  void operator()(operands const& all, Call const& call) const {
    on_device_images(all, [&](device_images const& images) { call(vulkan_device(), images); });
  }
};

struct in_batch {
  template <class Call>
  void operator()(operands const& all, Call const& call) const {
    on_device_images(all, [&](device_images const& images) {
      ndx::vulkan::batch batch = vulkan_device().begin();
      call(batch, images);
      batch.submit().wait();
    });
  }
};

/// Through a recorder, into a command buffer that could be the application's.
struct through_recorder {
  template <class Call>
  void operator()(operands const& all, Call const& call) const {
    on_device_images(all, [&](device_images const& images) {
      auto const& state = vulkan_device().state();
      ndx::vulkan::submission commands(*state->context, state->submissions);
      ndx::vulkan::recorder recorder(vulkan_device(), commands.buffer());
      call(recorder, images);
      recorder.finish();
      commands.submit();
      commands.wait();
      recorder.check();
    });
  }
};

/// Host tensors, device tensors, a batch, a recorder.
using device_ways = std::bitset<4>;

/// Those that elements of `T` go: floats all of them, others with host tensors and one that their size says. Ways part
/// where a call meets its policy, before anything depends on elements, and each takes long to compile.
template <class T>
inline constexpr device_ways device_ways_of = std::is_same_v<T, float>
                                                  ? 0b1111
                                                  : 0b0001 | (0b0010 << (std::bit_width(sizeof(T)) % 3));

/// Which of `ways` a problem goes. As NDX_TEST_WAYS in the environment says: all of them, or those with `host` tensors
/// alone, or one that is `drawn` for each problem anew. A failure is repeated without that variable.
device_ways choose_ways(device_ways ways);

template <class T, class Visitor>
void for_each_vulkan_way(Visitor&& visit) {
  if (!vulkan_or_skip()) return;
  no_validation_messages const none;
  constexpr device_ways all = device_ways_of<T>;
  device_ways const due = choose_ways(all);
  if (due[0]) visit(std::string("vulkan, host tensors"), on_host<ndx::vulkan::device>{vulkan_device()});
  if constexpr (all[1])
    if (due[1]) visit(std::string("vulkan, device tensors"), on_device{});
  if constexpr (all[2])
    if (due[2]) visit(std::string("vulkan, batch"), in_batch{});
  if constexpr (all[3])
    if (due[3]) visit(std::string("vulkan, recorder"), through_recorder{});
}

}  // namespace test

#endif
