// SPDX-License-Identifier: MIT
// Prints what slices of short tensors take: for slice_of_python.py, which knows what Python's own lists give.
#include <ndx/tensor_view.hpp>

#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

using edge = std::optional<ndx::index_t>;

std::string text(edge const& number) { return number ? std::to_string(*number) : "None"; }

}  // namespace

int main() {
  constexpr auto lowest = std::numeric_limits<ndx::index_t>::min();
  constexpr auto highest = std::numeric_limits<ndx::index_t>::max();
  std::vector<edge> edges{std::nullopt, lowest, highest};
  for (ndx::index_t number = -8; number <= 8; ++number) edges.emplace_back(number);
  std::vector<int> numbers;
  for (int extent = 0; extent <= 6; ++extent) {
    ndx::tensor_view const line(numbers.data(), {extent});
    for (edge const& start : edges)
      for (edge const& end : edges)
        for (edge const& step : edges) {
          if (step == ndx::index_t{0}) continue;
          auto const taken = line.sliced({.starts = {start}, .ends = {end}, .steps = {step}});
          std::printf("%d %s %s %s:", extent, text(start).c_str(), text(end).c_str(), text(step).c_str());
          for (ndx::index_t i = 0; i < taken.extent(0); ++i) std::printf(" %d", taken(i));
          std::printf("\n");
        }
    numbers.push_back(extent);
  }
}
