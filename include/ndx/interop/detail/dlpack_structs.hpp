// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_DLPACK_STRUCTS_HPP
#define NDX_INTEROP_DETAIL_DLPACK_STRUCTS_HPP

#include <concepts>
#include <cstdint>
#include <memory>

/// The structs of DLPack 1 with the names and the layout of its specification (https://dmlc.github.io/dlpack/latest),
/// for programs without its header, or with one from before version 1. ndx takes those of any header by their members,
/// so neither has to be converted to the other.
namespace ndx::dlpack {

// Where elements may be that ndx reads.
inline constexpr std::int32_t kDLCPU = 1;
inline constexpr std::int32_t kDLCUDAHost = 3;
inline constexpr std::int32_t kDLVulkan = 7;
inline constexpr std::int32_t kDLROCMHost = 11;

// What the bits of an element mean.
inline constexpr std::uint8_t kDLInt = 0;
inline constexpr std::uint8_t kDLUInt = 1;
inline constexpr std::uint8_t kDLFloat = 2;
inline constexpr std::uint8_t kDLBfloat = 4;
inline constexpr std::uint8_t kDLComplex = 5;
inline constexpr std::uint8_t kDLBool = 6;

inline constexpr std::uint32_t major_version = 1;
inline constexpr std::uint32_t minor_version = 0;
inline constexpr std::uint64_t flag_read_only = 1;

struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};

struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};

struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;  ///< more than 1 for vectors
};

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: packed, row-major
  std::uint64_t byte_offset;
};

/// What capsules called "dltensor" hold.
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);  ///< null: there is nothing to delete
};

/// What capsules called "dltensor_versioned" hold.
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

/// `DLTensor` of any header.
template <class X>
concept tensor_struct = requires(X& x) {
  { x.data } -> std::convertible_to<void*>;
  { x.device.device_id } -> std::convertible_to<std::int32_t>;
  static_cast<std::int32_t>(x.device.device_type);
  { x.ndim } -> std::convertible_to<std::int32_t>;
  { x.dtype.code } -> std::convertible_to<std::uint8_t>;
  { x.dtype.bits } -> std::convertible_to<std::uint8_t>;
  { x.dtype.lanes } -> std::convertible_to<std::uint16_t>;
  { x.shape } -> std::convertible_to<std::int64_t*>;
  { x.strides } -> std::convertible_to<std::int64_t*>;
  { x.byte_offset } -> std::convertible_to<std::uint64_t>;
};

/// `DLManagedTensor` and `DLManagedTensorVersioned` of any header.
template <class X>
concept managed_struct = tensor_struct<decltype(X::dl_tensor)> && requires(X& x) {
  { x.manager_ctx } -> std::convertible_to<void*>;
  x.deleter(&x);
};

template <class X>
concept versioned_struct = managed_struct<X> && requires(X& x) {
  { x.version.major } -> std::convertible_to<std::uint32_t>;
  { x.version.minor } -> std::convertible_to<std::uint32_t>;
  { x.flags } -> std::convertible_to<std::uint64_t>;
};

struct delete_managed {
  template <managed_struct Managed>
  void operator()(Managed* managed) const {
    if (managed->deleter != nullptr) managed->deleter(managed);
  }
};

/// A managed tensor that nobody has taken yet: `release()` hands it to whoever will call its deleter.
template <managed_struct Managed>
using unique = std::unique_ptr<Managed, delete_managed>;

}  // namespace ndx::dlpack

#endif
