// SPDX-License-Identifier: MIT
#include "canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace examples {
namespace {

struct pixel_range {
  std::int64_t first, last;
};

pixel_range pixels_between(double from, double to, std::int64_t extent) {
  auto const first = static_cast<std::int64_t>(std::floor(from));
  auto const last = static_cast<std::int64_t>(std::ceil(to));
  return {std::clamp<std::int64_t>(first, 0, extent), std::clamp<std::int64_t>(last, 0, extent)};
}

// How much of a pixel lies in a rectangle with rounded corners.
double coverage(rectangle const& area, double radius, double x, double y) {
  double const dx = std::abs(x - area.x - area.width / 2) - area.width / 2 + radius;
  double const dy = std::abs(y - area.y - area.height / 2) - area.height / 2 + radius;
  double const outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0) - radius;
  return std::clamp(0.5 - outside, 0.0, 1.0);
}

std::array<double, 3> opaque(image const& source, std::int64_t x, std::int64_t y, double check) {
  std::uint8_t const* const p = source.pixels.data() + (y * source.width + x) * source.channels;
  bool const colour = source.channels >= 3;
  bool const transparent = source.channels % 2 == 0;
  double const alpha = transparent ? p[source.channels - 1] / 255.0 : 1.0;
  std::array<double, 3> result{};
  for (std::size_t c = 0; c < 3; ++c) result[c] = check + (p[colour ? c : 0] - check) * alpha;
  return result;
}

// The part of one source axis that a target pixel covers.
struct footprint {
  double from, to;
  std::int64_t first, last;

  [[nodiscard]] double weight(std::int64_t source_pixel) const {
    auto const start = static_cast<double>(source_pixel);
    return std::min(to, start + 1) - std::max(from, start);
  }
};

std::vector<footprint> footprints(pixel_range pixels, double origin, double scale, std::int64_t extent) {
  std::vector<footprint> result;
  auto const end = static_cast<double>(extent);
  for (std::int64_t pixel = pixels.first; pixel < pixels.last; ++pixel) {
    double const from = std::clamp((static_cast<double>(pixel) - origin) * scale, 0.0, end - std::min(scale, end) / 2);
    double const to =
        std::clamp((static_cast<double>(pixel + 1) - origin) * scale, from + std::min(scale, end) / 2, end);
    auto const first = static_cast<std::int64_t>(from);
    result.push_back({from, to, first, std::clamp(static_cast<std::int64_t>(std::ceil(to)), first + 1, extent)});
  }
  return result;
}

}  // namespace

canvas::canvas(std::int64_t width, std::int64_t height, rgb background) {
  picture_.width = width;
  picture_.height = height;
  picture_.channels = 3;
  picture_.pixels.resize(static_cast<std::size_t>(width * height * 3));
  for (std::size_t i = 0; i < picture_.pixels.size(); i += 3) {
    picture_.pixels[i] = background.red;
    picture_.pixels[i + 1] = background.green;
    picture_.pixels[i + 2] = background.blue;
  }
}

void canvas::blend(std::int64_t x, std::int64_t y, rgb colour, double opacity) {
  if (x < 0 || y < 0 || x >= picture_.width || y >= picture_.height || opacity <= 0) return;
  std::uint8_t* const p = picture_.pixels.data() + (y * picture_.width + x) * 3;
  auto const mixed = [&](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + (above - below) * std::min(opacity, 1.0)));
  };
  p[0] = mixed(p[0], colour.red);
  p[1] = mixed(p[1], colour.green);
  p[2] = mixed(p[2], colour.blue);
}

void canvas::fill(rectangle area, rgb colour, double radius, double opacity) {
  radius = std::min({radius, area.width / 2, area.height / 2});
  auto const columns = pixels_between(area.x, area.x + area.width, picture_.width);
  auto const rows = pixels_between(area.y, area.y + area.height, picture_.height);
  for (std::int64_t y = rows.first; y < rows.last; ++y) {
    for (std::int64_t x = columns.first; x < columns.last; ++x) {
      blend(x, y, colour, opacity * coverage(area, radius, static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5));
    }
  }
}

void canvas::draw(image const& source, rectangle area, double radius) {
  auto const columns = pixels_between(area.x, area.x + area.width, picture_.width);
  auto const rows = pixels_between(area.y, area.y + area.height, picture_.height);
  auto const across = footprints(columns, area.x, static_cast<double>(source.width) / area.width, source.width);
  auto const down = footprints(rows, area.y, static_cast<double>(source.height) / area.height, source.height);
  for (std::int64_t y = rows.first; y < rows.last; ++y) {
    auto const& above = down[static_cast<std::size_t>(y - rows.first)];
    for (std::int64_t x = columns.first; x < columns.last; ++x) {
      auto const& left = across[static_cast<std::size_t>(x - columns.first)];
      double const check = ((x / 10) + (y / 10)) % 2 == 0 ? 118 : 92;
      std::array<double, 3> sum{};
      for (std::int64_t j = above.first; j < above.last; ++j) {
        for (std::int64_t i = left.first; i < left.last; ++i) {
          double const weight = above.weight(j) * left.weight(i);
          auto const value = opaque(source, i, j, check);
          for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * value[c];
        }
      }
      double const total = (above.to - above.from) * (left.to - left.from);
      auto const mean = [&](std::size_t c) { return static_cast<std::uint8_t>(std::lround(sum[c] / total)); };
      blend(x, y, {mean(0), mean(1), mean(2)},
            coverage(area, radius, static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5));
    }
  }
}

}  // namespace examples
