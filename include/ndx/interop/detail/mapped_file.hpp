// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_MAPPED_FILE_HPP
#define NDX_INTEROP_DETAIL_MAPPED_FILE_HPP

#include <ndx/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

// 1: files are mapped into memory; 0: they are read into memory as a whole, by the standard library alone.
#ifndef NDX_MAP_FILES
#if __has_include(<sys/mman.h>)
#define NDX_MAP_FILES 1
#else
#define NDX_MAP_FILES 0
#endif
#endif

#if NDX_MAP_FILES
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <cstdio>
#include <new>
#endif

namespace ndx::detail {

[[noreturn]] inline void fail_file(char const* function, std::filesystem::path const& path, std::string const& why) {
  fail(error(text(function, ": '", path.string(), "': ", why)));
}

/// The text of an `errno`.
inline std::string system_text(int number) { return std::generic_category().message(number); }

/// The bytes of a file, in memory that only is read, and that begins at a multiple of 64 bytes. Moves, does not copy.
/// Nobody may shorten the file meanwhile: the system ends a program that reads what is gone.
class mapped_file {
public:
  mapped_file() = default;

  /// Throws `error`, which names `function` and the file, where it cannot be read or is no regular file.
  mapped_file(char const* function, std::filesystem::path const& path) { open(function, path); }

  mapped_file(mapped_file&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  mapped_file& operator=(mapped_file other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~mapped_file() {
    if (data_ != nullptr) close();
  }

  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<char const*>(data_), size_}; }

private:
#if NDX_MAP_FILES
  void open(char const* function, std::filesystem::path const& path) {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) fail_file(function, path, system_text(errno));
    struct stat about {};
    int problem = ::fstat(file, &about) == 0 ? 0 : errno;
    bool const regular = problem == 0 && S_ISREG(about.st_mode);
    if (regular && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (data_ == MAP_FAILED) {
        problem = errno;
        data_ = nullptr;
      }
    }
    ::close(file);
    if (problem != 0) fail_file(function, path, system_text(problem));
    if (!regular) fail_file(function, path, "it is no regular file");
  }

  void close() noexcept { ::munmap(data_, size_); }
#else
  void open(char const* function, std::filesystem::path const& path) {
    std::error_code problem;
    bool const regular = std::filesystem::is_regular_file(path, problem);
    std::uintmax_t const size = regular ? std::filesystem::file_size(path, problem) : 0;
    if (problem) fail_file(function, path, problem.message());
    if (!regular) fail_file(function, path, "it is no regular file");
    if (size > static_cast<std::uintmax_t>(std::numeric_limits<std::ptrdiff_t>::max()))
      fail_file(function, path, "it does not fit into memory");
    std::FILE* const file = std::fopen(path.string().c_str(), "rb");
    if (file == nullptr) fail_file(function, path, system_text(errno));
    if (size != 0) {
      data_ = ::operator new (static_cast<std::size_t>(size), std::align_val_t{64}, std::nothrow);
      if (data_ != nullptr) size_ = std::fread(data_, 1, static_cast<std::size_t>(size), file);
    }
    std::fclose(file);
    if (size_ == size) return;
    if (data_ != nullptr) close();
    data_ = nullptr;
    fail_file(function, path, text("of its ", size, " bytes ", size_, " could be read"));
  }

  void close() noexcept { ::operator delete (data_, std::align_val_t{64}); }
#endif

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ndx::detail

#endif
