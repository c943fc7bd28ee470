// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_NPY_HEADER_HPP
#define NDX_INTEROP_DETAIL_NPY_HEADER_HPP

#include <ndx/error.hpp>
#include <ndx/interop/detail/file_elements.hpp>
#include <ndx/interop/element_kind.hpp>

#include <bit>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

/// NumPy's files of one array, as https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html has them.
namespace ndx::npy {

/// What the header of a file says of its array.
struct header {
  std::string descr;           ///< the type of the elements, like "<f4"
  bool fortran_order = false;  ///< column-major
  std::vector<index_t> shape;  ///< not negative
};

namespace detail {

using ndx::detail::text;

/// A header, and where it is in which file.
struct located {
  npy::header header;
  std::size_t end = 0;  ///< where the elements begin
};

/// Reads the header's literal of a Python dict. It holds a string, a bool and a tuple of integers, so no more of
/// Python's syntax is known here.
class header_parser {
public:
  header_parser(char const* function, std::filesystem::path const& path, std::string_view text)
      : function_(function), path_(path), text_(text) {}

  header parse() {
    due('{');
    while (!taken('}')) {
      key();
      if (taken('}')) break;
      if (!taken(',')) fail("',' or '}'");
    }
    skip_space();
    if (at_ != text_.size()) fail("the end");
    require(has_descr_, "descr");
    require(has_order_, "fortran_order");
    require(has_shape_, "shape");
    return result_;
  }

private:
  void key() {
    std::string const name = string("a key in quotes");
    due(':');
    if (name == "descr") {
      once(has_descr_, name);
      skip_space();
      if (next() == '[') problem("descr is a list, as that of structured elements is; due is one type, like '<f4'");
      result_.descr = string("a type in quotes");
    } else if (name == "fortran_order") {
      once(has_order_, name);
      result_.fortran_order = boolean();
    } else if (name == "shape") {
      once(has_shape_, name);
      shape();
    } else {
      problem(text("its key '", name, "' is unknown; due are descr, fortran_order and shape"));
    }
  }

  std::string string(char const* what) {
    skip_space();
    char const quote = next();
    if (quote != '\'' && quote != '"') fail(what);
    std::size_t const end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(what);
    std::string_view const value = text_.substr(at_ + 1, end - at_ - 1);
    for (char const c : value)
      if (c == '\\' || static_cast<unsigned char>(c) < ' ') fail(what);
    at_ = end + 1;
    return std::string(value);
  }

  bool boolean() {
    skip_space();
    for (std::string_view const name : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(name)) continue;
      at_ += name.size();
      return name == "True";
    }
    fail("True or False");
  }

  /// (), (3,), (3, 4); (3) is no tuple. Python 2 wrote 3L.
  void shape() {
    due('(');
    bool comma = false;
    while (!taken(')')) {
      if (!result_.shape.empty() && !comma) fail("','");
      result_.shape.push_back(extent());
      comma = taken(',');
    }
    if (result_.shape.size() == 1 && !comma) problem("shape is an integer in brackets; due is a tuple, like (3,)");
  }

  index_t extent() {
    skip_space();
    if (next() == '-') problem("shape has a negative extent; due are extents of 0 and more");
    index_t value = 0;
    auto const [end, failed] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (failed == std::errc::result_out_of_range) problem("shape has an extent of 2^63 or more; due are ones below");
    if (failed != std::errc()) fail("an integer");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (next() == 'L') ++at_;
    return value;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) ++at_;
  }
  /// The character at hand; a zero at the end.
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool taken(char c) {
    skip_space();
    bool const found = at_ < text_.size() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }
  void due(char c) {
    if (!taken(c)) fail(text("'", std::string(1, c), "'"));
  }
  void once(bool& seen, std::string const& name) {
    if (seen) problem(text("its key '", name, "' is there twice"));
    seen = true;
  }
  void require(bool seen, char const* name) const {
    if (!seen) problem(text("its key '", name, "' is missing"));
  }
  [[noreturn]] void fail(std::string const& what) const {
    problem(text("character ", at_, " of ", text_.size(), " is none that begins ", what, ", which is due there"));
  }
  [[noreturn]] void problem(std::string const& what) const {
    ndx::detail::fail_file(function_, path_, text("header: ", what));
  }

  char const* function_;
  std::filesystem::path const& path_;
  std::string_view text_;
  std::size_t at_ = 0;
  header result_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

/// The header of a file with these bytes.
inline located read_header(char const* function, std::filesystem::path const& path, std::string_view bytes) {
  auto const fail = [&](std::string const& why) { ndx::detail::fail_file(function, path, why); };
  if (!bytes.starts_with("\x93NUMPY")) fail("it does not begin as an .npy file does, with \\x93NUMPY");
  auto const byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 8) fail("it ends before the version of its format");
  if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
    fail(text("the version of its format is ", byte(6), ".", byte(7), "; due is 1.0, 2.0 or 3.0"));
  std::size_t const start = byte(6) == 1 ? 10 : 12;
  if (bytes.size() < start) fail("it ends before the length of its header");
  std::size_t length = 0;
  for (std::size_t i = start; i-- > 8;) length = length * 256 + byte(i);
  if (length > bytes.size() - start)
    fail(text("its header has ", length, " bytes, of which only ", bytes.size() - start, " are there"));
  return {header_parser(function, path, bytes.substr(start, length)).parse(), start + length};
}

/// The `descr` of a type; what NumPy has no type for, which is bfloat16, is so many bytes without a meaning to it.
template <exchangeable_element T>
std::string descr_of() {
  constexpr char kinds[] = {'b', 'i', 'u', 'f', 'V', 'c'};
  char const kind = kinds[static_cast<std::size_t>(element_kind_of<std::remove_cv_t<T>>::value)];
  bool const ordered = sizeof(T) > 1 && kind != 'V';
  char const order = !ordered ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  return std::string{order, kind} + std::to_string(sizeof(T));
}

/// Whether a `descr` means the same as one of `descr_of`: '=' is the order of this machine, and where there is no order
/// any sign of one will do.
inline bool same_descr(std::string const& seen, std::string const& due) {
  if (seen.empty() || seen.substr(1) != due.substr(1)) return false;
  return seen[0] == due[0] || seen[0] == '=' || (due[0] == '|' && (seen[0] == '<' || seen[0] == '>'));
}

}  // namespace detail
}  // namespace ndx::npy

#endif
