// SPDX-License-Identifier: MIT
// safetensors files that are mapped and written. Files that Python writes and reads: files.test.py.
#include <ndx/interop/safetensors.hpp>

#include "../../support/catch.hpp"
#include "../../support/message_of.hpp"
#include "exchange.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// A type of the program: a dtype of which ndx itself knows nothing.
struct tiny {
  unsigned char bits;
};
template <>
struct ndx::element_kind_of<tiny> : ndx::element_kind_constant<ndx::element_kind::floating> {};

namespace {

using ndx::index_t;
using test::message_of;

/// A file with this header, and so many bytes 0, 1, 2, ... behind it.
std::string file_of(std::string const& header, std::size_t bytes) {
  std::string content;
  for (std::size_t rest = header.size(), i = 0; i < 8; ++i, rest /= 256) content += static_cast<char>(rest % 256);
  content += header;
  for (std::size_t i = 0; i < bytes; ++i) content += static_cast<char>(i);
  return content;
}

/// What opening a file with these bytes throws.
std::string refusal_of(std::string const& content) {
  test::folder const folder;
  auto const path = folder / "x.safetensors";
  test::write_bytes(path, content);
  std::string const text = message_of([&] { ndx::safetensors::file const file(path); });
  std::string const prefix = "safetensors::file: '" + path.string() + "': ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}
std::string refusal(std::string const& header, std::size_t bytes = 24) { return refusal_of(file_of(header, bytes)); }

std::string const usual = R"({"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[8],"data_offsets":[16,24]},)"
                          R"("a":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]}})";

static_assert(std::is_nothrow_move_constructible_v<ndx::safetensors::file>);
static_assert(!std::is_copy_constructible_v<ndx::safetensors::file>);

}  // namespace

TEST_CASE("tensors are looked up by name where they lie in the file", "[safetensors]") {
  test::folder const folder;
  // Padded with spaces, as the format allows, so that the tensors are aligned.
  std::string const header = usual + std::string(8 - usual.size() % 8, ' ');
  test::write_bytes(folder / "x", file_of(header, 24));
  ndx::safetensors::file opened(folder / "x");
  ndx::safetensors::file file = std::move(opened);
  CHECK(file.names() == std::vector<std::string>{"a", "b"});
  CHECK(file.contains("a"));
  CHECK(!file.contains("c"));
  CHECK(file.metadata() == std::map<std::string, std::string>{{"format", "pt"}});
  CHECK(file.info("b").dtype == "U8");
  CHECK(file.info("a").shape == std::vector<index_t>{2, 2});
  auto const a = file.get<std::int32_t, 2>("a");
  static_assert(std::is_same_v<decltype(a), ndx::tensor_view<std::int32_t const, 2> const>);
  CHECK(a(1, 0) == 0x0b0a0908);
  CHECK(file.get<std::uint8_t const, 1>("b")(7) == 23);
  ndx::tensor<std::int64_t, 2> const rows({1, 1}, {1});
  ndx::tensor<std::int32_t, 2> taken({1, 2});
  ndx::gather_nd(ndx::simd, a, rows, taken);
  CHECK(taken(0, 1) == 0x0f0e0d0c);
}

TEST_CASE("a tensor of another name, type, rank or alignment is refused", "[safetensors]") {
  test::folder const folder;
  auto const path = folder / "x";
  test::write_bytes(path, file_of(usual + std::string(8 - usual.size() % 8, ' ') + " ", 24));
  ndx::safetensors::file const file(path);
  std::string const prefix = "safetensors::file: '" + path.string() + "': ";
  CHECK(message_of([&] { static_cast<void>(file.get<float, 2>("c")); }) ==
        prefix + "there is no tensor 'c' among its 2");
  CHECK(message_of([&] { static_cast<void>(file.get<float, 2>("a")); }) ==
        prefix + "tensor 'a': dtype is I32; due is F32");
  CHECK(message_of([&] { static_cast<void>(file.get<bool, 1>("b")); }) ==
        prefix + "tensor 'b': dtype is U8; due is BOOL");
  CHECK(message_of([&] { static_cast<void>(file.get<std::int32_t, 1>("a")); }) ==
        prefix + "tensor 'a': shape is {2, 2}, of rank 2; due is rank 1");
  CHECK(message_of([&] { static_cast<void>(file.get<std::int32_t, 2>("a")); }) ==
        prefix +
            "tensor 'a' begins 1 bytes behind a multiple of 4 of the file; due is such a multiple, the alignment "
            "of the elements");
  CHECK(file.get<std::uint8_t, 1>("b")(0) == 16);
}

TEST_CASE("the elements of a type of the program are within the bytes of their tensor", "[safetensors]") {
  test::folder const folder;
  auto const path = folder / "x";
  test::write_bytes(path, file_of(R"({"good":{"dtype":"F8","shape":[2,4],"data_offsets":[0,8]},)"
                                  R"("long":{"dtype":"F8","shape":[1000000],"data_offsets":[8,16]},)"
                                  R"("short":{"dtype":"F8","shape":[7],"data_offsets":[16,24]},)"
                                  R"("vast":{"dtype":"F8","shape":[4294967296,4294967296],"data_offsets":[24,24]}})",
                                  24));
  ndx::safetensors::file const file(path);
  CHECK(file.get<tiny, 2>("good")(1, 3).bits == 7);
  std::string const prefix = "safetensors::file: '" + path.string() + "': ";
  CHECK(message_of([&] { static_cast<void>(file.get<tiny, 1>("long")); }) ==
        prefix + "tensor 'long': it has 8 bytes; due are as many as {1000000} elements of 1 bytes have");
  CHECK(message_of([&] { static_cast<void>(file.get<tiny, 1>("short")); }) ==
        prefix + "tensor 'short': it has 8 bytes; due are as many as {7} elements of 1 bytes have");
  CHECK(message_of([&] { static_cast<void>(file.get<tiny, 2>("vast")); }) ==
        prefix + "tensor 'vast': it has 0 bytes; due are as many as {4294967296, 4294967296} elements of 1 bytes have");
}

TEST_CASE("a bool in a file is 0 or 1", "[safetensors]") {
  test::folder const folder;
  test::write_bytes(folder / "x", file_of(R"({"x":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})", 3));
  ndx::safetensors::file const file(folder / "x");
  CHECK(message_of([&] {
          static_cast<void>(file.get<bool, 1>("x"));
        }).ends_with("tensor 'x' has 2 as its element 2; due is a bool, 0 or 1"));
}

TEST_CASE("files without tensors, and tensors without elements, are fine", "[safetensors]") {
  CHECK(refusal("{}", 0).empty());
  CHECK(refusal(R"({"__metadata__":{}})", 0).empty());
  CHECK(refusal(R"({"b":{"dtype":"F32","shape":[0,7],"data_offsets":[4,4]},)"
                R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                4)
            .empty());
  CHECK(refusal(R"({"x":{"dtype":"OF_LATER","shape":[3],"data_offsets":[0,2]}})", 2).empty());
}

TEST_CASE("a tensor without elements may be anywhere", "[safetensors]") {
  test::folder const folder;
  std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                       R"("b":{"dtype":"F32","shape":[0,7],"data_offsets":[1,1]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  test::write_bytes(folder / "x", file_of(header, 1));
  ndx::safetensors::file const file(folder / "x");
  CHECK(file.get<float, 2>("b").extents() == std::array<index_t, 2>{0, 7});
}

TEST_CASE("a file that ends too early is refused", "[safetensors]") {
  CHECK(refusal_of("") == "it has 0 bytes; due are 8 and more, a header's length");
  CHECK(refusal_of("1234567") == "it has 7 bytes; due are 8 and more, a header's length");
  CHECK(refusal_of(std::string(8, '\xff')) == "its header has 18446744073709551615 bytes, of which only 0 are there");
  CHECK(refusal_of(file_of(usual, 0).substr(0, 20)) ==
        "its header has " + std::to_string(usual.size()) + " bytes, of which only 12 are there");
  CHECK(
      refusal(usual, 23) ==
      "header: tensor 'b': data_offsets are [16, 24]; due are ones from 16 on, where the tensor before ends, up to at "
      "most 23, where the file ends");
  CHECK(refusal(usual, 25) == "header: its tensors have 24 bytes; due are 25, all that follow it");
}

TEST_CASE("tensors that leave gaps, overlap or are of another size are refused", "[safetensors]") {
  auto const two = [](std::string const& first, std::string const& second) {
    return R"({"a":{"dtype":"U8","shape":[12],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[12],"data_offsets":)" + second + "}}";
  };
  CHECK(refusal(two("[0,12]", "[12,24]")).empty());
  CHECK(refusal(two("[12,24]", "[0,12]")).empty());
  CHECK(refusal(two("[0,12]", "[13,25]"), 25).find("[13, 25]; due are ones from 12 on") != std::string::npos);
  CHECK(refusal(two("[0,12]", "[11,23]"), 23).find("[11, 23]; due are ones from 12 on") != std::string::npos);
  CHECK(refusal(two("[0,12]", "[0,12]")).find("[0, 12]; due are ones from 12 on") != std::string::npos);
  CHECK(refusal(two("[12,0]", "[12,24]")).find("[12, 0]; due are ones from 0 on") != std::string::npos);
  CHECK(refusal(two("[0,13]", "[13,24]")) ==
        "header: tensor 'a': data_offsets are [0, 13]; due are as many bytes as {12} elements of U8 have");
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4,0],"data_offsets":[0,0]}})", 0).empty());
  CHECK(
      refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0) ==
      "header: tensor 'a': data_offsets are [0, 0]; due are as many bytes as {4611686018427387904, 4} elements of F32 "
      "have");
}

TEST_CASE("a header that is no JSON of this form is refused", "[safetensors]") {
  auto const tensor = [](std::string const& inside) { return "{\"a\":{" + inside + "}}"; };
  CHECK(refusal("") == "header: it does not begin with '{'");
  CHECK(refusal(" {}", 0) == "header: it does not begin with '{'");
  CHECK(refusal("[]") == "header: it does not begin with '{'");
  CHECK(refusal("{").find("header: byte ") == 0);
  CHECK(refusal("{} x", 0).find("header: byte ") == 0);
  CHECK(refusal(std::string("{}\0", 3), 0) == "header: byte 3 is none that JSON has there (it is a zero)");
  CHECK(refusal("{\"\xff\":1}").find("header: byte ") == 0);
  CHECK(refusal("{\"a\":1}") == "header: tensor 'a': a number is there; due is an object");
  CHECK(refusal("{\"a\":null}") == "header: tensor 'a': null is there; due is an object");
  CHECK(refusal("{\"__metadata__\":[]}") == "header: __metadata__: an array is there; due is an object");
  CHECK(refusal("{\"__metadata__\":{\"x\":1}}") == "header: __metadata__: a number is there; due is a string");
  CHECK(refusal("{\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}}") == "header: __metadata__ has the key 'x' twice");
  CHECK(refusal("{\"__metadata__\":{},\"__metadata__\":{}}") == "header: __metadata__ is there twice");
  CHECK(refusal(tensor("\"dtype\":1")) == "header: tensor 'a': a number is there; due is a string");
  CHECK(refusal(tensor("\"shape\":\"x\"")) == "header: tensor 'a': a string is there; due is an array");
  CHECK(refusal(tensor("\"shape\":{}")) == "header: tensor 'a': an object is there; due is an array");
  CHECK(refusal(tensor("\"shape\":[[1]]")) == "header: tensor 'a': an array is there; due is an integer of 0 and more");
  CHECK(refusal(tensor("\"shape\":[-1]")) ==
        "header: tensor 'a': a negative number is there; due is an integer of 0 and more");
  CHECK(refusal(tensor("\"shape\":[1.5]")) ==
        "header: tensor 'a': a number with a fraction or too large is there; due is an integer of 0 and more");
  CHECK(refusal(tensor("\"shape\":[18446744073709551616]")).find("too large is there") != std::string::npos);
  CHECK(refusal(tensor("\"shape\":[9223372036854775808]")) ==
        "header: tensor 'a': a number is 9223372036854775808; due are ones below 2^63");
  CHECK(refusal(tensor("\"shape\":[true]")) ==
        "header: tensor 'a': a boolean is there; due is an integer of 0 and more");
  CHECK(refusal(tensor("\"data_offsets\":[0]")) ==
        "header: tensor 'a': data_offsets are 1 numbers; due are 2, begin and end");
  CHECK(refusal(tensor("\"color\":1")) ==
        "header: tensor 'a': its key 'color' is unknown; due are dtype, shape and data_offsets");
  CHECK(refusal(tensor("\"dtype\":\"U8\",\"dtype\":\"U8\"")) == "header: tensor 'a': its key 'dtype' is there twice");
  CHECK(refusal(tensor("\"dtype\":\"U8\",\"shape\":[1]")) == "header: tensor 'a': its key 'data_offsets' is missing");
  CHECK(refusal(tensor("\"dtype\":\"U8\",\"data_offsets\":[0,1]")) == "header: tensor 'a': its key 'shape' is missing");
  CHECK(refusal(tensor("")) == "header: tensor 'a': its key 'dtype' is missing");
  std::string const one = R"("a":{"dtype":"U8","shape":[12],"data_offsets":[0,12]})";
  CHECK(refusal("{" + one + "," + one + "}") == "header: the tensor 'a' is there twice");
  // Nesting that would overflow a stack.
  CHECK(refusal("{\"a\":" + std::string(1000000, '[')) == "header: tensor 'a': an array is there; due is an object");
}

TEST_CASE("what is cut off or changed in one byte never leads outside of the file", "[safetensors]") {
  test::folder const folder;
  auto const path = folder / "x";
  std::string const good = file_of(usual + std::string(8 - usual.size() % 8, ' '), 24);  // so that `a` is aligned
  bool inside = true;
  int elements = 0;
  std::int64_t volatile sum = 0;  // volatile, so that the elements are read
  // Every bit, and what JSON is made of.
  auto const others = [](char byte) {
    std::string result("{}[],:\"\\ 09-.\0\n", 15);
    for (char const bit : {'\x01', '\x02', '\x04', '\x08', '\x10', '\x20', '\x40', '\x80'})
      result += static_cast<char>(byte ^ bit);
    return result;
  };
  auto const read = [&](std::size_t size) {
    ndx::safetensors::file const file(path);
    // Of the eight bytes of its length, as the file has them now.
    std::string const now = test::bytes_of(path);
    std::uint64_t header = 0;
    for (std::size_t i = 8; i-- > 0;) header = header * 256 + static_cast<unsigned char>(now[i]);
    for (std::string const& name : file.names()) {
      inside = inside && 8 + header + file.info(name).end <= size;
      // One of the two has the type and the rank of the tensor; or neither, as they may be damaged.
      static_cast<void>(message_of([&] {
        auto const bytes = file.get<std::uint8_t, 1>(name);
        for (index_t i = 0; i < bytes.extent(0); ++i, ++elements) sum = sum + bytes(i);
      }));
      static_cast<void>(message_of([&] {
        auto const numbers = file.get<std::int32_t, 2>(name);
        for (index_t i = 0; i < numbers.extent(0); ++i)
          for (index_t j = 0; j < numbers.extent(1); ++j, ++elements) sum = sum + numbers(i, j);
      }));
    }
  };
  test::readings const damaged = test::read_damaged(path, good, good.size() - 24, others, read);
  CHECK(damaged.cut_off == 0);
  CHECK(damaged.changed > 0);
  CHECK(elements > 0);
  CHECK(inside);
}

TEST_CASE("what is written is mapped again, all of it aligned", "[safetensors]") {
  test::folder const folder;
  auto const path = folder / "x.safetensors";
  ndx::tensor<std::uint8_t, 1> const bytes({3}, {1, 2, 3});
  ndx::tensor<double, 2> const doubles({2, 2}, {1, 2, 3, 4});
  ndx::tensor<ndx::bfloat16, 1> const halves({1}, {ndx::bfloat16(2.5f)});
  ndx::tensor<std::complex<float>, 0> complex({});
  complex() = {1, -1};
  ndx::tensor<bool, 2> const none({0, 4});
  ndx::safetensors::write(path,
                          {{"bytes \"\n\xc3\xa4", bytes},
                           {"doubles", doubles.view().permuted({1, 0})},
                           {"halves", halves},
                           {"complex", complex},
                           {"none", none}},
                          {{"key", "value"}});
  ndx::safetensors::file const file(path);
  CHECK(file.names() == std::vector<std::string>{"bytes \"\n\xc3\xa4", "complex", "doubles", "halves", "none"});
  CHECK(file.metadata() == std::map<std::string, std::string>{{"key", "value"}});
  CHECK(file.get<std::uint8_t, 1>("bytes \"\n\xc3\xa4")(2) == 3);
  CHECK(file.get<double, 2>("doubles")(0, 1) == 3.0);
  CHECK(file.get<ndx::bfloat16, 1>("halves")(0) == 2.5f);
  CHECK(file.get<std::complex<float>, 0>("complex")() == std::complex<float>(1, -1));
  CHECK(file.get<bool, 2>("none").extents() == std::array<index_t, 2>{0, 4});
  CHECK(reinterpret_cast<std::uintptr_t>(file.get<double, 2>("doubles").data_handle()) % 64 == 0);
  ndx::safetensors::write(path, {});
  CHECK(ndx::safetensors::file(path).names().empty());
  CHECK(file.get<double, 2>("doubles")(1, 1) == 4.0);  // the file that was there
}

TEST_CASE("what cannot be written leaves everything as it was", "[safetensors]") {
  test::folder const folder;
  auto const path = folder / "x";
  ndx::tensor<float, 1> const one({1}, {1});
  ndx::safetensors::write(path, {{"one", one}});
  std::string const before = test::bytes_of(path);
  std::string const prefix = "safetensors::write: '" + path.string() + "': ";
  CHECK(message_of([&] {
          ndx::safetensors::write(path, {{"a", one}, {"a", one}});
        }) == prefix + "the tensor 'a' is there twice");
  CHECK(message_of([&] {
          ndx::safetensors::write(path, {{"__metadata__", one}});
        }) == prefix + "__metadata__ is no name of a tensor");
  CHECK(message_of([&] {
          ndx::safetensors::write(path, {{"\xff", one}});
        }) == prefix + "a name or a text is not UTF-8");
  CHECK(message_of([&] {
          ndx::safetensors::write(path, {{"a", one}}, {{"b", "\xc3"}});
        }) == prefix + "a name or a text is not UTF-8");
  CHECK(message_of([&] {
          ndx::safetensors::write(path, {{"a", ndx::tensor_view<float, 1>(nullptr, {2})}});
        }) ==
        "safetensors::write: tensor 'a': extents {2} and strides {1} at a null pointer; due is a pointer to the "
        "elements");
  CHECK(test::bytes_of(path) == before);
  CHECK(folder.names() == std::vector<std::string>{"x"});
}
