// SPDX-License-Identifier: MIT
// Part of Zoetrope. An animation curve as in an FBX file: keys, and runs of attributes.
#pragma once

#include <cstdint>
#include <vector>

namespace zoe::io::fbx {

// Bits of KeyAttrFlags.
enum KeyFlag : std::uint32_t {
  kKeyConstant = 0x2,
  kKeyLinear = 0x4,
  kKeyCubic = 0x8,
  kKeyConstantNext = 0x100,  // With kKeyConstant: holds the next key's value, not this one's.
  kKeyTangentAuto = 0x100,   // With kKeyCubic.
  kKeyTangentTcb = 0x200,
  kKeyTangentUser = 0x400,
  kKeyClamp = 0x1000,             // Flat where the value equals a neighbour's.
  kKeyTimeIndependent = 0x2000,   // Automatic slope: from neighbour to neighbour only.
  kKeyClampProgressive = 0x4000,  // Automatic slope never overshoots the neighbours.
  kKeyWeightedRight = 0x01000000,
  kKeyWeightedNextLeft = 0x02000000,
};

constexpr double kDefaultTangentWeight = 1.0 / 3.0;

// Shared by a run of keys: the tangent at the right of a key and at the left of the next.
struct KeyAttributes {
  std::uint32_t end = 0;  // One past the run's last key.
  std::uint32_t flags = kKeyLinear;
  float right_slope = 0;      // Value per second. Automatic tangents: bias. TCB: tension.
  float next_left_slope = 0;  // The same. TCB: continuity.
  float tcb_bias = 0;
  float right_weight = static_cast<float>(kDefaultTangentWeight);      // Fraction of the time to the next key.
  float next_left_weight = static_cast<float>(kDefaultTangentWeight);  // The same.
};

enum class Extrapolation : std::uint8_t { kConstant, kRepeat, kMirror, kKeepSlope, kRepeatRelative };

struct CurveEnd {
  Extrapolation mode = Extrapolation::kConstant;
  std::int32_t repetitions = -1;  // Negative: infinite.
};

struct Curve {
  std::vector<std::int64_t> times;  // Ticks, ascending.
  std::vector<float> values;
  std::vector<KeyAttributes> runs;  // Cover all keys.
  CurveEnd before, after;
};

}  // namespace zoe::io::fbx
