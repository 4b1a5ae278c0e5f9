// SPDX-License-Identifier: MIT
#include "zoe/math/page_vector.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace zoe {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{bytes >= kLargePage / 2 ? kLargePage : 64}; }
// Whole pages, so that the last one is a large page too.
std::size_t size_of(std::size_t bytes) {
  return bytes >= kLargePage / 2 ? (bytes + kLargePage - 1) / kLargePage * kLargePage : bytes;
}

}  // namespace

void* allocate_in_pages(std::size_t bytes) {
  void* memory = ::operator new(size_of(bytes), alignment_of(bytes));
#ifdef __linux__
  if (bytes >= kLargePage / 2) madvise(memory, size_of(bytes), MADV_HUGEPAGE);  // A hint.
#endif
  return memory;
}

void free_in_pages(void* memory, std::size_t bytes) { ::operator delete(memory, alignment_of(bytes)); }

}  // namespace zoe
