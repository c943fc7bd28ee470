// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_NPY_HPP
#define NDX_INTEROP_NPY_HPP

#include <ndx/concepts.hpp>
#include <ndx/interop/detail/file_elements.hpp>
#include <ndx/interop/detail/mapped_file.hpp>
#include <ndx/interop/detail/new_file.hpp>
#include <ndx/interop/detail/npy_header.hpp>
#include <ndx/interop/element_kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ndx::npy {

/// The header of an .npy file, for a program that does not know its type and rank. Throws `error` where the file cannot
/// be read, or is none.
[[nodiscard]] inline header read_header(std::filesystem::path const& path) {
  ndx::detail::mapped_file const file("npy::read_header", path);
  return detail::read_header("npy::read_header", path, file.bytes()).header;
}

/// The array of an .npy file (format 1.0, 2.0 or 3.0), where the file lies: mapped into memory, so that only what is
/// touched is read. Tensor-like: a view of `T const`, whose strides are those of the order in the file, row-major or
/// column-major. Moves, does not copy. Nobody may change the file meanwhile, but for replacing it as `write` does.
///
/// `T` is the type in the file; a `bfloat16` is `V2` there, as NumPy has no such type.
template <exchangeable_element T, std::size_t Rank>
class mapped {
public:
  using element_type = T const;
  using value_type = std::remove_const_t<T>;
  using extents_type = std::array<index_t, Rank>;

  /// Holds nothing.
  mapped() = default;

  /// Throws `error` where the file cannot be read, is no .npy file, ends before its elements do, or where these are of
  /// another type, in the byte order of other machines, or not aligned for `T`; `shape_error` where the rank is another
  /// one. Reads the elements only where they are bool, to check that they are.
  explicit mapped(std::filesystem::path const& path) : file_(name, path) {
    std::string_view const bytes = file_.bytes();
    detail::located const found = detail::read_header(name, path, bytes);
    std::string const due = detail::descr_of<T>();
    if (!detail::same_descr(found.header.descr, due))
      ndx::detail::fail_file(name, path, detail::text("descr is '", found.header.descr, "'; due is '", due, "'"));
    std::vector<index_t> const& shape = found.header.shape;
    std::string const shown = ndx::detail::braces(shape);
    if (shape.size() != Rank)
      ndx::detail::fail(shape_error(detail::text(name, ": '", path.string(), "': shape is ", shown, ", of rank ",
                                                 shape.size(), "; due is rank ", Rank)));
    std::uint64_t const size = ndx::detail::bytes_of(shape, sizeof(T));
    std::size_t const room = bytes.size() - found.end;
    if (size > room)
      ndx::detail::fail_file(name, path,
                             detail::text("it has ", room, " bytes behind its header; due are as many as ", shown,
                                          " elements of ", sizeof(T), " bytes have"));
    T const* const data =
        ndx::detail::elements_of<T>(name, path, "its array", bytes.substr(found.end, static_cast<std::size_t>(size)));
    extents_type extents{};
    for (std::size_t d = 0; d < Rank; ++d) extents[d] = shape[d];
    view_ = tensor_view<T const, Rank>(
        data, extents,
        found.header.fortran_order ? plan::column_major_strides(extents) : plan::packed_strides(extents));
  }

  mapped(mapped&& other) noexcept
      : file_(std::move(other.file_)), view_(std::exchange(other.view_, tensor_view<T const, Rank>{})) {}
  mapped& operator=(mapped&& other) noexcept {
    file_ = std::move(other.file_);
    view_ = std::exchange(other.view_, tensor_view<T const, Rank>{});
    return *this;
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] index_t extent(std::size_t dimension) const noexcept { return view_.extent(dimension); }
  [[nodiscard]] extents_type const& extents() const noexcept { return view_.extents(); }
  /// Must not outlive this.
  [[nodiscard]] tensor_view<T const, Rank> view() const noexcept { return view_; }

private:
  static constexpr char const* name = "npy::mapped";

  ndx::detail::mapped_file file_;
  tensor_view<T const, Rank> view_;
};

/// Writes a tensor on the host, however it is strided, as an .npy file of format 1.0 in row-major order, its elements
/// at a multiple of 64 bytes. `bfloat16` becomes `|V2`.
///
/// Throws `error` where the file cannot be written, `shape_error` for a view that no operator would take. A file that
/// was there is then as it was; it is replaced at once when the new one is complete.
template <ndx::detail::storable_tensor X>
void write(std::filesystem::path const& path, X const& tensor) {
  auto const from = ndx::view(tensor);
  using value_type = value_type_of<X const&>;
  plan::check_layout("npy::write", "tensor", plan::layout_of(from), sizeof(value_type), from.data_handle() != nullptr);
  std::string header = "{'descr': '" + detail::descr_of<value_type>() + "', 'fortran_order': False, 'shape': (";
  for (index_t const extent : from.extents()) header += std::to_string(extent) + ", ";
  header += "), }";
  std::size_t const before = 10;  // the magic string, the version, the header's length
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  ndx::detail::new_file file("npy::write", path);
  file.write(std::string_view("\x93NUMPY\x01\x00", 8));
  // At most eight extents of 19 digits: the length never needs more than two bytes.
  file.write(std::string{static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)});
  file.write(header);
  ndx::detail::write_elements(file, from);
  file.commit();
}

}  // namespace ndx::npy

template <class T, std::size_t Rank>
struct ndx::tensor_traits<ndx::npy::mapped<T, Rank>> {
  static tensor_view<T const, Rank> view(npy::mapped<T, Rank> const& x) noexcept { return x.view(); }
};

#endif
