// SPDX-License-Identifier: MIT
#include "sticker.hpp"

#include "canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace examples {
namespace {

constexpr rgb paper{255, 252, 243}, face{255, 200, 61}, ink{31, 27, 58};

void write_centred(canvas& sheet, char const* text, double centre, double baseline, typeface const& with) {
  sheet.write(text, centre - text_width(text, with) / 2, baseline, with);
}

canvas upright_sticker(double size) {
  canvas sheet(static_cast<std::int64_t>(size), static_cast<std::int64_t>(size), paper);
  double const middle = size / 2;
  auto const disc = [&](double radius, rgb colour) {
    sheet.fill({middle - radius * size, middle - radius * size, 2 * radius * size, 2 * radius * size}, colour,
               radius * size);
  };
  disc(0.445, face);
  disc(0.405, ink);
  disc(0.397, face);
  write_centred(sheet, "ndx", middle, 0.575 * size, {0.225 * size, ink, 0.17});
  write_centred(sheet, "pasted by", middle, 0.265 * size, {0.052 * size, ink, 0.14});
  write_centred(sheet, "scatter_nd", middle, 0.745 * size, {0.066 * size, ink, 0.15});
  return sheet;
}

}  // namespace

image sticker(std::int64_t diameter) {
  auto const size = static_cast<double>(diameter);
  double const drawn = std::clamp(2 * size, 64.0, 1536.0);
  canvas const sheet = upright_sticker(drawn);
  constexpr int samples = 4;
  constexpr double tilt = 0.21;

  image result;
  result.width = result.height = diameter;
  result.channels = 4;
  result.pixels.reserve(static_cast<std::size_t>(4 * diameter * diameter));
  for (std::int64_t row = 0; row < diameter; ++row) {
    for (std::int64_t column = 0; column < diameter; ++column) {
      std::array<double, 3> sum{};
      int inside = 0;
      for (int sample = 0; sample < samples * samples; ++sample) {
        double const x = (static_cast<double>(column) + (sample % samples + 0.5) / samples) / size - 0.5;
        double const y = (static_cast<double>(row) + (sample / samples + 0.5) / samples) / size - 0.5;
        double const scallops = 0.484 + 0.013 * std::cos(26 * std::atan2(y, x));
        if (std::hypot(x, y) > scallops) continue;
        ++inside;
        double const u = x * std::cos(tilt) - y * std::sin(tilt) + 0.5,
                     v = x * std::sin(tilt) + y * std::cos(tilt) + 0.5;
        auto const at = [&](double t) {
          auto const last = sheet.picture().width - 1;
          return std::clamp(static_cast<std::int64_t>(t * drawn), std::int64_t{0}, last);
        };
        std::uint8_t const* const p = sheet.picture().pixels.data() + 3 * (at(v) * sheet.picture().width + at(u));
        for (std::size_t c = 0; c < 3; ++c) sum[c] += p[c];
      }
      for (double const each : sum) {
        result.pixels.push_back(static_cast<std::uint8_t>(inside > 0 ? std::lround(each / inside) : 0));
      }
      result.pixels.push_back(static_cast<std::uint8_t>(std::lround(255.0 * inside / (samples * samples))));
    }
  }
  return result;
}

}  // namespace examples
