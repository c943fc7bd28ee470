// SPDX-License-Identifier: MIT
// Writes the small and the broken pictures that the tests of `picture` read, and reads some of them back.
//
// Usage: make_test_pictures sample.jpg folder
#include "image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <csetjmp>

// jpeglib.h needs std::size_t and FILE declared before it.
#include <jpeglib.h>

#include <png.h>

namespace {

using examples::image;

image pattern(std::int64_t width, std::int64_t height, std::int64_t channels) {
  image result;
  result.width = width;
  result.height = height;
  result.channels = channels;
  for (std::int64_t i = 0; i < width * height * channels; ++i) {
    result.pixels.push_back(static_cast<std::uint8_t>((i * 37 + 90) % 256));
  }
  return result;
}

std::string content(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(std::string const& path, std::string const& text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

// Adam7 interlaced, with a palette of 256 colours or 16 bit gray.
void write_interlaced(std::string const& path, png_uint_32 width, png_uint_32 height, bool palette) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (!file) throw examples::image_error("cannot write '" + path + "'");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) std::abort();
  png_init_io(png, file);
  png_set_IHDR(png, info, width, height, palette ? 8 : 16, palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_ADAM7, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::array<png_color, 256> colours{};
  for (std::size_t i = 0; i < 256; ++i) {
    colours[i] = {static_cast<png_byte>(i), static_cast<png_byte>(255 - i), static_cast<png_byte>(i * 7 % 256)};
  }
  if (palette) png_set_PLTE(png, info, colours.data(), 256);
  png_write_info(png, info);
  image rows = pattern(palette ? width : 2 * width, height, 1);
  for (int pass = png_set_interlace_handling(png); pass > 0; --pass) {
    for (png_uint_32 y = 0; y < height; ++y) png_write_row(png, rows.pixels.data() + y * rows.width);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

void write_cmyk(std::string const& path, JDIMENSION width, JDIMENSION height) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (!file) throw examples::image_error("cannot write '" + path + "'");
  jpeg_compress_struct info = {};
  jpeg_error_mgr errors = {};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 4;
  info.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_start_compress(&info, TRUE);
  image rows = pattern(width, height, 4);
  while (info.next_scanline < height) {
    JSAMPROW row = rows.pixels.data() + info.next_scanline * width * 4;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::fclose(file);
}

// What write_interlaced wrote, as read_image should give it.
void check_interlaced(std::string const& path, bool palette) {
  image const seen = examples::read_image(path);
  image const stored = pattern(palette ? seen.width : 2 * seen.width, seen.height, 1);
  for (std::size_t i = 0; i < seen.pixels.size(); ++i) {
    int due = 0;
    if (palette) {
      int const index = stored.pixels[i / 3];
      due = i % 3 == 0 ? index : i % 3 == 1 ? 255 - index : index * 7 % 256;
    } else {
      due = ((stored.pixels[2 * i] * 256 + stored.pixels[2 * i + 1]) * 255 + 32767) / 65535;
    }
    if (seen.pixels[i] != due) throw examples::image_error("'" + path + "' is read wrongly");
  }
}

// As PNG has it after each chunk: CRC-32, most significant byte first.
std::string checksum(std::string const& chunk) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (char const each : chunk) {
    crc ^= static_cast<unsigned char>(each);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  crc = ~crc;
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(crc >> shift & 0xFF);
  return bytes;
}

// An EXIF block with the orientation 6: the camera was turned, the picture is to be turned back to the right.
std::string turned(std::string const& jpeg) {
  using namespace std::string_literals;
  std::string const exif = "Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s;
  return jpeg.substr(0, 2) + "\xFF\xE1"s + '\0' + static_cast<char>(exif.size() + 2) + exif + jpeg.substr(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  std::string const folder = std::string(argv[2]) + "/";
  try {
    std::filesystem::create_directories(folder + "folder.png");
    examples::write_png(folder + "gray_1x1.png", pattern(1, 1, 1));
    examples::write_png(folder + "gray_alpha_2x2.png", pattern(2, 2, 2));
    examples::write_png(folder + "rgba_7x5.png", pattern(7, 5, 4));
    if (examples::read_image(folder + "rgba_7x5.png").pixels != pattern(7, 5, 4).pixels) {
      throw examples::image_error("rgba_7x5.png is read wrongly");
    }
    examples::write_png(folder + "rgb_300x1.png", pattern(300, 1, 3));
    examples::write_png(folder + "gray_1x300.png", pattern(1, 300, 1));
    write_interlaced(folder + "palette_interlaced.png", 9, 6, true);
    write_interlaced(folder + "gray_16_bit.png", 9, 6, false);
    check_interlaced(folder + "palette_interlaced.png", true);
    check_interlaced(folder + "gray_16_bit.png", false);
    write_cmyk(folder + "cmyk.jpg", 16, 8);
    examples::write_jpeg(folder + "upright.jpg", pattern(40, 24, 3), 90);
    write(folder + "turned_40x24.png", turned(content(folder + "upright.jpg")));  // a JPEG, whatever its name says
    write(folder + "empty.png", "");
    write(folder + "text.png", "This is no picture.\n");
    std::string const png = content(folder + "rgba_7x5.png"), jpeg = content(argv[1]);
    write(folder + "truncated.png", png.substr(0, png.size() / 2));
    write(folder + "truncated.jpg", jpeg.substr(0, jpeg.size() / 2));
    write(folder + "header_only.png", png.substr(0, 8));
    // Claims 65536 x 65536 pixels; the checksum after the header has to agree.
    std::string huge = png;
    huge.replace(16, 8, std::string("\0\1\0\0\0\1\0\0", 8));
    huge.replace(29, 4, checksum(huge.substr(12, 17)));
    write(folder + "huge.png", huge);
  } catch (std::exception const& problem) {
    std::fprintf(stderr, "make_test_pictures: %s\n", problem.what());
    return 1;
  }
}
