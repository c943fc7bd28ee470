// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_INTEROP_EXCHANGE_EXCHANGE_HPP
#define NDX_TESTS_INTEROP_EXCHANGE_EXCHANGE_HPP

#include <ndx/error.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <random>
#include <string>
#include <system_error>
#include <vector>

namespace test {

/// A folder of this test alone, which goes with what is in it.
class folder {
public:
  folder() : path_(std::filesystem::temp_directory_path() / "x") {
    do path_.replace_filename("ndx_test_" + std::to_string(std::random_device{}()));
    while (!std::filesystem::create_directory(path_));
  }
  folder(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
  /// The names of what is in it.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (auto const& entry : std::filesystem::directory_iterator(path_))
      result.push_back(entry.path().filename().string());
    return result;
  }

private:
  std::filesystem::path path_;
};

inline void write_bytes(std::filesystem::path const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
inline std::string bytes_of(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// How many damaged files a program took for good ones.
struct readings {
  int cut_off = 0;
  int changed = 0;
};

/// Puts damaged copies of a file at `path`, one after the other: `good` cut off at each byte, and with each of its
/// first `count` bytes replaced in turn by each of `others(byte)`. `read(size)` reads one of so many bytes, or throws
/// an ndx::error.
template <class Others, class Read>
readings read_damaged(std::filesystem::path const& path, std::string const& good, std::size_t count,
                      Others const& others, Read const& read) {
  readings result;
  auto const attempt = [&](std::size_t size, int& times) {
    try {
      read(size);
      ++times;
    } catch (ndx::error const&) {}
  };
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_bytes(path, good.substr(0, size));
    attempt(size, result.cut_off);
  }
  write_bytes(path, good);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  auto const put = [&](std::size_t at, char value) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(value).flush();
  };
  for (std::size_t at = 0; at < count; ++at) {
    for (char const other : others(good[at])) {
      if (other == good[at]) continue;
      put(at, other);
      attempt(good.size(), result.changed);
    }
    put(at, good[at]);
  }
  return result;
}

}  // namespace test

#endif
