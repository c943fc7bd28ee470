// SPDX-License-Identifier: MIT
// Replaces the global allocation functions by ones that count. Only for the program that asks for the count: under
// sanitizers the replaced functions are worth having.
#include "count_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> limit{std::numeric_limits<std::size_t>::max()};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++allocations;
  return memory;
}

}  // namespace

std::size_t test::allocation_count() { return allocations.load(); }
void test::limit_allocations(std::size_t bytes) { limit = bytes; }

void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return ::operator new(size, std::nothrow); }
void* operator new(std::size_t size, std::align_val_t alignment, std::nothrow_t const&) noexcept {
  try {
    return ::operator new(size, alignment);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (size > limit) throw std::bad_alloc();
  auto const step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, size == 0 ? step : (size + step - 1) / step * step));
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return ::operator new(size, alignment); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
