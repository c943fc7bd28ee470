// SPDX-License-Identifier: MIT
#include "histogram.hpp"

#include "canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace examples {

image drawn_histogram(std::vector<std::uint32_t> const& counts, double aspect) {
  constexpr rgb ground{12, 14, 21}, line{44, 49, 66}, soft{166, 173, 192};
  constexpr std::array<std::array<int, 3>, 3> inks{{{255, 84, 84}, {70, 210, 110}, {84, 128, 255}}};
  double const width = 1044, height = std::round(width / aspect);
  canvas panel(static_cast<std::int64_t>(width), static_cast<std::int64_t>(height), ground);
  double const left = 48, right = width - 48, top = 56, bottom = height - 84;
  for (int const level : {0, 64, 128, 192, 255}) {
    double const x = left + (right - left) * level / 255;
    panel.fill({x - 1, top, 2, bottom - top}, line);
    std::string const text = std::to_string(level);
    typeface const face{21, soft, 0.125};
    panel.write(text, x - text_width(text, face) / 2, bottom + 46, face);
  }
  // Roots, so that what is rare is seen as well.
  std::size_t const colours = counts.size() / 256;
  double const tallest = std::sqrt(static_cast<double>(*std::max_element(counts.begin(), counts.end())));
  auto const curve = [&](std::size_t channel, double at) {
    auto const level = std::min<std::size_t>(254, static_cast<std::size_t>(at));
    auto const root = [&](std::size_t i) { return std::sqrt(static_cast<double>(counts[channel * 256 + i])); };
    double const t = at - static_cast<double>(level);
    return (root(level) * (1 - t) + root(level + 1) * t) / std::max(1.0, tallest);
  };
  for (auto x = static_cast<std::int64_t>(left); x < static_cast<std::int64_t>(right); ++x) {
    double const at = 255 * (static_cast<double>(x) - left) / (right - left);
    for (auto y = static_cast<std::int64_t>(top); y < static_cast<std::int64_t>(bottom); ++y) {
      // Inks add like light.
      std::array<double, 3> light{};
      double covered = 0;
      for (std::size_t c = 0; c < colours; ++c) {
        double const edge = bottom - (bottom - top) * curve(c, at);
        double const depth = static_cast<double>(y) + 0.5 - edge;
        double const share = std::clamp(depth, 0.0, 1.0) * (depth < 6 ? 1.0 : 0.55);
        covered = std::max(covered, std::clamp(depth, 0.0, 1.0));
        for (std::size_t i = 0; i < 3; ++i) {
          light[i] += share * (colours == 1 ? 225 : inks[c][i]);
        }
      }
      auto const level = [&](std::size_t i) { return static_cast<std::uint8_t>(std::min(light[i], 250.0)); };
      panel.blend(x, y, {level(0), level(1), level(2)}, covered);
    }
  }
  return panel.picture();
}

}  // namespace examples
