// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_DLPACK_CHECKS_HPP
#define NDX_INTEROP_DETAIL_DLPACK_CHECKS_HPP

#include <ndx/error.hpp>
#include <ndx/interop/detail/dlpack_structs.hpp>
#include <ndx/interop/element_kind.hpp>
#include <ndx/plan/layout.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>

namespace ndx::dlpack {

template <exchangeable_element T>
constexpr DLDataType data_type_of() noexcept {
  static_assert(sizeof(T) < 32, "ndx: DLPack counts the bits of an element in 8 bits, so they are 248 at most");
  constexpr std::uint8_t codes[] = {kDLBool, kDLInt, kDLUInt, kDLFloat, kDLBfloat, kDLComplex};
  return {codes[static_cast<std::size_t>(element_kind_of<std::remove_cv_t<T>>::value)],
          static_cast<std::uint8_t>(8 * sizeof(T)), 1};
}

inline std::string text_of(DLDataType const& type) {
  constexpr char const* names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  std::string const code =
      type.code < std::size(names) ? names[type.code] : ndx::detail::text("code ", type.code, ", ");
  std::string const bits = type.code == kDLBool && type.bits == 8 ? std::string() : std::to_string(type.bits);
  std::string const lanes = type.lanes == 1 ? std::string() : ndx::detail::text(" in ", type.lanes, " lanes");
  return ndx::detail::text(code, bits, lanes);
}

inline std::string text_of(DLDevice const& device) {
  constexpr char const* names[] = {nullptr,     "kDLCPU",      "kDLCUDA",   "kDLCUDAHost",    "kDLOpenCL",
                                   nullptr,     nullptr,       "kDLVulkan", "kDLMetal",       "kDLVPI",
                                   "kDLROCM",   "kDLROCMHost", "kDLExtDev", "kDLCUDAManaged", "kDLOneAPI",
                                   "kDLWebGPU", "kDLHexagon",  "kDLMAIA"};
  bool const known = device.device_type >= 0 && static_cast<std::size_t>(device.device_type) < std::size(names) &&
                     names[device.device_type] != nullptr;
  return ndx::detail::text(known ? names[device.device_type] : "type", " (", device.device_type, "), number ",
                           device.device_id);
}

[[noreturn]] inline void fail_device(DLDevice const& device, char const* due) {
  ndx::detail::fail(error(ndx::detail::text("from_dlpack: device is ", text_of(device), "; due is ", due)));
}

/// A `DLTensor` of any header as one of ndx's, which refers to the same extents and strides.
template <tensor_struct Struct>
constexpr DLTensor copy_of(Struct const& x) noexcept {
  return {x.data,
          {static_cast<std::int32_t>(x.device.device_type), static_cast<std::int32_t>(x.device.device_id)},
          static_cast<std::int32_t>(x.ndim),
          {x.dtype.code, x.dtype.bits, x.dtype.lanes},
          x.shape,
          x.strides,
          x.byte_offset};
}

/// Throws where elements, rank or extents are none of those that are due. Tells nothing about where the elements are.
inline void check_tensor(DLTensor const& seen, DLDataType const& due, std::size_t rank) {
  using ndx::detail::fail;
  using ndx::detail::text;
  if (seen.dtype.code != due.code || seen.dtype.bits != due.bits || seen.dtype.lanes != due.lanes)
    fail(error(text("from_dlpack: dtype is ", text_of(seen.dtype), "; due is ", text_of(due))));
  if (seen.ndim < 0 || static_cast<std::size_t>(seen.ndim) != rank)
    fail(shape_error(text("from_dlpack: ndim is ", seen.ndim, "; due is ", rank)));
  if (rank != 0 && seen.shape == nullptr)
    fail(shape_error(text("from_dlpack: shape is a null pointer; due are ", rank, " extents")));
}

/// For `DLManagedTensor` and `DLManagedTensorVersioned`: that there is one, that it can be read, and may be written.
template <managed_struct Managed>
void check_managed(Managed const* managed, bool read_only) {
  using ndx::detail::fail;
  using ndx::detail::text;
  if (managed == nullptr) fail(error("from_dlpack: the managed tensor is a null pointer; due is one to a tensor"));
  if constexpr (versioned_struct<Managed>) {
    if (managed->version.major != major_version)
      fail(error(text("from_dlpack: version is ", managed->version.major, ".", managed->version.minor, "; due is ",
                      major_version, ".x")));
    if ((managed->flags & flag_read_only) != 0 && !read_only)
      fail(error("from_dlpack: the tensor is read-only; due is one that may be written, or elements that are const"));
  }
}

template <std::size_t Rank>
struct layout {
  std::array<index_t, Rank> extents;
  std::array<index_t, Rank> strides;
};

template <std::size_t Rank>
layout<Rank> layout_of(DLTensor const& seen) {
  layout<Rank> result{};
  for (std::size_t d = 0; d < Rank; ++d) result.extents[d] = seen.shape[d];
  result.strides = plan::packed_strides(result.extents);
  if (seen.strides != nullptr)
    for (std::size_t d = 0; d < Rank; ++d) result.strides[d] = seen.strides[d];
  return result;
}

/// The address of the element at the origin, in memory that the host reads.
inline void* host_address(DLTensor const& seen, std::size_t alignment) {
  using ndx::detail::fail;
  using ndx::detail::text;
  std::int32_t const where = seen.device.device_type;
  if (where != kDLCPU && where != kDLCUDAHost && where != kDLROCMHost)
    fail_device(seen.device, "memory of the host: kDLCPU (1), kDLCUDAHost (3) or kDLROCMHost (11)");
  if (seen.data == nullptr) return nullptr;
  std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(seen.data);
  if (seen.byte_offset > std::numeric_limits<std::uintptr_t>::max() - address)
    fail(error(text("from_dlpack: byte_offset is ", seen.byte_offset, "; due is one within the memory behind data")));
  if ((address + seen.byte_offset) % alignment != 0)
    fail(error(text("from_dlpack: data + byte_offset is at an address that is ",
                    (address + seen.byte_offset) % alignment, " more than a multiple of ", alignment,
                    "; due is such a multiple, the alignment of the elements")));
  return static_cast<char*>(seen.data) + seen.byte_offset;
}

}  // namespace ndx::dlpack

#endif
