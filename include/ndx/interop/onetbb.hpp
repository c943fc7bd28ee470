// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_ONETBB_HPP
#define NDX_INTEROP_ONETBB_HPP

#include <ndx/cpu/executor.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>

namespace ndx {

/// The threads of oneTBB: `ndx::par_simd.on(pool)` with an `ndx::tbb_executor pool`. Those of the arena of the thread
/// that calls an operator, or those of one arena, which must outlive the executor.
class tbb_executor {
public:
  tbb_executor() = default;
  explicit tbb_executor(tbb::task_arena& arena) noexcept : arena_(&arena) {}

  [[nodiscard]] int concurrency() const noexcept {
    return arena_ != nullptr ? arena_->max_concurrency() : tbb::this_task_arena::max_concurrency();
  }

  void run(int threads, index_t parts, executor_part part) const noexcept {
    std::atomic<index_t> next{0};
    auto const take_parts = [&] {
      for (index_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < parts;) part(i);
    };
    // One task a thread, so that no more of them take parts.
    auto const share_out = [&] {
      // Cancelling the host's tasks must not leave an operation half done.
      tbb::task_group_context uncancelled(tbb::task_group_context::isolated);
      tbb::parallel_for(
          0, threads, [&](int) { take_parts(); }, uncancelled);
    };
    // A thread that waits here takes no other task of the host, which might take long, or call an operator as well.
    auto const alone = [&] { tbb::this_task_arena::isolate(share_out); };
    detail::attempt([&] {
      if (arena_ != nullptr) arena_->execute(alone);
      else alone();
    });
    take_parts();  // what is left, where there was no memory for tasks
  }

private:
  tbb::task_arena* arena_ = nullptr;
};

}  // namespace ndx

#endif
