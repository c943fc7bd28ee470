// SPDX-License-Identifier: MIT
#include "image.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>

#include <csetjmp>

// jpeglib.h needs std::size_t and FILE declared before it.
#include <jpeglib.h>

#include <jerror.h>
#include <png.h>

namespace examples {
namespace {

using bytes = std::vector<std::uint8_t>;

// A damaged header can claim any size; what it claims is allocated before the damage shows.
constexpr std::int64_t most_pixels = 200'000'000;

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] void fail_reading(std::string const& path, std::string const& what) {
  throw image_error("cannot read '" + path + "': " + what);
}

[[noreturn]] void fail_writing(std::string const& path, std::string const& what) {
  throw image_error("cannot write '" + path + "': " + what);
}

std::string lowercase_first(std::string text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

bytes read_file(std::string const& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_reading(path, "it is a directory");
  file_handle const file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_reading(path, lowercase_first(std::strerror(errno)));
  bytes content;
  auto const size = std::filesystem::file_size(path, ignored);
  if (!ignored) content.reserve(static_cast<std::size_t>(size));
  std::uint8_t chunk[65536];
  while (auto const count = std::fread(chunk, 1, sizeof chunk, file.get())) {
    content.insert(content.end(), chunk, chunk + count);
  }
  if (std::ferror(file.get())) fail_reading(path, lowercase_first(std::strerror(errno)));
  return content;
}

void check_size(std::string const& path, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1) fail_reading(path, "it has no pixels");
  if (width > most_pixels / height) {
    fail_reading(path, "its " + std::to_string(width) + " x " + std::to_string(height) + " pixels are more than " +
                           std::to_string(most_pixels / 1'000'000) + " million, the most this program takes");
  }
}

// libpng and libjpeg report through callbacks that must not return. So the functions below that call setjmp hold no
// objects with destructors; those live in structs outside of them.

// ---- PNG

struct png_input {
  std::jmp_buf back;
  std::string text;
  std::uint8_t const* next = nullptr;
  std::size_t left = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::vector<png_bytep> rows;
  image result;

  explicit png_input(bytes const& file) : next(file.data()), left(file.size()) {
    auto const failed = [](png_structp reader, png_const_charp message) {
      auto& self = *static_cast<png_input*>(png_get_error_ptr(reader));
      self.text = message;
      std::longjmp(self.back, 1);
    };
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, failed, [](png_structp, png_const_charp) {});
    if (png) info = png_create_info_struct(png);
    if (!info) throw std::bad_alloc();
    png_set_read_fn(png, this, [](png_structp reader, png_bytep target, std::size_t count) {
      auto& self = *static_cast<png_input*>(png_get_io_ptr(reader));
      if (count > self.left) png_error(reader, "it ends too early");
      std::memcpy(target, self.next, count);
      self.next += count;
      self.left -= count;
    });
  }
  ~png_input() { png_destroy_read_struct(&png, &info, nullptr); }
  png_input(png_input const&) = delete;
  png_input& operator=(png_input const&) = delete;
};

bool read_header(png_input& in) {
  if (setjmp(in.back)) return false;
  png_read_info(in.png, in.info);
  png_set_expand(in.png);  // palettes, fewer than 8 bits, a transparent colour
  png_set_scale_16(in.png);
  png_set_interlace_handling(in.png);
  png_read_update_info(in.png, in.info);
  return true;
}

bool read_rows(png_input& in) {
  if (setjmp(in.back)) return false;
  png_read_image(in.png, in.rows.data());
  png_read_end(in.png, nullptr);
  return true;
}

image read_png(std::string const& path, bytes const& file) {
  png_input in(file);
  auto const damaged = [&] { fail_reading(path, "damaged or truncated PNG (" + in.text + ")"); };
  if (!read_header(in)) damaged();
  image& result = in.result;
  result.width = png_get_image_width(in.png, in.info);
  result.height = png_get_image_height(in.png, in.info);
  result.channels = png_get_channels(in.png, in.info);
  result.file_format = "PNG";
  check_size(path, result.width, result.height);
  result.pixels.resize(static_cast<std::size_t>(result.width * result.height * result.channels));
  for (std::int64_t row = 0; row < result.height; ++row) {
    in.rows.push_back(result.pixels.data() + row * result.width * result.channels);
  }
  if (!read_rows(in)) damaged();
  return std::move(result);
}

// ---- JPEG

struct jpeg_errors : jpeg_error_mgr {
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX] = {};

  jpeg_errors() : jpeg_error_mgr{} {
    jpeg_std_error(this);
    error_exit = [](j_common_ptr info) { static_cast<jpeg_errors*>(info->err)->leave(info); };
    output_message = [](j_common_ptr) {};
    emit_message = [](j_common_ptr info, int level) {
      auto& errors = *static_cast<jpeg_errors*>(info->err);
      // Pixels are missing; libjpeg would make them gray. Its other warnings leave the picture whole.
      bool const incomplete = errors.msg_code == JWRN_JPEG_EOF || errors.msg_code == JWRN_HIT_MARKER;
      if (level < 0 && incomplete) errors.leave(info);
    };
  }

  [[noreturn]] void leave(j_common_ptr info) {
    format_message(info, text);
    std::longjmp(back, 1);
  }
};

struct jpeg_input {
  jpeg_errors errors;
  jpeg_decompress_struct info = {};
  image result;
  bool subtractive = false;
  bool inverted = false;
  int orientation = 1;

  jpeg_input() { info.err = &errors; }
  ~jpeg_input() { jpeg_destroy_decompress(&info); }
  jpeg_input(jpeg_input const&) = delete;
  jpeg_input& operator=(jpeg_input const&) = delete;
};

// The orientation a camera noted (TIFF tag 0x0112 in the first directory of the EXIF block), 1 if it did not.
int exif_orientation(std::uint8_t const* block, std::size_t size) {
  if (size < 14 || std::memcmp(block, "Exif\0\0", 6) != 0) return 1;
  std::uint8_t const* const tiff = block + 6;
  std::size_t const length = size - 6;
  bool const little = tiff[0] == 'I';
  auto const read16 = [&](std::size_t at) -> std::uint32_t {
    if (at + 2 > length) return 0;
    std::uint32_t const first = tiff[at];
    std::uint32_t const second = tiff[at + 1];
    return little ? first | second << 8 : first << 8 | second;
  };
  auto const read32 = [&](std::size_t at) -> std::uint32_t {
    return little ? read16(at) | read16(at + 2) << 16 : read16(at) << 16 | read16(at + 2);
  };
  std::size_t const directory = read32(4);
  std::uint32_t const entries = read16(directory);
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    std::size_t const at = directory + 2 + std::size_t{12} * entry;
    if (read16(at) != 0x0112) continue;
    auto const value = static_cast<int>(read16(at + 8));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

bool start_jpeg(jpeg_input& in, bytes const& file) {
  if (setjmp(in.errors.back)) return false;
  jpeg_create_decompress(&in.info);
  jpeg_mem_src(&in.info, file.data(), static_cast<unsigned long>(file.size()));
  jpeg_save_markers(&in.info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&in.info, TRUE);
  for (auto const* marker = in.info.marker_list; marker && in.orientation == 1; marker = marker->next) {
    in.orientation = exif_orientation(marker->data, marker->data_length);
  }
  bool const gray = in.info.jpeg_color_space == JCS_GRAYSCALE;
  in.subtractive = in.info.jpeg_color_space == JCS_CMYK || in.info.jpeg_color_space == JCS_YCCK;
  in.inverted = in.info.saw_Adobe_marker;
  in.info.out_color_space = gray ? JCS_GRAYSCALE : in.subtractive ? JCS_CMYK : JCS_RGB;
  jpeg_calc_output_dimensions(&in.info);
  return true;
}

bool read_rows(jpeg_input& in) {
  if (setjmp(in.errors.back)) return false;
  jpeg_start_decompress(&in.info);
  std::size_t const row_bytes = std::size_t{in.info.output_width} * static_cast<std::size_t>(in.info.output_components);
  while (in.info.output_scanline < in.info.output_height) {
    JSAMPROW row = in.result.pixels.data() + in.info.output_scanline * row_bytes;
    jpeg_read_scanlines(&in.info, &row, 1);
  }
  jpeg_finish_decompress(&in.info);
  return true;
}

// Without a colour profile this is the usual approximation: each ink takes its share of the light.
bytes rgb_from_cmyk(bytes const& inks, bool inverted) {
  bytes rgb(inks.size() / 4 * 3);
  for (std::size_t pixel = 0; pixel < inks.size() / 4; ++pixel) {
    auto const light = [&](std::size_t ink) {
      int const value = inks[4 * pixel + ink];
      return inverted ? value : 255 - value;
    };
    for (std::size_t c = 0; c < 3; ++c)
      rgb[3 * pixel + c] = static_cast<std::uint8_t>((light(c) * light(3) + 127) / 255);
  }
  return rgb;
}

image read_jpeg(std::string const& path, bytes const& file) {
  jpeg_input in;
  auto const damaged = [&] { fail_reading(path, std::string("damaged or truncated JPEG (") + in.errors.text + ")"); };
  if (!start_jpeg(in, file)) damaged();
  image& result = in.result;
  result.width = in.info.output_width;
  result.height = in.info.output_height;
  result.channels = in.info.output_components;
  result.file_format = "JPEG";
  result.orientation = in.orientation;
  check_size(path, result.width, result.height);
  result.pixels.resize(static_cast<std::size_t>(result.width * result.height * result.channels));
  if (!read_rows(in)) damaged();
  if (in.subtractive) {
    result.pixels = rgb_from_cmyk(result.pixels, in.inverted);
    result.channels = 3;
  }
  return std::move(result);
}

struct jpeg_output {
  jpeg_errors errors;
  jpeg_compress_struct info = {};

  jpeg_output() { info.err = &errors; }
  ~jpeg_output() { jpeg_destroy_compress(&info); }
  jpeg_output(jpeg_output const&) = delete;
  jpeg_output& operator=(jpeg_output const&) = delete;
};

bool write_rows(jpeg_output& out, std::FILE* file, image const& picture, int quality) {
  if (setjmp(out.errors.back)) return false;
  jpeg_create_compress(&out.info);
  jpeg_stdio_dest(&out.info, file);
  out.info.image_width = static_cast<JDIMENSION>(picture.width);
  out.info.image_height = static_cast<JDIMENSION>(picture.height);
  out.info.input_components = static_cast<int>(picture.channels);
  out.info.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&out.info);
  jpeg_set_quality(&out.info, quality, TRUE);
  out.info.optimize_coding = TRUE;
  out.info.comp_info[0].h_samp_factor = 1;  // colour at full resolution
  out.info.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&out.info, TRUE);
  auto const row_bytes = static_cast<std::size_t>(picture.width * picture.channels);
  while (out.info.next_scanline < out.info.image_height) {
    JSAMPROW row = const_cast<JSAMPROW>(picture.pixels.data()) + out.info.next_scanline * row_bytes;
    jpeg_write_scanlines(&out.info, &row, 1);
  }
  jpeg_finish_compress(&out.info);
  return true;
}

file_handle open_for_writing(std::string const& path, char const* mode = "wb") {
  file_handle file(std::fopen(path.c_str(), mode));
  if (!file) fail_writing(path, lowercase_first(std::strerror(errno)));
  return file;
}

void close_written(std::string const& path, file_handle file) {
  if (std::fclose(file.release()) != 0) fail_writing(path, lowercase_first(std::strerror(errno)));
}

}  // namespace

image read_image(std::string const& path) {
  using namespace std::string_view_literals;
  bytes const file = read_file(path);
  auto const starts_with = [&](std::string_view magic) {
    return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
  };
  if (file.empty()) fail_reading(path, "it is empty");
  if (starts_with("\x89PNG\r\n\x1a\n"sv)) return read_png(path, file);
  if (starts_with("\xff\xd8\xff"sv)) return read_jpeg(path, file);
  fail_reading(path, "it is neither a PNG nor a JPEG picture");
}

void check_writable(std::string const& path) { open_for_writing(path, "ab"); }

void write_png(std::string const& path, image const& picture) {
  constexpr png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  png_image writer = {};
  writer.version = PNG_IMAGE_VERSION;
  writer.width = static_cast<png_uint_32>(picture.width);
  writer.height = static_cast<png_uint_32>(picture.height);
  writer.format = formats[picture.channels - 1];
  file_handle file = open_for_writing(path);
  if (!png_image_write_to_stdio(&writer, file.get(), 0, picture.pixels.data(), 0, nullptr)) {
    fail_writing(path, lowercase_first(writer.message));
  }
  close_written(path, std::move(file));
}

void write_jpeg(std::string const& path, image const& picture, int quality) {
  file_handle file = open_for_writing(path);
  jpeg_output out;
  if (!write_rows(out, file.get(), picture, quality)) fail_writing(path, lowercase_first(out.errors.text));
  close_written(path, std::move(file));
}

}  // namespace examples
