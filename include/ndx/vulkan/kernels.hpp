// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_KERNELS_HPP
#define NDX_VULKAN_KERNELS_HPP

#include <ndx/vulkan/spirv.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ndx::vulkan {

#define NDX_VULKAN_KERNELS(kernel)                                                                                     \
  kernel(move_1) kernel(move_2) kernel(move_4) kernel(move_8) kernel(move_16) kernel(rows_4) kernel(rows_8)            \
      kernel(rows_16) kernel(rows_4_ends) kernel(rows_8_ends) kernel(rows_16_ends) kernel(exchange_4)                  \
          kernel(move_word) kernel(few_4) kernel(few_16) kernel(few_word) kernel(unaligned_4) kernel(unaligned_16)     \
              kernel(transpose_1) kernel(transpose_2) kernel(transpose_4) kernel(transpose_8)                          \
                  kernel(transpose_1_by_16) kernel(transpose_2_by_16) kernel(transpose_4_by_16)                        \
                      kernel(transpose_8_by_16) kernel(check) kernel(claim) kernel(count) kernel(sign) kernel(contest) \
                          kernel(bucket_count) kernel(bucket) kernel(bucket_numbered) kernel(reduce)                   \
                              kernel(reduce_float) kernel(reduce_rows) kernel(reduce_float_rows) kernel(reduce_few)    \
                                  kernel(reduce_float_few) kernel(reduce64) kernel(ordered) kernel(divide)

/// The texts in shaders/.
enum class kernel : unsigned char {
#define NDX_VULKAN_KERNEL(name) name,
  NDX_VULKAN_KERNELS(NDX_VULKAN_KERNEL)
#undef NDX_VULKAN_KERNEL
};

/// How a kernel reaches the tensors: by storage buffers, or by addresses.
enum class memory_model : unsigned char { buffer, address };

/// What tells one pipeline from another: a module and its specialization constants. Those that a module does not have
/// make no difference.
struct pipeline_key {
  kernel which = kernel::move_4;
  memory_model model = memory_model::buffer;
  std::uint8_t side = 0;       ///< 0: no side is moved by indices, 1: the source is, 2: the destination is
  bool wide = false;           ///< offsets of 64 bits; always so with addresses
  std::uint8_t element = 0;    ///< of a reduction: the type
  std::uint8_t reduction = 0;  ///< the value of ndx::reduction
  bool native = false;         ///< use the atomics that the module knows

  auto operator<=>(pipeline_key const&) const = default;
};

namespace detail {

/// The key without what makes no difference, so that no pipeline is made twice.
constexpr pipeline_key canonical(pipeline_key key) noexcept {
  bool const moves = key.which <= kernel::move_word;
  bool const reduces = key.which >= kernel::reduce;
  if (!moves) key.side = 0;
  if (key.model == memory_model::address) key.wide = true;
  if (!reduces) {
    key.element = 0;
    key.reduction = 0;
    key.native = false;
  }
  return key;
}

struct spirv_module {
  std::uint32_t const* words;
  std::size_t bytes;
};

/// Of an array that ends with a zero which is not the module's.
template <std::size_t Count>
spirv_module without_end(char32_t const (&words)[Count]) noexcept {
  static_assert(sizeof(char32_t) == sizeof(std::uint32_t));
  return {reinterpret_cast<std::uint32_t const*>(words), sizeof words - sizeof(char32_t)};
}

inline spirv_module module_of(kernel which, memory_model model) noexcept {
  bool const address = model == memory_model::address;
  switch (which) {
#define NDX_VULKAN_KERNEL(name) \
  case kernel::name:            \
    return address ? without_end(spirv::name##_address) : without_end(spirv::name##_buffer);
    NDX_VULKAN_KERNELS(NDX_VULKAN_KERNEL)
#undef NDX_VULKAN_KERNEL
  }
  return {nullptr, 0};
}

}  // namespace detail

#undef NDX_VULKAN_KERNELS

}  // namespace ndx::vulkan

#endif
