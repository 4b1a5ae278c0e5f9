// SPDX-License-Identifier: MIT
#include "zoe/math/finite.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/finite.cpp"
#include "core/simd_foreach_target.h"
#include "math/simd_inl.h"

// Loops without branches, which the compiler vectorises for each target.
HWY_BEFORE_NAMESPACE();
namespace zoe {
namespace HWY_NAMESPACE {

// An infinity or NaN has an exponent of all ones. Only then does adding one to the exponent reach the sign bit.
bool finite_numbers(const float* numbers, std::size_t count) {
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < count; ++i)
    carry |= (std::bit_cast<std::uint32_t>(numbers[i]) & 0x7fffffffU) + 0x00800000U;
  return carry >> 31 == 0;
}

bool unit_quats(const float* q, std::size_t count, float tolerance) {
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i, q += 4) {
    const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    bad |= static_cast<std::uint32_t>(!(std::abs(square - 1.0F) < tolerance));
  }
  return bad == 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe {

HWY_EXPORT(finite_numbers);
HWY_EXPORT(unit_quats);

bool all_finite(std::span<const float> numbers) {
  return HWY_DYNAMIC_DISPATCH(finite_numbers)(numbers.data(), numbers.size());
}
bool all_finite(std::span<const Vec3> values) {
  return values.empty() || all_finite(std::span<const float>(&values.data()->x, 3 * values.size()));
}
bool all_unit(std::span<const Quat> rotations, float tolerance) {
  return rotations.empty() || HWY_DYNAMIC_DISPATCH(unit_quats)(&rotations.data()->x, rotations.size(), tolerance);
}

}  // namespace zoe
#endif  // HWY_ONCE
