// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_FILE_ELEMENTS_HPP
#define NDX_INTEROP_DETAIL_FILE_ELEMENTS_HPP

#include <ndx/error.hpp>
#include <ndx/interop/detail/mapped_file.hpp>
#include <ndx/interop/element_kind.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ndx::detail {

/// How many bytes a tensor of this shape has, the highest number where they are not below 2^63.
inline std::uint64_t bytes_of(std::vector<index_t> const& shape, std::uint64_t element_size) {
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<index_t>::max());
  std::uint64_t result = element_size;
  bool fits = true;
  for (index_t const extent : shape) {
    auto const factor = static_cast<std::uint64_t>(extent);
    if (factor == 0) return 0;
    fits = fits && result <= limit / factor;
    if (fits) result *= factor;
  }
  return fits ? result : std::numeric_limits<std::uint64_t>::max();
}

inline std::string braces(std::vector<index_t> const& values) { return braces(values.data(), values.size()); }

/// Bytes of a file as elements; null where there are none, which may be anywhere. They must be aligned, as the file is;
/// and an element may be any pattern of bits, but for bool: to read another one than 0 and 1 is undefined, so these are
/// read here.
template <exchangeable_element T>
T const* elements_of(char const* function, std::filesystem::path const& path, std::string const& name,
                     std::string_view bytes) {
  if (bytes.empty()) return nullptr;
  std::size_t const beyond = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T);
  if (beyond != 0)
    fail_file(function, path,
              text(name, " begins ", beyond, " bytes behind a multiple of ", alignof(T),
                   " of the file; due is such a multiple, the alignment of the elements"));
  if constexpr (std::same_as<std::remove_cv_t<T>, bool>) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (auto const byte = static_cast<unsigned char>(bytes[i]); byte > 1)
        fail_file(function, path, text(name, " has ", +byte, " as its element ", i, "; due is a bool, 0 or 1"));
  }
  return reinterpret_cast<T const*>(bytes.data());
}

}  // namespace ndx::detail

#endif
