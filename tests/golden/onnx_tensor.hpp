// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_GOLDEN_ONNX_TENSOR_HPP
#define NDX_TESTS_GOLDEN_ONNX_TENSOR_HPP

#include <ndx/tensor.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// Generated from the onnx.proto that the ONNX package installs.
#include "onnx.pb.h"

namespace golden {

/// A tensor of a test case, its element type and rank known at run time only.
class onnx_tensor {
public:
  explicit onnx_tensor(onnx::TensorProto const& proto)
      : type_(proto.data_type()), extents_(proto.dims().begin(), proto.dims().end()) {
    if constexpr (std::endian::native != std::endian::little)
      throw std::runtime_error("raw_data is little-endian, and this machine is not");
    if (proto.has_raw_data()) {
      bytes_ = proto.raw_data();
    } else if (type_ == onnx::TensorProto::FLOAT) {
      bytes_ = bytes_of(proto.float_data());
    } else if (type_ == onnx::TensorProto::INT32) {
      bytes_ = bytes_of(proto.int32_data());
    } else if (type_ == onnx::TensorProto::INT64) {
      bytes_ = bytes_of(proto.int64_data());
    } else {
      throw std::runtime_error("a tensor without raw_data, of data_type " + std::to_string(type_));
    }
  }

  std::vector<ndx::index_t> const& extents() const { return extents_; }
  std::size_t rank() const { return extents_.size(); }
  std::string const& bytes() const { return bytes_; }

  template <class T>
  bool holds() const {
    return type_ == data_type<T>();
  }

  /// The same extents and bytes as a tensor of the library; the caller knows type and rank.
  template <class T, std::size_t Rank>
  ndx::tensor<T, Rank> as() const {
    if (!holds<T>() || rank() != Rank) throw std::runtime_error("a tensor of another type or rank than the case says");
    std::array<ndx::index_t, Rank> extents{};
    for (std::size_t d = 0; d < Rank; ++d) extents[d] = extents_[d];
    ndx::tensor<T, Rank> result(extents);
    if (static_cast<std::size_t>(result.size()) * sizeof(T) != bytes_.size())
      throw std::runtime_error("a tensor whose bytes do not fit its extents");
    std::memcpy(result.data(), bytes_.data(), bytes_.size());
    return result;
  }

  /// The elements of a list, such as the `starts` of Slice, of either integer type.
  std::vector<ndx::index_t> integers() const {
    std::vector<ndx::index_t> result;
    if (holds<std::int32_t>()) {
      for (std::int32_t value : as<std::int32_t, 1>()) result.push_back(value);
    } else {
      for (std::int64_t value : as<std::int64_t, 1>()) result.push_back(value);
    }
    return result;
  }

private:
  template <class T>
  static constexpr int data_type() {
    if constexpr (std::same_as<T, float>) {
      return onnx::TensorProto::FLOAT;
    } else if constexpr (std::same_as<T, std::int32_t>) {
      return onnx::TensorProto::INT32;
    } else {
      static_assert(std::same_as<T, std::int64_t>);
      return onnx::TensorProto::INT64;
    }
  }

  template <class Field>
  static std::string bytes_of(Field const& values) {
    using element = std::remove_cvref_t<decltype(*values.begin())>;
    std::vector<element> const elements(values.begin(), values.end());
    return {reinterpret_cast<char const*>(elements.data()), elements.size() * sizeof(element)};
  }

  int type_;
  std::vector<ndx::index_t> extents_;
  std::string bytes_;
};

/// Has this tensor of the library the extents and the bytes that a test case expects?
template <class T, std::size_t Rank>
bool identical(ndx::tensor<T, Rank> const& tensor, onnx_tensor const& expected) {
  return expected.holds<T>() &&
         std::vector<ndx::index_t>(tensor.extents().begin(), tensor.extents().end()) == expected.extents() &&
         std::string(reinterpret_cast<char const*>(tensor.data()),
                     static_cast<std::size_t>(tensor.size()) * sizeof(T)) == expected.bytes();
}

}  // namespace golden

#endif
