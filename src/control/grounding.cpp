// SPDX-License-Identifier: MIT
#include "control/grounding.h"

#include <cmath>

#include "zoe/math/finite.h"

#include "control/sound_frame.h"

namespace zoe::control {
namespace {

void describe(StateArchive& archive, GroundedFrame& frame) {
  archive.finite(frame.height_m);
  archive.finite(frame.hip_drop);
  archive.flag(frame.has_legs);
  archive.unit(std::span(frame.rotations), kUnitTolerance);
}

}  // namespace

Grounding::Grounding(std::size_t num_legs) : feet(make_foot_placement_state(num_legs)) {
  frame_before.rotations.resize(3 * num_legs);
  frame_now.rotations.resize(3 * num_legs);
}

void Grounding::describe(StateArchive& archive) {
  archive.finite(height_m.value);
  archive.finite(height_m.velocity);
  control::describe(archive, frame_before);
  control::describe(archive, frame_now);
  archive.flag(feet.started);
  archive.finite(feet.hip_drop_m);
  static_assert(sizeof(FootPlacementState::Foot) == 19 * sizeof(float), "only floats, and every one of them");
  archive.finite(std::span(feet.feet));
}

void Grounding::move_space(const PlanarRoot& root) noexcept {
  const Quat turn = conjugate(rotation_of(root));
  for (FootPlacementState::Foot& foot : feet.feet) {
    for (Vec3* point : {&foot.ankle, &foot.ball}) *point = rotate(turn, *point - root.position);
    for (Vec3* direction : {&foot.tilt_rad, &foot.excess_m, &foot.shift_m}) *direction = rotate(turn, *direction);
  }
}

Spring<float> Grounding::plane_after(const Ground& ground, const PlanarRoot& world_from_model, float scale,
                                     float leg_length_m, const PlanarRoot& before, const PlanarRoot& now,
                                     float dt_s) const noexcept {
  const Quat turn = rotation_of(world_from_model);
  const auto to_world = [&](Vec3 p) { return world_from_model.position + rotate(turn, p * scale); };
  const Vec3 at = to_world(now.position + (now.position - before.position) * GroundPlane::steps_ahead(dt_s));
  const Vec3 reach = rotate(turn * rotation_of(now), Vec3{0, 0, GroundPlane::kSampleDistance * leg_length_m * scale});
  // A ground of the caller's may fail. The character then stays at its height.
  return GroundPlane::after(height_m, ground, at, reach, dt_s);
}

void Grounding::follow(const Ground* ground, const GroundedBody& body, const PlanarRoot& before, CharacterFrame& now,
                       float dt_s) noexcept {
  frame_now.hip_drop = 0;
  if (frame_now.has_legs) std::fill(frame_now.rotations.begin(), frame_now.rotations.end(), Quat{});
  frame_now.has_legs = false;
  if (ground == nullptr) {
    height_m = {body.world_from_model.position.y, 0};
    frame_now.height_m = height_m.value;
    feet.restart();
    return;
  }
  if (dt_s > 0 && ground->shape() == Ground::Shape::kFunction) {  // All others have a height everywhere.
    const Vec3 at =
        body.world_from_model.position + rotate(rotation_of(body.world_from_model), now.root.position * body.scale);
    if (!std::isfinite(ground->height(at.x, at.z))) ++num_steps_without_ground;
  }
  height_m = plane_after(*ground, body.world_from_model, body.scale, body.leg_length_m, before, now.root, dt_s);
  frame_now.height_m = height_m.value;
  if (ground->shape() == Ground::Shape::kFlat || body.legs.empty() || !body.places_feet) {
    feet.restart();
  } else {
    place_feet(*ground, body, now, dt_s);
  }
}

void Grounding::place_feet(const Ground& ground, const GroundedBody& body, CharacterFrame& now, float dt_s) noexcept {
  if (!(dt_s > 0)) feet.restart();
  // The job works on the pose in place. Afterwards the new rotations and the old ones change places.
  const auto rotation = [&](std::size_t i) -> Quat& {
    return now.pose.rotations[static_cast<std::size_t>(body.leg_joints[i])];
  };
  for (std::size_t i = 0; i < body.leg_joints.size(); ++i) frame_now.rotations[i] = rotation(i);
  const Vec3 hips = now.pose.translations[0];
  const PlanarRoot& place = body.world_from_model;
  frame_now.has_legs =
      FootPlacementJob{.skeleton = &body.skeleton,
                       .legs = body.legs,
                       .ground = {&ground, {place.position.x, 0, place.position.z}, place.facing_rad, body.scale},
                       .pose_height_m = frame_now.height_m / body.scale,
                       .share = body.flat_share,
                       .dt_s = dt_s,
                       .pose = ik_pose(now.pose),
                       .state = &feet}
          .run();
  for (std::size_t i = 0; i < body.leg_joints.size(); ++i) std::swap(frame_now.rotations[i], rotation(i));
  frame_now.hip_drop = hips.y - now.pose.translations[0].y;
  now.pose.translations[0] = hips;
  const bool is_sound = std::isfinite(frame_now.hip_drop) && all_unit(frame_now.rotations, kUnitTolerance);
  if (frame_now.has_legs && is_sound) return;
  frame_now.has_legs = false;
  frame_now.hip_drop = 0;
  std::fill(frame_now.rotations.begin(), frame_now.rotations.end(), Quat{});
  feet.restart();
}

}  // namespace zoe::control
