// SPDX-License-Identifier: MIT
#include "retarget/stance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "retarget/stands.h"
#include "retarget/twist.h"

namespace zoe::retarget_detail {
namespace {

constexpr float kNear = 0.12F;      // Distance from the height in the reference pose, as a fraction of it.
constexpr std::ptrdiff_t kFew = 5;  // Frames: with fewer, one frame is as good.

using Frames = std::vector<std::uint8_t>;

// 1 where every leg's upper end is about as high as in the reference pose: not in who sits, lies or jumps.
Frames standing_frames(const SkeletonAnalysis& body, const Motion& clip) {
  Frames stands(idx(clip.num_frames), 1);
  const auto ground = static_cast<float>(body.ground_height);
  for (const Limb& limb : body.limbs) {
    if (limb.kind != LimbKind::kLeg || limb.joints.empty()) continue;
    const int upper = limb.joints.front();
    const float usual = dot(body.reference_positions[idx(upper)], body.up) - ground;
    const std::vector<Vec3> track = model_positions(clip, {&upper, 1});
    for (std::size_t f = 0; f < track.size(); ++f)
      if (std::abs(dot(track[f], body.up) - ground - usual) > kNear * std::abs(usual)) stands[f] = 0;
  }
  return stands;
}

// Mean of get(frame) over the frames that are set.
template <typename Get>
std::optional<Quat> mean_rotation(const Frames& frames, const Get& get) {
  Quat sum{0, 0, 0, 0}, first;
  bool any = false;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (frames[f] == 0) continue;
    Quat q = get(static_cast<int>(f));
    if (!any) first = q;
    any = true;
    q = nearest_to(first, q);
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  if (!any || !(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w > 0)) return std::nullopt;
  return normalized(sum);
}

}  // namespace

void average_stance(const Skeleton& skeleton, const SkeletonAnalysis& body, const Motion& clip, Pose& pose) {
  if (clip.num_frames < kFew || body.hips == kNoJoint) return;
  const Frames stands = standing_frames(body, clip);
  if (std::ranges::count(stands, 1) < kFew) return;
  const auto average = [&](int joint, const Frames& frames) {
    if (std::ranges::count(frames, 1) < kFew) return;
    const auto mean = mean_rotation(frames, [&](int f) { return clip.frame(f).rotations[idx(joint)]; });
    if (mean) pose.rotations[idx(joint)] = *mean;
  };
  // The hips keep their heading.
  anatomy::ModelPose model;
  anatomy::compute_model_pose(skeleton, pose.view(), model);
  const Quat before = model.rotations[idx(body.hips)];
  const auto tilt = mean_rotation(stands, [&](int f) {
    const Quat change = normalized(anatomy::model_rotation(skeleton, clip.frame(f), body.hips) * conjugate(before));
    return normalized(conjugate(twist_about(change, body.up)) * change);
  });
  const int parent = skeleton.parent(body.hips);
  const Quat above = parent == kNoJoint ? Quat{} : model.rotations[idx(parent)];
  if (tilt) pose.rotations[idx(body.hips)] = normalized(conjugate(above) * *tilt * before);

  for (const std::vector<int>* joints : {&body.spine, &body.tail})
    for (const int joint : *joints)
      if (joint != body.hips && joint != body.root) average(joint, stands);
  if (body.head != kNoJoint) average(body.head, stands);
  const Stands contacts(clip, body);
  for (const Limb& limb : body.limbs) {
    const auto foot = std::ranges::find_first_of(limb.joints, body.feet);
    if (limb.kind != LimbKind::kLeg || foot == limb.joints.end()) continue;
    Frames carrying = contacts.of(*foot);
    for (std::size_t f = 0; f < carrying.size(); ++f) carrying[f] = carrying[f] != 0 && stands[f] != 0 ? 1 : 0;
    for (const int joint : limb.joints) average(joint, carrying);
  }
}

}  // namespace zoe::retarget_detail
