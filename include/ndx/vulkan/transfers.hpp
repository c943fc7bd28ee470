// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_TRANSFERS_HPP
#define NDX_VULKAN_TRANSFERS_HPP

#include <ndx/cpu/executor.hpp>
#include <ndx/cpu/nest.hpp>
#include <ndx/vulkan/memory.hpp>
#include <ndx/vulkan/operand.hpp>
#include <ndx/vulkan/submission.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace ndx::vulkan {

/// Large blocks of host memory to the device and back, in pieces: while some are on their way, the next is copied to or
/// from memory that both sides see, by every core of the host. One core copies a fifth of what the link carries, and
/// memory that the device sees takes longer to get than to use: so there is little of it, and it is kept.
///
/// Used from any thread, by one at a time. Both return when all is there.
class transfers {
public:
  transfers(std::shared_ptr<vulkan::context> of, vulkan::memory& memory, submission_pool& pool)
      : context_(std::move(of)), memory_(memory), pool_(pool) {}
  transfers(transfers const&) = delete;
  transfers& operator=(transfers const&) = delete;
  ~transfers() {
    for (region const& piece : pieces_) memory_.release(piece);
  }

  /// Takes the memory, so that what comes later does not fail for want of it.
  void prepare() {
    std::lock_guard const lock(mutex_);
    open();
  }

  void upload(std::byte const* from, byte_range const& to) {
    std::lock_guard const lock(mutex_);
    open();
    sent_pieces sent;
    std::size_t piece = 0;
    for (VkDeviceSize first = 0; first < to.size(); first += size_, piece = (piece + 1) % count) {
      VkDeviceSize const bytes = part(first, to);
      finish(sent[piece]);
      copy_on_every_core(pieces_[piece].mapped, from + first, static_cast<index_t>(bytes), false);
      memory_.flush(pieces_[piece], 0, bytes);
      send(sent[piece], range(piece, bytes), {to.buffer, to.begin + first, to.begin + first + bytes});
    }
    for (auto& each : sent) finish(each);
  }

  void download(byte_range const& from, std::byte* to) {
    std::lock_guard const lock(mutex_);
    open();
    sent_pieces sent;
    auto const request = [&](std::size_t piece, VkDeviceSize first) {
      if (first >= from.size()) return;
      VkDeviceSize const bytes = part(first, from);
      send(sent[piece], {from.buffer, from.begin + first, from.begin + first + bytes}, range(piece, bytes));
    };
    for (std::size_t piece = 0; piece < count; ++piece) request(piece, piece * size_);
    std::size_t piece = 0;
    for (VkDeviceSize first = 0; first < from.size(); first += size_, piece = (piece + 1) % count) {
      VkDeviceSize const bytes = part(first, from);
      finish(sent[piece]);
      memory_.invalidate(pieces_[piece], 0, bytes);
      copy_on_every_core(to + first, pieces_[piece].mapped, static_cast<index_t>(bytes), true);
      request(piece, first + count * size_);
    }
  }

private:
  static constexpr std::size_t count = tuning::transfer_pieces;
  /// Of one transfer: each waits before it goes, so that nothing uses the pieces any more when a transfer fails.
  using sent_pieces = std::array<std::optional<submission>, count>;

  void open() {
    if (size_ != 0) return;
    VkDeviceSize const most = context_->can.allocation;
    VkDeviceSize const size = tuning::transfer_piece_bytes < most ? tuning::transfer_piece_bytes : most;
    for (region& piece : pieces_)
      if (piece.buffer == VK_NULL_HANDLE) piece = memory_.allocate(size, memory_use::download);
    size_ = size;
  }

  [[nodiscard]] VkDeviceSize part(VkDeviceSize first, byte_range const& all) const noexcept {
    return all.size() - first < size_ ? all.size() - first : size_;
  }
  [[nodiscard]] byte_range range(std::size_t piece, VkDeviceSize bytes) const noexcept {
    return {pieces_[piece].buffer, pieces_[piece].offset, pieces_[piece].offset + bytes};
  }

  void send(std::optional<submission>& slot, byte_range const& from, byte_range const& to) {
    slot.emplace(*context_, pool_);
    VkBufferCopy const region{from.begin, to.begin, from.size()};
    context_->call.vkCmdCopyBuffer(slot->buffer(), from.buffer, to.buffer, 1, &region);
    // For the host, and for what later submissions do with it; every submission ends so.
    VkMemoryBarrier const barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                                      VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    context_->call.vkCmdPipelineBarrier(
        slot->buffer(), VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
        &barrier, 0, nullptr, 0, nullptr);
    slot->submit();
  }

  static void finish(std::optional<submission>& slot) {
    if (!slot) return;
    slot->wait();
    slot.reset();
  }

  /// `stream`: past the caches. The device reads a piece that is still in them faster.
  static void copy_on_every_core(std::byte* to, std::byte const* from, index_t bytes, bool stream) noexcept {
    cpu::kernel_set const& kernels = cpu::kernels_of(cpu::default_instruction_set());
    constexpr index_t share = cpu::tuning::bytes_in_part;
    cpu::executor_reference const threads;
    threads.run(threads.threads(0), (bytes + share - 1) / share, [&](index_t i) {
      cpu::copy_bytes(kernels, to + i * share, from + i * share, cpu::lesser(share, bytes - i * share),
                      {.stream = stream});
      cpu::finish_streamed_stores();
    });
  }

  std::shared_ptr<vulkan::context> context_;
  vulkan::memory& memory_;
  submission_pool& pool_;
  std::mutex mutex_;
  VkDeviceSize size_ = 0;  // of a piece
  std::array<region, count> pieces_{};
};

}  // namespace ndx::vulkan

#endif
