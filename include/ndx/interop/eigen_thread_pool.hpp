// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_EIGEN_THREAD_POOL_HPP
#define NDX_INTEROP_EIGEN_THREAD_POOL_HPP

#include <ndx/cpu/executor.hpp>

#if __has_include(<Eigen/ThreadPool>)
#include <Eigen/ThreadPool>
#else  // up to 3.4
#include <unsupported/Eigen/CXX11/ThreadPool>
#endif

#include <atomic>
#include <memory>

namespace ndx {

/// The threads of an Eigen::ThreadPool, or of what else implements its interface: `ndx::par_simd.on(pool)` with an
/// `ndx::eigen_executor pool(threads)`. The calling thread takes the place of one of the pool's, so that together they
/// are as many as the pool has. The pool must outlive the executor.
///
/// May be used from the tasks of the same pool: a call waits for no thread that has not begun to help, so one that
/// finds the pool busy does the work itself.
class eigen_executor {
public:
  explicit eigen_executor(Eigen::ThreadPoolInterface& pool) noexcept : pool_(&pool) {}

  [[nodiscard]] int concurrency() const noexcept { return pool_->NumThreads(); }

  void run(int threads, index_t parts, executor_part part) const noexcept {
    std::shared_ptr<call> shared;
    // Where memory runs out there are fewer helpers, or none.
    detail::attempt([&] {
      shared = std::make_shared<call>(parts, part);
      for (int helper = 1; helper < threads; ++helper) pool_->Schedule([shared] { shared->help(); });
    });
    if (shared != nullptr) return shared->lead();
    for (index_t i = 0; i < parts; ++i) part(i);
  }

private:
  /// Belongs to the caller and to all tasks: one that begins after the call has ended still finds that there is nothing
  /// left to do, and does not touch the part, which is gone by then.
  class call {
  public:
    call(index_t parts, executor_part part) noexcept : parts_(parts), part_(part) {}

    void lead() noexcept {
      take_parts();
      for (int helpers; (helpers = helpers_.load(std::memory_order_acquire)) != 0;)
        helpers_.wait(helpers, std::memory_order_acquire);
    }

    void help() noexcept {
      helpers_.fetch_add(1, std::memory_order_relaxed);
      take_parts();
      if (helpers_.fetch_sub(1, std::memory_order_acq_rel) == 1) helpers_.notify_all();
    }

  private:
    /// Whoever finds no part left has seen all helpers that took one: the counter hands that on.
    void take_parts() noexcept {
      for (index_t i; (i = next_.fetch_add(1, std::memory_order_acq_rel)) < parts_;) part_(i);
    }

    index_t parts_;
    executor_part part_;
    std::atomic<index_t> next_{0};
    std::atomic<int> helpers_{0};  // that may be at work on a part
  };

  Eigen::ThreadPoolInterface* pool_;
};

}  // namespace ndx

#endif
