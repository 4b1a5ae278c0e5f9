// SPDX-License-Identifier: MIT
// Twist: the rotation of a joint about its own bone, against the usual one of the clip.
#include "certify/twist.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {

std::vector<TwistJoint> find_twist_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::vector<char> wanted(idx(skeleton.num_joints()), 0);
  for (const int j : analysis.spine) wanted[idx(j)] = 1;
  if (analysis.head != kNoJoint) wanted[idx(analysis.head)] = 1;
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kLeg && limb.kind != LimbKind::kArm) continue;
    // Up to foot or hand; fingers and toes are leaves of no use.
    const auto foot = std::ranges::find_first_of(limb.joints, analysis.feet);
    const auto hand = std::ranges::find_first_of(limb.joints, analysis.hands);
    const auto end = foot != limb.joints.end() ? foot : hand;
    for (auto j = limb.joints.begin(); j != limb.joints.end(); ++j) {
      if (j - limb.joints.begin() >= 2) wanted[idx(*j)] = 1;
      if (j == end) break;
    }
  }
  if (analysis.hips != kNoJoint) wanted[idx(analysis.hips)] = 0;
  std::vector<TwistJoint> joints;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (wanted[idx(j)] == 0) continue;
    Vec3 towards{};
    for (int child = j + 1; child < skeleton.num_joints(); ++child)
      if (skeleton.parent(child) == j) towards += skeleton.rest_local(child).translation;
    if (length(towards) > 1e-9F) joints.push_back({j, normalized(towards)});
  }
  return joints;
}

float twist_about(Quat rotation, Vec3 axis) {
  const Quat q = canonical(rotation);
  return 2 * std::atan2(dot(Vec3{q.x, q.y, q.z}, axis), q.w);
}

Quat usual_rotation(const Motion& motion, int joint) {
  const std::size_t n = idx(motion.num_joints());
  Quat centre = motion.rotations[idx(motion.num_frames / 2) * n + idx(joint)];
  for (int round = 0; round < 12; ++round) {
    Quatd sum{0, 0, 0, 0};
    for (std::size_t f = 0; f < idx(motion.num_frames); ++f) {
      const Quat q = nearest_to(centre, motion.rotations[f * n + idx(joint)]);
      const double weight = 1 / (0.02 + (round == 0 ? 1.0 : static_cast<double>(angle_between(centre, q))));
      sum = {sum.x + weight * static_cast<double>(q.x), sum.y + weight * static_cast<double>(q.y),
             sum.z + weight * static_cast<double>(q.z), sum.w + weight * static_cast<double>(q.w)};
    }
    centre = to_float(normalized(sum));
  }
  return centre;
}

void check_twist(const ClipTrack& track, Judge& judge) {
  const std::vector<TwistJoint> joints = find_twist_joints(track.skeleton(), *track.body);
  if (joints.empty()) return judge.skip(Check::kTwist, "the body has no spine, knees or elbows");
  const int window = track.frames_of(0.05, 2);
  for (const TwistJoint& one : joints) {
    const Quat usual = conjugate(usual_rotation(track.motion, one.joint));
    double worst = 0;
    int first = -1, last = -1, run = 0;
    for (int f = 0; f < track.frames; ++f) {
      const Quat q = usual * track.local(f, one.joint);
      const Vec3 turned = rotate(q, one.axis);
      // Near a swing of half a turn the twist is undefined.
      const double angle =
          dot(turned, one.axis) > -0.3F ? kDegrees * static_cast<double>(std::abs(twist_about(q, one.axis))) : 0.0;
      run = angle > judge.limit(Check::kTwist) ? run + 1 : 0;
      if (run >= window) {
        worst = std::max(worst, angle);
        first = first < 0 ? f - run + 1 : first;
        last = f;
      } else if (run == 0) {
        worst = std::max(worst, angle);
      }
    }
    judge.add(Check::kTwist, worst, std::max(first, 0), std::max(last, 0), {one.joint},
              fmt::format("{} is twisted about its own bone by {:.0f} degrees against the rest of the clip. Skin "
                          "collapses there like a candy wrapper: check its rotation in these frames.",
                          track.skeleton().name(one.joint), worst));
  }
}

}  // namespace zoe::certify
