// SPDX-License-Identifier: MIT
#ifndef NDX_ERROR_HPP
#define NDX_ERROR_HPP

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ndx {

/// Extents, strides and offsets: signed, 64 bit, counted in elements.
using index_t = std::int64_t;

/// The base of everything that ndx throws.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An argument whose rank, extents, strides, window, axis or batch_dims do not fit; thrown before any access.
class shape_error : public error {
public:
  using error::error;
};

/// An output that shares memory with another argument, or with itself; thrown before any access.
class overlap_error : public error {
public:
  using error::error;
};

/// Something that this element type, policy or processor does not have; thrown before any access.
class unsupported_error : public error {
public:
  using error::error;
};

/// An index out of range, found under `bounds::check` (or on an axis of extent 0 under `clamp` and `wrap`).
/// It tells of the first bad element of `indices` in row-major order.
class index_error : public error {
public:
  index_error(std::string const& text, std::vector<index_t> position, index_t axis, index_t value, index_t extent)
      : error(text), position_(std::move(position)), axis_(axis), value_(value), extent_(extent) {}

  /// The multi-index of the offending element in `indices`, the coordinate within the tuple included.
  [[nodiscard]] std::vector<index_t> const& position() const noexcept { return position_; }
  /// The axis that the index addresses (of the input; never negative).
  [[nodiscard]] index_t axis() const noexcept { return axis_; }
  /// The value as read: a uint64 above 2^63 shows here as the negative number of the same bits.
  [[nodiscard]] index_t value() const noexcept { return value_; }
  /// The extent of `axis()`.
  [[nodiscard]] index_t extent() const noexcept { return extent_; }

private:
  std::vector<index_t> position_;
  index_t axis_;
  index_t value_;
  index_t extent_;
};

namespace detail {

/// Throws, or where the program is compiled without exceptions prints the same text and aborts.
template <class Error>
[[noreturn]] void fail(Error const& problem) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  throw problem;
#else
  std::fprintf(stderr, "%s\n", problem.what());
  std::abort();
#endif
}

inline void append(std::string& to, char const* part) { to += part; }
inline void append(std::string& to, std::string const& part) { to += part; }
template <std::integral Number>
void append(std::string& to, Number part) {
  to += std::to_string(part);
}

/// The parts of a message, numbers among them, one after the other.
template <class... Parts>
std::string text(Parts const&... parts) {
  std::string result;
  (append(result, parts), ...);
  return result;
}

/// `{2, 3}`: how texts show extents, strides and positions.
inline std::string braces(index_t const* values, std::size_t count) {
  std::string result = "{";
  for (std::size_t i = 0; i < count; ++i) append(result, text(i != 0 ? ", " : "", values[i]));
  result += "}";
  return result;
}

}  // namespace detail
}  // namespace ndx

#endif
