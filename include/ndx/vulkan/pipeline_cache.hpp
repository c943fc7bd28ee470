// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PIPELINE_CACHE_HPP
#define NDX_VULKAN_PIPELINE_CACHE_HPP

#include <ndx/vulkan/functions.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

// The file of a VkPipelineCache. Drivers are not hardened against data that is not their own, so the file is believed
// only where it is whole (it begins with its length and a checksum) and made by this very device and driver.
namespace ndx::vulkan::detail {

struct cache_file_header {
  char magic[8];
  std::uint64_t size;  // of the data behind this
  std::uint64_t checksum;
};

constexpr char cache_file_magic[8] = {'n', 'd', 'x', 'p', 'i', 'p', 'e', '1'};

/// FNV-1a.
inline std::uint64_t checksum_of(std::vector<unsigned char> const& data) noexcept {
  std::uint64_t sum = 14695981039346656037u;
  for (unsigned char byte : data) sum = (sum ^ byte) * 1099511628211u;
  return sum;
}

/// Is it the data of a VkPipelineCache of this device and driver?
inline bool belongs_to(std::vector<unsigned char> const& data, VkPhysicalDeviceProperties const& device) noexcept {
  // VkPipelineCacheHeaderVersionOne: four words, little-endian as written by the host itself, then the UUID.
  std::uint32_t words[4];
  if (data.size() < sizeof words + VK_UUID_SIZE) return false;
  std::memcpy(words, data.data(), sizeof words);
  return words[0] == sizeof words + VK_UUID_SIZE && words[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         words[2] == device.vendorID && words[3] == device.deviceID &&
         std::memcmp(data.data() + sizeof words, device.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

/// The data in the file; empty where there is no file, or nothing in it that this device can use.
inline std::vector<unsigned char> read_cache_file(std::string const& path, VkPhysicalDeviceProperties const& device) {
  constexpr std::uint64_t most = std::uint64_t(1) << 30;
  std::vector<unsigned char> data;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return data;
  cache_file_header header;
  bool good = std::fread(&header, sizeof header, 1, file) == 1 &&
              std::memcmp(header.magic, cache_file_magic, sizeof header.magic) == 0 && header.size <= most;
  // In steps: what a damaged file says of its size is not worth a gigabyte of memory.
  constexpr std::size_t step = std::size_t(1) << 20;
  while (good && data.size() < header.size) {
    std::size_t const before = data.size();
    std::size_t const part = header.size - before < step ? static_cast<std::size_t>(header.size - before) : step;
    data.resize(before + part);
    good = std::fread(data.data() + before, 1, part, file) == part;
  }
  std::fclose(file);
  if (!good || header.checksum != checksum_of(data) || !belongs_to(data, device)) data.clear();
  return data;
}

/// Writes the file beside its place and moves it there, so that nobody ever reads a part. False: not written.
inline bool write_cache_file(std::string const& path, std::vector<unsigned char> const& data) {
  std::string beside = path + ".";
#if __has_include(<unistd.h>)
  beside += std::to_string(static_cast<long long>(getpid())) + ".";
#endif
  beside += std::to_string(reinterpret_cast<std::uintptr_t>(data.data()));  // two threads do not write the same one
  std::FILE* const file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) return false;
  cache_file_header header = {};
  std::memcpy(header.magic, cache_file_magic, sizeof header.magic);
  header.size = data.size();
  header.checksum = checksum_of(data);
  bool good = std::fwrite(&header, sizeof header, 1, file) == 1;
  good = good && std::fwrite(data.data(), 1, data.size(), file) == data.size();
  good = std::fclose(file) == 0 && good;
#if defined(_WIN32)
  if (good) std::remove(path.c_str());  // rename does not replace there
#endif
  good = good && std::rename(beside.c_str(), path.c_str()) == 0;
  if (!good) std::remove(beside.c_str());
  return good;
}

}  // namespace ndx::vulkan::detail

#endif
