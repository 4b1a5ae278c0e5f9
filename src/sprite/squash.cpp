// SPDX-License-Identifier: MIT
#include "sprite/squash.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"
#include "zoe/motion/sample.h"

namespace zoe::sprite {
namespace {

constexpr float kUnstretched = 0.7F, kStretched = 2.6F;   // Heights per second: no stretch, the whole stretch.
constexpr float kStretchLog = 0.20F, kSquashLog = 0.26F;  // Logarithms of the largest factors: 1.22 and 0.77.
constexpr float kSoftLoad = 4, kHardLoad = 22;            // Upward acceleration, heights per second squared.
constexpr double kBlur_s = 0.03;                          // Strains are means over this time before and after.

float ramp(float value, float low, float high) { return smooth_step((value - low) / (high - low)); }

// Adds a factor exp(log) along a unit vector, and what keeps the volume across it.
void add_along(std::array<float, 6>& strain, Vec3 axis, float log) {
  const float a = 1.5F * log, b = 0.5F * log;
  strain[0] += a * axis.x * axis.x - b;
  strain[1] += a * axis.y * axis.y - b;
  strain[2] += a * axis.z * axis.z - b;
  strain[3] += a * axis.x * axis.y;
  strain[4] += a * axis.x * axis.z;
  strain[5] += a * axis.y * axis.z;
}

}  // namespace

Affine exponential(const std::array<float, 6>& s) {
  // exp(S) = (exp(S / 2^k))^(2^k), each by its series; strains are below 1.
  constexpr double kPart = 1.0 / 16;
  const Affined part{{s[0] * kPart, s[3] * kPart, s[4] * kPart},
                     {s[3] * kPart, s[1] * kPart, s[5] * kPart},
                     {s[4] * kPart, s[5] * kPart, s[2] * kPart},
                     {}};
  Affined sum, term;
  for (int k = 1; k <= 6; ++k) {
    term = part * term;
    for (Vec3d Affined::*column : {&Affined::x, &Affined::y, &Affined::z}) {
      term.*column = term.*column / static_cast<double>(k);
      sum.*column = sum.*column + term.*column;
    }
  }
  for (int k = 0; k < 4; ++k) sum = sum * sum;
  return to_float(sum);
}

SquashTrack::SquashTrack(const Motion& motion, const SkeletonAnalysis& body, const Affine& sprite_from_model,
                         Vec3 travel, float height, float amount, bool loop) {
  const double length_s = motion.duration_s();
  if (!(amount > 0) || !(height > 0) || motion.num_frames < 4 || !(length_s > 0)) return;
  const int count = std::clamp(static_cast<int>(std::lround(length_s * rate_hz_)) + 1, 5, 4000);
  rate_hz_ = (count - 1) / length_s;
  std::vector<Vec3> middles;
  Pose pose = make_pose(*motion.skeleton);
  std::vector<Affine> joints(idx(motion.num_joints()));
  for (int i = 0; i < count; ++i) {
    const double time_s = i / rate_hz_;
    sample(motion, motion.start_time_s + time_s, Wrap::kClamp, pose);
    compute_model_from_joint(*motion.skeleton, pose.view(), joints);
    // Controls of a rig stay on the ground: the hips are the body, and the feet its lower end.
    Vec3 sum{};
    float lowest = 1e30F;
    for (const Affine& joint : joints) sum += joint.t / static_cast<float>(joints.size());
    if (body.hips != kNoJoint) sum = joints[idx(body.hips)].t;
    for (const int foot : body.feet) lowest = std::min(lowest, sprite_from_model.apply_point(joints[idx(foot)].t).y);
    for (std::size_t k = 0; body.feet.empty() && k < joints.size(); ++k)
      lowest = std::min(lowest, sprite_from_model.apply_point(joints[k].t).y);
    const Vec3 middle = sprite_from_model.apply_point(sum) - travel * static_cast<float>(time_s / length_s);
    middles.push_back(middle);
    moments_.push_back({{}, {middle.x, lowest, middle.z}});
  }
  // Whole steps of 1/30 s, so that keys of 30 per second give no bursts.
  const int reach = std::max(1, static_cast<int>(std::lround(rate_hz_ / 30)));
  const auto at = [&](int i) {
    if (loop) i = ((i % (count - 1)) + count - 1) % (count - 1);
    return middles[idx(std::clamp(i, 0, count - 1))];
  };
  std::vector<Strain> raw(idx(count));
  for (int i = 0; i < count; ++i) {
    const auto step_s = static_cast<float>(reach / rate_hz_);
    const Vec3 velocity = (at(i + reach) - at(i - reach)) / (2 * step_s * height);
    const Vec3 acceleration = (at(i + reach) - at(i) * 2.0F + at(i - reach)) / (step_s * step_s * height);
    const float speed = length(velocity);
    if (speed > kUnstretched)
      add_along(raw[idx(i)], velocity / speed, amount * kStretchLog * ramp(speed, kUnstretched, kStretched));
    add_along(raw[idx(i)], {0, 1, 0}, -amount * kSquashLog * ramp(acceleration.y, kSoftLoad, kHardLoad));
  }
  const int blur = std::max(1, static_cast<int>(std::lround(rate_hz_ * kBlur_s)));
  for (int i = 0; i < count; ++i) {
    for (int k = -blur; k <= blur; ++k) {
      int from = i + k;
      if (loop) from = ((from % (count - 1)) + count - 1) % (count - 1);
      const Strain& strain = raw[idx(std::clamp(from, 0, count - 1))];
      for (std::size_t e = 0; e < 6; ++e) moments_[idx(i)].strain[e] += strain[e] / static_cast<float>(2 * blur + 1);
    }
  }
}

Affine SquashTrack::at(double time_s, float raised) const {
  if (moments_.empty()) return {};
  const double place = std::clamp(time_s * rate_hz_, 0.0, static_cast<double>(moments_.size() - 1));
  const auto before = static_cast<std::size_t>(place), after = std::min(before + 1, moments_.size() - 1);
  const auto part = static_cast<float>(place - static_cast<double>(before));
  Strain strain;
  for (std::size_t e = 0; e < 6; ++e)
    strain[e] = moments_[before].strain[e] * (1 - part) + moments_[after].strain[e] * part;
  Vec3 anchor = lerp(moments_[before].anchor, moments_[after].anchor, part);
  anchor.y += raised;
  Affine map = exponential(strain);
  map.t = anchor - map.apply_vector(anchor);
  return map;
}

}  // namespace zoe::sprite
