// SPDX-License-Identifier: MIT
// Part of Zoetrope. A std::vector in large pages where the system has them, for arrays of megabytes that are read at
// random. With small pages each access costs a walk of the page table too, and inside a virtual machine two of them.
#pragma once

#include <cstddef>
#include <vector>

namespace zoe {

// From a megabyte on: starts on a large page, and asks the system for those. Smaller ones start on a cache line.
void* allocate_in_pages(std::size_t bytes);
void free_in_pages(void* memory, std::size_t bytes);  // The same number of bytes.

template <typename T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_in_pages(count * sizeof(T))); }
  void deallocate(T* pointer, std::size_t count) { free_in_pages(pointer, count * sizeof(T)); }
  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};

template <typename T>
using PageVector = std::vector<T, PageAllocator<T>>;

}  // namespace zoe
