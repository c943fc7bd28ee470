// SPDX-License-Identifier: MIT
#pragma once

#include "image.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace examples {

struct rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// x to the right, y down, in pixels.
struct rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};

/// How text looks: `size` is the height of a capital letter in pixels, `weight` the thickness of a stroke as a share
/// of that.
struct typeface {
  double size = 16;
  rgb colour;
  double weight = 0.13;
};

/// An RGB picture to draw on.
class canvas {
public:
  canvas(std::int64_t width, std::int64_t height, rgb background);

  [[nodiscard]] image const& picture() const { return picture_; }

  /// `radius` rounds the corners.
  void fill(rectangle area, rgb colour, double radius = 0, double opacity = 1);

  /// Scales `source` to `area`: every pixel is the mean of what it covers, so that an enlarged picture shows its
  /// pixels as sharp squares. What is transparent shows a checkerboard.
  void draw(image const& source, rectangle area, double radius = 0);

  /// `baseline` is the y that letters stand on. Returns the x behind the last letter. UTF-8.
  double write(std::string_view text, double x, double baseline, typeface const& face);

  void blend(std::int64_t x, std::int64_t y, rgb colour, double opacity);

private:
  image picture_;
};

/// The width of `text` in pixels.
double text_width(std::string_view text, typeface const& face);

/// `text`, its middle replaced by an ellipsis if it is wider than `width`.
std::string shortened(std::string_view text, typeface const& face, double width);

}  // namespace examples
