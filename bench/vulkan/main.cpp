// SPDX-License-Identifier: MIT
// Times the operators on a Vulkan device by its own timestamps; see docs/design/vulkan.md.
#include "session.hpp"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>

namespace {

using namespace ndx_bench;

constexpr char const* usage =
    "usage: bench_vulkan [--only=PART] [--scale=N] [--json=FILE] [--seconds=S]\n"
    "  --only=PART   workloads whose name contains PART\n"
    "  --scale=N     sizes divided by N, a power of 4, which then stands in the names; 256 suits a software device\n"
    "  --json=FILE   writes the results there\n"
    "  --seconds=S   about how long each workload is repeated: 3 to 21 times; 0.25\n"
    "The device is the best one, or what NDX_VULKAN_DEVICE says.\n";

bool parsed(int count, char** arguments, options& to) {
  for (int i = 1; i < count; ++i) {
    char const* const argument = arguments[i];
    char const* const equals = std::strchr(argument, '=');
    if (equals == nullptr) return false;
    std::string const name(argument, equals);
    std::string const value = equals + 1;
    if (name == "--only") to.only = value;
    else if (name == "--json") to.json = value;
    else if (name == "--scale") to.scale = std::atoll(value.c_str());
    else if (name == "--seconds") to.seconds = std::atof(value.c_str());
    else return false;
  }
  index_t power = 1;
  while (power < to.scale) power *= 4;
  return power == to.scale && to.scale <= 1024 && to.seconds > 0;
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

std::string date() {
  std::time_t const now = std::time(nullptr);
  char text[32];
  std::size_t const size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S+00:00", std::gmtime(&now));
  return {text, size};
}

bool write_json(session const& run, std::string const& command) {
  std::FILE* const file = std::fopen(run.chosen.json.c_str(), "w");
  if (file == nullptr) return false;
  auto const& info = run.gpu.info();
  std::fprintf(file, "{\n \"device\": %s,\n \"driver\": %s,\n \"date\": %s,\n \"command\": %s,\n",
               quoted(info.name).c_str(), quoted(info.driver).c_str(), quoted(date()).c_str(), quoted(command).c_str());
  std::fprintf(file, " \"scale\": %lld,\n \"seconds\": %g,\n \"results\": {", static_cast<long long>(run.chosen.scale),
               run.chosen.seconds);
  char const* separator = "\n";
  for (auto const& [name, one] : run.results) {
    std::fprintf(file,
                 "%s  %s: {\"us\": %.3f, \"gbs\": %.3f, \"fastest_us\": %.3f, \"slowest_us\": %.3f, \"runs\": %zu}",
                 separator, quoted(name).c_str(), one.microseconds, one.bytes / one.microseconds * 1e-3, one.fastest,
                 one.slowest, one.repetitions);
    separator = ",\n";
  }
  auto const texts = [&](char const* title, auto const& all) {
    std::fprintf(file, "\n },\n \"%s\": {", title);
    separator = "\n";
    for (auto const& [name, text] : all) {
      std::fprintf(file, "%s  %s: %s", separator, quoted(name).c_str(), quoted(text).c_str());
      separator = ",\n";
    }
  };
  texts("skipped", run.skipped);
  texts("wrong", run.wrong);
  std::fprintf(file, "\n }\n}\n");
  return std::fclose(file) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 4 && std::strcmp(arguments[1], "--first-call") == 0) return first_call(arguments[2], arguments[3]);
  options chosen;
  if (!parsed(count, arguments, chosen)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    session run(ndx::vulkan::device(), chosen);
    auto const& info = run.gpu.info();
    std::printf("%s, driver %s, %llu MiB\n", info.name.c_str(), info.driver.c_str(),
                static_cast<unsigned long long>(info.memory >> 20U));
    auto const& can = run.gpu.capabilities();
    std::printf("storage range %llu, allocation %llu bytes, workgroups of %u, %g ns a tick%s%s%s%s%s\n",
                static_cast<unsigned long long>(can.storage_range), static_cast<unsigned long long>(can.allocation),
                can.workgroup_size, static_cast<double>(can.timestamp_period), can.storage_8 ? ", 8-bit storage" : "",
                can.storage_16 ? ", 16-bit storage" : "", can.device_address ? ", device addresses" : "",
                can.float_atomic_add ? ", float atomics" : "", can.int64_atomics ? ", int64 atomics" : "");
    std::string command;
    for (int i = 0; i < count; ++i) command += std::string(i == 0 ? "" : " ") + arguments[i];
    bool written = true;
    int failed = 0;
    using part = std::function<void(session&)>;
    for (part const& measure : {part(measure_copy), part(measure_rows), part(measure_tuples), part(measure_slices),
                                part(measure_elements), part(measure_small_calls), part(measure_host_tensors),
                                part([&](session& all) { measure_start(all, arguments[0]); })}) {
      try {
        measure(run);
      } catch (std::exception const& error) {
        std::printf("error: %s\n", error.what());
        run.wrong.emplace_back(ndx::detail::text("error ", ++failed), error.what());
      }
      // After each part: a device that is lost may take the program with it.
      if (!chosen.json.empty()) written = write_json(run, command);
    }
    if (!written) {
      std::fprintf(stderr, "error: %s cannot be written\n", chosen.json.c_str());
      return 1;
    }
    std::printf("%zu workloads measured, %zu skipped, %zu wrong\n", run.results.size(), run.skipped.size(),
                run.wrong.size());
    return run.wrong.empty() ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
