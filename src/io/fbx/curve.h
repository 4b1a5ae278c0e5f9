// SPDX-License-Identifier: MIT
// Part of Zoetrope. Animation curves as FBX keeps them, and their values at any time.
#pragma once

#include <cstdint>
#include <vector>

namespace zoe::io::fbx {

// Bits of KeyAttrFlags.
enum KeyFlag : std::uint32_t {
  kKeyConstant = 0x2,
  kKeyLinear = 0x4,
  kKeyCubic = 0x8,
  kKeyConstantNext = 0x100,  // With kKeyConstant: hold the next key's value, not this one's.
  kKeyTangentAuto = 0x100,   // With kKeyCubic.
  kKeyTangentTcb = 0x200,
  kKeyTangentUser = 0x400,
  kKeyClamp = 0x1000,             // Flat where the value equals a neighbour's.
  kKeyTimeIndependent = 0x2000,   // Automatic slope: neighbour to neighbour, nothing else.
  kKeyClampProgressive = 0x4000,  // Automatic slope never overshoots the neighbours.
  kKeyWeightedRight = 0x01000000,
  kKeyWeightedNextLeft = 0x02000000,
};

constexpr double kDefaultTangentWeight = 1.0 / 3.0;

// Shared by a run of keys: the tangent at a key's right and at the next key's left.
struct KeyAttributes {
  std::uint32_t end = 0;  // One past the run's last key.
  std::uint32_t flags = kKeyLinear;
  float right_slope = 0;      // Value per second. Automatic tangents: bias. TCB: tension.
  float next_left_slope = 0;  // Likewise. TCB: continuity.
  float tcb_bias = 0;
  float right_weight = static_cast<float>(kDefaultTangentWeight);      // Share of the time to the next key.
  float next_left_weight = static_cast<float>(kDefaultTangentWeight);  // Likewise.
};

enum class Extrapolation : std::uint8_t { kConstant, kRepeat, kMirror, kKeepSlope, kRepeatRelative };

struct CurveEnd {
  Extrapolation mode = Extrapolation::kConstant;
  std::int32_t repetitions = -1;  // Negative: without end.
};

struct Curve {
  std::vector<std::int64_t> times;  // Ticks, ascending.
  std::vector<float> values;
  std::vector<KeyAttributes> runs;  // Cover all keys.
  CurveEnd before, after;
};

// Evaluates one curve; cheap when called with times in ascending order, correct in any.
class CurveCursor {
 public:
  explicit CurveCursor(const Curve& curve) : curve_(&curve) {}

  // The curve's value; the curve must have at least one key.
  double evaluate(std::int64_t tick);

 private:
  double inside(std::int64_t tick);
  double outside(std::int64_t tick);
  void enter_segment(std::size_t key);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const Curve* curve_;
  std::size_t key_ = 0;           // Where the last call ended.
  std::size_t prepared_ = kNone;  // Segment [prepared_, prepared_ + 1] is in the members below.
  // The prepared segment: a cubic Bézier over normalised time, or a constant, or a line.
  std::uint32_t interpolation_ = 0;
  double seconds_ = 0;
  double x1_ = 0, x2_ = 0;
  double y_[4] = {};
};

// Parameter in [0, 1] at which the Bézier 0, x1, x2, 1 reaches x; x1, x2 and x in [0, 1].
double solve_bezier_time(double x1, double x2, double x);

}  // namespace zoe::io::fbx
