// SPDX-License-Identifier: MIT
// Part of Zoetrope. Squared distances of sixteen points at once, in 16-bit integers: coordinates come in pairs, [pairs
// × 16 points × 2], and sums are 32 bits wide. Included once per target.

#if defined(ZOE_CONTROL_MATCH_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_CONTROL_MATCH_PAIRS_INL_H
#undef ZOE_CONTROL_MATCH_PAIRS_INL_H
#else
#define ZOE_CONTROL_MATCH_PAIRS_INL_H
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::control::kernels {
namespace HWY_NAMESPACE {

// x86 multiplies 16-bit numbers and adds neighbours in one instruction. Other targets use the plain loops, which
// compilers vectorise.
#if defined(ZOE_HAS_HWY) && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Tag16 = hn::CappedTag<std::int16_t, 32>;
using Tag32 = hn::CappedTag<std::int32_t, 16>;
constexpr std::size_t kLanes32 = hn::MaxLanes(Tag32());
constexpr std::size_t kRegisters = 16 / kLanes32;

class PairSums {
 public:
  PairSums() {
    for (auto& sum : sums_) sum = hn::Zero(Tag32());
  }
  // pair: the query's two coordinates.
  void add_points(const std::int16_t* points, std::int32_t pair) {
    const auto q = hn::BitCast(Tag16(), hn::Set(Tag32(), pair));
    for (std::size_t r = 0; r < kRegisters; ++r)
      add_square(r, hn::Sub(q, hn::LoadU(Tag16(), points + 2 * r * kLanes32)));
  }
  // low, then high: [2 × 16 × 2].
  void add_boxes(const std::int16_t* boxes, std::int32_t pair) {
    const auto q = hn::BitCast(Tag16(), hn::Set(Tag32(), pair));
    for (std::size_t r = 0; r < kRegisters; ++r) {
      const auto low = hn::LoadU(Tag16(), boxes + 2 * r * kLanes32);
      const auto high = hn::LoadU(Tag16(), boxes + 32 + 2 * r * kLanes32);
      add_square(r, hn::Sub(q, hn::Min(hn::Max(q, low), high)));
    }
  }
  unsigned below(std::int32_t limit) const {
    unsigned bits = 0;
    for (std::size_t r = 0; r < kRegisters; ++r) {
      unsigned char bytes[8] = {};
      hn::StoreMaskBits(Tag32(), hn::Lt(sums_[r], hn::Set(Tag32(), limit)), bytes);
      const unsigned found = bytes[0] | (kLanes32 > 8 ? static_cast<unsigned>(bytes[1]) << 8 : 0U);
      bits |= found << (r * kLanes32);
    }
    return bits;
  }
  void store(std::int32_t* out) const {
    for (std::size_t r = 0; r < kRegisters; ++r) hn::StoreU(sums_[r], Tag32(), out + r * kLanes32);
  }

 private:
  void add_square(std::size_t r, hn::Vec<Tag16> d) {
    auto unused = hn::Zero(Tag32());
    sums_[r] = hn::ReorderWidenMulAccumulate(Tag32(), d, d, sums_[r], unused);
  }
  hn::Vec<Tag32> sums_[kRegisters];
};

#else

class PairSums {
 public:
  void add_points(const std::int16_t* points, std::int32_t pair) {
    std::int16_t q[2];
    std::memcpy(q, &pair, sizeof q);
    for (std::size_t i = 0; i < 16; ++i) {
      const int a = q[0] - points[2 * i], b = q[1] - points[2 * i + 1];
      sums_[i] += a * a + b * b;
    }
  }
  void add_boxes(const std::int16_t* boxes, std::int32_t pair) {
    std::int16_t q[2];
    std::memcpy(q, &pair, sizeof q);
    for (std::size_t i = 0; i < 16; ++i) {
      const int a = q[0] - std::min(std::max(q[0], boxes[2 * i]), boxes[32 + 2 * i]);
      const int b = q[1] - std::min(std::max(q[1], boxes[2 * i + 1]), boxes[33 + 2 * i]);
      sums_[i] += a * a + b * b;
    }
  }
  unsigned below(std::int32_t limit) const {
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; ++i) bits |= (sums_[i] < limit ? 1U : 0U) << i;
    return bits;
  }
  void store(std::int32_t* out) const { std::memcpy(out, sums_, sizeof sums_); }

 private:
  std::int32_t sums_[16] = {};
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace zoe::control::kernels
HWY_AFTER_NAMESPACE();

#endif
