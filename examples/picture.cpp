// SPDX-License-Identifier: MIT
// The five operators at work on a picture: eight jobs, each run by every policy, timed and compared byte by byte.
//
// Usage: picture [image.png | image.jpg] [output.png]
#include <ndx/ndx.hpp>

#include "support/everywhere.hpp"
#include "support/histogram.hpp"
#include "support/image.hpp"
#include "support/report.hpp"
#include "support/sticker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using examples::arranged;
using examples::result;
using examples::run_everywhere;
using ndx::index_t;

using byte = std::uint8_t;
using pixels = ndx::tensor<byte, 3>;  // {height, width, channels}

template <std::size_t Rank>
std::string braces(std::array<index_t, Rank> const& extents) {
  std::string text;
  for (index_t const extent : extents) text += (text.empty() ? "{" : ", ") + std::to_string(extent);
  return text + "}";
}

template <class T, std::size_t Rank>
index_t bytes_of(ndx::tensor<T, Rank> const& tensor) {
  return tensor.size() * index_t{sizeof(T)};
}

/// A picture to show, made smaller by a whole factor where it is much larger than a panel of the sheet.
examples::image shown(pixels const& picture) {
  index_t const step = std::max<index_t>(1, std::max(picture.extent(0), picture.extent(1)) / 1600);
  examples::image image;
  image.height = (picture.extent(0) + step - 1) / step;
  image.width = (picture.extent(1) + step - 1) / step;
  image.channels = picture.extent(2);
  image.pixels.resize(static_cast<std::size_t>(image.height * image.width * image.channels));
  ndx::tensor_view const target(image.pixels.data(), std::array{image.height, image.width, image.channels});
  ndx::slice1(ndx::par_simd, picture, target, {.sizes = picture.extents(), .strides = {step, step, 1}});
  return image;
}

// ---- pictures

/// The picture as it is meant to be seen: cameras store it turned and say so.
pixels upright(examples::image const& file) {
  std::array<index_t, 3> const extents{file.height, file.width, file.channels};
  ndx::tensor_view<byte const, 3> stored(file.pixels.data(), extents);
  if (file.orientation >= 5) stored = stored.permuted({1, 0, 2});
  if (file.orientation == 3 || file.orientation == 4 || file.orientation == 7 || file.orientation == 8) {
    stored = stored.reversed(0);
  }
  if (file.orientation == 2 || file.orientation == 3 || file.orientation == 6 || file.orientation == 7) {
    stored = stored.reversed(1);
  }
  pixels result(stored.extents());
  ndx::slice1(ndx::par_simd, stored, result, {.sizes = stored.extents()});
  return result;
}

index_t colours_of(pixels const& picture) { return picture.extent(2) >= 3 ? 3 : 1; }

/// How bright each pixel is, 0 to 255.
template <class T>
ndx::tensor<T, 3> brightness(pixels const& picture) {
  ndx::tensor<T, 3> result({picture.extent(0), picture.extent(1), 1});
  byte const* p = picture.data();
  bool const colour = colours_of(picture) == 3;
  for (T& each : result) {
    each = static_cast<T>(colour ? (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8 : p[0]);
    p += picture.extent(2);
  }
  return result;
}

// ---- the jobs

result crop(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  std::array<index_t, 3> const sizes{(height + 1) / 2, (width + 1) / 2, channels};
  std::array<index_t, 3> const offsets{(height - sizes[0]) / 8, (width - sizes[1]) * 3 / 4, 0};
  pixels output(sizes);

  result job{"slice1",
             "crop: a window of the picture",
             braces(picture.extents()) + " -> " + braces(sizes),
             2 * bytes_of(output),
             {},
             {}};
  auto const call = [&](auto const& policy, auto& to, auto const& from) {
    ndx::slice1(policy, from, to, {.offsets = offsets, .sizes = sizes});
  };
  run_everywhere(job, call, output, picture);
  job.picture = shown(output);
  return job;
}

result mirror(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  pixels output({(height + 1) / 2, (width + 1) / 2, channels});

  result job{"slice1",
             "flip and subsample: strides {2, -2, 1}",
             braces(picture.extents()) + " -> " + braces(output.extents()),
             2 * bytes_of(output),
             {},
             {}};
  auto const call = [](auto const& policy, auto& to, auto const& from) {
    ndx::slice1(policy, from, to, {.sizes = from.extents(), .strides = {2, -2, 1}});
  };
  run_everywhere(job, call, output, picture);
  job.picture = shown(output);
  return job;
}

result lens(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  // For every pixel the coordinates of the one it shows. Near its rim the lens shows what lies outside of it, even
  // outside of the picture: bounds::clamp repeats the border there.
  ndx::tensor<std::int32_t, 3> coordinates({height, width, 2});
  double const centre_y = static_cast<double>(height - 1) / 2, centre_x = static_cast<double>(width - 1) / 2;
  double const radius = 0.44 * static_cast<double>(std::min(height, width));
  for (index_t y = 0; y < height; ++y) {
    for (index_t x = 0; x < width; ++x) {
      double const dy = static_cast<double>(y) - centre_y, dx = static_cast<double>(x) - centre_x;
      double const t = std::hypot(dy, dx) / radius;
      double const scale = t < 1 ? 0.5 + 0.9 * std::pow(t, 5) : 1;
      coordinates(y, x, 0) = static_cast<std::int32_t>(std::lround(centre_y + scale * dy));
      coordinates(y, x, 1) = static_cast<std::int32_t>(std::lround(centre_x + scale * dx));
    }
  }
  pixels output(picture.extents());

  result job{"gather_nd",
             "lens: each pixel names the one it shows",
             braces(picture.extents()) + ", int32 " + braces(coordinates.extents()) + " -> " + braces(output.extents()),
             bytes_of(coordinates) + 2 * bytes_of(output),
             {},
             {}};
  auto const call = [](auto const& policy, auto& to, auto const& from, auto const& indices) {
    ndx::gather_nd(policy, from, indices, to, {.bounds = ndx::bounds::clamp});
  };
  run_everywhere(job, call, output, picture, coordinates);
  job.picture = shown(output);
  return job;
}

result palette(pixels const& picture) {
  // Seven inks, from the shadows to the lights.
  constexpr std::array<std::array<byte, 3>, 7> inks{
      {{16, 28, 52}, {24, 66, 92}, {32, 122, 120}, {112, 176, 124}, {238, 190, 90}, {240, 122, 80}, {252, 236, 208}}};
  auto const levels = brightness<std::uint32_t>(picture);
  // As much area for each ink, whatever the exposure.
  std::array<index_t, 256> below{};
  for (std::uint32_t const level : levels) ++below[level];
  std::partial_sum(below.begin(), below.end(), below.begin());
  ndx::tensor<byte, 2> table({256, 3});
  for (index_t level = 0; level < 256; ++level) {
    index_t const darker = level == 0 ? 0 : below[static_cast<std::size_t>(level - 1)];
    auto const ink = static_cast<std::size_t>(std::min<index_t>(6, darker * 7 / levels.size()));
    for (index_t c = 0; c < 3; ++c) table(level, c) = inks[ink][static_cast<std::size_t>(c)];
  }
  pixels output({picture.extent(0), picture.extent(1), 3});

  result job{"gather_nd",
             "palette: brightness looks up one of 7 inks",
             braces(table.extents()) + ", uint32 " + braces(levels.extents()) + " -> " + braces(output.extents()),
             bytes_of(levels) + 2 * bytes_of(output),
             {},
             {}};
  auto const call = [](auto const& policy, auto& to, auto const& from, auto const& indices) {
    ndx::gather_nd(policy, from, indices, to);
  };
  run_everywhere(job, call, output, table, levels);
  job.picture = shown(output);
  return job;
}

result tiles(pixels const& picture) {
  index_t const height = picture.extent(0), width = picture.extent(1), channels = picture.extent(2);
  index_t const side = std::max<index_t>(1, std::min(height, width) / 8);
  index_t const rows = height / side, columns = width / side;
  // Pictures seen as rows and columns of tiles, without moving a byte.
  auto const tiled = [&](auto& of) {
    index_t const row_stride = of.extent(1) * channels;
    return arranged(of, std::array{rows, columns, side, side, channels},
                    std::array{side * row_stride, side * channels, row_stride, channels, index_t{1}});
  };
  ndx::tensor<std::int64_t, 3> order({rows, columns, 1});
  std::mt19937 random(7);
  for (index_t row = 0; row < rows; ++row) {
    std::int64_t* const first = order.data() + row * columns;
    std::iota(first, first + columns, 0);
    for (index_t last = columns - 1; last > 0; --last) {
      std::swap(first[last], first[random() % static_cast<std::uint32_t>(last + 1)]);
    }
  }
  pixels output({rows * side, columns * side, channels});

  result job{"gather_nd1",
             "tiles: each row of tiles shuffled, batch_dims = 1",
             braces(tiled(picture).extents()) + ", int64 " + braces(order.extents()) + " -> " +
                 braces(tiled(output).extents()),
             bytes_of(order) + 2 * bytes_of(output),
             {},
             {}};
  auto const call = [&](auto const& policy, auto& to, auto const& from, auto const& indices) {
    ndx::gather_nd1(policy, tiled(from), indices, tiled(to), {.batch_dims = 1});
  };
  run_everywhere(job, call, output, picture, order);
  job.picture = shown(output);
  return job;
}

result paste(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  index_t const diameter = std::max<index_t>(1, std::min(height, width) * 46 / 100);
  index_t const top = (height - diameter) * 88 / 100, left = (width - diameter) * 6 / 100;
  examples::image const sticker = examples::sticker(diameter);

  // The coordinates of the pixels that the sticker covers, and what they become.
  std::vector<std::uint64_t> coordinates;
  std::vector<byte> colours;
  for (index_t y = 0; y < diameter; ++y) {
    for (index_t x = 0; x < diameter; ++x) {
      byte const* const from = sticker.pixels.data() + 4 * (y * diameter + x);
      int const alpha = from[3];
      if (alpha == 0) continue;
      coordinates.insert(coordinates.end(),
                         {static_cast<std::uint64_t>(top + y), static_cast<std::uint64_t>(left + x)});
      byte const* const below = &picture(top + y, left + x, 0);
      int const gray = (77 * from[0] + 150 * from[1] + 29 * from[2]) >> 8;
      for (index_t c = 0; c < channels; ++c) {
        bool const is_alpha = channels % 2 == 0 && c == channels - 1;
        int const above = is_alpha ? 255 : channels >= 3 ? from[c] : gray;
        colours.push_back(static_cast<byte>((above * alpha + below[c] * (255 - alpha) + 127) / 255));
      }
    }
  }
  auto const count = static_cast<index_t>(coordinates.size() / 2);
  ndx::tensor_view const indices(coordinates.data(), std::array<index_t, 2>{count, 2});
  ndx::tensor_view const updates(colours.data(), std::array<index_t, 2>{count, channels});
  pixels output(picture.extents());

  result job{"scatter_nd",
             "sticker: pixels pasted at their coordinates",
             braces(picture.extents()) + ", uint64 " + braces(indices.extents()) + ", " + braces(updates.extents()) +
                 " -> " + braces(output.extents()),
             2 * bytes_of(output) + indices.size() * 8 + 2 * updates.size(),
             {},
             {}};
  auto const call = [](auto const& policy, auto& to, auto const& from, auto const& at, auto const& what) {
    ndx::scatter_nd(policy, from, at, what, to);
  };
  run_everywhere(job, call, output, picture, indices, updates);
  job.picture = shown(output);
  return job;
}

result histogram(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  index_t const colours = colours_of(picture);
  // Every value of every colour names its counter; each counter gets a one for each, all the same one (strides 0).
  ndx::tensor<std::int32_t, 4> counters({height, width, colours, 1});
  std::int32_t* next = counters.data();
  for (index_t pixel = 0; pixel < height * width; ++pixel) {
    byte const* const p = picture.data() + pixel * channels;
    for (index_t c = 0; c < colours; ++c) *next++ = static_cast<std::int32_t>(256 * c + p[c]);
  }
  ndx::tensor<std::uint32_t, 1> const one({1}, {1});
  std::array<index_t, 3> const ones{height, width, colours};
  ndx::tensor<std::uint32_t, 1> const zeros({256 * colours});
  ndx::tensor<std::uint32_t, 1> counts({256 * colours});

  result job{"scatter_nd",
             "histogram: reduction::add counts the colours",
             "uint32 " + braces(zeros.extents()) + ", int32 " + braces(counters.extents()) + ", " + braces(ones) +
                 " -> " + braces(counts.extents()),
             bytes_of(counters) + counters.size() * 8 + 2 * bytes_of(counts),
             {},
             {}};
  auto const call = [&](auto const& policy, auto& to, auto const& from, auto const& at, auto const& update) {
    ndx::scatter_nd(policy, from, at, arranged(update, ones, {0, 0, 0}), to, {.reduction = ndx::reduction::add});
  };
  run_everywhere(job, call, counts, zeros, counters, one);
  double const aspect = static_cast<double>(width) / static_cast<double>(height);
  job.picture = examples::drawn_histogram({counts.begin(), counts.end()}, std::clamp(aspect, 0.8, 2.2));
  return job;
}

result sorted_rows(pixels const& picture) {
  auto const [height, width, channels] = picture.extents();
  auto const levels = brightness<byte>(picture);
  std::vector<byte> by_brightness(levels.begin(), levels.end());
  auto const middle = by_brightness.begin() + static_cast<std::ptrdiff_t>(by_brightness.size() / 2);
  std::nth_element(by_brightness.begin(), middle, by_brightness.end());

  // In each row, runs of pixels brighter than the middle of the picture are sorted: the place of each pixel. Runs end
  // early, by chance, so that the picture is still to be seen.
  std::mt19937 random(3);
  ndx::tensor<std::int32_t, 2> places({height, width});
  std::vector<std::int32_t> order;
  for (index_t y = 0; y < height; ++y) {
    byte const* const row = &levels(y, 0, 0);
    for (index_t first = 0, last = 0; first < width; first = last) {
      last = first + 1;
      if (row[first] >= *middle) {
        index_t const longest = width / 40 + static_cast<index_t>(random()) % (width / 7 + 1);
        while (last < width && last - first < longest && row[last] >= *middle) ++last;
      }
      order.resize(static_cast<std::size_t>(last - first));
      std::iota(order.begin(), order.end(), static_cast<std::int32_t>(first));
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return row[a] < row[b]; });
      for (index_t i = first; i < last; ++i) {
        places(y, order[static_cast<std::size_t>(i - first)]) = static_cast<std::int32_t>(i);
      }
    }
  }
  // All channels of a pixel go to the same place: the last stride is 0.
  std::array<index_t, 3> const strides{width, 1, 0};
  pixels output(picture.extents());

  result job{"scatter_elements",
             "sorted rows: bright runs, by brightness, axis = 1",
             braces(picture.extents()) + ", int32 " + braces(picture.extents()) + ", " + braces(picture.extents()) +
                 " -> " + braces(output.extents()),
             bytes_of(places) + 4 * bytes_of(output),
             {},
             {}};
  auto const call = [&](auto const& policy, auto& to, auto const& from, auto const& indices) {
    ndx::scatter_elements(policy, from, arranged(indices, from.extents(), strides), from, to, {.axis = 1});
  };
  run_everywhere(job, call, output, picture, places);
  job.picture = shown(output);
  return job;
}

void check_output(std::string const& input, std::string const& output) {
  std::filesystem::path const target(output);
  std::string extension = target.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension != ".png") throw examples::image_error("cannot write '" + output + "': its name does not end in .png");
  std::error_code ignored;
  if (std::filesystem::equivalent(input, target, ignored)) {
    throw examples::image_error("cannot write '" + output + "': it is the picture to read");
  }
}

int show(std::string const& input, std::string const& output) {
  check_output(input, output);
  examples::image file = examples::read_image(input);
  examples::check_writable(output);
  pixels const picture = upright(file);
  constexpr std::array<char const*, 4> kinds{"gray", "gray and alpha", "RGB", "RGBA"};
  auto const [height, width, channels] = picture.extents();
  std::string const name = std::filesystem::path(input).filename().string();
  std::string const kind = kinds[static_cast<std::size_t>(channels - 1)];
  std::printf("%s: %lld x %lld pixels, %s, %s\n\n", input.c_str(), static_cast<long long>(width),
              static_cast<long long>(height), kind.c_str(), file.file_format.c_str());
  file.pixels = {};

  std::vector<result> results;
  for (auto const job : {crop, mirror, lens, palette, tiles, paste, histogram, sorted_rows}) {
    results.push_back(job(picture));
  }
  examples::print_table(results);
  if (examples::has_gpu()) {
    std::printf(
        "vulkan: the tensors are in host memory, and copying them to the device and back is part of the time.\n"
        "on device: the tensors are in the device's memory, and nothing is copied.\n"
        "The device: %s\n",
        examples::gpu_text().c_str());
  } else {
    std::printf("Without rows for Vulkan: %s\n", examples::gpu_text().c_str());
  }

  std::string const facts = std::to_string(width) + " \u00D7 " + std::to_string(height) + " pixels \u00B7 " + kind +
                            " \u00B7 " + file.file_format;
  examples::write_png(output, examples::contact_sheet(shown(picture), name, facts, examples::rows_of_a_job(), results));
  std::printf("\nThe pictures are in %s\n", output.c_str());

  bool const same = std::all_of(results.begin(), results.end(), [](result const& job) {
    return std::all_of(job.timings.begin(), job.timings.end(),
                       [](auto const& each) { return each.difference.empty(); });
  });
  if (!same) std::fprintf(stderr, "picture: the policies do not agree; the table says where\n");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const arguments(argv + 1, argv + argc);
  bool const help = arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h");
  if (help || arguments.size() > 2) {
    std::fprintf(help ? stdout : stderr,
                 "Usage: picture [image] [output.png]\n\n"
                 "Puts the five operators of ndx to work on a PNG or JPEG picture, prints a table and writes the\n"
                 "results as one picture. Without an image it takes the sample that ships with ndx; without an\n"
                 "output it writes contact_sheet.png in the current folder.\n");
    return help ? 0 : 1;
  }
  try {
    return show(!arguments.empty() ? arguments[0] : NDX_SAMPLE_PICTURE,
                arguments.size() > 1 ? arguments[1] : "contact_sheet.png");
  } catch (std::exception const& problem) {
    std::fprintf(stderr, "picture: %s\n", problem.what());
    return 1;
  }
}
