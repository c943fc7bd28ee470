// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_SAFETENSORS_HPP
#define NDX_INTEROP_SAFETENSORS_HPP

#include <ndx/concepts.hpp>
#include <ndx/interop/detail/file_elements.hpp>
#include <ndx/interop/detail/mapped_file.hpp>
#include <ndx/interop/detail/new_file.hpp>
#include <ndx/interop/detail/safetensors_header.hpp>
#include <ndx/interop/element_kind.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ndx::safetensors {

static_assert(std::endian::native == std::endian::little, "ndx: safetensors are little-endian");

namespace detail {

/// The name of a type in the header.
template <exchangeable_element T>
std::string dtype_of() {
  constexpr element_kind kind = element_kind_of<std::remove_cv_t<T>>::value;
  static_assert(kind != element_kind::boolean || sizeof(T) == 1, "ndx: a BOOL of safetensors has one byte");
  static_assert(kind != element_kind::bfloat || sizeof(T) == 2, "ndx: a BF16 of safetensors has two bytes");
  static_assert(kind != element_kind::complex || sizeof(T) == 8, "ndx: of complex types safetensors have C64 alone");
  if constexpr (kind == element_kind::boolean) return "BOOL";
  if constexpr (kind == element_kind::bfloat) return "BF16";
  constexpr char kinds[] = {' ', 'I', 'U', 'F', ' ', 'C'};
  return std::string(1, kinds[static_cast<std::size_t>(kind)]) + std::to_string(8 * sizeof(T));
}

/// Checks that the tensors fill the bytes behind the header, each with as many as its shape and type need,
/// where ndx knows how many these are.
inline void check_ranges(char const* function, std::filesystem::path const& path, contents const& header,
                         std::uint64_t size) {
  auto const fail = [&](std::string const& why) { ndx::detail::fail_file(function, path, why); };
  std::vector<std::pair<std::string_view, tensor_info const*>> in_order;
  for (auto const& [name, info] : header.tensors) in_order.emplace_back(name, &info);
  std::sort(in_order.begin(), in_order.end(), [](auto const& a, auto const& b) {
    return std::pair(a.second->begin, a.second->end) < std::pair(b.second->begin, b.second->end);
  });
  std::uint64_t end = 0;
  for (auto const& [name, info] : in_order) {
    std::string const which = text("header: tensor '", std::string(name), "': ");
    std::string const offsets = text("data_offsets are [", info->begin, ", ", info->end, "]");
    if (info->begin != end || info->end < info->begin || info->end > size)
      fail(text(which, offsets, "; due are ones from ", end, " on, where the tensor before ends, up to at most ", size,
                ", where the file ends"));
    std::uint64_t const bits = bits_of(info->dtype);
    if (bits != 0 && ndx::detail::bytes_of(info->shape, bits / 8) != info->end - info->begin)
      fail(text(which, offsets, "; due are as many bytes as ", ndx::detail::braces(info->shape), " elements of ",
                info->dtype, " have"));
    end = info->end;
  }
  if (end != size) fail(text("header: its tensors have ", end, " bytes; due are ", size, ", all that follow it"));
}

}  // namespace detail

/// A safetensors file, mapped into memory: only what is touched is read. Moves, does not copy. Nobody may change it
/// meanwhile, but for replacing it as `write` does.
class file {
public:
  /// Throws `error` where the file cannot be read, or its header is not what the format demands: each key once, and
  /// tensors that fill the file without a gap or an overlap. Nothing of the header is believed before.
  explicit file(std::filesystem::path const& path) : path_(path), mapping_(name, path) {
    std::string_view const bytes = mapping_.bytes();
    auto const fail = [&](std::string const& why) { ndx::detail::fail_file(name, path_, why); };
    if (bytes.size() < 8) fail(detail::text("it has ", bytes.size(), " bytes; due are 8 and more, a header's length"));
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) length = length * 256 + static_cast<unsigned char>(bytes[i]);
    std::size_t const room = bytes.size() - 8;
    if (length > room) fail(detail::text("its header has ", length, " bytes, of which only ", room, " are there"));
    std::string_view const header = bytes.substr(8, static_cast<std::size_t>(length));
    if (!header.starts_with('{')) fail("header: it does not begin with '{'");
    // The parser takes a zero for the end.
    if (std::size_t const zero = header.find('\0'); zero != std::string_view::npos)
      fail(detail::text("header: byte ", zero + 1, " is none that JSON has there (it is a zero)"));
    detail::header_reader reader;
    if (!nlohmann::json::sax_parse(header.begin(), header.end(), &reader)) fail("header: " + reader.problem);
    detail::check_ranges(name, path_, reader.result, room - length);
    contents_ = std::move(reader.result);
    data_ = bytes.substr(8 + static_cast<std::size_t>(length));
  }

  /// In the order of the alphabet.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (auto const& [each, info] : contents_.tensors) result.push_back(each);
    return result;
  }
  [[nodiscard]] bool contains(std::string_view tensor) const { return contents_.tensors.contains(tensor); }

  /// Type and shape, for a program that does not know them. Throws `error` where there is no such tensor.
  [[nodiscard]] tensor_info const& info(std::string_view tensor) const {
    auto const found = contents_.tensors.find(tensor);
    if (found == contents_.tensors.end())
      ndx::detail::fail_file(
          name, path_,
          detail::text("there is no tensor '", std::string(tensor), "' among its ", contents_.tensors.size()));
    return found->second;
  }

  /// What `__metadata__` says.
  [[nodiscard]] std::map<std::string, std::string> const& metadata() const noexcept { return contents_.metadata; }

  /// A tensor where it lies in the file; the view must not outlive the file. Throws `error` where there is no such
  /// tensor, or its elements are of another type, not as many as its shape has, or not aligned for `T`, `shape_error`
  /// where the rank is another one. Reads the elements only where they are bool, to check that they are.
  template <exchangeable_element T, std::size_t Rank>
  [[nodiscard]] tensor_view<T const, Rank> get(std::string_view tensor) const {
    tensor_info const& found = info(tensor);
    std::string const which = detail::text("tensor '", std::string(tensor), "'");
    std::string const due = detail::dtype_of<T>();
    if (found.dtype != due)
      ndx::detail::fail_file(name, path_, detail::text(which, ": dtype is ", found.dtype, "; due is ", due));
    if (found.shape.size() != Rank)
      ndx::detail::fail(shape_error(detail::text(name, ": '", path_.string(), "': ", which, ": shape is ",
                                                 ndx::detail::braces(found.shape), ", of rank ", found.shape.size(),
                                                 "; due is rank ", Rank)));
    // The file may give a dtype of which check_ranges knows no size, as those of types of the program are.
    std::uint64_t const size = found.end - found.begin;
    if (ndx::detail::bytes_of(found.shape, sizeof(T)) != size)
      ndx::detail::fail_file(name, path_,
                             detail::text(which, ": it has ", size, " bytes; due are as many as ",
                                          ndx::detail::braces(found.shape), " elements of ", sizeof(T), " bytes have"));
    std::string_view const bytes =
        data_.substr(static_cast<std::size_t>(found.begin), static_cast<std::size_t>(found.end - found.begin));
    std::array<index_t, Rank> extents{};
    for (std::size_t d = 0; d < Rank; ++d) extents[d] = found.shape[d];
    return {ndx::detail::elements_of<T const>(name, path_, which, bytes), extents};
  }

private:
  static constexpr char const* name = "safetensors::file";

  std::filesystem::path path_;
  ndx::detail::mapped_file mapping_;
  detail::contents contents_;
  std::string_view data_;
};

/// A tensor to be written, by any tensor on the host, however it is strided; does not own its elements.
class named_tensor {
public:
  template <ndx::detail::storable_tensor X>
  named_tensor(std::string name, X const& tensor)
      : name_(std::move(name)), dtype_(detail::dtype_of<value_type_of<X const&>>()) {
    auto const view = ndx::view(tensor);
    shape_.assign(view.extents().begin(), view.extents().end());
    element_size_ = sizeof(value_type_of<X const&>);
    std::string const which = detail::text("tensor '", name_, "'");
    plan::check_layout("safetensors::write", which.c_str(), plan::layout_of(view), element_size_,
                       view.data_handle() != nullptr);
    write_ = [view](ndx::detail::new_file& file) { ndx::detail::write_elements(file, view); };
  }

  [[nodiscard]] std::string const& name() const noexcept { return name_; }
  [[nodiscard]] std::string const& dtype() const noexcept { return dtype_; }
  [[nodiscard]] std::vector<index_t> const& shape() const noexcept { return shape_; }
  [[nodiscard]] std::size_t element_size() const noexcept { return element_size_; }
  void write(ndx::detail::new_file& file) const { write_(file); }

private:
  std::string name_;
  std::string dtype_;
  std::vector<index_t> shape_;
  std::size_t element_size_ = 0;
  std::function<void(ndx::detail::new_file&)> write_;
};

/// Writes tensors and strings into a file: `write("x.safetensors", {{"weight", weight}, {"bias", bias}}, {{"by",
/// "me"}})`. Elements lie in the file by size, the largest first, so that all are aligned; the first begins at a
/// multiple of 64.
///
/// Throws `error` where a name is there twice, is `__metadata__` or no UTF-8, or the file cannot be written;
/// `shape_error` for a view that no operator would take. A file that was there is then as it was; it is replaced at
/// once when the new one is complete.
inline void write(std::filesystem::path const& path, std::vector<named_tensor> const& tensors,
                  std::map<std::string, std::string> const& metadata = {}) {
  constexpr char const* function = "safetensors::write";
  std::vector<named_tensor const*> order;
  for (named_tensor const& each : tensors) order.push_back(&each);
  std::stable_sort(order.begin(), order.end(),
                   [](auto const* a, auto const* b) { return a->element_size() > b->element_size(); });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t end = 0;
  for (named_tensor const* each : order) {
    if (each->name() == "__metadata__") ndx::detail::fail_file(function, path, "__metadata__ is no name of a tensor");
    if (header.contains(each->name()))
      ndx::detail::fail_file(function, path, detail::text("the tensor '", each->name(), "' is there twice"));
    std::uint64_t const begin = std::exchange(end, end + ndx::detail::bytes_of(each->shape(), each->element_size()));
    header[each->name()] = {{"dtype", each->dtype()}, {"shape", each->shape()}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // What is no UTF-8 has been replaced then, so it does not come back.
  if (nlohmann::ordered_json::parse(text, nullptr, false) != header)
    ndx::detail::fail_file(function, path, "a name or a text is not UTF-8");
  text.append((64 - (8 + text.size()) % 64) % 64, ' ');
  ndx::detail::new_file file(function, path);
  std::string length;
  for (std::uint64_t rest = text.size(); length.size() < 8; rest /= 256) length += static_cast<char>(rest % 256);
  file.write(length);
  file.write(text);
  for (named_tensor const* each : order) each->write(file);
  file.commit();
}

}  // namespace ndx::safetensors

#endif
