// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_PLACEMENT_HPP
#define NDX_TESTS_SUPPORT_PLACEMENT_HPP

#include "elements.hpp"
#include "random.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace test {

/// How the elements of a tensor lie in memory.
enum class layout { packed, misaligned, padded, reversed, permuted, strided, broadcast, mixed };

char const* name(layout how);

/// Indices as they stand in memory.
oracle::elements elements_of(oracle::numbers const& indices, index_kind kind);

/// A tensor placed in memory of its own. Inputs have not one byte to spare, so that address sanitizers see every read
/// beyond them; outputs have guards on both sides.
class placement {
public:
  enum class use { input, output };

  placement(oracle::elements const& values, layout how, use as, random_source& random);

  oracle::shape const& extents() const { return extents_; }
  oracle::shape const& strides() const { return strides_; }
  /// Null where there are no elements and no guards: an empty tensor needs no memory.
  void* data() const { return bytes_ == 0 ? nullptr : memory_.get() + origin_; }

  oracle::integer size() const { return static_cast<oracle::integer>(offsets_.size()); }
  std::byte* element(oracle::integer i) const { return memory_.get() + offsets_[static_cast<std::size_t>(i)]; }
  void set_elements(std::vector<std::byte> const& values);

  /// All of the memory, guards included.
  std::byte* memory() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }
  using image = std::unique_ptr<std::byte[]>;
  image copy() const;
  void restore(image const& from);
  /// Copies every element from an image of this memory, and nothing between them.
  void restore_elements(image const& from);
  bool matches(image const& other) const;
  /// The same, and sanitizers look at every byte: memory that a call's threads have written to is read like that once.
  bool matches_as_watched(image const& other) const;

private:
  static constexpr std::align_val_t alignment{64};
  static constexpr std::size_t guard_bytes = 192;  // keeps the alignment, and is a whole number of every element type

  struct release {
    void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
  };

  /// Chooses the strides; `origin_` becomes the offset of element 0 from the lowest one. The elements they span.
  oracle::integer choose_strides(layout how, std::vector<bool> const& repeated, random_source& random);

  oracle::shape extents_;
  oracle::shape strides_;
  std::size_t element_size_;
  std::size_t bytes_ = 0;
  std::size_t origin_ = 0;
  std::unique_ptr<std::byte[], release> memory_;
  std::vector<std::ptrdiff_t> offsets_;  // of each element, in bytes
};

}  // namespace test

#endif
