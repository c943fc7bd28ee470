// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_NEW_FILE_HPP
#define NDX_INTEROP_DETAIL_NEW_FILE_HPP

#include <ndx/concepts.hpp>
#include <ndx/interop/detail/mapped_file.hpp>
#include <ndx/interop/element_kind.hpp>
#include <ndx/plan/layout.hpp>
#include <ndx/tensor.hpp>
#include <ndx/tensor_view.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#if !defined(_WIN32) && __has_include(<unistd.h>)
#define NDX_POSIX_FILES 1
#include <fcntl.h>
#include <unistd.h>
#else
#define NDX_POSIX_FILES 0
#endif

namespace ndx::detail {

/// What is at the end of the links that begin at `path`, whether it is there or not.
inline std::filesystem::path end_of_links(std::filesystem::path path) {
  constexpr int most = 40;  // as many as Linux follows
  std::error_code failed;
  for (int followed = 0; followed < most && std::filesystem::is_symlink(path, failed); ++followed) {
    std::filesystem::path const next = std::filesystem::read_symlink(path, failed);
    if (failed) break;
    path = path.parent_path() / next;  // `next` alone where it is absolute
  }
  return path;
}

/// Makes a file that is not there yet, for writing; null, and `errno`, where that cannot be. From its first moment on
/// it has none but the `allowed` permissions, where the system can do that.
inline std::FILE* create_file(std::filesystem::path const& path, std::filesystem::perms allowed) {
#if NDX_POSIX_FILES
  // The bits of std::filesystem::perms are those of the system.
  int const descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                static_cast<mode_t>(allowed & std::filesystem::perms::all));
  if (descriptor < 0) return nullptr;
  std::FILE* const file = ::fdopen(descriptor, "wb");
  if (file == nullptr) {
    int const problem = errno;
    ::close(descriptor);
    std::remove(path.c_str());
    errno = problem;
  }
  return file;
#else
  static_cast<void>(allowed);
  return std::fopen(path.string().c_str(), "wbx");
#endif
}

/// A file that takes the place of the one at `path` all at once, by `commit()`: until then it has another name, and
/// goes with this object. So whatever fails, the old file is as it was, and who has it open or mapped keeps what it
/// held. It has the permissions of the old one from the start, so nobody reads it who could not read that.
class new_file {
public:
  /// Throws `error`, which names `function` and the file, where nothing can be written there.
  new_file(char const* function, std::filesystem::path const& path)
      // A link stays a link; its target is replaced.
      : function_(function), path_(path), target_(end_of_links(path)) {
    std::error_code failed;
    std::filesystem::file_status const old = std::filesystem::status(target_, failed);
    if (old.type() == std::filesystem::file_type::none) fail_file(function_, path_, failed.message());
    bool const replaces = std::filesystem::exists(old);
    if (replaces && !std::filesystem::is_regular_file(old))
      fail_file(function_, path_, "it is no regular file, and is not replaced");
    using std::filesystem::perms;
    constexpr perms usual = perms::owner_read | perms::owner_write | perms::group_read | perms::group_write |
                            perms::others_read | perms::others_write;  // less those that the umask takes
    std::random_device random;
    std::filesystem::path temporary;
    for (int attempts = 0; file_ == nullptr && attempts < 100; ++attempts) {
      // A short name: the one at the end may have as many letters as the system allows.
      temporary = target_.parent_path() / text(".ndx-", random(), ".tmp");
      file_ = create_file(temporary, replaces ? old.permissions() : usual);
      if (file_ == nullptr && errno != EEXIST) break;
    }
    if (file_ == nullptr) fail_file(function_, path_, system_text(errno));
    // Those that the umask took.
    if (replaces) std::filesystem::permissions(temporary, old.permissions(), failed);
    if (replaces && failed) {
      // The destructor of what is not yet made does not run.
      std::fclose(std::exchange(file_, nullptr));
      std::remove(temporary.string().c_str());
      fail_file(function_, path_, text("its permissions cannot be given to the new file: ", failed.message()));
    }
    temporary_ = std::move(temporary);
  }
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file() {
    if (file_ != nullptr) std::fclose(file_);
    if (!temporary_.empty()) std::remove(temporary_.string().c_str());
  }

  void write(void const* bytes, std::size_t count) {
    if (count != 0 && std::fwrite(bytes, 1, count, file_) != count) fail_file(function_, path_, system_text(errno));
  }
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

  /// Gives the file its name, when its bytes are on the disk.
  void commit() {
    bool written = std::fflush(file_) == 0;
#if NDX_POSIX_FILES
    written = written && ::fsync(::fileno(file_)) == 0;
#endif
    int problem = written ? 0 : errno;
    if (std::fclose(std::exchange(file_, nullptr)) != 0 && problem == 0) problem = errno;
    if (problem != 0) fail_file(function_, path_, system_text(problem));
    std::error_code failed;
    std::filesystem::rename(temporary_, target_, failed);
    if (failed) fail_file(function_, path_, failed.message());
    temporary_.clear();
  }

private:
  char const* function_;
  std::filesystem::path path_;
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
};

/// A tensor that can go into a file: on the host, with elements that other programs know.
template <class X>
concept storable_tensor = tensor_like<X const&> && exchangeable_element<value_type_of<X const&>> &&
    host_handle<typename view_of<X const&>::data_handle_type>;

/// The elements in row-major order, however the view is strided.
template <class T, std::size_t Rank>
void write_elements(new_file& file, tensor_view<T, Rank> const& from) {
  if (from.empty()) return;
  if (from.strides() == plan::packed_strides(from.extents()))
    return file.write(from.data_handle(), static_cast<std::size_t>(from.size()) * sizeof(T));
  tensor<std::remove_const_t<T>, 1> buffer({4096});
  index_t filled = 0;
  std::array<index_t, Rank> at{};
  for (index_t left = from.size(); left != 0; --left) {
    buffer(filled++) = from[at];
    for (std::size_t d = Rank; d-- > 0;) {
      if (++at[d] != from.extent(d)) break;
      at[d] = 0;
    }
    if (filled != buffer.size() && left != 1) continue;
    file.write(buffer.data(), static_cast<std::size_t>(filled) * sizeof(T));
    filled = 0;
  }
}

}  // namespace ndx::detail

#endif
