// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Motions by formulas, whose measures are known, and a controller that does exactly what it
// is asked.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "zoe/eval/metrics.h"

#include "control/toy_controller.h"

namespace zoe::eval::test {

// A body at a height of one metre with one foot (joint 1) at `foot(time_s)`, model space.
template <typename Foot>
Motion foot_motion(int frames, double fps, Foot foot) {
  Motion motion = make_motion(control::test::toy_skeleton(), "foot", fps, frames, false);
  for (int f = 0; f < frames; ++f) {
    motion.translations[static_cast<std::size_t>(2 * f)] = {0, 1, 0};
    motion.translations[static_cast<std::size_t>(2 * f + 1)] = foot(f / fps) - Vec3{0, 1, 0};
  }
  return motion;
}

// Its ankle is joint 1, which stands at this height.
inline control::BodyLeg one_leg(float ankle_height_m = 0.1F) {
  control::BodyLeg leg;
  leg.leg.ankle = 1;
  leg.leg.ankle_height_m = ankle_height_m;
  return leg;
}

// The same motion and roots, seen from elsewhere: turned about +Y, then moved.
inline void move_motion(Motion& motion, std::vector<PlanarRoot>& roots, float turn_rad, Vec3 by) {
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, turn_rad);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t f = 0; f < roots.size(); ++f) {
    motion.translations[f * joints] = rotate(turn, motion.translations[f * joints]) + by;
    motion.rotations[f * joints] = turn * motion.rotations[f * joints];
    roots[f].position = rotate(turn, roots[f].position) + by;
    roots[f].facing_rad += turn_rad;
  }
}

// A recording of roots alone, each with what was desired.
template <typename Root>
Recording root_recording(int frames, double fps, Root root, Vec3 desired_mps, std::optional<float> facing_rad = {}) {
  Recording out;
  out.motion = make_motion(control::test::toy_skeleton(), "roots", fps, frames, false);
  for (int f = 0; f < frames; ++f) {
    out.roots.push_back(root(f / fps));
    out.wanted_mps.push_back(desired_mps);
    out.wanted_facing_rad.push_back(facing_rad);
  }
  return out;
}

// Takes over a desired velocity and facing after `delay_steps` steps, at once and whole. Any skeleton, in its rest
// pose.
class ObedientController : public control::Controller {
 public:
  struct Desired {
    Vec3 velocity_mps;
    float facing_rad = 0, has_facing = 0;
  };
  struct State : control::ControllerState {
    PlanarRoot root;
    std::vector<Desired> queue;  // [delay steps], the oldest first.

   protected:
    void describe(StateArchive& archive) override {
      archive.bits(root);
      for (Desired& desired : queue) archive.bits(desired);
    }
  };
  explicit ObedientController(SkeletonPtr skeleton, double rate_hz = 60, int delay_steps = 0)
      : Controller({.skeleton = std::move(skeleton),
                    .rate_hz = rate_hz,
                    .contact_joints = {0},
                    .styles = {},
                    .actions = {},
                    .motion_range = {}}),
        delay_steps_(delay_steps) {}

  const char* type() const override { return "obedient"; }
  std::size_t model_bytes() const override { return 2'500'000; }
  float share = 1;  // Of the desired speed.

 protected:
  std::unique_ptr<control::ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(control::ControllerState& state, control::CharacterFrame& now) const noexcept override {
    auto& own = static_cast<State&>(state);
    own.root = {};
    own.queue.assign(static_cast<std::size_t>(delay_steps_), Desired{});
    pose(own, now);
  }
  void step(const control::StepItem& item) const noexcept override {
    auto& own = static_cast<State&>(*item.state);
    const std::optional<float> facing_rad = item.intent->facing_at(0);
    own.queue.push_back({item.intent->velocity_at(0), facing_rad.value_or(0), facing_rad ? 1.0F : 0.0F});
    const Desired due = own.queue.front();
    own.queue.erase(own.queue.begin());
    own.root.position += due.velocity_mps * (share * static_cast<float>(step_s()));
    if (due.has_facing > 0) own.root.facing_rad = due.facing_rad;
    pose(own, *item.now);
  }

 private:
  void pose(const State& own, control::CharacterFrame& now) const {
    now.root = own.root;
    now.pose = make_pose(*skeleton());
    now.pose.translations[0] = own.root.position + Vec3{0, 1, 0};
    now.pose.rotations[0] = rotation_of(own.root);
    now.contacts[0] = 1;
  }
  int delay_steps_;
};

}  // namespace zoe::eval::test
