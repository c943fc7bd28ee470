// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace ndx_bench {
namespace {

/// Of a clock that all processes of the machine share.
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The program itself, with its address resolved: it may be started from anywhere.
std::string path_of(char const* program) {
  char path[4096];
  ssize_t const size = readlink("/proc/self/exe", path, sizeof(path));
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : program;
}

}  // namespace

int first_call(char const* started, char const* cache_file) {
  try {
    double const begin = std::atof(started);
    double const in_main = now();
    ndx::vulkan::device_options with;
    with.pipeline_cache = cache_file;
    ndx::vulkan::device const gpu(with);
    double const has_device = now();
    std::vector<float> const numbers{0, 1, 2, 3, 4, 5};
    std::vector<std::int32_t> const lines{2, 0};
    std::vector<float> found(4, -1.0f);
    auto const call = [&] {
      ndx::gather_nd(gpu, ndx::tensor_view<float const, 2>(numbers.data(), {3, 2}),
                     ndx::tensor_view<std::int32_t const, 2>(lines.data(), {2, 1}),
                     ndx::tensor_view<float, 2>(found.data(), {2, 2}));
    };
    call();
    double const first = now();
    call();
    double const second = now();
    bool const right = found == std::vector<float>{4, 5, 0, 1};
    std::printf("%.9f %.9f %.9f %.9f %.9f %d\n", in_main - begin, has_device - in_main, first - has_device,
                second - first, first - begin, right ? 1 : 0);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

void measure_start(session& run, char const* program) {
  std::string const cache =
      (std::filesystem::temp_directory_path() / ndx::detail::text("ndx-bench-pipelines-", static_cast<long>(getpid())))
          .string();
  auto const measure = [&](std::string const& kind, char const* environment, std::string const& file, int times) {
    std::vector<std::string> names;
    for (char const* part : {"to_main", "device", "first_call", "second_call", "to_first_result"})
      names.push_back("start/" + kind + '/' + part);
    if (!run.wants_any(names)) return;
    std::vector<std::vector<double>> seconds(names.size());
    for (int i = 0; i < times; ++i) {
      std::string const command = ndx::detail::text(environment, " '", path_of(program), "' --first-call ",
                                                    std::to_string(now()), " '", file, "'");
      std::FILE* const child = popen(command.c_str(), "r");
      double values[5] = {};
      int right = 0;
      int const read = child == nullptr ? 0
                                        : std::fscanf(child, "%lf %lf %lf %lf %lf %d", &values[0], &values[1],
                                                      &values[2], &values[3], &values[4], &right);
      if (child == nullptr || pclose(child) != 0 || read != 6 || right != 1) {
        run.wrong.emplace_back("start/" + kind, "the program that was started has failed");
        return;
      }
      for (std::size_t part = 0; part < names.size(); ++part) seconds[part].push_back(values[part]);
    }
    for (std::size_t part = 0; part < names.size(); ++part) run.add(names[part], seconds[part], 0);
  };
  constexpr char const* without_the_drivers_own = "__GL_SHADER_DISK_CACHE=0 MESA_SHADER_CACHE_DISABLE=true";
  measure("no_cache", without_the_drivers_own, "", 3);
  measure("makes_cache", without_the_drivers_own, cache, 1);
  measure("has_cache", without_the_drivers_own, cache, 3);
  measure("drivers_cache", "", "", 4);
  std::remove(cache.c_str());
}

}  // namespace ndx_bench
