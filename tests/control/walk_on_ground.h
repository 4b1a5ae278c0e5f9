// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Walks a character on a ground and measures its feet, from the displayed pose alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/control/controller.h"

namespace zoe::control::test {

// Rises along +Z; `turn_rad` turns that direction about +Y.
inline GroundPtr ramp(float angle_deg, float turn_rad = 0) {
  const float rise = std::tan(angle_deg * std::numbers::pi_v<float> / 180);
  const float x = rise * std::sin(turn_rad), z = rise * std::cos(turn_rad);
  return Ground::function([=](float px, float pz) { return x * px + z * pz; },
                          [=](float, float) {
                            return normalized(Vec3{-x, 1, -z});
                          });
}

// Up from z = 1 m in steps, a platform, and down again: a height grid whose risers are one cell long.
inline GroundPtr steps(float height_m, float tread_m = 0.9F, int count = 6) {
  HeightGrid grid;
  grid.cell_m = 0.03F;
  grid.num_x = 2;
  grid.num_z = 900;
  grid.heights_m.resize(static_cast<std::size_t>(grid.num_x * grid.num_z));
  for (int z = 0; z < grid.num_z; ++z) {
    const float up = std::floor((static_cast<float>(z) * grid.cell_m - 1) / tread_m) + 1;
    const float down = static_cast<float>(2 * count + 2) - up;
    const float level = std::clamp(std::min(up, down), 0.0F, static_cast<float>(count));
    for (int x = 0; x < grid.num_x; ++x)
      grid.heights_m[static_cast<std::size_t>(z * grid.num_x + x)] = level * height_m;
  }
  return Ground::grid(std::move(grid)).value();
}

// Of all ankles and balls of the feet.
struct FeetOnGround {
  std::vector<float> below_m;     // [frames × points] Depth below the standing height, 0 above it.
  std::vector<float> floating_m;  // [frames × points in contact] Distance from the standing height.
  std::size_t num_standing = 0;   // Points in contact and less than 1 cm above their standing height …
  double slide_m_s = 0;           // … and their mean horizontal speed.
  float root_step_m = 0;          // Largest change of the root's height between frames.
  float root_kink_m = 0;          // Largest change of that change.
  float foot_kink_m = 0;          // The same of the height of ankles.
  float least_knee = 1;           // Least bend of a knee about its axis: a sine; negative is bent the wrong way.
  float off_root_m = 0;           // Largest difference of the root's height to the ground's.

  static float percentile(std::vector<float> values, double p) {
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }
  float below_p95_m() const { return percentile(below_m, 0.95); }
};

inline FeetOnGround walk_on(const Controller& controller, const GroundPtr& ground, Vec3 velocity_mps, int num_ticks,
                            const CharacterSetup& place = {}) {
  CharacterSetup setup = place;
  setup.ground = ground;
  const auto state = controller.make_state(setup);
  const float scale = setup.proportions.legs;
  const auto num_joints = static_cast<std::size_t>(controller.skeleton()->num_joints());
  std::vector<Affine> models(num_joints), before(num_joints), first(num_joints);
  std::vector<float> contacts_before;
  FeetOnGround out;
  const auto at = [](const std::vector<Affine>& from, int joint) { return from[static_cast<std::size_t>(joint)].t; };
  float root_before = 0, root_first = 0;
  for (int tick = 0; tick < num_ticks; ++tick) {
    controller.tick(*state, Intent::move(velocity_mps), 1.0 / 60);
    compute_model_from_joint(*controller.skeleton(), state->pose(), models);
    const auto contact_of = [&](std::span<const float> contacts, int joint) {
      const auto joints = controller.contact_joints();
      const auto found = std::find(joints.begin(), joints.end(), joint);
      return found != joints.end() && !contacts.empty() &&
             contacts[static_cast<std::size_t>(found - joints.begin())] >= 0.5F;
    };
    for (const Leg& leg : controller.legs()) {
      const Vec3 hip = at(models, leg.hip), knee = at(models, leg.knee), ankle = at(models, leg.ankle);
      const Vec3 hinge = rotate(rotation_of(models[static_cast<std::size_t>(leg.knee)]), leg.knee_axis);
      out.least_knee = std::min(out.least_knee, dot(cross(normalized(knee - hip), normalized(ankle - knee)), hinge));
      for (const auto& [joint, height] : {std::pair{leg.ankle, leg.ankle_height_m}, {leg.ball, leg.ball_height_m}}) {
        if (joint == kNoJoint) continue;
        const Vec3 now = at(models, joint);
        const float above = now.y - (ground ? ground->height(now.x, now.z) : 0.0F) - height * scale;
        out.below_m.push_back(std::max(-above, 0.0F));
        if (!contact_of(contacts_before, joint) || !contact_of(state->contacts(), joint)) continue;
        out.floating_m.push_back(std::abs(above));
        if (above > 0.01F * scale) continue;  // As the foot skate of eval: heels lift while a contact ends.
        const Vec3 moved = now - at(before, joint);
        out.slide_m_s += std::hypot(moved.x, moved.z) * 60;
        ++out.num_standing;
      }
      if (tick > 1) {
        const float kink = ankle.y - 2 * at(before, leg.ankle).y + at(first, leg.ankle).y;
        out.foot_kink_m = std::max(out.foot_kink_m, std::abs(kink));
      }
    }
    const float root = state->root().position.y;
    if (tick > 0) out.root_step_m = std::max(out.root_step_m, std::abs(root - root_before));
    if (tick > 1) out.root_kink_m = std::max(out.root_kink_m, std::abs(root - 2 * root_before + root_first));
    const Vec3 position = state->root().position;
    if (ground) out.off_root_m = std::max(out.off_root_m, std::abs(root - ground->height(position.x, position.z)));
    root_first = root_before;
    root_before = root;
    std::swap(first, before);
    before = models;
    contacts_before.assign(state->contacts().begin(), state->contacts().end());
  }
  if (out.num_standing > 0) out.slide_m_s /= static_cast<double>(out.num_standing);
  return out;
}

}  // namespace zoe::control::test
