// SPDX-License-Identifier: MIT
#include "placement.hpp"

#include "raw_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace test {

namespace {

/// Along which dimensions do the elements not change? Those may be broadcast.
std::vector<bool> repeated_dimensions(oracle::elements const& values) {
  std::vector<bool> result(values.extents.size(), true);
  oracle::integer i = 0;
  oracle::shape first;
  oracle::all_positions(values.extents, [&](oracle::shape const& position) {
    for (std::size_t d = 0; d < result.size(); ++d) {
      if (position[d] == 0 || !result[d]) continue;
      first = position;
      first[d] = 0;
      std::byte const* const other = values.at(oracle::row_major(values.extents, first));
      if (!same_raw(values.at(i), other, values.size)) result[d] = false;
    }
    ++i;
    return true;
  });
  return result;
}

/// What lies beside elements: bytes that change from one to the next.
void fill_with_pattern(std::byte* memory, std::size_t bytes) {
  static auto const pattern = [] {
    std::array<std::byte, 256> result;  // which repeat
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::byte>(i * 37 + 11);
    return result;
  }();
  for (std::size_t at = 0; at < bytes; at += pattern.size())
    copy_raw(memory + at, pattern.data(), std::min(pattern.size(), bytes - at));
}

}  // namespace

char const* name(layout how) {
  constexpr char const* names[] = {"packed",   "misaligned", "padded",    "reversed",
                                   "permuted", "strided",    "broadcast", "mixed"};
  return names[static_cast<std::size_t>(how)];
}

oracle::elements elements_of(oracle::numbers const& indices, index_kind kind) {
  oracle::elements result{indices.extents, static_cast<std::size_t>(width(kind) / 8), {}};
  result.bytes.resize(indices.values.size() * result.size);
  for (std::size_t i = 0; i < indices.values.size(); ++i) {
    std::uint64_t const wide = indices.values[i].bits();
    auto const narrow = static_cast<std::uint32_t>(wide);
    std::byte* const to = result.at(static_cast<oracle::integer>(i));
    if (width(kind) == 64) std::memcpy(to, &wide, sizeof wide);
    else std::memcpy(to, &narrow, sizeof narrow);
  }
  return result;
}

placement::placement(oracle::elements const& values, layout how, use as, random_source& random)
    : extents_(values.extents), strides_(extents_.size()), element_size_(values.size) {
  std::vector<bool> repeated(extents_.size(), false);
  if (how == layout::broadcast && as == use::input) repeated = repeated_dimensions(values);
  oracle::integer const span = choose_strides(how, repeated, random);
  std::size_t const guard = as == use::output ? guard_bytes : 0;
  std::size_t const lead = guard + (how == layout::misaligned ? element_size_ : 0);
  bytes_ = lead + static_cast<std::size_t>(span) * element_size_ + guard;
  memory_ = kept_memory(bytes_);
  fill_with_pattern(memory_.get(), bytes_);
  origin_ = lead + origin_ * element_size_;
  if (!values.bytes.empty()) set_elements(values.bytes);
}

oracle::integer placement::choose_strides(layout how, std::vector<bool> const& repeated, random_source& random) {
  std::vector<std::size_t> inner_to_outer(extents_.size());
  std::iota(inner_to_outer.rbegin(), inner_to_outer.rend(), std::size_t{0});
  if (how == layout::permuted) std::reverse(inner_to_outer.begin(), inner_to_outer.end());
  if (how == layout::mixed) std::shuffle(inner_to_outer.begin(), inner_to_outer.end(), random.engine());
  bool const empty = oracle::product(extents_) == 0;
  oracle::integer span = empty ? 0 : 1;
  oracle::integer next = how == layout::strided ? 2 : how == layout::mixed ? random.between(1, 3) : 1;
  for (std::size_t d : inner_to_outer) {
    if (repeated[d]) continue;  // stride 0
    bool const backwards = how == layout::reversed || (how == layout::mixed && random.chance(40));
    oracle::integer const reach = empty ? 0 : (extents_[d] - 1) * next;
    span += reach;
    if (backwards) origin_ += static_cast<std::size_t>(reach);
    strides_[d] = backwards ? -next : next;
    next *= extents_[d];
    if (how == layout::padded) next += 3;
    if (how == layout::mixed && random.chance(50)) next += random.between(1, 5);
  }
  return span;
}

void placement::copy_line(std::byte* to, std::ptrdiff_t to_stride, std::byte const* from,
                          std::ptrdiff_t from_stride) const {
  auto const packed = static_cast<std::ptrdiff_t>(element_size_);
  if (to_stride == packed && from_stride == packed)
    return copy_raw(to, from, static_cast<std::size_t>(line_length()) * element_size_);
  for (oracle::integer i = 0; i < line_length(); ++i, to += to_stride, from += from_stride)
    copy_element(to, from, element_size_);
}

void placement::set_elements(std::vector<std::byte> const& values) {
  for_each_line([&](oracle::integer first, std::ptrdiff_t offset) {
    copy_line(memory_.get() + offset, line_stride(), values.data() + static_cast<std::size_t>(first) * element_size_,
              static_cast<std::ptrdiff_t>(element_size_));
  });
}

placement::image placement::copy() const {
  image result(bytes_);
  copy_raw(result.get(), memory_.get(), bytes_);
  return result;
}

void placement::restore(image const& from) { copy_raw(memory_.get(), from.get(), bytes_); }

void placement::restore_elements(image const& from) {
  for_each_line([&](oracle::integer, std::ptrdiff_t offset) {
    copy_line(memory_.get() + offset, line_stride(), from.get() + offset, line_stride());
  });
}

bool placement::matches(image const& other) const { return same_raw(memory_.get(), other.get(), bytes_); }

std::uint64_t placement::fingerprint() const { return fingerprint_raw(memory_.get(), bytes_); }

bool placement::matches_as_watched(image const& other) const {
  return bytes_ == 0 || std::memcmp(memory_.get(), other.get(), bytes_) == 0;
}

}  // namespace test
