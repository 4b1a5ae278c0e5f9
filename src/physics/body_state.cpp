// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "physics/state_inside.h"

namespace zoe::physics {
namespace {

constexpr double kLargestSpeed = 500;      // rad/s or m/s: beyond it a state is broken.
constexpr double kFastestSpin = 60;        // rad/s. Explicit steps give faster bodies energy until they break.
constexpr double kMostAcceleration = 300;  // rad/s² or m/s²: of targets. Captures have single bad frames.

}  // namespace

BodyState::Inside::Inside(BodyModelPtr given, std::shared_ptr<Simulation> given_simulation)
    : model(std::move(given)), simulation(std::move(given_simulation)), data(simulation->data) {
  const BodyModel::Inside& m = model->inside();
  for (auto* values : {&target, &previous, &now}) values->assign(m.model->qpos0, m.model->qpos0 + m.model->nq);
  pose = make_pose(*m.skeleton);
  affine.resize(idx(m.skeleton->num_joints()));
  rotations.resize(idx(m.skeleton->num_joints()));
  anatomy::compute_model_pose(*m.skeleton, pose.view(), posed);
  for (std::size_t b = 0; b < m.plan.bones.size(); ++b) {
    if (m.plan.bones[b].role != BoneRole::kFoot) continue;
    double mass_kg = m.plan.bones[b].mass_kg;
    for (int up = m.plan.bones[b].parent; up > 0 && m.plan.bones[idx(up)].role == BoneRole::kLeg;
         up = m.plan.bones[idx(up)].parent)
      mass_kg += m.plan.bones[idx(up)].mass_kg / 3;
    feet.push_back({static_cast<int>(b), mass_kg, {static_cast<int>(b)}, {}, {}, 0});
    for (std::size_t toe = b + 1; toe < m.plan.bones.size(); ++toe)
      if (m.plan.bones[toe].role == BoneRole::kToe && m.plan.bones[toe].parent == static_cast<int>(b))
        feet.back().soles.push_back(static_cast<int>(toe));
  }
}

bool BodyState::Inside::is_bad() const {
  for (std::size_t i = 0; i < velocity.size(); ++i)
    if (!(std::abs(qvel()[i]) < kLargestSpeed)) return true;
  return simulation->has_warnings();
}

void BodyState::Inside::slow_down() {
  double fastest = 0;
  for (std::size_t i = 3; i < velocity.size(); ++i) fastest = std::max(fastest, std::abs(qvel()[i]));
  if (!(fastest > kFastestSpin)) return;
  for (std::size_t i = 3; i < velocity.size(); ++i) qvel()[i] *= kFastestSpin / fastest;
}

void BodyState::Inside::take(const std::vector<mjtNum>& given) {
  std::ranges::copy(given, qpos());
  std::fill_n(qvel(), velocity.size(), 0.0);
  std::fill_n(data->qacc_warmstart + first_dof, velocity.size(), 0.0);
  std::fill_n(applied(), velocity.size(), 0.0);
  if (!shares) data->time = 0;
  simulation->forward();
}

BodyState::BodyState(BodyModelPtr model) : BodyState(model, simulation_of(model), 0, 0, 0) {}
BodyState::BodyState(BodyModelPtr model, std::shared_ptr<Simulation> simulation, int first_body, int first_qpos,
                     int first_dof)
    : inside_(std::make_unique<Inside>(std::move(model), std::move(simulation))) {
  Inside& s = *inside_;
  s.first_body = first_body, s.first_qpos = first_qpos, s.first_dof = first_dof;
  s.shares = s.engine() != s.own_engine();
  for (auto* values : {&s.velocity, &s.velocity_before, &s.velocity_now, &s.acceleration, &s.inertial})
    values->resize(idx(s.own_engine()->nv));
  s.simulation->forward();
}
BodyState::~BodyState() = default;
BodyState::BodyState(BodyState&&) noexcept = default;
BodyState& BodyState::operator=(BodyState&&) noexcept = default;

void BodyState::reset(const PoseView& pose, double ground_y_m) {
  inside_->ground_y_m = ground_y_m;
  inside_->moved = Vec3d{};
  inside_->set_target(pose);
  inside_->previous = inside_->target;
  inside_->com = inside_->com_before = inside_->target_com();
  inside_->com_velocity = inside_->com_velocity_before = Vec3d{};
  std::ranges::fill(inside_->velocity, 0.0);
  inside_->take(inside_->target);
}

void BodyState::reset_moving(const PoseView& pose, const PoseView& next, double ground_y_m) {
  reset(pose, ground_y_m);
  inside_->set_target(next);
  inside_->target_velocity(inside_->velocity);
  std::ranges::copy(inside_->velocity, inside_->qvel());
  inside_->velocity_before = inside_->velocity;
  inside_->com_velocity = (inside_->target_com() - inside_->com) / inside_->parts().options.frame_s;
  inside_->set_target(pose);
  inside_->simulation->forward();
}

void BodyState::move_targets(Vec3d by_m) {
  Inside& s = *inside_;
  s.moved += by_m, s.com += by_m;
  for (std::size_t i = 0; i < 3; ++i) s.target[i] += by_m[i];
}
Vec3d BodyState::targets_moved_m() const { return inside_->moved; }

TickReport BodyState::tick(const PoseView& target, const TickOptions& options) {
  Inside& s = *inside_;
  ZOE_CHECK(!s.shares, "BodyState::tick: a body of a world ticks with it");
  begin_tick(target, options);
  for (int step = 0; step < s.parts().options.steps_per_frame; ++step) {
    s.simulation->begin_step();
    drive(step);
    s.simulation->end_step();
    mend();
    s.simulation->clear_warnings();
  }
  s.simulation->end_tick();
  return end_tick();
}

void BodyState::begin_tick(const PoseView& target, const TickOptions& options) {
  Inside& s = *inside_;
  const BodyModel::Inside& m = s.parts();
  s.ticking = options, s.ticked = {};
  s.previous = s.target;
  for (Inside::Foot& foot : s.feet) foot.before = s.target_origin_m(foot.bone);
  s.set_target(target);
  for (Inside::Foot& foot : s.feet) {
    foot.velocity = (s.target_origin_m(foot.bone) - foot.before) / m.options.frame_s;
    foot.clearance_m = s.target_clearance_m(foot.bone);
    for (const int sole : foot.soles) foot.clearance_m = std::min(foot.clearance_m, s.target_clearance_m(sole));
  }
  std::swap(s.velocity, s.velocity_before);
  s.target_velocity(s.velocity);
  for (std::size_t i = 0; i < s.velocity.size(); ++i) {
    const double per_s = (s.velocity[i] - s.velocity_before[i]) / m.options.frame_s;
    s.acceleration[i] = std::clamp(per_s, -kMostAcceleration, kMostAcceleration);
    s.simulation->acceleration[idx(s.first_dof) + i] = s.acceleration[i];
  }
  s.com_before = s.com, s.com_velocity_before = s.com_velocity;
  s.com = s.target_com();
  s.com_velocity = (s.com - s.com_before) / m.options.frame_s;
  mjtNum* push = s.data->xfrc_applied + 6 * s.body_of(idx(options.push_bone));
  push[0] = options.push_n.x, push[1] = options.push_n.y, push[2] = options.push_n.z;
}

void BodyState::drive(int step) {
  Inside& s = *inside_;
  const double t = (step + 1.0) / s.parts().options.steps_per_frame;
  s.interpolate(t);
  s.feed_forward(t);
  s.apply_assist(s.ticking, s.ticked);
  s.apply_servos(s.ticking);
  if (s.ticking.servo_scale < 1) s.hold_hinges(1 - s.ticking.servo_scale);
  if (s.ticking.servo_scale > 0) s.apply_support(s.ticking, t), s.apply_swing(s.ticking, t);
}

void BodyState::mend() {
  Inside& s = *inside_;
  if (!s.is_bad()) return s.slow_down();
  s.take(s.now);
  s.ticked.went_bad = true;
}

TickReport BodyState::end_tick() {
  Inside& s = *inside_;
  mjtNum* push = s.data->xfrc_applied + 6 * s.body_of(idx(s.ticking.push_bone));
  push[0] = push[1] = push[2] = 0;
  s.ticking.offsets_rad = {};
  return s.ticked;
}

}  // namespace zoe::physics
