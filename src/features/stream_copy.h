// SPDX-License-Identifier: MIT
// Part of Zoetrope. Copying to memory without reading it into the caches first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace zoe::features {

// Call stream_fence() before another thread reads what was written.
inline void stream_copy(float* to, const float* from, std::size_t count) noexcept {
#ifdef __SSE2__
  // Whole cache lines go around the caches; what lies before the first and after the last does not.
  while (count > 0 && reinterpret_cast<std::uintptr_t>(to) % 64 != 0) {
    *to++ = *from++;
    --count;
  }
  for (; count >= 16; count -= 16, to += 16, from += 16) {
    const __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + 4), c = _mm_loadu_ps(from + 8), d = _mm_loadu_ps(from + 12);
    _mm_stream_ps(to, a);
    _mm_stream_ps(to + 4, b);
    _mm_stream_ps(to + 8, c);
    _mm_stream_ps(to + 12, d);
  }
#endif
  std::memcpy(to, from, count * sizeof(float));
}

inline void stream_fence() noexcept {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace zoe::features
