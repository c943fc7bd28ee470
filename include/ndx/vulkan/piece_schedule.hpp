// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PIECE_SCHEDULE_HPP
#define NDX_VULKAN_PIECE_SCHEDULE_HPP

#include <ndx/cpu/executor.hpp>
#include <ndx/vulkan/submission.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>

namespace ndx::vulkan {

/// Who has a piece of memory that the host and the device use by turns, for one transfer: piece i of it lies in slot
/// i modulo `Slots`. Threads go on to the next piece while others are still at work on the last one, or hand it to the
/// device, so that none of them waits for all.
///
/// Each piece has the same number of shares. The thread with the first share waits until the device is done with the
/// slot, the one that ends the last of them hands the slot to the device, but for that of the last piece, which the
/// caller hands over. A share waits for earlier ones alone, so it is enough that they are begun in order.
template <std::size_t Slots>
class piece_schedule {
public:
  /// The first pieces may be worked on at once, or when what `sent` has for them is done.
  piece_schedule(context const& of, index_t pieces, index_t shares) noexcept
      : context_(of), pieces_(pieces), shares_(shares) {
    for (std::size_t i = 0; i < Slots; ++i) slots_[i].handed.store(static_cast<index_t>(i), std::memory_order_relaxed);
  }

  /// What the device does with a slot. Waits before it goes.
  std::optional<submission>& sent(index_t piece) noexcept { return of(piece).sent; }

  /// By every core: `open(piece)` when the device is done with its slot, then `work(piece, share)` for each share, by
  /// any thread, then `hand(piece)`. After the first failure nothing is begun any more, and it is passed on.
  template <class Open, class Work, class Hand>
  void run(Open const& open, Work const& work, Hand const& hand) {
    cpu::executor_reference const every_core;
    every_core.run(every_core.threads(0), pieces_ * shares_, [&](index_t i) {
      index_t const piece = i / shares_;
      index_t const share = i % shares_;
      slot& at = of(piece);
      if (share == 0) {
        await(at.handed, piece);
        carefully([&] {
          if (at.sent) at.sent->wait();
          at.sent.reset();
          open(piece);
        });
        at.left.store(shares_, std::memory_order_relaxed);
        tell(at.opened, piece);
      } else {
        await(at.opened, piece);
      }
      carefully([&] { work(piece, share); });
      if (at.left.fetch_sub(1, std::memory_order_acq_rel) != 1 || piece == pieces_ - 1) return;
      carefully([&] { hand(piece); });
      tell(at.handed, piece + static_cast<index_t>(Slots));
    });
    // A worker would take so long for it that the caller fell asleep meanwhile.
    carefully([&] { hand(pieces_ - 1); });
    if (failure_) std::rethrow_exception(failure_);
    for (slot& each : slots_)
      if (each.sent) each.sent->wait();
  }

private:
  struct slot {
    std::atomic<index_t> opened{-1};  ///< the last piece that may be worked on
    std::atomic<index_t> handed{0};   ///< the next piece, when the slot was handed to the device
    std::atomic<index_t> left{0};     ///< shares
    std::optional<submission> sent;
  };

  slot& of(index_t piece) noexcept { return slots_[static_cast<std::size_t>(piece) % Slots]; }

  void await(std::atomic<index_t> const& number, index_t least) const noexcept {
    index_t value = number.load(std::memory_order_acquire);
    if (value >= least) return;
    ask_for_a_while(context_, [&] {
      cpu::pause();
      value = number.load(std::memory_order_acquire);
      return value >= least;
    });
    for (; value < least; value = number.load(std::memory_order_acquire)) number.wait(value, std::memory_order_acquire);
  }
  static void tell(std::atomic<index_t>& number, index_t value) noexcept {
    number.store(value, std::memory_order_release);
    number.notify_all();
  }

  /// What follows a failure is passed over, but counted, so that nobody waits for it in vain.
  template <class Action>
  void carefully(Action const& action) noexcept {
    if (failed_.load(std::memory_order_acquire)) return;
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    try {
      action();
    } catch (...) {
      std::lock_guard const lock(failing_);
      if (!failure_) failure_ = std::current_exception();
      failed_.store(true, std::memory_order_release);
    }
#else
    action();
#endif
  }

  context const& context_;
  index_t pieces_;
  index_t shares_;  // of a piece
  std::array<slot, Slots> slots_;
  std::atomic<bool> failed_{false};
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace ndx::vulkan

#endif
