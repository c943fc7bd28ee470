// SPDX-License-Identifier: MIT
// .npy files that are mapped and written. Files that NumPy writes and reads: files.test.py.
#include <ndx/interop/npy.hpp>

#include "../../support/catch.hpp"
#include "../../support/message_of.hpp"
#include "exchange.hpp"

#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using ndx::index_t;
using test::message_of;

template <class T>
std::string bytes(std::vector<T> const& elements) {
  return {reinterpret_cast<char const*>(elements.data()), elements.size() * sizeof(T)};
}

/// A file of format 1.0 with this header, which is padded as NumPy pads it, and {0, 1, 2, 3, 4, 5} as float32.
std::string file_of(std::string header) {
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
         bytes<float>({0, 1, 2, 3, 4, 5});
}
std::string const usual = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

/// What opening a file with these bytes throws.
template <class T = float, std::size_t Rank = 2>
std::string refusal(std::string const& content) {
  test::folder const folder;
  auto const path = folder / "x.npy";
  test::write_bytes(path, content);
  std::string const text = message_of([&] { ndx::npy::mapped<T, Rank> const file(path); });
  std::string const prefix = "npy::mapped: '" + path.string() + "': ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}
template <class T = float, std::size_t Rank = 2>
std::string header_refusal(std::string const& header) {
  return refusal<T, Rank>(file_of(header));
}

static_assert(std::is_nothrow_move_constructible_v<ndx::npy::mapped<float, 2>>);
static_assert(!std::is_copy_constructible_v<ndx::npy::mapped<float, 2>>);
static_assert(ndx::tensor_like<ndx::npy::mapped<float, 2> const&>);
static_assert(!ndx::writable_tensor<ndx::npy::mapped<float, 2>&>);

}  // namespace

TEST_CASE("a file is mapped and used by operators where it lies", "[npy]") {
  test::folder const folder;
  test::write_bytes(folder / "x.npy", file_of(usual));
  ndx::npy::mapped<float, 2> table(folder / "x.npy");
  CHECK(table.extents() == std::array<index_t, 2>{2, 3});
  CHECK(table.view().strides() == std::array<index_t, 2>{3, 1});
  ndx::tensor<std::int32_t, 2> const rows({2, 1}, {1, 0});
  ndx::tensor<float, 2> taken({2, 3});
  ndx::gather_nd(ndx::simd, table, rows, taken);
  CHECK(std::vector<float>(taken.begin(), taken.end()) == std::vector<float>{3, 4, 5, 0, 1, 2});

  ndx::npy::mapped<float, 2> moved = std::move(table);
  CHECK(table.view().empty());
  CHECK(moved.view()(1, 2) == 5.0f);
  table = std::move(moved);
  CHECK(table.view()(0, 1) == 1.0f);
  CHECK(table.extent(1) == 3);
}

TEST_CASE("column-major order becomes strides", "[npy]") {
  test::folder const folder;
  test::write_bytes(folder / "x.npy", file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"));
  ndx::npy::mapped<float, 2> const x(folder / "x.npy");
  CHECK(x.view().strides() == std::array<index_t, 2>{1, 2});
  CHECK(x.view()(1, 2) == 5.0f);
  CHECK(x.view()(0, 1) == 2.0f);
}

TEST_CASE("headers of other writers are read", "[npy]") {
  CHECK(header_refusal("{\"shape\":(2,3),'fortran_order':False,\"descr\":\"<f4\"}").empty());
  CHECK(header_refusal("  {  'descr'\t:  '=f4' , 'fortran_order' : False , 'shape' : ( 2L , 3L ) }  ").empty());
  CHECK(header_refusal<float, 1>("{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }").empty());
  CHECK(header_refusal<float, 0>("{'descr': '<f4', 'fortran_order': False, 'shape': (), }").empty());
  CHECK(header_refusal<float, 3>("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9, 4000000000), }").empty());
  CHECK(header_refusal<std::uint8_t, 1>("{'descr': '|u1', 'fortran_order': False, 'shape': (24,), }").empty());
  CHECK(header_refusal<std::int8_t, 1>("{'descr': '>i1', 'fortran_order': False, 'shape': (24,), }").empty());
  CHECK(header_refusal<ndx::bfloat16, 1>("{'descr': '<V2', 'fortran_order': False, 'shape': (12,), }").empty());
  CHECK(header_refusal<std::complex<float>, 1>("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }").empty());
}

TEST_CASE("versions 2.0 and 3.0 count the header with four bytes", "[npy]") {
  for (char const version : {'\2', '\3'}) {
    std::string const header = usual + std::string(70000 - usual.size() + (64 - (12 + 70000) % 64), ' ');
    std::string content = std::string("\x93NUMPY", 6) + version + '\0';
    for (std::size_t rest = header.size(), i = 0; i < 4; ++i, rest /= 256) content += static_cast<char>(rest % 256);
    content += header;
    CHECK(refusal(content + bytes<float>({0, 1, 2, 3, 4, 5})).empty());
    CHECK(refusal(content) == "it has 0 bytes behind its header; due are as many as {2, 3} elements of 4 bytes have");
    CHECK(refusal(content.substr(0, 11)) == "it ends before the length of its header");
  }
}

TEST_CASE("a file that is none, or ends too early, is refused", "[npy]") {
  std::string const good = file_of(usual);
  CHECK(refusal(good).empty());
  CHECK(refusal("") == "it does not begin as an .npy file does, with \\x93NUMPY");
  CHECK(refusal("PK\3\4 and more") == "it does not begin as an .npy file does, with \\x93NUMPY");
  CHECK(refusal(good.substr(0, 7)) == "it ends before the version of its format");
  CHECK(refusal(good.substr(0, 9)) == "it ends before the length of its header");
  CHECK(refusal(good.substr(0, 40)) == "its header has 118 bytes, of which only 30 are there");
  CHECK(refusal(good.substr(0, good.size() - 1)) ==
        "it has 23 bytes behind its header; due are as many as {2, 3} elements of 4 bytes have");
  CHECK(refusal(good + "more").empty());  // NumPy may append other arrays
  std::string other = good;
  other[6] = 4;
  CHECK(refusal(other) == "the version of its format is 4.0; due is 1.0, 2.0 or 3.0");
  other[6] = 1;
  other[7] = 1;
  CHECK(refusal(other) == "the version of its format is 1.1; due is 1.0, 2.0 or 3.0");
}

TEST_CASE("a header that is no such dict is refused", "[npy]") {
  CHECK(header_refusal("['descr']") == "header: character 0 of 54 is none that begins '{', which is due there");
  CHECK(header_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)").find("',' or '}'") !=
        std::string::npos);
  CHECK(header_refusal("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} {}").find("the end, which is due") !=
        std::string::npos);
  CHECK(header_refusal("{'descr': '<f4' 'fortran_order': False}").find("',' or '}'") != std::string::npos);
  CHECK(header_refusal("{descr: '<f4'}").find("a key in quotes") != std::string::npos);
  CHECK(header_refusal("{'descr': \"<f4'}").find("a type in quotes") != std::string::npos);
  CHECK(header_refusal("{'descr': '\\x3cf4'}").find("a type in quotes") != std::string::npos);
  CHECK(header_refusal("{'descr' '<f4'}").find("':'") != std::string::npos);
  CHECK(header_refusal("{'fortran_order': 0}").find("True or False") != std::string::npos);
  CHECK(header_refusal("{'shape': [2, 3]}").find("'('") != std::string::npos);
  CHECK(header_refusal("{'shape': (2 3)}").find("','") != std::string::npos);
  CHECK(header_refusal("{'shape': (2, , 3)}").find("an integer") != std::string::npos);
  CHECK(header_refusal("{'shape': (2, 3").find("','") != std::string::npos);
  CHECK(header_refusal("{'shape': (6)}") == "header: shape is an integer in brackets; due is a tuple, like (3,)");
  CHECK(header_refusal("{'shape': (2, -3)}") == "header: shape has a negative extent; due are extents of 0 and more");
  CHECK(header_refusal("{'shape': (9223372036854775808,)}") ==
        "header: shape has an extent of 2^63 or more; due are ones below");
  CHECK(header_refusal("{'color': 1}") == "header: its key 'color' is unknown; due are descr, fortran_order and shape");
  CHECK(header_refusal("{'descr': '<f4', 'descr': '<f4'}") == "header: its key 'descr' is there twice");
  CHECK(header_refusal("{'fortran_order': False, 'shape': (2, 3)}") == "header: its key 'descr' is missing");
  CHECK(header_refusal("{'descr': '<f4', 'shape': (2, 3)}") == "header: its key 'fortran_order' is missing");
  CHECK(header_refusal("{'descr': '<f4', 'fortran_order': False}") == "header: its key 'shape' is missing");
  CHECK(header_refusal("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}") ==
        "header: descr is a list, as that of structured elements is; due is one type, like '<f4'");
}

TEST_CASE("another type, byte order, rank or size than is due is refused", "[npy]") {
  auto const with = [](std::string const& descr) {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2, 3), }";
  };
  CHECK(header_refusal(with(">f4")) == "descr is '>f4'; due is '<f4'");
  CHECK(header_refusal(with("|f4")) == "descr is '|f4'; due is '<f4'");
  CHECK(header_refusal(with("f4")) == "descr is 'f4'; due is '<f4'");
  CHECK(header_refusal(with("")) == "descr is ''; due is '<f4'");
  CHECK(header_refusal(with("<")) == "descr is '<'; due is '<f4'");
  CHECK(header_refusal<double>(with("<f4")) == "descr is '<f4'; due is '<f8'");
  CHECK(header_refusal<std::int32_t>(with("<u4")) == "descr is '<u4'; due is '<i4'");
  CHECK(header_refusal<ndx::bfloat16>(with("<f2")) == "descr is '<f2'; due is '|V2'");
  CHECK(header_refusal<bool>(with("|u1")) == "descr is '|u1'; due is '|b1'");
  CHECK(header_refusal<float, 3>(usual) == "shape is {2, 3}, of rank 2; due is rank 3");
  CHECK(header_refusal<float, 3>("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3)}") ==
        "it has 24 bytes behind its header; due are as many as {4294967296, 4294967296, 3} elements of 4 bytes have");
  CHECK(header_refusal<float, 1>("{'descr': '<f4', 'fortran_order': True, 'shape': (7,), }") ==
        "it has 24 bytes behind its header; due are as many as {7} elements of 4 bytes have");
  CHECK(header_refusal<bool, 1>("{'descr': '|b1', 'fortran_order': False, 'shape': (24,), }") ==
        "its array has 128 as its element 6; due is a bool, 0 or 1");
}

TEST_CASE("elements that are not aligned are refused", "[npy]") {
  std::string const header = usual + std::string((4 + 1 - (10 + usual.size()) % 4) % 4, ' ');
  std::string const content = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
                              bytes<float>({0, 1, 2, 3, 4, 5});
  REQUIRE((10 + header.size()) % 4 == 1);
  CHECK(refusal(content) ==
        "its array begins 1 bytes behind a multiple of 4 of the file; due is such a multiple, the alignment of the "
        "elements");
  // Where there are none, there is nothing to align.
  std::string empty = content.substr(0, content.size() - 24);
  empty.replace(empty.find("2, 3"), 4, "0, 3");
  CHECK(refusal(empty).empty());
}

TEST_CASE("what is no file that can be read is refused", "[npy]") {
  test::folder const folder;
  auto const missing = folder / "missing.npy";
  CHECK(message_of([&] { static_cast<void>(ndx::npy::read_header(missing)); }) ==
        "npy::read_header: '" + missing.string() + "': No such file or directory");
  CHECK(message_of([&] { static_cast<void>(ndx::npy::read_header(folder.path())); }) ==
        "npy::read_header: '" + folder.path().string() + "': it is no regular file");
}

TEST_CASE("a header can be read by itself", "[npy]") {
  test::folder const folder;
  ndx::npy::write(folder / "x.npy", ndx::tensor<std::complex<double>, 3>({2, 0, 4}));
  ndx::npy::header const header = ndx::npy::read_header(folder / "x.npy");
  CHECK(header.descr == "<c16");
  CHECK(!header.fortran_order);
  CHECK(header.shape == std::vector<index_t>{2, 0, 4});
}

TEST_CASE("what is cut off or changed in one byte never leads outside of the file", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x.npy";
  std::string const good = file_of(usual);
  bool inside = true;
  float volatile sum = 0;  // volatile, so that the elements are read
  auto const every_other = [](char byte) {
    std::string others;
    for (int bits = 1; bits < 256; ++bits)
      others += static_cast<char>(static_cast<unsigned char>(byte) ^ static_cast<unsigned char>(bits));
    return others;
  };
  auto const read = [&](std::size_t size) {
    ndx::npy::mapped<float, 2> const file(path);
    auto const view = file.view();
    // Of the two bytes of its length, as the file has them now.
    std::string const start = test::bytes_of(path).substr(8, 2);
    std::size_t const header =
        static_cast<unsigned char>(start[0]) + std::size_t{256} * static_cast<unsigned char>(start[1]);
    inside = inside && 10 + header + static_cast<std::size_t>(view.size()) * 4 <= size;
    // AddressSanitizer knows nothing of mapped files, but a page behind the end of one cannot be read.
    for (index_t i = 0; i < view.extent(0); ++i)
      for (index_t j = 0; j < view.extent(1); ++j) sum = sum + view(i, j);
  };
  test::readings const damaged = test::read_damaged(path, good, good.size() - 24, every_other, read);
  CHECK(damaged.cut_off == 0);
  CHECK(damaged.changed > 0);
  CHECK(inside);
}

TEMPLATE_TEST_CASE("what is written is mapped again", "[npy]", std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double, ndx::float16,
                   ndx::bfloat16, std::complex<float>, std::complex<double>, bool) {
  test::folder const folder;
  ndx::tensor<TestType, 3> tensor({3, 4, 5});
  int next = 0;
  for (TestType& element : tensor) element = static_cast<TestType>(static_cast<float>(next++ % 2));
  auto const view = tensor.view().permuted({2, 0, 1}).reversed(1);
  ndx::npy::write(folder / "x.npy", view);
  ndx::npy::mapped<TestType, 3> const mapped(folder / "x.npy");
  REQUIRE(mapped.extents() == view.extents());
  bool same = true;
  for (index_t i = 0; i < 5; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k)
        same = same && std::memcmp(&mapped.view()[{i, j, k}], &tensor[{2 - j, k, i}], sizeof(TestType)) == 0;
  CHECK(same);
}

TEST_CASE("a strided view larger than the buffer is written in order", "[npy]") {
  test::folder const folder;
  ndx::tensor<std::int32_t, 2> tensor({100, 150});
  std::iota(tensor.begin(), tensor.end(), 0);
  ndx::npy::write(folder / "x.npy", tensor.view().permuted({1, 0}));
  ndx::npy::mapped<std::int32_t, 2> const mapped(folder / "x.npy");
  bool same = true;
  for (index_t i = 0; i < 150; ++i)
    for (index_t j = 0; j < 100; ++j) same = same && mapped.view()(i, j) == tensor(j, i);
  CHECK(same);
  CHECK(test::bytes_of(folder / "x.npy").size() == 128 + 60000);
}

TEST_CASE("a file is replaced as a whole, while others have it mapped", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x.npy";
  ndx::npy::write(path, ndx::tensor<float, 1>({2}, {1, 2}));
  ndx::npy::mapped<float, 1> const old(path);
  std::filesystem::create_symlink(path, folder / "link.npy");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ndx::npy::write(folder / "link.npy", ndx::tensor<float, 1>({2}, {3, 4}));
  CHECK(std::filesystem::is_symlink(folder / "link.npy"));
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(old.view()(1) == 2.0f);
  CHECK(ndx::npy::mapped<float, 1>(path).view()(1) == 4.0f);
  // Even by what is in it.
  ndx::npy::write(path, ndx::npy::mapped<float, 1>(path).view().reversed(0));
  CHECK(ndx::npy::mapped<float, 1>(path).view()(1) == 3.0f);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("a file is as private while it is written as the one that it replaces", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x.npy";
  constexpr auto owner_alone = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  test::write_bytes(path, "old");
  std::filesystem::permissions(path, owner_alone);
  ndx::detail::new_file file("test", path);
  REQUIRE(folder.names().size() == 2);
  for (std::string const& name : folder.names())
    CHECK(std::filesystem::status(folder / name).permissions() == owner_alone);
  file.write("new");
  file.commit();
  CHECK(folder.names() == std::vector<std::string>{"x.npy"});
  CHECK(std::filesystem::status(path).permissions() == owner_alone);
}

TEST_CASE("a file is made with the permissions that it is allowed, and only where none is", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x";
  constexpr auto owner_alone = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::FILE* const file = ndx::detail::create_file(path, owner_alone);
  REQUIRE(file != nullptr);
  CHECK(std::filesystem::status(path).permissions() == owner_alone);
  CHECK(std::fputs("text", file) >= 0);
  CHECK(std::fclose(file) == 0);
  CHECK(ndx::detail::create_file(path, owner_alone) == nullptr);
  CHECK(errno == EEXIST);
  CHECK(test::bytes_of(path) == "text");
}

TEST_CASE("permissions that are kept from new files go from the old file to the new one", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x.npy";
  constexpr auto everybody = std::filesystem::perms::owner_all | std::filesystem::perms::group_all |
                             std::filesystem::perms::others_read | std::filesystem::perms::others_write;
  test::write_bytes(path, "old");
  std::filesystem::permissions(path, everybody);
  ndx::npy::write(path, ndx::tensor<float, 1>({1}, {7}));
  CHECK(std::filesystem::status(path).permissions() == everybody);
}

TEST_CASE("links stay links where no file is behind them yet", "[npy]") {
  test::folder const folder;
  std::filesystem::create_directory(folder / "part");
  std::filesystem::create_symlink("part/second.npy", folder / "first.npy");
  std::filesystem::create_symlink("x.npy", folder / "part/second.npy");
  ndx::npy::write(folder / "first.npy", ndx::tensor<float, 1>({1}, {7}));
  CHECK(std::filesystem::is_symlink(folder / "first.npy"));
  CHECK(std::filesystem::is_symlink(folder / "part/second.npy"));
  CHECK(ndx::npy::mapped<float, 1>(folder / "part/x.npy").view()(0) == 7.0f);

  auto const loop = folder / "loop.npy";
  std::filesystem::create_symlink("loop.npy", loop);
  CHECK(message_of([&] {
          ndx::npy::write(loop, ndx::tensor<float, 1>({1}));
        }).starts_with("npy::write: '" + loop.string() + "': "));
  CHECK(std::filesystem::is_symlink(loop));
}

TEST_CASE("a name may have as many letters as the system allows", "[npy]") {
  test::folder const folder;
  std::string const name(255, 'x');
  ndx::npy::write(folder / name, ndx::tensor<float, 1>({1}));
  CHECK(folder.names() == std::vector<std::string>{name});
}

TEST_CASE("what cannot be written leaves everything as it was", "[npy]") {
  test::folder const folder;
  auto const path = folder / "x.npy";
  ndx::npy::write(path, ndx::tensor<float, 1>({1}, {1}));
  std::string const before = test::bytes_of(path);
  CHECK(message_of([&] { ndx::npy::write(path, ndx::tensor_view<float, 1>(nullptr, {3})); }) ==
        "npy::write: tensor: extents {3} and strides {1} at a null pointer; due is a pointer to the elements");
  CHECK(test::bytes_of(path) == before);
  CHECK(message_of([&] { ndx::npy::write(folder.path(), ndx::tensor<float, 1>({1})); }) ==
        "npy::write: '" + folder.path().string() + "': it is no regular file, and is not replaced");
  auto const nowhere = folder / "no" / "x.npy";
  CHECK(message_of([&] { ndx::npy::write(nowhere, ndx::tensor<float, 1>({1})); }) ==
        "npy::write: '" + nowhere.string() + "': No such file or directory");
  CHECK(folder.names() == std::vector<std::string>{"x.npy"});
  if (std::filesystem::exists("/dev/full"))
    CHECK(message_of([&] { ndx::npy::write("/dev/full", ndx::tensor<float, 1>({1})); }) ==
          "npy::write: '/dev/full': it is no regular file, and is not replaced");
}
