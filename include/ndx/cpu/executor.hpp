// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_EXECUTOR_HPP
#define NDX_CPU_EXECUTOR_HPP

#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/thread_pool.hpp>

#include <concepts>

namespace ndx {

/// What an executor is handed to call with every part's number. It owns nothing, is as cheap to copy as two pointers,
/// and may be called from several threads at once, until `run` returns.
class executor_part {
public:
  template <class Part>
    requires(!std::same_as<Part, executor_part>)
  explicit executor_part(Part const& part) noexcept
      : context_(&part),
        call_([](void const* context, index_t i) noexcept { (*static_cast<Part const*>(context))(i); }) {}

  void operator()(index_t i) const noexcept { call_(context_, i); }

private:
  void const* context_;
  void (*call_)(void const*, index_t) noexcept;
};

/// Threads of the application's own, for `par_simd.on(executor)`:
///
/// - `concurrency()` is the number of threads that it can bring, the caller's included.
/// - `run(threads, parts, part)` calls `part(i)` for every i in [0, parts) exactly once, in any order, on at most
///   `threads` threads, and returns when all calls have returned, with what they wrote visible to the caller. `parts`
///   is an `index_t`, `part` an `executor_part`. It is called with 2 <= threads <= parts, must not throw, and should
///   let the calling thread take parts, too.
///
/// Parts do not wait for each other, so they may as well run one after the other; nor do they throw. If several threads
/// use the policy at once, they call `run` at once.
template <class Executor>
concept executor = requires(Executor& host, Executor const& asked, int threads, index_t parts, executor_part part) {
  { asked.concurrency() } -> std::convertible_to<int>;
  host.run(threads, parts, part);
};

namespace cpu {

/// An executor of any type, so that kernels are compiled once for all of them. Does not own it. One made from nothing
/// stands for the threads of this library.
class executor_reference {
public:
  constexpr executor_reference() = default;

  template <executor Executor>
  constexpr explicit executor_reference(Executor& object) noexcept
      : object_(&object),
        concurrency_(
            [](void const* self) { return static_cast<int>(static_cast<Executor const*>(self)->concurrency()); }),
        run_([](void const* self, int threads, index_t parts, executor_part part) noexcept {
          static_cast<Executor*>(const_cast<void*>(self))->run(threads, parts, part);
        }) {}

  /// How many threads to use where at most `wanted` are; 0 means as many as there are.
  [[nodiscard]] int threads(int wanted) const {
    if (object_ == nullptr) {
      static int const processors = processor_count();
      return wanted > 0 ? wanted : processors;
    }
    int const most = concurrency_(object_);
    return wanted > 0 && wanted < most ? wanted : most;
  }

  /// `part(i)` for every i in [0, parts), on at most `threads` threads.
  template <class Part>
  void run(int threads, index_t parts, Part const& part) const noexcept {
    executor_part const erased(part);
    if (object_ == nullptr) return thread_pool::shared().run(threads, parts, erased);
    if (parts < threads) threads = static_cast<int>(parts);
    if (threads > 1) return run_by_host(threads, parts, erased);
    for (index_t i = 0; i < parts; ++i) part(i);
  }

private:
  /// While it waits for other threads, a pool may let this one do another task of the host, which may call an operator
  /// as well. So the scratch that parts are using is out of reach until then.
  void run_by_host(int threads, index_t parts, executor_part part) const noexcept {
    scratch in_use;
    in_use.swap(scratch::of_this_thread());
    run_(object_, threads, parts, part);
    in_use.swap(scratch::of_this_thread());
  }

  void const* object_ = nullptr;
  int (*concurrency_)(void const*) = nullptr;
  void (*run_)(void const*, int, index_t, executor_part) noexcept = nullptr;
};

}  // namespace cpu

namespace detail {

/// Calls `action`, which may fail for want of memory or threads: what it has not done then is left to its caller.
template <class Action>
void attempt(Action const& action) noexcept {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  try {
    action();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
#else
  action();
#endif
}

}  // namespace detail

}  // namespace ndx

#endif
