// SPDX-License-Identifier: MIT
#pragma once

#include <ndx/ndx.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// NumPy's format for one array in a file: a text that tells type and extents, then the elements as they are.
namespace examples {

class npy_error : public std::runtime_error {
public:
  npy_error(std::string const& path, std::string const& what) : std::runtime_error("'" + path + "': " + what) {}
};

namespace npy {

constexpr std::string_view magic = "\x93NUMPY";

template <class T>
constexpr std::string_view type_name = "";
template <>
inline constexpr std::string_view type_name<float> = "<f4";
template <>
inline constexpr std::string_view type_name<double> = "<f8";
template <>
inline constexpr std::string_view type_name<std::int32_t> = "<i4";
template <>
inline constexpr std::string_view type_name<std::int64_t> = "<i8";

/// What stands behind a key of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
inline std::string_view value_of(std::string_view header, std::string_view key) {
  std::string const quoted = "'" + std::string(key) + "':";
  std::size_t const found = header.find(quoted);
  if (found == header.npos) return {};
  std::string_view rest = header.substr(found + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::size_t const end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
  return rest.substr(0, end);
}

}  // namespace npy

/// A file of this format, mapped into memory: only what is touched is read.
class npy_file {
public:
  explicit npy_file(std::string const& path) : path_(path) {
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw npy_error(path, std::strerror(errno));
    struct stat about {};
    bool const known = ::fstat(file, &about) == 0;
    size_ = known ? static_cast<std::size_t>(about.st_size) : 0;
    void* const mapped = size_ == 0 ? MAP_FAILED : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    int const problem = errno;
    ::close(file);
    if (known && size_ == 0) throw npy_error(path, "it is empty");
    if (mapped == MAP_FAILED) throw npy_error(path, std::strerror(problem));
    bytes_ = static_cast<char const*>(mapped);
  }
  npy_file(npy_file const&) = delete;
  npy_file& operator=(npy_file const&) = delete;
  ~npy_file() { ::munmap(const_cast<char*>(bytes_), size_); }

  /// The elements where they lie in the file. Throws `npy_error` where it holds anything but packed, row-major
  /// elements of this type and rank.
  template <class T, std::size_t Rank>
  ndx::tensor_view<T const, Rank> view() const {
    static_assert(std::endian::native == std::endian::little);
    std::string_view const all(bytes_, size_);
    if (!all.starts_with(npy::magic) || size_ < 12) fail("it is no .npy file");
    bool const long_length = bytes_[6] != 1;  // version 1.0 has 2 bytes for the header's length, later ones 4
    std::size_t const start = long_length ? 12 : 10;
    std::size_t length = 0;
    std::memcpy(&length, bytes_ + 8, start - 8);
    if (length > size_ - start) fail("its header is cut off");
    std::string_view const header = all.substr(start, length);

    std::string_view const type = npy::value_of(header, "descr");
    if (type.empty()) fail("its header does not tell the type of its elements");
    if (type != "'" + std::string(npy::type_name<T>) + "'")
      fail("its elements are " + std::string(type) + "; due are '" + std::string(npy::type_name<T>) + "'");
    if (npy::value_of(header, "fortran_order") != "False") fail("it is in column-major order; due is row-major order");
    std::array<ndx::index_t, Rank> const extents = extents_of<Rank>(npy::value_of(header, "shape"));
    std::size_t count = (size_ - start - length) / sizeof(T);  // how many there is room for
    for (ndx::index_t const extent : extents) {
      if (extent != 0) count /= static_cast<std::size_t>(extent);
    }
    bool const none = std::find(extents.begin(), extents.end(), 0) != extents.end();
    if (count == 0 && !none) fail("its elements are cut off");
    if ((start + length) % alignof(T) != 0) fail("its elements are not aligned");
    return {reinterpret_cast<T const*>(bytes_ + start + length), extents};
  }

private:
  [[noreturn]] void fail(std::string const& what) const { throw npy_error(path_, what); }

  template <std::size_t Rank>
  std::array<ndx::index_t, Rank> extents_of(std::string_view tuple) const {
    std::array<ndx::index_t, Rank> extents{};
    std::size_t rank = 0;
    char const* at = tuple.data();
    char const* const end = at + tuple.size();
    while (at != end) {
      if (*at == '(' || *at == ',' || *at == ' ') {
        ++at;
        continue;
      }
      ndx::index_t extent = 0;
      auto const [next, problem] = std::from_chars(at, end, extent);
      if (problem != std::errc() || extent < 0) fail("its shape cannot be read: " + std::string(tuple) + ")");
      if (rank < Rank) extents[rank] = extent;
      ++rank;
      at = next;
    }
    if (tuple.empty() || rank != Rank) fail("its rank is " + std::to_string(rank) + "; due is " + std::to_string(Rank));
    return extents;
  }

  std::string path_;
  char const* bytes_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes packed, row-major elements.
template <class T, std::size_t Rank>
void write_npy(std::string const& path, ndx::tensor<T, Rank> const& tensor) {
  std::string header = "{'descr': '" + std::string(npy::type_name<T>) + "', 'fortran_order': False, 'shape': (";
  for (ndx::index_t const extent : tensor.extents()) header += std::to_string(extent) + ", ";
  header += "), }";
  // The elements begin at a multiple of 64 bytes.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::array<unsigned char, 4> const rest{1, 0, static_cast<unsigned char>(header.size() % 256),
                                          static_cast<unsigned char>(header.size() / 256)};
  auto const count = static_cast<std::size_t>(tensor.size());
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw npy_error(path, std::strerror(errno));
  bool good = std::fwrite(npy::magic.data(), 1, npy::magic.size(), file) == npy::magic.size();
  good = good && std::fwrite(rest.data(), 1, rest.size(), file) == rest.size();
  good = good && std::fwrite(header.data(), 1, header.size(), file) == header.size();
  good = good && std::fwrite(tensor.data(), sizeof(T), count, file) == count;
  good = std::fclose(file) == 0 && good;
  if (!good) throw npy_error(path, "cannot be written");
}

}  // namespace examples
