// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_PLACEMENT_HPP
#define NDX_TESTS_SUPPORT_PLACEMENT_HPP

#include "elements.hpp"
#include "kept_memory.hpp"
#include "random.hpp"

#include <cstddef>
#include <cstdint>
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

  /// Calls `visit(i, element)` for every element, in row-major order.
  template <class Visitor>
  void for_each_element(Visitor visit) const {
    for_each_line([&](oracle::integer first, std::ptrdiff_t offset) {
      for (oracle::integer i = 0; i < line_length(); ++i, offset += line_stride())
        visit(first + i, memory_.get() + offset);
    });
  }
  void set_elements(std::vector<std::byte> const& values);

  /// All of the memory, guards included.
  std::byte* memory() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }
  using image = kept_memory;
  image copy() const;
  void restore(image const& from);
  /// Copies every element from an image of this memory, and nothing between them.
  void restore_elements(image const& from);
  bool matches(image const& other) const;
  /// Another one as soon as one byte changes; where more do, but for one case in 2^64.
  std::uint64_t fingerprint() const;
  /// As `matches`, and sanitizers look at every byte: memory that a call's threads have written to is read like that
  /// once.
  bool matches_as_watched(image const& other) const;

private:
  static constexpr std::size_t guard_bytes = 192;  // keeps the alignment, and is a whole number of every element type

  /// Chooses the strides; `origin_` becomes the offset of element 0 from the lowest one. The elements they span.
  oracle::integer choose_strides(layout how, std::vector<bool> const& repeated, random_source& random);

  /// A line is what lies along the last dimension; `visit(first, offset)` gets the number of its first element, and how
  /// many bytes lie before it.
  template <class Visitor>
  void for_each_line(Visitor visit) const {
    oracle::shape lines = extents_;
    if (!lines.empty()) lines.back() = lines.back() == 0 ? 0 : 1;
    oracle::integer first = 0;
    oracle::all_positions(lines, [&](oracle::shape const& position) {
      oracle::integer offset = 0;
      for (std::size_t d = 0; d < position.size(); ++d) offset += position[d] * strides_[d];
      visit(first, static_cast<std::ptrdiff_t>(origin_) + offset * static_cast<std::ptrdiff_t>(element_size_));
      first += line_length();
      return true;
    });
  }
  oracle::integer line_length() const { return extents_.empty() ? 1 : extents_.back(); }
  std::ptrdiff_t line_stride() const {
    return (strides_.empty() ? 1 : strides_.back()) * static_cast<std::ptrdiff_t>(element_size_);
  }
  /// Whole lines at once where their elements lie side by side.
  void copy_line(std::byte* to, std::ptrdiff_t to_stride, std::byte const* from, std::ptrdiff_t from_stride) const;

  oracle::shape extents_;
  oracle::shape strides_;
  std::size_t element_size_;
  std::size_t bytes_ = 0;
  std::size_t origin_ = 0;
  kept_memory memory_;
};

}  // namespace test

#endif
