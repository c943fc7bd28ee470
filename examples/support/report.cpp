// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace examples {
namespace {

std::string three_digits(double value, char const* unit) {
  std::array<char, 64> text{};
  int const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit);
  return text.data();
}

}  // namespace

double median_seconds(std::function<void()> const& call) {
  using clock = std::chrono::steady_clock;
  constexpr std::size_t least = 3, most = 25;
  constexpr double enough_seconds = 0.1;
  std::vector<double> runs;
  double total = 0;
  while (runs.size() < least || (runs.size() < most && total < enough_seconds)) {
    auto const start = clock::now();
    call();
    runs.push_back(std::chrono::duration<double>(clock::now() - start).count());
    total += runs.back();
  }
  auto const middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end());
  return *middle;
}

std::string readable_time(double seconds) {
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6, "us");
  if (seconds < 0.9995) return three_digits(seconds * 1e3, "ms");
  return three_digits(seconds, "s");
}

std::string readable_rate(std::int64_t bytes, double seconds) {
  return three_digits(static_cast<double>(bytes) / std::max(seconds, 1e-9) / 1e9, "GB/s");
}

void print_table(std::vector<result> const& results) {
  constexpr std::size_t name_width = 18;
  // The left part of a job has three lines: what it does, what goes in, what comes out.
  auto const left_part = [](result const& each) {
    auto const arrow = each.shapes.find(" -> ");
    return std::array{each.what, each.shapes.substr(0, arrow), each.shapes.substr(arrow + 1)};
  };
  std::size_t longest = 0;
  for (auto const& each : results) {
    for (auto const& line : left_part(each)) longest = std::max(longest, line.size());
  }
  int const width = static_cast<int>(name_width + longest);
  std::string const rule(name_width + longest + 46, '-');

  std::printf("%-*s  %-9s%10s%12s   %s\n%s\n", width, "operator          what, input -> output", "policy", "time",
              "rate", "output", rule.c_str());
  for (auto const& each : results) {
    auto const left = left_part(each);
    for (std::size_t line = 0; line < std::max(left.size(), each.timings.size()); ++line) {
      std::string text = line == 0 ? each.operator_name : "";
      text.resize(name_width, ' ');
      if (line < left.size()) text += left[line];
      if (line < each.timings.size()) {
        auto const& [policy, seconds, difference] = each.timings[line];
        std::string const verdict = !difference.empty() ? difference : line == 0 ? "reference" : "same bits";
        std::printf("%-*s  %-9s%10s%12s   %s\n", width, text.c_str(), policy.c_str(), readable_time(seconds).c_str(),
                    readable_rate(each.bytes, seconds).c_str(), verdict.c_str());
      } else {
        std::printf("%s\n", text.c_str());
      }
    }
    std::printf("%s\n", rule.c_str());
  }
  std::printf(
      "Time: the median of at least 3 runs, after one that does not count. Rate: the bytes that a run reads and "
      "writes\n"
      "in that time; every element moved counts twice, every index once, an element or index that is repeated by\n"
      "stride 0 only once in all.\n");
}

}  // namespace examples
