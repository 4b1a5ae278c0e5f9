// SPDX-License-Identifier: MIT
// Part of Zoetrope. The forces of a step: servos with feed-forward, assist, support of the ground, swinging feet.
#include <algorithm>
#include <cmath>

#include "physics/hinge.h"
#include "physics/state_inside.h"
#include "physics/support_force.h"

namespace zoe::physics {
namespace {

constexpr double kAssistRate = 25;     // rad/s, of the critically damped assist.
constexpr double kBalanceRate = 8;     // rad/s, of the feedback through the ground.
constexpr double kSwingRate = 50;      // rad/s, of the servo that brings a swinging foot to its target,
constexpr double kSwingDamping = 0.3;  // of twice its critical damping,
constexpr double kSwingLift = 1;       // metres that it lifts the foot per metre that the foot lags behind,
constexpr double kSwingLead = 0.01;    // it aims ahead by at most this, of the body's height,
constexpr double kClearance = 0.02;    // the least height of a swinging sole, of the body's height,
constexpr double kSwingForce = 1;  // and the largest force, of the weight. Half of it does not lift a foot that runs.

Vec3d limited(Vec3d v, double most) {
  const double size = length(v);
  return size > most ? v * (most / size) : v;
}

}  // namespace

// Velocity of the target within the tick, and M a without the armature, which is part of the servos. Without M a a
// swinging leg lags by centimetres, lands late and stumbles.
void BodyState::Inside::feed_forward(double t) {
  const std::size_t first = idx(first_dof);
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    velocity_now[i] = velocity_before[i] + (velocity[i] - velocity_before[i]) * t;
    inertial[i] = simulation->inertial[first + i] - engine()->dof_armature[first + i] * acceleration[i];
  }
}

void BodyState::Inside::apply_servos(const TickOptions& options) {
  const BodyModel::Inside& m = parts();
  const double h = step_s();
  for (std::size_t b = 1; b < m.plan.bones.size(); ++b) {
    const int dof = m.dof_of_bone[b];
    const mjtNum* q = qpos() + m.qpos_of_bone[b];
    mjtNum goal[4], error[3];
    std::copy_n(now.data() + m.qpos_of_bone[b], 4, goal);
    if (!options.offsets_rad.empty())
      write_quat(goal, normalized(read_quat(goal) * from_rotation_vector(options.offsets_rad[b])));
    mju_subQuat(error, goal, q);
    const Vec3d way = way_within_limit(m.plan.bones[b].limit_rad, read_quat(q), read_quat(goal), read_vec(error));
    const double kp = m.stiffness[b] * options.servo_scale, kd = m.damping[b] * options.servo_scale;
    for (int i = 0; i < 3; ++i) {
      // Gravity, Coriolis and inertial forces are known and need no error to be balanced.
      applied()[dof + i] = kp * way[idx(i)] + kd * velocity_now[idx(dof + i)] - (kd + h * kp) * qvel()[dof + i] +
                           options.servo_scale * (data->qfrc_bias[first_dof + dof + i] + inertial[idx(dof + i)]);
    }
  }
}

// Limp knees and elbows bend as those of the clips do, not sideways and not backward. share: of the servos' gains that
// is free; together they stay what the armature makes stable.
void BodyState::Inside::hold_hinges(double share) {
  const BodyModel::Inside& m = parts();
  for (std::size_t b = 1; b < m.plan.bones.size(); ++b) {
    const Hinge& hinge = m.plan.bones[b].hinge;
    if (!hinge.known()) continue;
    const Quatd q = read_quat(qpos() + m.qpos_of_bone[b]);
    const HingeAngles angles = hinge_angles(hinge.axis, q);
    const int dof = m.dof_of_bone[b];
    const Vec3d spin = read_vec(qvel() + dof);
    const double kp = m.stiffness[b] * share, kd = m.damping[b] * share + step_s() * kp;
    const double turn_spin = dot(spin, hinge.axis);
    Vec3d torque{};
    const double across = length(angles.across_rad);
    if (across > hinge.slack_rad) {
      const Vec3d back = rotate(conjugate(q), angles.across_rad) * ((across - hinge.slack_rad) / across);
      torque -= back * kp + (spin - hinge.axis * turn_spin) * kd;
    }
    const double beyond = angles.turn_rad - std::clamp(angles.turn_rad, hinge.low_rad, hinge.high_rad);
    if (beyond != 0) torque -= hinge.axis * (beyond * kp + turn_spin * kd);
    for (std::size_t i = 0; i < 3; ++i) applied()[dof + static_cast<int>(i)] += torque[i];
  }
}

// Targets are those at the end of a step, so the errors of the assist are to where the body gets by then. Errors to
// where it is now would pull a body that walks ahead of its target: 170 N at 1.3 m/s. Not so in apply_support: plans
// with other steps would then feel another damping than the body, and a standing body wobbled.
Vec3d BodyState::Inside::root_error() const {
  return read_vec(now.data()) - read_vec(qpos()) - read_vec(qvel()) * step_s();
}
Vec3d BodyState::Inside::root_turn() const {
  mjtNum turn[3];
  mju_subQuat(turn, now.data() + 3, qpos() + 3);
  return read_vec(turn) - read_vec(qvel() + 3) * step_s();
}

void BodyState::Inside::apply_assist(const TickOptions& options, TickReport& report) {
  for (int i = 0; i < 6; ++i) applied()[i] = 0;
  if (!(options.assist_n > 0)) return;
  const BodyModel::Inside& m = parts();
  const double w = kAssistRate;
  const Vec3d error = root_error();
  const Vec3d slip = read_vec(velocity.data()) - read_vec(qvel());
  const Vec3d force = limited((error * (w * w) + slip * (2 * w)) * m.plan.mass_kg, options.assist_n);
  const Vec3d spin = read_vec(velocity.data() + 3) - read_vec(qvel() + 3);
  const Vec3d torque =
      limited((root_turn() * (w * w) + spin * (2 * w)) * m.assist_inertia, options.assist_n * 0.25 * m.plan.height_m);
  for (std::size_t i = 0; i < 3; ++i) {
    applied()[i] = force[i];
    applied()[3 + i] = torque[i];
  }
  report.assist_n += length(force) / m.options.steps_per_frame;
  report.assist_nm += length(torque) / m.options.steps_per_frame;
}

// The ground should carry the weight, accelerate the body as the target's centre of mass does, and correct errors.
void BodyState::Inside::apply_support(const TickOptions& options, double t) {
  const BodyModel::Inside& m = parts();
  const double w = kBalanceRate, frame_s = m.options.frame_s;
  const int root = body_of(0);
  const Vec3d error = lerp(com_before, com, t) - read_vec(data->subtree_com + 3 * root);
  const Vec3d slip = com_velocity - read_vec(data->subtree_linvel + 3 * root);
  const Vec3d wanted = limited((com_velocity - com_velocity_before) / frame_s, 30);
  SupportGoal goal;
  goal.force_n = (wanted + limited(error * (w * w) + slip * (2 * w), 10) + Vec3d{0, kGravityM_s2, 0}) * m.plan.mass_kg;
  mjtNum turn[3];
  mju_subQuat(turn, now.data() + 3, qpos() + 3);
  const Vec3d spin = read_vec(velocity.data() + 3) - read_vec(qvel() + 3);
  goal.torque_nm = rotate(read_quat(qpos() + 3), (read_vec(turn) * (w * w) + spin * (2 * w)) * m.assist_inertia);
  goal.force_n *= options.servo_scale, goal.torque_nm *= options.servo_scale;
  add_support_torques(*engine(), *data, goal, {root, static_cast<int>(m.plan.bones.size()), first_dof});
}

// A swinging foot that touches the ground is held by friction, and its leg stumbles. A force toward the target's foot,
// and up while the foot lags behind, frees it. The leg's joints exert it: −τ acts on the rest of the body.
void BodyState::Inside::apply_swing(const TickOptions& options, double t) {
  const BodyModel::Inside& m = parts();
  const double w = kSwingRate, size = m.plan.height_m;
  // A body that lies or was thrown away has nothing to catch up with.
  if (!options.swings || options.servo_scale < 1 || distance(read_vec(qpos()), read_vec(now.data())) > 0.3 * size)
    return;
  for (const Foot& foot : feet) {
    const double speed = std::hypot(foot.velocity.x, foot.velocity.z);
    const double share = std::clamp((speed / size - 0.15) / 0.45, 0.0, 1.0);
    if (!(share > 0)) continue;
    const int body = body_of(idx(foot.bone));
    const Vec3d at = read_vec(data->xpos + 3 * body), centre = read_vec(data->subtree_com + 3 * body_of(0));
    mjtNum moves[6];
    mj_objectVelocity(engine(), data.get(), mjOBJ_XBODY, body, moves, 0);
    Vec3d error = foot.before + foot.velocity * (t * m.options.frame_s) - at - read_vec(moves + 3) * step_s();
    // A little ahead: feet lag behind.
    error += limited(read_vec(moves + 3) * step_s(), kSwingLead * size);
    // A captured foot passes the ground by a centimetre; a body that is a little lower would scrape and be caught. A
    // foot that comes down at metres per second is lifted a frame before it is low.
    const double next_clearance_m = foot.clearance_m + std::min(foot.velocity.y, 0.0) * m.options.frame_s;
    error.y += std::max(kClearance * size - next_clearance_m, 0.0);
    error.y = std::max(error.y, 0.0) + std::min(kSwingLift * std::hypot(error.x, error.z), 0.03 * size);
    const Vec3d force =
        limited((error * (w * w) + (foot.velocity - read_vec(moves + 3)) * (kSwingDamping * w)) * foot.mass_kg,
                kSwingForce * m.plan.mass_kg * kGravityM_s2) *
        share;
    add_joint_torques(*engine(), *data, {body, at - centre, force}, first_dof);
  }
}

}  // namespace zoe::physics
