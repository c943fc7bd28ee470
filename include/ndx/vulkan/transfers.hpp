// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_TRANSFERS_HPP
#define NDX_VULKAN_TRANSFERS_HPP

#include <ndx/vulkan/host_copy.hpp>
#include <ndx/vulkan/memory.hpp>
#include <ndx/vulkan/operand.hpp>
#include <ndx/vulkan/piece_schedule.hpp>
#include <ndx/vulkan/pieces.hpp>
#include <ndx/vulkan/submission.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace ndx::vulkan {

/// Large host tensors to packed memory of the device and back, in pieces: while some are on their way, the next is
/// packed into memory that both sides see, or unpacked, by every core of the host. One core copies a fifth of what the
/// link carries, and memory that the device sees takes longer to get than to use: so there is little of it, and it is
/// kept.
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

  /// `copy` is from the tensor to its packed elements, in bytes, `to` where those go.
  template <class = void>
  void upload(plan::indexed_copy const& copy, std::byte const* from, byte_range const& to) {
    std::lock_guard const lock(mutex_);
    open();
    pieces const parts(copy, size_);
    index_t const shares = shares_on_host(parts[0]).parts();
    piece_schedule<count> by_turns(*context_, parts.count(), shares);
    by_turns.run([](index_t) {},
                 [&](index_t i, index_t share) {
                   plan::indexed_copy part = parts[i];
                   part.destination_base = 0;
                   // The device reads what is still in the caches faster.
                   copy_share_on_host(part, piece(i).mapped, from, stores::temporal, share, shares);
                 },
                 [&](index_t i) {
                   byte_range const there = range(parts[i], to);
                   memory_.flush(piece(i), 0, there.size());
                   send(by_turns.sent(i), begin_of(piece(i), there.size()), there);
                 });
  }

  /// The other way: `copy` is the same as for `upload`.
  template <class = void>
  void download(plan::indexed_copy const& copy, byte_range const& from, std::byte* to) {
    std::lock_guard const lock(mutex_);
    open();
    pieces const parts(copy, size_);
    auto const back = [&](index_t i) {
      plan::indexed_copy part = parts[i];
      part.destination_base = 0;
      part = reversed(part);
      plan::normalize(part);
      return part;
    };
    index_t const shares = shares_on_host(back(0)).parts();
    piece_schedule<count> by_turns(*context_, parts.count(), shares);
    auto const request = [&](index_t i) {
      if (i >= parts.count()) return;
      byte_range const there = range(parts[i], from);
      send(by_turns.sent(i), there, begin_of(piece(i), there.size()));
    };
    for (index_t i = 0; i < static_cast<index_t>(count); ++i) request(i);
    by_turns.run([&](index_t i) { memory_.invalidate(piece(i), 0, static_cast<VkDeviceSize>(parts[i].tail)); },
                 [&](index_t i, index_t share) {
                   copy_share_on_host(back(i), to, piece(i).mapped, stores::streaming, share, shares);
                 },
                 [&](index_t i) { request(i + static_cast<index_t>(count)); });
  }

private:
  static constexpr std::size_t count = tuning::transfer_pieces;

  void open() {
    if (size_ != 0) return;
    VkDeviceSize const most = context_->can.allocation;
    VkDeviceSize const size = context_->can.piece < most ? context_->can.piece : most;
    for (region& piece : pieces_)
      if (piece.buffer == VK_NULL_HANDLE) piece = memory_.allocate(size, memory_use::download);
    size_ = size;
  }

  /// Where a part is in the packed memory on the device.
  [[nodiscard]] static byte_range range(plan::indexed_copy const& part, byte_range const& all) noexcept {
    std::uint64_t const begin = all.begin + static_cast<std::uint64_t>(part.destination_base);
    return {all.buffer, begin, begin + static_cast<std::uint64_t>(part.tail)};
  }
  [[nodiscard]] static byte_range begin_of(region const& piece, VkDeviceSize bytes) noexcept {
    return {piece.buffer, piece.offset, piece.offset + bytes};
  }
  [[nodiscard]] region const& piece(index_t i) const noexcept { return pieces_[static_cast<std::size_t>(i) % count]; }

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

  std::shared_ptr<vulkan::context> context_;
  vulkan::memory& memory_;
  submission_pool& pool_;
  std::mutex mutex_;
  VkDeviceSize size_ = 0;  // of a piece
  std::array<region, count> pieces_{};
};

}  // namespace ndx::vulkan

#endif
