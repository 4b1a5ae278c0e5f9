// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Counts heap memory, so that a test can bound what a reader takes for a hostile file and
// show that a hot path allocates nothing.
//
// Linking this in replaces operator new and delete of the test binary; under ASan or TSan the sanitizer's own malloc
// hooks are used instead (its alloc/dealloc mismatch checks stay on, and malloc from C libraries counts too).
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ZOE_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ZOE_TEST_SANITIZED 1
#endif
#endif

namespace zoe::test {

// For tests that take a smaller sample under a sanitizer.
#ifdef ZOE_TEST_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Counts from its construction on, over all threads. One at a time: a second one takes over the peak.
class AllocationMeter {
 public:
  AllocationMeter();

  // Most bytes alive at once above what was alive at the start.
  std::size_t peak_bytes() const;
  // Bytes alive now above the start; 0 when less is alive than then.
  std::size_t live_bytes() const;
  // Calls of operator new (or malloc, under sanitizers).
  std::size_t allocations() const;

 private:
  std::ptrdiff_t start_live_ = 0;
  std::size_t start_count_ = 0;
};

}  // namespace zoe::test
