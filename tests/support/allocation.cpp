// SPDX-License-Identifier: MIT
#include "support/allocation.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#ifdef ZOE_TEST_SANITIZED
// GCC 12 ships these functions but not <sanitizer/allocator_interface.h>, which declares them.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, std::size_t),
                                              void (*free_hook)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);
}
#else
#include <malloc.h>
#endif

namespace {

// Signed: with hooks installed late, memory from before may be freed under our eyes.
std::atomic<std::ptrdiff_t> g_live{0};
std::atomic<std::ptrdiff_t> g_peak{0};
std::atomic<std::size_t> g_count{0};

void count_allocation(std::size_t bytes) {
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(bytes);
  const std::ptrdiff_t live = g_live.fetch_add(size, std::memory_order_relaxed) + size;
  g_count.fetch_add(1, std::memory_order_relaxed);
  std::ptrdiff_t peak = g_peak.load(std::memory_order_relaxed);
  while (live > peak && !g_peak.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
}

void count_release(std::size_t bytes) {
  g_live.fetch_sub(static_cast<std::ptrdiff_t>(bytes), std::memory_order_relaxed);
}

#ifdef ZOE_TEST_SANITIZED
void malloc_hook(const volatile void* pointer, std::size_t size) {
  if (pointer != nullptr) count_allocation(size);
}
void free_hook(const volatile void* pointer) {
  if (pointer != nullptr) count_release(__sanitizer_get_allocated_size(pointer));
}
void install_hooks() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(malloc_hook, free_hook);
  if (installed == 0) std::abort();  // Every slot taken: the counts would silently be zero.
}
#else
void install_hooks() {}

void* counted_new(std::size_t size, std::size_t alignment) {
  size = std::max<std::size_t>(size, 1);
  void* pointer = alignment <= alignof(std::max_align_t)
                      ? std::malloc(size)
                      : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (pointer != nullptr) count_allocation(::malloc_usable_size(pointer));
  return pointer;
}
void* counted_new_or_throw(std::size_t size, std::size_t alignment) {
  void* pointer = counted_new(size, alignment);
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}
void counted_delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  count_release(::malloc_usable_size(pointer));
  std::free(pointer);
}
constexpr std::size_t kPlain = alignof(std::max_align_t);
#endif

}  // namespace

#ifndef ZOE_TEST_SANITIZED
// The array and nothrow forms of the standard library call these.
void* operator new(std::size_t size) { return counted_new_or_throw(size, kPlain); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_new_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* pointer) noexcept { counted_delete(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { counted_delete(pointer); }
void operator delete(void* pointer, std::align_val_t) noexcept { counted_delete(pointer); }
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept { counted_delete(pointer); }
#endif

namespace zoe::test {

AllocationMeter::AllocationMeter() {
  install_hooks();
  start_live_ = g_live.load();
  start_count_ = g_count.load();
  g_peak.store(start_live_);
}
std::size_t AllocationMeter::peak_bytes() const {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(g_peak.load() - start_live_, 0));
}
std::size_t AllocationMeter::live_bytes() const {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(g_live.load() - start_live_, 0));
}
std::size_t AllocationMeter::allocations() const { return g_count.load() - start_count_; }

}  // namespace zoe::test
