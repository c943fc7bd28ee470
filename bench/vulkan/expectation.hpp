// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_VULKAN_EXPECTATION_HPP
#define NDX_BENCH_VULKAN_EXPECTATION_HPP

#include "session.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

// What a workload should have left, at places of its output that are drawn by lot: all of them where there are few.
namespace ndx_bench {

inline std::vector<index_t> places_to_look_at(index_t count) {
  constexpr index_t few = index_t{1} << 15;
  if (count <= few) {
    std::vector<index_t> all(static_cast<std::size_t>(count));
    for (index_t i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
    return all;
  }
  std::vector<index_t> places = random_numbers_below(count, few, 77);
  for (index_t i = 0; i < few / 16; ++i) {
    places[static_cast<std::size_t>(2 * i)] = i;
    places[static_cast<std::size_t>(2 * i + 1)] = count - 1 - i;
  }
  return places;
}

/// Is every word of `output` (`count` of them) made of the bytes of the table that `source_of(byte of the output)`
/// names? If not, where.
template <class SourceOf>
std::string mistake_in_copy(session& run, words& output, index_t count, SourceOf const& source_of) {
  std::vector<index_t> const places = places_to_look_at(count);
  std::vector<std::uint32_t> const found = words_at(run.gpu, output, places);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (index_t byte = 0; byte < 4; ++byte) {
      index_t const source = source_of(4 * places[i] + byte);
      auto const seen = static_cast<unsigned char>(found[i] >> (8 * byte));
      unsigned char const due = table_pattern.byte(source);
      if (seen != due)
        return ndx::detail::text("byte ", 4 * places[i] + byte, " of the output is ", static_cast<int>(seen),
                                 "; due is ", static_cast<int>(due), ", byte ", source, " of the table");
    }
  return {};
}

enum class scatter { replaces, replaces_by_last, adds, takes_greatest };

/// Does `output`, of `slots` rows of `width` floats that were those of the table, hold what a scatter of `tuples` rows
/// of updates leaves, where `slot_of(tuple)` names the row?
template <class SlotOf>
std::string mistake_in_scatter(session& run, words& output, index_t slots, index_t width, index_t tuples, scatter kind,
                               SlotOf const& slot_of) {
  struct sample {
    index_t slot;
    index_t word;  // of the row
    std::vector<index_t> tuples;
  };
  std::vector<sample> samples;
  std::unordered_multimap<index_t, std::size_t> samples_of;
  constexpr index_t hashes = index_t{1} << 20;
  std::vector<bool> hit(static_cast<std::size_t>(hashes));
  auto const look_at = [&](index_t slot, std::uint64_t lot) {
    auto const word = static_cast<index_t>(random_below(static_cast<std::uint64_t>(width), lot, 78));
    samples_of.emplace(slot, samples.size());
    hit[static_cast<std::size_t>(slot % hashes)] = true;
    samples.push_back({slot, word, {}});
  };
  for (index_t tuple : places_to_look_at(std::min(tuples, index_t{1} << 40))) {
    look_at(slot_of(tuple), samples.size());
    if (samples.size() >= 6000) break;
  }
  // Some that no tuple may lead to, among them the first and the last.
  for (index_t slot : random_numbers_below(slots, 2000, 79)) look_at(slot, samples.size());
  look_at(0, 0);
  look_at(slots - 1, 1);

  std::mutex mutex;
  in_parallel(tuples, [&](index_t first, index_t last) {
    for (index_t tuple = first; tuple < last; ++tuple) {
      index_t const slot = slot_of(tuple);
      if (!hit[static_cast<std::size_t>(slot % hashes)]) continue;
      auto const [begin, end] = samples_of.equal_range(slot);
      for (auto each = begin; each != end; ++each) {
        std::lock_guard const lock(mutex);
        samples[each->second].tuples.push_back(tuple);
      }
    }
  });

  std::vector<index_t> places;
  for (sample const& each : samples) places.push_back(each.slot * width + each.word);
  std::vector<std::uint32_t> const found = words_at(run.gpu, output, places);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sample const& each = samples[i];
    float seen = 0;
    std::memcpy(&seen, &found[i], sizeof(seen));
    float due = table_pattern.value(places[i]);
    bool right = false;
    if (kind == scatter::replaces_by_last && !each.tuples.empty())
      due = update_pattern.value(*std::max_element(each.tuples.begin(), each.tuples.end()) * width + each.word);
    for (index_t tuple : each.tuples) {
      float const update = update_pattern.value(tuple * width + each.word);
      if (kind == scatter::adds) due += update;
      else if (kind == scatter::takes_greatest) due = std::max(due, update);
      else if (kind == scatter::replaces) right = right || seen == (due = update);
    }
    if (kind != scatter::replaces || each.tuples.empty()) right = seen == due;
    if (!right)
      return ndx::detail::text("float ", each.word, " of row ", each.slot, " is ", std::to_string(seen), "; due is ",
                               std::to_string(due), ", as ", each.tuples.size(), " updates lead there");
  }
  return {};
}

}  // namespace ndx_bench

#endif
