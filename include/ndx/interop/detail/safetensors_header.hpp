// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_SAFETENSORS_HEADER_HPP
#define NDX_INTEROP_DETAIL_SAFETENSORS_HEADER_HPP

#include <ndx/error.hpp>
#include <ndx/interop/detail/file_elements.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of named tensors, as https://huggingface.co/docs/safetensors has them: the length of a header in 8 bytes, a
/// header in JSON, then the elements of all tensors, little-endian, without a gap.
namespace ndx::safetensors {

/// What the header says of a tensor.
struct tensor_info {
  std::string dtype;           ///< as the file spells it: "F32", "BF16", "I64", ...
  std::vector<index_t> shape;  ///< not negative; row-major
  std::uint64_t begin = 0;     ///< its bytes are [begin, end) behind the header
  std::uint64_t end = 0;
};

namespace detail {

using ndx::detail::text;

/// What a header says.
struct contents {
  std::map<std::string, tensor_info, std::less<>> tensors;
  std::map<std::string, std::string> metadata;
};

/// Takes the events of the parser. Objects go two deep, {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets":
/// [0, 24]}}, and nothing else is let in: no key twice, no number that is not an integer. So nesting costs no memory.
class header_reader {
public:
  contents result;
  std::string problem;  ///< why reading has stopped; empty while it goes on

  // The interface of a SAX handler of nlohmann::json: false stops.
  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("a boolean"); }
  bool number_float(double, std::string const&) { return unexpected("a number with a fraction or too large"); }
  bool binary(std::vector<std::uint8_t>&) { return unexpected("binary data"); }
  bool number_integer(std::int64_t) { return unexpected("a negative number"); }

  bool number_unsigned(std::uint64_t value) {
    if (place_ != place::shape && place_ != place::offsets) return unexpected("a number");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()))
      return fail(text(where(), "a number is ", value, "; due are ones below 2^63"));
    numbers_.push_back(static_cast<index_t>(value));
    return true;
  }

  bool string(std::string& value) {
    if (place_ == place::metadata_value) {
      result.metadata.emplace(key_, std::move(value));
      place_ = place::metadata;
    } else if (place_ == place::dtype) {
      tensor_->dtype = std::move(value);
      place_ = place::tensor;
    } else {
      return unexpected("a string");
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (place_ == place::start) place_ = place::file;
    else if (place_ == place::metadata_start) place_ = place::metadata;
    else if (place_ == place::tensor_start) place_ = place::tensor;
    else return unexpected("an object");
    return true;
  }

  bool key(std::string& name) {
    if (place_ == place::file) return top_level_key(name);
    key_ = name;
    if (place_ == place::metadata) {
      if (result.metadata.count(name) != 0) return fail(text("__metadata__ has the key '", name, "' twice"));
      place_ = place::metadata_value;
      return true;
    }
    constexpr std::array<std::pair<char const*, place>, 3> known{
        {{"dtype", place::dtype}, {"shape", place::shape_start}, {"data_offsets", place::offsets_start}}};
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (name != known[i].first) continue;
      if (std::exchange(seen_[i], true)) return fail(text(where(), "its key '", name, "' is there twice"));
      place_ = known[i].second;
      return true;
    }
    return fail(text(where(), "its key '", name, "' is unknown; due are dtype, shape and data_offsets"));
  }

  bool end_object() {
    if (place_ == place::tensor && !(seen_[0] && seen_[1] && seen_[2]))
      return fail(text(where(), "its key '",
                       !seen_[0]   ? "dtype"
                       : !seen_[1] ? "shape"
                                   : "data_offsets",
                       "' is missing"));
    place_ = place_ == place::file ? place::end : place::file;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ == place::shape_start) place_ = place::shape;
    else if (place_ == place::offsets_start) place_ = place::offsets;
    else return unexpected("an array");
    numbers_.clear();
    return true;
  }

  bool end_array() {
    if (place_ == place::shape) {
      tensor_->shape = numbers_;
    } else {
      if (numbers_.size() != 2)
        return fail(text(where(), "data_offsets are ", numbers_.size(), " numbers; due are 2, begin and end"));
      tensor_->begin = static_cast<std::uint64_t>(numbers_[0]);
      tensor_->end = static_cast<std::uint64_t>(numbers_[1]);
    }
    place_ = place::tensor;
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, std::string const&, Exception const& what) {
    return fail(text("byte ", position, " is none that JSON has there (", what.what(), ")"));
  }

private:
  enum class place : unsigned char {
    start,
    file,
    metadata_start,
    metadata,
    metadata_value,
    tensor_start,
    tensor,
    dtype,
    shape_start,
    shape,
    offsets_start,
    offsets,
    end
  };

  bool top_level_key(std::string const& name) {
    if (name == "__metadata__") {
      if (std::exchange(has_metadata_, true)) return fail("__metadata__ is there twice");
      place_ = place::metadata_start;
      return true;
    }
    auto const [at, is_new] = result.tensors.try_emplace(name);
    if (!is_new) return fail(text("the tensor '", name, "' is there twice"));
    tensor_name_ = name;
    tensor_ = &at->second;
    seen_ = {};
    place_ = place::tensor_start;
    return true;
  }

  bool fail(std::string what) {
    problem = std::move(what);
    return false;
  }
  bool unexpected(char const* what) {
    constexpr char const* due[] = {"an object", "a name",
                                   "an object", "a name",
                                   "a string",  "an object",
                                   "a key",     "a string",
                                   "an array",  "an integer of 0 and more",
                                   "an array",  "an integer of 0 and more",
                                   "nothing"};
    return fail(text(where(), what, " is there; due is ", due[static_cast<std::size_t>(place_)]));
  }
  [[nodiscard]] std::string where() const {
    if (place_ < place::metadata_start) return {};
    if (place_ < place::tensor_start) return "__metadata__: ";
    return text("tensor '", tensor_name_, "': ");
  }

  place place_ = place::start;
  std::string key_;
  std::string tensor_name_;
  tensor_info* tensor_ = nullptr;
  std::array<bool, 3> seen_{};
  std::vector<index_t> numbers_;
  bool has_metadata_ = false;
};

/// Bits of an element; 0 for a dtype that this version does not know.
inline std::uint64_t bits_of(std::string_view dtype) {
  struct entry {
    std::string_view dtype;
    std::uint64_t bits;
  };
  constexpr entry known[] = {{"BOOL", 8}, {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8},
                             {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},    {"U32", 32},
                             {"F32", 32}, {"C64", 64}, {"F64", 64}, {"I64", 64},    {"U64", 64}};
  for (entry const& each : known)
    if (each.dtype == dtype) return each.bits;
  return 0;
}

}  // namespace detail
}  // namespace ndx::safetensors

#endif
