// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_INTEROP_EXCHANGE_EXCHANGE_HPP
#define NDX_TESTS_INTEROP_EXCHANGE_EXCHANGE_HPP

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

}  // namespace test

#endif
