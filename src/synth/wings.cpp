// SPDX-License-Identifier: MIT
#include "synth/wings.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/rotation_6d.h"

namespace zoe::synth {

void pose_wing(Rig& rig, const Wing& wing, const WingPose& pose) {
  const float s = wing.side == Side::kLeft ? 1.0F : -1.0F, fold = std::clamp(pose.fold, 0.0F, 1.0F);
  const Quat spread = about_z(s * pose.elevation_rad) * about_y(-s * pose.sweep_rad) * about_x(pose.twist_rad);
  // Folded, the arm points back along the flank, outside of its widest part. The
  // wing's upper side faces outward. The forearm points forward, and all feathers point back along the body.
  const auto rest = rig.body().skeleton->rest_model();
  const auto at = [&](int joint) { return rest[static_cast<std::size_t>(joint)].t; };
  const Vec3 trunk = normalized(at(rig.body().root) - at(rig.body().chest), Vec3{0, 0, -1});
  const Vec3 back = normalized(Vec3{0.13F, trunk.y, trunk.z}), out = normalized(Vec3{1, 0.16F, 0});
  const Quat folded = from_6d(Rotation6{Vec3{back.x, s * back.y, s * back.z}, Vec3{s * out.x, out.y, out.z}});
  const auto set = [&](int joint, Quat q) {
    rig.set(joint, q);
    rig.clamp(joint);
  };
  set(wing.upper, slerp(spread, nearest_to(spread, folded), fold));
  set(wing.lower, about_y(-s * 2.85F * fold));
  set(wing.hand, about_y(s * 2.9F * fold));
  set(wing.upper_sail, about_y(-s * 1.45F * fold));
  set(wing.lower_sail, about_y(s * 1.5F * fold));
  const Skeleton& skeleton = *rig.body().skeleton;
  for (const int finger : wing.fingers) {
    const Vec3 away = skeleton.rest_local(finger).translation;
    const float angle = std::atan2(-away.z, std::abs(away.x));  // Angle behind the hand's own direction.
    set(finger, about_y(-s * angle * fold * 0.92F));
  }
}

}  // namespace zoe::synth
