// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A controller without a model: the root follows the springs, one joint
// swings.
#pragma once

#include <cmath>

#include "zoe/control/controller.h"
#include "zoe/control/trajectory.h"

namespace zoe::control::test {

inline SkeletonPtr toy_skeleton() {
  return Skeleton::create({{"hips", kNoJoint, {{0, 1, 0}, {}, {1, 1, 1}}, JointKind::kBone},
                           {"leg", 0, {{0, -0.9F, 0}, {}, {1, 1, 1}}, JointKind::kBone}})
      .value();
}

class ToyController : public Controller {
 public:
  struct State : ControllerState {
    TrajectoryPoint point;
    float angle = 0;

   protected:
    void describe(StateArchive& archive) override {
      archive.bits(point);
      archive.bits(angle);
    }
  };
  explicit ToyController(double rate_hz = 60, const MotionRange& range = {})
      : Controller({.skeleton = toy_skeleton(),
                    .rate_hz = rate_hz,
                    .contact_joints = {1},
                    .styles = {},
                    .actions = {},
                    .motion_range = range}) {}

  const char* type() const override { return "toy"; }
  std::size_t model_bytes() const override { return 0; }

  float half_life_s = 0.2F;  // Of the way to a wanted velocity.
  // What goes wrong on purpose.
  bool walls = false;               // Nothing ever moves.
  mutable int poison_at_step = -1;  // That step gives NaN.

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    auto& own = static_cast<State&>(state);
    own.point = {};
    own.angle = 0;
    pose(own, now);
  }
  void step(const StepItem& item) const noexcept override {
    auto& own = static_cast<State&>(*item.state);
    const auto dt_s = static_cast<float>(step_s());
    const Vec3 velocity = walls ? Vec3{} : item.intent->velocity_at(0);
    own.point = advance(own.point, velocity, item.intent->facing_at(0), dt_s, {.velocity_half_life_s = half_life_s});
    own.angle += length(own.point.velocity_mps) * dt_s;
    pose(own, *item.now);
    if (own.num_steps() == poison_at_step) item.now->pose.rotations[1].x = NAN;
  }

 private:
  static void pose(const State& own, CharacterFrame& now) {
    now.root = own.point.root;
    now.pose.translations[0] = now.root.position + Vec3{0, 1, 0};
    now.pose.rotations[0] = rotation_of(now.root);
    now.pose.rotations[1] = from_rotation_vector(Vec3{std::sin(own.angle), 0, 0});
    now.contacts[0] = std::sin(own.angle) > 0 ? 1.0F : 0.0F;
  }
};

}  // namespace zoe::control::test
