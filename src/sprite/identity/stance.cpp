// SPDX-License-Identifier: MIT
#include "sprite/identity/stance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/math/portable_quat.h"

#include "sprite/identity/frame.h"

namespace zoe::sprite::identity {
namespace {

constexpr float kDegree = static_cast<float>(std::numbers::pi / 180);
constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
constexpr float kHover = 0.35F;  // Leg lengths: how high floating bodies are.

Quat turn(Vec3 axis, float degrees) { return portable_from_axis_angle(axis, degrees * kDegree); }

// Slightly bent: straight limbs look stiff.
Angles stance() {
  Angles a{};
  a[kRSwing] = a[kLSwing] = 6;
  a[kRElbow] = a[kLElbow] = 22;
  a[kRThigh] = a[kLThigh] = 5;
  a[kRKnee] = a[kLKnee] = 10;
  a[kRFoot] = a[kLFoot] = 5;
  a[kRSpread] = a[kLSpread] = 6;
  return a;
}

Angles with(const Key& key) {
  Angles angles = stance();
  for (const auto& [angle, value] : key.angles) angles[angle] = value;
  return angles;
}

Angles mirrored(const Angles& a) {
  Angles m = a;
  for (const Angle flipped : {kRootX, kYaw, kTip, kTwist, kSideways, kTurn, kTilt}) m[flipped] = -a[flipped];
  for (int k = 0; k < 6; ++k)
    std::swap(m[static_cast<std::size_t>(kRSwing + k)], m[static_cast<std::size_t>(kLSwing + k)]);
  for (int k = 0; k < 4; ++k)
    std::swap(m[static_cast<std::size_t>(kRThigh + k)], m[static_cast<std::size_t>(kLThigh + k)]);
  return m;
}

// From a hanging arm: `side` is 1 for the left.
Quat arm_rotation(float side, const float* a, float out_deg) {
  return turn(kY, -side * a[2]) * turn(kX, -a[0]) * turn(kZ, side * (a[1] + out_deg)) * turn(kZ, -side * 90) *
         turn(kX, a[3]);
}

}  // namespace

double length_s(const Action& action) {
  return static_cast<double>(action.keys.back().time_s) * (action.half_cycle ? 2 : 1);
}

// Catmull-Rom through the keys, with the ends of loops joined.
Angles angles_at(const Action& action, double time_s) {
  std::vector<std::pair<double, Angles>> keys;
  for (const Key& key : action.keys) keys.emplace_back(key.time_s, with(key));
  if (action.half_cycle) {
    // The last key of the half is the mirror image of the first.
    const std::size_t half = keys.size();
    keys.back().second = mirrored(keys.front().second);
    const double step = keys.back().first;
    for (std::size_t i = 1; i < half; ++i) keys.emplace_back(keys[i].first + step, mirrored(keys[i].second));
  }
  if (action.loop) keys.back().second = keys.front().second;
  const std::size_t last = keys.size() - 1;
  std::size_t i = 0;
  while (i + 1 < last && time_s >= keys[i + 1].first) ++i;
  const double span = keys[i + 1].first - keys[i].first;
  const auto u = static_cast<float>(std::clamp((time_s - keys[i].first) / span, 0.0, 1.0));
  const std::size_t before = i > 0         ? i - 1
                             : action.loop ? last - 1
                                           : 0,
                    after = i + 2 <= last ? i + 2
                            : action.loop ? 1
                                          : last;
  Angles out;
  for (std::size_t k = 0; k < kNumAngles; ++k) {
    const float p0 = keys[before].second[k], p1 = keys[i].second[k], p2 = keys[i + 1].second[k],
                p3 = keys[after].second[k];
    // Tangents are zero at extremes, so that nothing overshoots a key.
    const float m1 = (p2 - p1) * (p1 - p0) > 0 ? (p2 - p0) * 0.5F : 0.0F,
                m2 = (p3 - p2) * (p2 - p1) > 0 ? (p3 - p1) * 0.5F : 0.0F;
    const float u2 = u * u, u3 = u2 * u;
    out[k] = (2 * u3 - 3 * u2 + 1) * p1 + (u3 - 2 * u2 + u) * m1 + (3 * u2 - 2 * u3) * p2 + (u3 - u2) * m2;
  }
  return out;
}

void set_pose(const Identity& identity, const Angles& a, double time_s, std::span<Vec3> translations,
              std::span<Quat> rotations) {
  const Skeleton& skeleton = *identity.character->skeleton;
  for (int j = 0; j < kNumJoints; ++j) {
    translations[static_cast<std::size_t>(j)] = skeleton.rest_local(j).translation;
    rotations[static_cast<std::size_t>(j)] = {};
  }
  const auto set = [&](Joint joint, Quat q) { rotations[joint] = q; };
  set(kHips, turn(kY, a[kYaw]) * turn(kX, a[kLean]) * turn(kZ, -a[kTip]));
  const Quat spine = turn(kY, a[kTwist] * 0.5F) * turn(kX, a[kBend] * 0.5F) * turn(kZ, -a[kSideways] * 0.5F);
  set(kSpine, spine);
  set(kChest, spine);
  set(kNeck, turn(kY, a[kTurn] * 0.3F) * turn(kX, a[kNod] * 0.3F));
  set(kHead, turn(kY, a[kTurn] * 0.7F) * turn(kX, a[kNod] * 0.7F) * turn(kZ, -a[kTilt]));
  const float out = identity.arms_out_deg;
  set(kRightArm, arm_rotation(-1, &a[kRSwing], out));
  set(kLeftArm, arm_rotation(1, &a[kLSwing], out));
  set(kRightForeArm, turn(kY, a[kRElbow]));
  set(kLeftForeArm, turn(kY, -a[kLElbow]));
  set(kRightHand, turn(kY, -a[kRWrist]));
  set(kLeftHand, turn(kY, a[kLWrist]));
  set(kRightUpLeg, turn(kX, -a[kRThigh]) * turn(kZ, -a[kRSpread]));
  set(kLeftUpLeg, turn(kX, -a[kLThigh]) * turn(kZ, a[kLSpread]));
  set(kRightLeg, turn(kX, a[kRKnee]));
  set(kLeftLeg, turn(kX, a[kLKnee]));
  set(kRightFoot, turn(kX, a[kRFoot] - a[kRKnee] + a[kRThigh] - a[kLean]));
  set(kLeftFoot, turn(kX, a[kLFoot] - a[kLKnee] + a[kLThigh] - a[kLean]));
  // Cloth, hair and tails trail a little; springs of the timing add more.
  const auto wave = static_cast<float>(portable_sin(time_s * 5.2));
  set(kCape1, turn(kX, 6 + 3 * wave));
  set(kCape2, turn(kX, 5 - 3 * wave));
  set(kTail1, turn(kY, 12 * wave));
  set(kTail2, turn(kY, 10 * wave));
  set(kTail3, turn(kY, 9 * wave));
  set(kHair1, turn(kX, 4 * wave));

  const float leg = identity.hip_height;
  Vec3& hips = translations[kHips];
  hips.x += a[kRootX] * leg;
  hips.z += a[kRootZ] * leg;
  if (identity.floats) {
    hips.y += leg * (kHover + a[kRootUp] + 0.06F * wave);
    return;
  }
  // The lowest point of the feet, heels and toes: on the ground.
  std::array<Affine, kNumJoints> joints;
  const PoseView pose{translations, rotations, {}};
  compute_model_from_joint(skeleton, pose, joints);
  float lowest = 1e30F;
  for (const Joint foot : {kLeftFoot, kRightFoot}) {
    const Vec3 toe = skeleton.rest_local(foot + 1).translation;
    const float ankle = skeleton.rest_model()[static_cast<std::size_t>(foot)].t.y;
    for (const float z : {toe.z * 1.5F, -toe.z * 0.7F})
      lowest = std::min(lowest, joints[foot].apply_point({0, -ankle, z}).y);
  }
  // Of a body that kneels or lies.
  const float head = identity.head_radius, trunk = identity.trunk_radius;
  for (const Joint joint : {kLeftLeg, kRightLeg, kLeftForeArm, kRightForeArm})
    lowest = std::min(lowest, joints[joint].t.y - leg * 0.12F);
  for (const Joint joint : {kHips, kSpine, kChest}) lowest = std::min(lowest, joints[joint].t.y - trunk);
  lowest = std::min(lowest, joints[kHead].apply_point({0, head, 0}).y - head);
  hips.y += a[kRootUp] * leg - lowest;
}

}  // namespace zoe::sprite::identity
