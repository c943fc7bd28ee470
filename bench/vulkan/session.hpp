// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_VULKAN_SESSION_HPP
#define NDX_BENCH_VULKAN_SESSION_HPP

#include "data.hpp"
#include "device_clock.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace ndx_bench {

struct result {
  double microseconds;
  double fastest;
  double slowest;
  std::size_t repetitions;
  double bytes;  ///< indices read, elements read and written; 0: says nothing
};

struct options {
  std::string only;       ///< a part of the workload's name
  std::string json;       ///< a file to write
  index_t scale = 1;      ///< a power of 4 that sizes are divided by, and edges by its root
  double seconds = 0.25;  ///< about how long a workload is repeated
};

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t const half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The device, the tensors that workloads share, and what came out.
class session {
public:
  session(ndx::vulkan::device const& on, options const& with) : gpu(on), clock(on), chosen(with) {
    while (root * root < chosen.scale) root *= 2;
  }

  ndx::vulkan::device gpu;
  device_clock clock;
  options chosen;
  index_t root = 1;
  std::vector<std::pair<std::string, result>> results;
  std::vector<std::pair<std::string, std::string>> skipped;
  std::vector<std::pair<std::string, std::string>> wrong;

  [[nodiscard]] index_t scaled(index_t size) const { return std::max<index_t>(1, size / chosen.scale); }
  [[nodiscard]] index_t scaled_edge(index_t edge) const { return std::max<index_t>(1, edge / root); }

  [[nodiscard]] bool wanted(std::string const& workload) const {
    return workload.find(chosen.only) != std::string::npos;
  }
  [[nodiscard]] bool wants_any(std::vector<std::string> const& workloads) const {
    return std::any_of(workloads.begin(), workloads.end(), [&](auto const& one) { return wanted(one); });
  }

  /// Runs `body`, which measures `workloads`, if one of them is wanted and there is room for `bytes` on the device.
  /// What goes wrong there does not keep others from being measured.
  template <class Body>
  void group(std::vector<std::string> const& workloads, index_t bytes, Body const& body) {
    if (!wants_any(workloads)) return;
    auto const needed = static_cast<std::uint64_t>(bytes);
    // A part of the device's memory is always taken by others.
    if (needed > gpu.info().memory / 16 * 15) {
      leave_out(
          workloads, skipped, "skipped",
          ndx::detail::text("needs ", needed >> 20U, " MiB of device memory, there are ", gpu.info().memory >> 20U));
      return;
    }
    try {
      body();
    } catch (ndx::vulkan::error const& error) {
      if (gpu.state()->context->lost()) throw;
      bool const no_room =
          error.result() == VK_ERROR_OUT_OF_DEVICE_MEMORY || error.result() == VK_ERROR_OUT_OF_HOST_MEMORY;
      leave_out(workloads, no_room ? skipped : wrong, no_room ? "skipped" : "WRONG", error.what());
    } catch (std::exception const& error) {
      leave_out(workloads, wrong, "WRONG", error.what());
    }
  }

  /// Times `operate(policy)` and asks `mistake()`, once it has run for the first time, what is wrong with the result.
  template <class Operate, class Mistake>
  void measure(std::string const& workload, index_t bytes, Operate const& operate, Mistake const& mistake) {
    if (!wanted(workload)) return;
    clock.seconds(1, operate);
    if (std::string const text = mistake(); !text.empty()) {
      std::printf("%-44s WRONG: %s\n", name(workload).c_str(), text.c_str());
      wrong.emplace_back(name(workload), text);
      return;
    }
    double const once = clock.seconds(1, operate)[0];
    auto const within = [&](double seconds, double least, double most) {
      return static_cast<std::uint32_t>(std::clamp(once > 0 ? seconds / once : most, least, most));
    };
    // A device that had nothing to do while the host prepared and checked runs at a low clock at first.
    constexpr double to_warm_up = 0.1;
    if (once < to_warm_up / 4) {
      auto const start = std::chrono::steady_clock::now();
      while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < to_warm_up)
        clock.seconds(within(to_warm_up / 4, 1, device_clock::most_repetitions), operate);
    }
    std::uint32_t const repetitions = within(chosen.seconds, 3, 21);
    add(workload, clock.seconds(repetitions, operate), static_cast<double>(bytes));
  }

  void add(std::string const& workload, std::vector<double> const& seconds, double bytes) {
    auto const [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    result const one{median(seconds) * 1e6, *least * 1e6, *most * 1e6, seconds.size(), bytes};
    std::string const rate = bytes == 0 ? "" : std::to_string(std::lround(bytes / one.microseconds * 1e-3));
    std::printf("%-44s %10.1f us %6s GB/s   %.1f to %.1f us, %zu runs\n", name(workload).c_str(), one.microseconds,
                rate.c_str(), one.fastest, one.slowest, one.repetitions);
    std::fflush(stdout);
    results.emplace_back(name(workload), one);
  }

  /// Four GiB of floats, scaled, filled anew.
  words& table() {
    if (table_.empty()) table_ = gpu.allocate<std::uint32_t, 1>({table_words()});
    fill(gpu, table_, table_pattern);
    return table_;
  }
  [[nodiscard]] index_t table_words() const { return scaled(index_t{1} << 30); }
  [[nodiscard]] index_t table_bytes() const { return 4 * table_words(); }

  [[nodiscard]] words allocate(index_t count) const { return gpu.allocate<std::uint32_t, 1>({count}); }
  [[nodiscard]] words allocate_filled(index_t count, pattern const& with) const {
    words result = allocate(count);
    fill(gpu, result, with);
    return result;
  }
  /// What a kernel leaves out must not look right because an earlier one was.
  [[nodiscard]] words allocate_blank(index_t count) const {
    words result = allocate(count);
    std::uint32_t const nothing = 0xffffffffU;
    auto const one = gpu.upload(ndx::tensor_view<std::uint32_t const, 1>(&nothing, {1}));
    ndx::slice1(gpu, ndx::vulkan::tensor_view<std::uint32_t const, 1>(one.view().data_handle(), {count}, {0}), result,
                {.offsets = {0}, .sizes = {count}, .strides = {1}});
    return result;
  }

  [[nodiscard]] std::string name(std::string const& workload) const {
    bool const has_no_size = workload.starts_with("small/") || workload.starts_with("start/");
    return chosen.scale == 1 || has_no_size ? workload : ndx::detail::text(workload, "@1/", chosen.scale);
  }

private:
  using notes = std::vector<std::pair<std::string, std::string>>;

  /// Notes why there is no result of those among `workloads` that have none.
  void leave_out(std::vector<std::string> const& workloads, notes& to, char const* how, std::string const& why) {
    for (auto const& workload : workloads) {
      auto const is = [&](auto const& one) { return one.first == name(workload); };
      bool const known = std::any_of(results.begin(), results.end(), is) || std::any_of(wrong.begin(), wrong.end(), is);
      if (known || !wanted(workload)) continue;
      std::printf("%-44s %s: %s\n", name(workload).c_str(), how, why.c_str());
      to.emplace_back(name(workload), why);
    }
  }

  words table_;
};

void measure_copy(session&);
void measure_rows(session&);
void measure_tuples(session&);
void measure_slices(session&);
void measure_elements(session&);
void measure_small_calls(session&);
void measure_host_tensors(session&);
/// `program`: the path of this one, which is started again.
void measure_start(session&, char const* program);
/// What the program that `measure_start` starts does.
int first_call(char const* started, char const* cache_file);

}  // namespace ndx_bench

#endif
