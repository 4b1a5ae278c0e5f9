// SPDX-License-Identifier: MIT
#include "io/fbx/tangents.h"

#include <algorithm>
#include <cmath>

#include "io/fbx/settings.h"

namespace zoe::io::fbx {
namespace {

double seconds_between(const Curve& curve, std::size_t a, std::size_t b) {
  return static_cast<double>(curve.times[b] - curve.times[a]) / static_cast<double>(kTicksPerSecond);
}

// Slope of the straight line between two neighbouring keys; 0 when they share a time.
double secant(const Curve& curve, std::size_t a, std::size_t b) {
  const double seconds = seconds_between(curve, a, b);
  return seconds > 0 ? (static_cast<double>(curve.values[b]) - static_cast<double>(curve.values[a])) / seconds : 0;
}

// An automatic tangent's bias beyond ±500 is added to the slope itself (measured by others on curves of MotionBuilder).
double strong_bias(double bias) {
  const double excess = std::abs(bias) / 100.0 - 5.0;
  return excess > 0 ? excess * excess * 40.0 : 0;
}

// At the first or last key: along the only segment, flat when overshoot is forbidden.
double auto_slope_at_end(double only_secant, double bias, std::uint32_t flags) {
  if ((flags & kKeyClampProgressive) != 0 || ((flags & kKeyClamp) != 0 && only_secant == 0)) return 0;
  return (flags & kKeyTimeIndependent) != 0 ? only_secant : only_secant + std::copysign(strong_bias(bias), bias);
}

double auto_slope(const Curve& curve, std::size_t key, double left_weight, double right_weight, double bias,
                  std::uint32_t flags) {
  const double left_s = seconds_between(curve, key - 1, key), right_s = seconds_between(curve, key, key + 1);
  const double left_rise = static_cast<double>(curve.values[key]) - static_cast<double>(curve.values[key - 1]);
  const double right_rise = static_cast<double>(curve.values[key + 1]) - static_cast<double>(curve.values[key]);
  if ((flags & kKeyClamp) != 0 && (left_rise == 0 || right_rise == 0)) return 0;

  double slope = (left_rise + right_rise) / (left_s + right_s);
  if ((flags & kKeyTimeIndependent) == 0) {
    const double left_secant = left_rise / left_s, right_secant = right_rise / right_s;
    const double share = left_s / (left_s + right_s);
    slope = 0.5 * slope + 0.5 * (left_secant * (1 - share) + right_secant * share);
    if (const double pull = std::abs(bias) / 100.0; pull > 1e-4) {
      const double goal = bias > 0 ? right_secant : left_secant;
      const double towards = goal - slope;
      slope += towards * pull;
      slope += std::copysign(strong_bias(bias), std::abs(towards) > 1e-5 ? towards : bias);
    }
  }
  if ((flags & kKeyClampProgressive) != 0) {
    // The handles may not leave the range of the neighbours' values.
    const double sign = slope >= 0 ? 1 : -1;
    const double left_reach = left_weight * left_s, right_reach = right_weight * right_s;
    const double left_limit = left_reach > 0 ? std::max(sign * left_rise / left_reach, 0.0) : 0;
    const double right_limit = right_reach > 0 ? std::max(sign * right_rise / right_reach, 0.0) : 0;
    slope = sign * std::min({std::abs(slope), left_limit, right_limit});
  }
  return slope;
}

// The left side of the following key, from a key's attributes.
Tangent left_from_previous(const Curve& curve, std::size_t previous) {
  const KeyAttributes& attributes = curve.runs[run_of(curve, previous)];
  if ((attributes.flags & kKeyConstant) != 0) return {};
  if ((attributes.flags & kKeyCubic) == 0) return {secant(curve, previous, previous + 1)};
  if ((attributes.flags & kKeyTangentTcb) != 0) return {};
  return {attributes.next_left_slope, attributes.next_left_weight};
}

}  // namespace

std::size_t run_of(const Curve& curve, std::size_t key) {
  const auto found = std::upper_bound(curve.runs.begin(), curve.runs.end(), key,
                                      [](std::size_t k, const KeyAttributes& run) { return k < run.end; });
  return static_cast<std::size_t>(std::min(found, curve.runs.end() - 1) - curve.runs.begin());
}

void solve_tcb(double tension, double continuity, double bias, double left_secant, double right_secant, bool edge,
               double* left_slope, double* right_slope) {
  const double factor = (edge ? 1.0 : 0.5) * (1 - tension);
  *left_slope = factor * ((1 + bias) * (1 - continuity) * left_secant + (1 - bias) * (1 + continuity) * right_secant);
  *right_slope = factor * ((1 + bias) * (1 + continuity) * left_secant + (1 - bias) * (1 - continuity) * right_secant);
}

KeyTangents tangents_at(const Curve& curve, std::size_t key) {
  const KeyAttributes& attributes = curve.runs[run_of(curve, key)];
  const bool has_left = key > 0 && curve.times[key] > curve.times[key - 1];
  const bool has_right = key + 1 < curve.times.size() && curve.times[key + 1] > curve.times[key];

  KeyTangents out;
  if (key > 0) out.left = left_from_previous(curve, key - 1);
  if ((attributes.flags & kKeyConstant) != 0) return out;
  if ((attributes.flags & kKeyCubic) == 0) {
    if (has_right) out.right.slope = secant(curve, key, key + 1);
    return out;
  }
  out.right = {attributes.right_slope, attributes.right_weight};
  if ((attributes.flags & kKeyTangentTcb) != 0) {
    solve_tcb(attributes.right_slope, attributes.next_left_slope, attributes.tcb_bias,
              has_left ? secant(curve, key - 1, key) : 0, has_right ? secant(curve, key, key + 1) : 0,
              !has_left || !has_right, &out.left.slope, &out.right.slope);
    return out;
  }
  if ((attributes.flags & kKeyTangentUser) != 0) return out;

  // Automatic: the slots of the slopes hold a bias, one per side. Opposite numbers mean the same bias.
  const double left_bias = -out.left.slope, right_bias = out.right.slope;
  if (has_left && has_right) {
    const double right = auto_slope(curve, key, out.left.weight, out.right.weight, right_bias, attributes.flags);
    const bool same = std::abs(left_bias - right_bias) <= 1e-4;
    out.left.slope =
        same ? right : auto_slope(curve, key, out.left.weight, out.right.weight, left_bias, attributes.flags);
    out.right.slope = right;
  } else if (has_left) {
    out.left.slope = auto_slope_at_end(secant(curve, key - 1, key), left_bias, attributes.flags);
    out.right.slope = 0;
  } else if (has_right) {
    out.left.slope = 0;
    out.right.slope = auto_slope_at_end(secant(curve, key, key + 1), right_bias, attributes.flags);
  } else {
    out.left.slope = out.right.slope = 0;
  }
  return out;
}

}  // namespace zoe::io::fbx
