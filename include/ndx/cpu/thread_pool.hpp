// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_THREAD_POOL_HPP
#define NDX_CPU_THREAD_POOL_HPP

#include <ndx/error.hpp>

#include <atomic>
#include <type_traits>

// <thread> alone would add a third to the cost of including this library.
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
#define NDX_HAS_PTHREADS 1
#else
#include <thread>
#define NDX_HAS_PTHREADS 0
#endif

namespace ndx::cpu {

/// The processors that this process may run on.
inline int processor_count() noexcept {
#if NDX_HAS_PTHREADS
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  long const online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 1 ? static_cast<int>(online) : 1;
#else
  unsigned const online = std::thread::hardware_concurrency();
  return online > 1 ? static_cast<int>(online) : 1;
#endif
}

/// The processor that the calling thread is on, -1 where the system does not tell.
inline int current_processor() noexcept {
#if defined(__linux__)
  return sched_getcpu();
#else
  return -1;
#endif
}

/// Lets the processor do something else for some cycles.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The worker threads of the process. They start when first used, sleep between calls, and never end: a program exits,
/// and forks, as if they were not there.
///
/// A call hands out its parts by a counter. The caller takes parts itself and waits only for workers that have taken
/// one, so a worker that wakes late, or is missing, costs nothing. A worker that finds itself on the caller's
/// processor, where it could only take turns with the caller, moves to another one, between parts as well, as the
/// system may move either of them; the caller is never moved.
class thread_pool {
public:
  static constexpr int most_workers = 255;

  static thread_pool& shared() {
    static thread_pool* const pool = new thread_pool;  // never destroyed: workers may outlive static objects
    return *pool;
  }

  /// `part(i)` for every i in [0, parts), on at most `threads` threads, the caller's among them. Where the pool serves
  /// another call already, nested or from another thread, the caller does all of it.
  template <class Part>
  void run(int threads, index_t parts, Part const& part) noexcept {
    if (threads <= 1 || parts <= 1 || busy_.exchange(true, std::memory_order_acquire)) {
      for (index_t i = 0; i < parts; ++i) part(i);
      return;
    }
    auto const wanted = static_cast<int>(parts < threads ? parts : threads) - 1;
    int const helpers = started_ < wanted ? start_workers(wanted < most_workers ? wanted : most_workers) : wanted;
    parts_ = parts;
    context_ = &part;
    call_ = [](void const* context, index_t i) { (*static_cast<Part const*>(context))(i); };
    next_.store(0, std::memory_order_relaxed);
    tell_where();
    state_.store(helpers * one_place, std::memory_order_release);
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
    work([this] { tell_where(); });
    state_.fetch_and(one_place - 1, std::memory_order_acq_rel);  // nobody may join any more
    for (int active; (active = changed(state_, [](int state) { return state == 0; })) != 0;)
      state_.wait(active, std::memory_order_acquire);
    busy_.store(false, std::memory_order_release);
  }

private:
  /// In `state_`: how many workers may still join, times this, plus how many are at work.
  static constexpr int one_place = 1 << 16;

  /// How often a thread looks for news before it sleeps.
  static constexpr int looks = 1000;

  /// Where the calling thread may run.
  class processors {
  public:
    processors() noexcept {
#if defined(__linux__)
      known_ = sched_getaffinity(0, sizeof allowed_, &allowed_) == 0 && CPU_COUNT(&allowed_) > 1;
#endif
    }

    /// Moves the calling thread away from one of them, to which it may return when it has to leave another.
    void leave([[maybe_unused]] int processor) const noexcept {
#if defined(__linux__)
      if (!known_) return;
      cpu_set_t others = allowed_;
      CPU_CLR(processor, &others);
      sched_setaffinity(0, sizeof others, &others);
#endif
    }

#if defined(__linux__)
  private:
    cpu_set_t allowed_;
    bool known_ = false;
#endif
  };

  /// Takes parts until there are none, and calls `between()` before each.
  template <class Between>
  void work(Between const& between) noexcept {
    for (;;) {
      index_t const i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= parts_) return;
      between();
      call_(context_, i);
    }
  }

  void tell_where() noexcept { caller_.store(current_processor(), std::memory_order_relaxed); }

  void leave_caller(processors const& allowed) const noexcept {
    int const caller = caller_.load(std::memory_order_relaxed);
    if (caller >= 0 && current_processor() == caller) allowed.leave(caller);
  }

  /// Looks at a number for a while, some 20 microseconds, until it is as wanted; what it was in the end. To sleep and
  /// be woken takes as long.
  template <class Wanted>
  static int changed(std::atomic<int> const& number, Wanted const& wanted) noexcept {
    int value = number.load(std::memory_order_acquire);
    for (int look = 0; look < looks && !wanted(value); ++look) {
      pause();
      value = number.load(std::memory_order_acquire);
    }
    return value;
  }

  void serve() noexcept {
    processors const allowed;
    for (int seen = 0;;) {
      if (changed(calls_, [seen](int calls) { return calls != seen; }) == seen)
        calls_.wait(seen, std::memory_order_acquire);
      seen = calls_.load(std::memory_order_acquire);
      // Before it joins, and even if it comes too late: left there it would come too late for every call.
      leave_caller(allowed);
      int state = state_.load(std::memory_order_relaxed);
      while (state >= one_place &&
             !state_.compare_exchange_weak(state, state - one_place + 1, std::memory_order_acquire)) {}
      if (state < one_place) continue;
      work([&] { leave_caller(allowed); });
      if (state_.fetch_sub(1, std::memory_order_acq_rel) == 1) state_.notify_all();
    }
  }

  /// As many of `count` workers as the system grants.
  int start_workers(int count) noexcept {
#if NDX_HAS_PTHREADS
    // Signals are the application's: its own threads take them.
    sigset_t every;
    sigset_t before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    auto* const entry = +[](void* pool) -> void* {
      static_cast<thread_pool*>(pool)->serve();
      return nullptr;
    };
    for (pthread_t thread; started_ < count && pthread_create(&thread, nullptr, entry, this) == 0; ++started_)
      pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
#else
    for (; started_ < count; ++started_) std::thread([this] { serve(); }).detach();
#endif
    return started_;
  }

  std::atomic<bool> busy_{false};
  std::atomic<int> calls_{0};
  std::atomic<int> state_{0};
  std::atomic<int> caller_{-1};
  std::atomic<index_t> next_{0};
  index_t parts_ = 0;
  void const* context_ = nullptr;
  void (*call_)(void const*, index_t) = nullptr;
  int started_ = 0;
};

}  // namespace ndx::cpu

#endif
