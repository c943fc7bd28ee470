// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace examples {

/// Pixels of 8 bit a channel, row by row from the top, channels interleaved:
/// 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
struct image {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t channels = 0;
  std::vector<std::uint8_t> pixels;
  std::string file_format;  ///< "PNG" or "JPEG", as found in the file
  int orientation = 1;      ///< EXIF: 1 upright, 2 to 8 mirrored or turned as cameras store it
};

/// What is wrong with a file; the text names the file.
struct image_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a PNG or JPEG file; its first bytes decide which, not its name. Palettes are looked up, 16 bit
/// reduced to 8, CMYK turned into RGB.
image read_image(std::string const& path);

/// Throws what writing to `path` would throw, before there is anything to write. Does not alter a file that is there.
void check_writable(std::string const& path);

void write_png(std::string const& path, image const& picture);
void write_jpeg(std::string const& path, image const& picture, int quality);

}  // namespace examples
