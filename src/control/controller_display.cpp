// SPDX-License-Identifier: MIT
// The displayed frame of a character: between two steps, on the ground, in world space.
#include <algorithm>

#include "zoe/character/copy_pose.h"
#include "zoe/control/controller.h"
#include "zoe/core/prefetch.h"
#include "zoe/math/lanes.h"

#include "control/grounding.h"

namespace zoe::control {
namespace {

// From one pose to the other. At the end exactly the other.
void blend_rotations(std::span<const Quat> from, std::span<const Quat> to, float t, std::span<Quat> out) {
  if (t >= 1) {
    std::copy(to.begin(), to.end(), out.begin());
    return;
  }
  std::size_t j = 0;
  for (; j + 4 <= out.size(); j += 4) {
    const Quat4 a = load4(&from[j]), b = load4(&to[j]);
    store4(nlerp(a, nearest_to(a, b), t), &out[j]);
  }
  for (; j < out.size(); ++j) out[j] = nlerp(from[j], nearest_to(from[j], to[j]), t);
}

}  // namespace

void Controller::prefetch_for_display(const ControllerState& state) noexcept {
  for (const Pose* pose : {&state.before_.pose, &state.now_.pose, &state.displayed_.pose, &state.pose_in_root_}) {
    prefetch(pose->translations);
    prefetch(pose->rotations);
    prefetch(pose->scales);
  }
}

void Controller::display(ControllerState& state) const noexcept {
  const float t = static_cast<float>(std::clamp(state.ahead_s_ / step_s(), 0.0, 1.0));
  const CharacterFrame &a = state.before_, &b = state.now_;
  CharacterFrame& out = state.displayed_;
  const PlanarRoot root_model{lerp(a.root.position, b.root.position, t),
                              a.root.facing_rad + (b.root.facing_rad - a.root.facing_rad) * t};
  const GroundedFrame &ground_a = state.grounding_->frame_before, &ground_b = state.grounding_->frame_now;
  PlanarRoot place = state.world_from_model_;
  place.position.y = ground_a.height_m + (ground_b.height_m - ground_a.height_m) * t;
  const Proportions& size = state.proportions_;
  out.root = moved_by(place, delta_between({}, scaled(root_model, size.legs)));
  const Quat world_from_model = rotation_of(place);
  const PlanarRoot root_sized = scaled(root_model, size.legs);
  const Quat root_from_model = conjugate(rotation_of(root_sized));
  Pose& in_root = state.pose_in_root_;
  blend_rotations(a.pose.rotations, b.pose.rotations, t, in_root.rotations);
  for (std::size_t j = 0; j < in_root.translations.size(); ++j) {
    in_root.translations[j] =
        lerp(a.pose.translations[j], b.pose.translations[j], t) * (has_leg_size_[j] != 0 ? size.legs : size.upper);
  }
  if (ground_a.has_legs || ground_b.has_legs) {
    for (std::size_t slot = 0; slot < leg_joints_.size(); ++slot) {
      const auto j = static_cast<std::size_t>(leg_joints_[slot]);
      const Quat from = ground_a.has_legs ? ground_a.rotations[slot] : a.pose.rotations[j];
      const Quat to = ground_b.has_legs ? ground_b.rotations[slot] : b.pose.rotations[j];
      in_root.rotations[j] = t >= 1 ? to : nlerp(from, nearest_to(from, to), t);
    }
  }
  if (!in_root.translations.empty())
    in_root.translations[0].y -= (ground_a.hip_drop + (ground_b.hip_drop - ground_a.hip_drop) * t) * size.legs;
  std::copy(b.pose.scales.begin(), b.pose.scales.end(), in_root.scales.begin());
  copy_pose(in_root.view(), span_of(out.pose));
  for (const int joint : top_joints_) {
    const auto j = static_cast<std::size_t>(joint);
    const Vec3 translation = in_root.translations[j];
    const Quat rotation = in_root.rotations[j];
    in_root.translations[j] = rotate(root_from_model, translation - root_sized.position);
    in_root.rotations[j] = root_from_model * rotation;
    out.pose.translations[j] = place.position + rotate(world_from_model, translation);
    out.pose.rotations[j] = world_from_model * rotation;
  }
  const CharacterFrame& nearer = t < 0.5F ? a : b;
  std::copy(nearer.contacts.begin(), nearer.contacts.end(), out.contacts.begin());
}

}  // namespace zoe::control
