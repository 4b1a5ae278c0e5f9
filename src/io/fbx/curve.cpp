// SPDX-License-Identifier: MIT
#include "io/fbx/curve.h"

#include <algorithm>
#include <cmath>

#include "io/fbx/settings.h"
#include "io/fbx/tangents.h"

namespace zoe::io::fbx {
namespace {

// Programs round frame times to ticks differently. A key this near to a sample is the sample (20 ns).
constexpr std::int64_t kSameTimeTicks = 1000;

}  // namespace

double solve_bezier_time(double x1, double x2, double x) {
  // x(t) = a t³ + b t² + c t is increasing for handles inside [0, 1]. Newton's method, kept inside a shrinking bracket.
  const double c = 3 * x1, b = 3 * x2 - 6 * x1, a = 1 - 3 * x2 + 3 * x1;
  double low = 0, high = 1, t = x;
  for (int i = 0; i < 60; ++i) {
    const double error = ((a * t + b) * t + c) * t - x;
    if (std::abs(error) < 1e-14) break;
    (error > 0 ? high : low) = t;
    const double slope = (3 * a * t + 2 * b) * t + c;
    const double next = slope > 1e-12 ? t - error / slope : -1;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}

void CurveCursor::enter_segment(std::size_t key) {
  prepared_ = key;
  const Curve& curve = *curve_;
  seconds_ = static_cast<double>(curve.times[key + 1] - curve.times[key]) / static_cast<double>(kTicksPerSecond);
  interpolation_ = curve.runs[run_of(curve, key)].flags;
  y_[0] = curve.values[key];
  y_[3] = curve.values[key + 1];
  if ((interpolation_ & kKeyConstant) != 0 || (interpolation_ & kKeyCubic) == 0) return;
  const Tangent right = tangents_at(curve, key).right, left = tangents_at(curve, key + 1).left;
  x1_ = std::clamp(right.weight, 0.0, 1.0);
  x2_ = 1 - std::clamp(left.weight, 0.0, 1.0);
  y_[1] = y_[0] + right.slope * right.weight * seconds_;
  y_[2] = y_[3] - left.slope * left.weight * seconds_;
}

double CurveCursor::inside(std::int64_t tick) {
  const auto& times = curve_->times;
  const std::size_t last = times.size() - 1;
  const auto begins_by = [&](std::size_t key) { return times[key] <= tick + kSameTimeTicks; };
  // The last key at or before the time: usually the same as before or one of the next few.
  std::size_t key = key_;
  if (begins_by(key)) {
    for (int step = 0; step < 4 && key < last && begins_by(key + 1); ++step) ++key;
  }
  if (!begins_by(key) || (key < last && begins_by(key + 1))) {
    const auto found = std::upper_bound(times.begin(), times.end(), tick + kSameTimeTicks);
    key = found == times.begin() ? 0 : static_cast<std::size_t>(found - times.begin()) - 1;
  }
  key_ = key;
  if (key == last || tick <= times[key] + kSameTimeTicks) return curve_->values[key];  // Needs no tangents.

  if (prepared_ != key) enter_segment(key);
  const double x = static_cast<double>(tick - times[key]) / static_cast<double>(times[key + 1] - times[key]);
  if ((interpolation_ & kKeyConstant) != 0) return (interpolation_ & kKeyConstantNext) != 0 ? y_[3] : y_[0];
  if ((interpolation_ & kKeyCubic) == 0) return y_[0] + (y_[3] - y_[0]) * x;
  // Default weights put the handles at thirds, where Bézier time is plain time.
  const bool thirds =
      std::abs(x1_ - kDefaultTangentWeight) < 1e-5 && std::abs(x2_ - (1 - kDefaultTangentWeight)) < 1e-5;
  const double t = thirds ? x : solve_bezier_time(x1_, x2_, x);
  const double u = 1 - t;
  return u * u * u * y_[0] + 3 * u * t * (u * y_[1] + t * y_[2]) + t * t * t * y_[3];
}

double CurveCursor::outside(std::int64_t tick) {
  const Curve& curve = *curve_;
  const std::size_t last = curve.times.size() - 1;
  const bool early = tick < curve.times[0];
  const CurveEnd& end = early ? curve.before : curve.after;
  const std::size_t key = early ? 0 : last;
  const double value = curve.values[key];
  const std::int64_t duration = curve.times[last] - curve.times[0];
  if (end.mode == Extrapolation::kConstant || end.repetitions == 0 || duration < 1) return value;
  if (end.mode == Extrapolation::kKeepSlope) {
    const KeyTangents tangents = tangents_at(curve, key);
    const double seconds = static_cast<double>(tick - curve.times[key]) / static_cast<double>(kTicksPerSecond);
    return value + seconds * (early ? tangents.right.slope : tangents.left.slope);
  }
  // Whole periods beyond the end, and the remainder, both counted away from the curve.
  const std::int64_t distance = early ? curve.times[0] - tick : tick - curve.times[last];
  std::int64_t periods = distance / duration, rest = distance % duration;
  if (end.repetitions > 0 && periods >= end.repetitions) {
    periods = end.repetitions - 1;
    rest = duration;
  }
  if (end.mode == Extrapolation::kMirror && periods % 2 == 0) rest = duration - rest;
  const std::int64_t offset = early ? duration - rest : rest;
  double result = inside(std::clamp(curve.times[0] + offset, curve.times[0], curve.times[last]));
  if (end.mode == Extrapolation::kRepeatRelative) {
    const double rise = static_cast<double>(curve.values[last]) - static_cast<double>(curve.values[0]);
    result += (early ? -rise : rise) * static_cast<double>(periods + 1);
  }
  return result;
}

double CurveCursor::evaluate(std::int64_t tick) {
  const auto& times = curve_->times;
  if (times.size() == 1) return curve_->values[0];
  if (tick < times.front() - kSameTimeTicks || tick > times.back() + kSameTimeTicks) return outside(tick);
  return inside(tick);
}

}  // namespace zoe::io::fbx
