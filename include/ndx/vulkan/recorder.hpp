// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_RECORDER_HPP
#define NDX_VULKAN_RECORDER_HPP

#include <ndx/vulkan/device.hpp>

namespace ndx::vulkan {

/// A policy that records into a command buffer of the application's, primary or secondary, outside of render passes,
/// and submits nothing. Takes device tensors only, of one device. From one thread at a time.
///
/// The application
/// - makes what the operators read available to compute shaders (stage COMPUTE_SHADER, access SHADER_READ and
///   SHADER_WRITE) before the first of them; between the operators the recorder puts the barriers that they need,
///   against all that it recorded before;
/// - makes what they write (COMPUTE_SHADER, SHADER_WRITE) available to what comes after;
/// - has to bind its own compute pipeline and descriptor sets again;
/// - keeps the recorder, its device and the tensors until the last submission of the command buffer is done.
///
/// The command buffer may be submitted again, but not while it is still running. The memory of tensors that go while
/// the recorder is there is kept until the recorder goes.
///
/// What does not depend on the values of indices is checked while recording, before a command is recorded. After an
/// `error` of Vulkan's while recording a part of the operator may be in the command buffer: it has to be recorded anew,
/// with a new recorder.
class recorder {
public:
  /// `buffer` is being recorded, by the same thread, and of a pool of the device's queue family. Records nothing yet.
  recorder(device const& gpu, VkCommandBuffer buffer)
      : state_(gpu.state()), period_(*state_), recording_(state_, buffer, true) {}
  recorder(recorder const&) = delete;
  recorder& operator=(recorder const&) = delete;

  template <class T, class Index, class Destination, class Source, class Indices, class Input>
  void execute(plan::operation const& op, plan::arguments<T, Index, Destination, Source, Indices, Input> const& on) {
    detail::record(recording_, op, on);
  }

  /// To be called last while recording where `check` is to be called: lets the host see what was met.
  void finish() { recording_.out().barrier_to_all(); }

  /// When the commands are done: throws the `index_error` of the first operator that has met a bad index in the last
  /// run. Does not wait.
  void check() const { recording_.finish(); }

private:
  std::shared_ptr<device_state> state_;
  usage_period period_;
  recording recording_;
};

}  // namespace ndx::vulkan

#endif
