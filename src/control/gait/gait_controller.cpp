// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/control/gait.h"
#include "zoe/core/hash64.h"
#include "zoe/core/index.h"

#include "control/gait/gait_poser.h"
#include "control/space_move.h"
#include "control/state_parts.h"

namespace zoe::control {
namespace {

constexpr double kGaitRate_hz = 60;
constexpr float kBreathRate_hz = 0.25F;

std::uint64_t content_of(const GaitPlan& plan) {
  Hash64 hash;
  const auto add = [&](const auto& value) { hash.add(std::as_bytes(std::span(&value, 1))); };
  add(plan.locomotion);
  add(plan.trunk);
  add(plan.settings);
  for (const GaitLeg& leg : plan.legs) add(leg);
  for (const GaitPart& part : plan.parts) {
    add(part.joint);
    add(part.role);
    for (const float number : {part.side, part.along, part.share}) add(number);
  }
  for (const JointLimit& limit : plan.limits) {
    add(limit.kind);
    add(limit.rest);
    add(limit.axis);
    for (const float number : {limit.swing_rad, limit.min_rad, limit.max_rad}) add(number);
  }
  return hash.finish();
}

std::vector<int> contact_joints_of(const GaitPlan& plan) {
  std::vector<int> joints;
  for (const GaitLeg& leg : plan.legs) joints.push_back(leg.ball == kNoJoint ? leg.end : leg.ball);
  return joints;
}

class GaitController final : public Controller {
 public:
  GaitController(Body body, GaitPlan plan)
      : Controller({.skeleton = body.skeleton,
                    .rate_hz = kGaitRate_hz,
                    .contact_joints = contact_joints_of(plan),
                    .styles = {},
                    .actions = {},
                    .motion_range = body.motion_range,
                    .content = content_of(plan)}),
        plan_(std::move(plan)),
        poser_(body, plan_) {}

  const char* type() const override { return "gait"; }
  std::size_t model_bytes() const override {
    return sizeof(plan_) + plan_.legs.size() * sizeof(GaitLeg) + plan_.parts.size() * sizeof(GaitPart) +
           plan_.limits.size() * sizeof(JointLimit);
  }

 protected:
  struct State final : ControllerState {
    TrajectoryPoint body;
    float phase = 0, breath = 0, beat = 0, drop_m = 0;
    std::vector<FootStep> feet;
    std::vector<Affine> model;  // Working memory.

   protected:
    void describe(StateArchive& archive) override {
      control::describe(archive, body);
      for (float* number : {&phase, &breath, &beat, &drop_m}) archive.finite(*number);
      static_assert(sizeof(FootStep) == 11 * sizeof(float), "only floats, and every one of them");
      archive.finite(std::span(feet));
    }
    bool move_space(const PlanarRoot& offset) noexcept override {
      control::move_space(offset, body.root);
      for (FootStep& foot : feet) {
        foot.at -= offset.position;
        foot.from -= offset.position;
        foot.facing_rad -= offset.facing_rad;
        foot.from_facing_rad -= offset.facing_rad;
      }
      return true;
    }
  };

  std::unique_ptr<ControllerState> allocate_state() const override {
    auto state = std::make_unique<State>();
    state->feet.resize(plan_.legs.size());
    state->model.resize(idx(skeleton()->num_joints()));
    return state;
  }

  void start(ControllerState& base, CharacterFrame& now) const noexcept override {
    auto& state = static_cast<State&>(base);
    state.body = {};
    state.phase = state.breath = state.beat = state.drop_m = 0;
    stand_feet(plan_, {}, state.feet);
    show(state, rhythm_of(plan_, {}, 0), 0, now);
  }

  bool steps_in_parts() const override { return true; }
  void step(const StepItem& item) const noexcept override {
    auto& state = static_cast<State&>(*item.state);
    const auto dt_s = static_cast<float>(step_s());
    const GaitSettings& s = plan_.settings;
    Vec3 desired = item.intent->velocity_at(0);
    desired.y = 0;
    if (const float speed = length(desired); speed > s.run_mps) desired = desired * (s.run_mps / speed);
    TrajectoryOptions springs;
    springs.velocity_half_life_s = springs.facing_half_life_s = response_s();
    springs.max_turn_speed_rad_s = s.turn_rad_s;
    state.body = advance(state.body, desired, item.intent->facing_at(0), dt_s, springs);
    state.body.root.position.y = 0;
    const Rhythm rhythm = rhythm_of(plan_, state.body.velocity_mps, state.body.turn_speed_rad_s);
    const auto on = [&](float& turns, float rate_hz) {
      turns += rate_hz * dt_s;
      turns -= std::floor(turns);
    };
    on(state.phase, rhythm.stride_hz);
    on(state.breath, kBreathRate_hz);
    on(state.beat, s.beat_hz * (1 + 0.5F * rhythm.fast));
    advance_feet(plan_, state.body, rhythm, state.phase, dt_s, state.feet);
    show(state, rhythm, dt_s, *item.now);
  }

 private:
  // Large bodies respond later.
  float response_s() const { return std::clamp(0.12F * std::sqrt(plan_.settings.leg_length_m), 0.05F, 0.2F); }

  void show(State& state, const Rhythm& rhythm, float dt_s, CharacterFrame& now) const noexcept {
    poser_.run({state.body, rhythm, state.phase, state.breath, state.beat}, state.feet, dt_s, state.drop_m, state.model,
               now.pose);
    now.root = state.body.root;
    for (std::size_t i = 0; i < now.contacts.size(); ++i) now.contacts[i] = state.feet[i].planted() ? 1.0F : 0.0F;
  }

  GaitPlan plan_;
  GaitPoser poser_;  // Refers to plan_.
};

}  // namespace

void contact_points(const Body& body, const GaitPlan& plan, std::span<const Affine> model_from_joint,
                    std::span<Vec3> out) {
  std::vector<Affine> stand(model_from_joint.size());
  compute_model_from_joint(*body.skeleton, body.start.view(), stand);
  for (std::size_t i = 0; i < plan.legs.size(); ++i) {
    const GaitLeg& leg = plan.legs[i];
    const int joint = leg.ball == kNoJoint ? leg.end : leg.ball;
    const Vec3 tip = leg.ball == kNoJoint ? leg.tip_m : Vec3{};
    const Vec3 local = inverse(stand[idx(joint)]).apply_point(stand[idx(joint)].t + tip);
    out[i] = model_from_joint[idx(joint)].apply_point(local);
  }
}

Result<ControllerPtr> make_gait_controller(Body body, GaitPlan plan) {
  ZOE_CHECK(body.skeleton != nullptr, "a gait needs a body");
  if (const char* defect = defect_of(plan, *body.skeleton)) return Error{ErrorCode::kInvalid, defect, {}};
  if (body.start.rotations.size() != idx(body.skeleton->num_joints()))
    return Error{ErrorCode::kInvalid, "the start pose has another number of joints", {}};
  return ControllerPtr(std::make_shared<const GaitController>(std::move(body), std::move(plan)));
}

}  // namespace zoe::control
