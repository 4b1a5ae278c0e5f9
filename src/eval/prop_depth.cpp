// SPDX-License-Identifier: MIT
#include "eval/prop_depth.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/pose.h"
#include "zoe/core/index.h"

namespace zoe::eval {
namespace {

constexpr float kCapsuleShare = 0.04F;  // Of the body's height.

}  // namespace

float depth_in_props(const Skeleton& skeleton, std::span<const Affine> models, std::span<const Prop> props,
                     const DepthOptions& options) {
  const float radius_m = kCapsuleShare * options.height_m;
  const float finger_m = radius_m / kCapsuleShare * options.finger_share;
  float deepest = -1;
  Box3 body;
  for (const Affine& joint : models) body.add(joint.t);
  body.grow(radius_m);
  const auto is_hand = [&](int joint) {
    for (const int hand : options.hands) {
      if (hand == kNoJoint) continue;
      int at = joint;
      while (at > hand) at = skeleton.parent(at);
      if (at == hand) return true;
    }
    return false;
  };
  for (std::size_t p = 0; p < props.size(); ++p) {
    const Prop& prop = props[p];
    const bool used = static_cast<int>(p) == options.used;
    // Thighs and hips lie on a seat.
    const bool sits = used && prop.type == PropType::kSeat;
    if (sits && options.shins.empty()) continue;
    const Box3 box = world_bounds_of(prop);
    if (box.max.x < body.min.x || box.min.x > body.max.x || box.max.z < body.min.z || box.min.z > body.max.z) continue;
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      // A joint 0 on the floor is a marker, not a bone.
      if (parent == kNoJoint ||
          (skeleton.parent(parent) == kNoJoint && skeleton.rest_model()[idx(parent)].t.y < radius_m))
        continue;
      if (sits && std::find(options.shins.begin(), options.shins.end(), j) == options.shins.end()) continue;
      const bool of_hand = is_hand(j);
      if (used && of_hand) continue;
      const float radius = of_hand && options.finger_share > 0 ? finger_m : radius_m;
      const float depth = depth_of_capsule(prop, models[idx(parent)].t, models[idx(j)].t, radius);
      if (depth <= deepest) continue;
      deepest = depth;
      if (options.deepest_joint != nullptr) *options.deepest_joint = j;
    }
  }
  return deepest;
}

void FootSkate::add(const control::Controller& controller, const Recording& recording) {
  const auto joints = controller.contact_joints();
  std::vector<Affine> models(idx(controller.skeleton()->num_joints()));
  std::vector<Vec3> before(joints.size());
  std::vector<float> rest_m(joints.size(), 0.0F);  // Height of a part that stands.
  for (std::size_t i = 0; i < joints.size(); ++i) {
    for (const Leg& leg : controller.legs()) {
      if (leg.ankle == joints[i]) rest_m[i] = leg.ankle_height_m;
      if (leg.ball == joints[i]) rest_m[i] = leg.ball_height_m;
    }
  }
  for (int f = 0; f < recording.motion.num_frames; ++f) {
    compute_model_from_joint(*controller.skeleton(), recording.motion.frame(f), models);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const Vec3 now = models[idx(joints[i])].t;
      if (f > 0) {
        const double speed = static_cast<double>(std::hypot(now.x - before[i].x, now.z - before[i].z));
        const double above = static_cast<double>(std::max(0.0F, now.y - rest_m[i])) / 0.025;
        low_mps_ += speed * recording.motion.fps * std::clamp(2 - std::exp2(above), 0.0, 1.0);
        ++num_low_;
      }
      if (f > 0 && recording.contacts[idx(f) * joints.size() + i] > 0.5F) {
        sum_mps_ += static_cast<double>(std::hypot(now.x - before[i].x, now.z - before[i].z)) * recording.motion.fps;
        ++count_;
      }
      before[i] = now;
    }
  }
}

}  // namespace zoe::eval
