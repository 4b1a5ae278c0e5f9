// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/hash64.h"
#include "zoe/core/index.h"

#include "physics/finite_bytes.h"
#include "physics/simulation.h"
#include "physics/support_force.h"

namespace zoe::physics {
namespace {

constexpr double kAssistRate = 25;         // rad/s, of the critically damped assist.
constexpr double kBalanceRate = 8;         // rad/s, of the feedback through the ground.
constexpr double kLargestSpeed = 500;      // rad/s or m/s: beyond it a state is broken.
constexpr double kFastestSpin = 60;        // rad/s. Explicit steps give faster bodies energy until they break.
constexpr double kSwingRate = 50;          // rad/s, of the servo that brings a swinging foot to its target,
constexpr double kSwingDamping = 0.3;      // of twice its critical damping,
constexpr double kSwingLift = 1;           // and metres that it lifts the foot per metre that the foot lags behind.
constexpr double kMostAcceleration = 300;  // rad/s² or m/s²: of targets. Captures have single bad frames.

Quatd read_quat(const mjtNum* q) { return {q[1], q[2], q[3], q[0]}; }
void write_quat(mjtNum* out, Quatd q) { out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z; }
Vec3d read_vec(const mjtNum* v) { return {v[0], v[1], v[2]}; }
Vec3d limited(Vec3d v, double most) {
  const double size = length(v);
  return size > most ? v * (most / size) : v;
}

}  // namespace

struct BodyState::Inside {
  BodyModelPtr model;
  std::shared_ptr<Simulation> simulation;
  std::shared_ptr<mjData> data;  // The simulation's. This body's part begins at:
  int first_body = 0, first_qpos = 0, first_dof = 0;
  bool shares = false;  // With other bodies of a World.
  double ground_y_m = 0;
  Vec3d moved;                                // Of the targets, world.
  std::vector<mjtNum> target, previous, now;  // [nq] At the end and at the start of the tick, and between.
  Pose pose;                                  // The last target, for joints without a bone.
  anatomy::ModelPose posed;
  // Centre of mass of the target: now, before, and its velocity before. Of the ticks.
  Vec3d com, com_before, com_velocity, com_velocity_before;
  mutable std::vector<Affine> affine;    // Scratch of read_pose.
  mutable std::vector<Quatd> rotations;  // Likewise.

  struct Foot {
    int bone = 0;
    double mass_kg = 0;      // That the servo of its swing moves, about.
    Vec3d before, velocity;  // Of the target: where it was a tick before, and its velocity in this tick.
  };
  std::vector<Foot> feet;

  TickOptions ticking;  // Of this tick.
  TickReport ticked;

  Inside(BodyModelPtr given, std::shared_ptr<Simulation> given_simulation)
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
      feet.push_back({static_cast<int>(b), mass_kg, {}, {}});
    }
  }

  const BodyModel::Inside& parts() const { return model->inside(); }
  const mjModel* engine() const { return simulation->model.get(); }
  const mjModel* own_engine() const { return parts().model.get(); }
  mjtNum* qpos() const { return data->qpos + first_qpos; }
  mjtNum* qvel() const { return data->qvel + first_dof; }
  mjtNum* applied() const { return data->qfrc_applied + first_dof; }
  int body_of(std::size_t bone) const { return first_body + parts().body_of_bone[bone]; }

  void set_target(const PoseView& view) {
    const BodyModel::Inside& m = parts();
    std::ranges::copy(view.translations, pose.translations.begin());
    std::ranges::copy(view.rotations, pose.rotations.begin());
    if (!view.scales.empty()) std::ranges::copy(view.scales, pose.scales.begin());
    anatomy::compute_model_pose(*m.skeleton, pose.view(), posed);
    for (std::size_t b = 0; b < m.plan.bones.size(); ++b) {
      const Bone& bone = m.plan.bones[b];
      mjtNum* q = target.data() + m.qpos_of_bone[b];
      const Quatd rotation = normalized(to_double(posed.rotations[idx(bone.joint)]));
      if (bone.parent < 0) {
        const Vec3d at = to_double(posed.positions[idx(bone.joint)]) * m.plan.metres_per_unit;
        q[0] = at.x + moved.x, q[1] = at.y - ground_y_m + moved.y, q[2] = at.z + moved.z;
        write_quat(q + 3, rotation);
        continue;
      }
      const Quatd parent = to_double(posed.rotations[idx(m.plan.bones[idx(bone.parent)].joint)]);
      write_quat(q, normalized(conjugate(bone.rotation) * (conjugate(parent) * rotation)));
    }
  }

  Vec3d target_com() const {
    const BodyPlan& plan = parts().plan;
    Vec3d sum{};
    for (const Bone& bone : plan.bones) {
      const Vec3d origin = to_double(posed.positions[idx(bone.joint)]) * plan.metres_per_unit;
      sum +=
          (origin + rotate(to_double(posed.rotations[idx(bone.joint)]), bone.shape.centre_of_volume())) * bone.mass_kg;
    }
    return sum / plan.mass_kg - Vec3d{0, ground_y_m, 0} + moved;
  }

  // Targets turn at a constant rate within a tick.
  void interpolate(double t) {
    const BodyModel::Inside& m = parts();
    for (std::size_t b = 0; b < m.plan.bones.size(); ++b) {
      std::size_t at = idx(m.qpos_of_bone[b]);
      if (b == 0) {
        for (std::size_t i = 0; i < 3; ++i) now[at + i] = previous[at + i] + (target[at + i] - previous[at + i]) * t;
        at += 3;
      }
      write_quat(&now[at], slerp(read_quat(&previous[at]), read_quat(&target[at]), t));
    }
  }

  // Velocity from previous to target, in the space of qvel.
  void target_velocity(std::vector<mjtNum>& out) const {
    mj_differentiatePos(own_engine(), out.data(), parts().options.frame_s, previous.data(), target.data());
  }

  bool is_bad() const {
    for (std::size_t i = 0; i < velocity.size(); ++i)
      if (!(std::abs(qvel()[i]) < kLargestSpeed)) return true;
    return simulation->has_warnings();
  }

  // Abuse only: a body that was thrown with 30 times its weight spins faster and faster.
  void slow_down() {
    double fastest = 0;
    for (std::size_t i = 3; i < velocity.size(); ++i) fastest = std::max(fastest, std::abs(qvel()[i]));
    if (!(fastest > kFastestSpin)) return;
    for (std::size_t i = 3; i < velocity.size(); ++i) qvel()[i] *= kFastestSpin / fastest;
  }

  // This body alone; others and props go on.
  void take(const std::vector<mjtNum>& given) {
    std::ranges::copy(given, qpos());
    std::fill_n(qvel(), velocity.size(), 0.0);
    std::fill_n(data->qacc_warmstart + first_dof, velocity.size(), 0.0);
    std::fill_n(applied(), velocity.size(), 0.0);
    if (!shares) data->time = 0;
    simulation->forward();
  }

  // [nv] Velocity of the target in this tick, in the tick before, and between; its acceleration, and the torques that
  // cause it.
  std::vector<mjtNum> velocity, velocity_before, velocity_now, acceleration, inertial;

  void feed_forward(double t);
  void apply_support(const TickOptions& options, double t);
  void apply_servos(const TickOptions& options);
  void apply_assist(const TickOptions& options, TickReport& report);
  void apply_swing(const TickOptions& options, double t);
  Vec3d target_origin_m(int bone) const {
    const BodyPlan& plan = parts().plan;
    const Vec3d at = to_double(posed.positions[idx(plan.bones[idx(bone)].joint)]) * plan.metres_per_unit;
    return at - Vec3d{0, ground_y_m, 0} + moved;
  }
};

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
  const double h = engine()->opt.timestep;
  for (std::size_t b = 1; b < m.plan.bones.size(); ++b) {
    const int dof = m.dof_of_bone[b];
    const mjtNum* q = qpos() + m.qpos_of_bone[b];
    mjtNum goal[4], error[3];
    std::copy_n(now.data() + m.qpos_of_bone[b], 4, goal);
    if (!options.offsets_rad.empty())
      write_quat(goal, normalized(read_quat(goal) * from_rotation_vector(options.offsets_rad[b])));
    mju_subQuat(error, goal, q);
    const double kp = m.stiffness[b] * options.servo_scale, kd = m.damping[b] * options.servo_scale;
    for (int i = 0; i < 3; ++i) {
      // Gravity, Coriolis and inertial forces are known and need no error to be balanced.
      applied()[dof + i] = kp * error[i] + kd * velocity_now[idx(dof + i)] - (kd + h * kp) * qvel()[dof + i] +
                           options.servo_scale * (data->qfrc_bias[first_dof + dof + i] + inertial[idx(dof + i)]);
    }
  }
}

void BodyState::Inside::apply_assist(const TickOptions& options, TickReport& report) {
  for (int i = 0; i < 6; ++i) applied()[i] = 0;
  if (!(options.assist_n > 0)) return;
  const BodyModel::Inside& m = parts();
  const double w = kAssistRate;
  const Vec3d error = read_vec(now.data()) - read_vec(qpos());
  const Vec3d slip = read_vec(velocity.data()) - read_vec(qvel());
  const Vec3d force = limited((error * (w * w) + slip * (2 * w)) * m.plan.mass_kg, options.assist_n);
  mjtNum turn[3];
  mju_subQuat(turn, now.data() + 3, qpos() + 3);
  const Vec3d spin = read_vec(velocity.data() + 3) - read_vec(qvel() + 3);
  const Vec3d torque = limited((read_vec(turn) * (w * w) + spin * (2 * w)) * m.assist_inertia,
                               options.assist_n * 0.25 * m.plan.height_m);
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
    Vec3d error = foot.before + foot.velocity * (t * m.options.frame_s) - at;
    error.y = std::max(error.y, 0.0) + std::min(kSwingLift * std::hypot(error.x, error.z), 0.03 * size);
    const Vec3d force =
        limited((error * (w * w) + (foot.velocity - read_vec(moves + 3)) * (kSwingDamping * w)) * foot.mass_kg,
                0.5 * m.plan.mass_kg * kGravityM_s2) *
        share;
    add_joint_torques(*engine(), *data, {body, at - centre, force}, first_dof);
  }
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
  for (Inside::Foot& foot : s.feet) foot.velocity = (s.target_origin_m(foot.bone) - foot.before) / m.options.frame_s;
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

void BodyState::read_pose(Pose& out) const {
  const Inside& s = *inside_;
  const BodyModel::Inside& m = s.parts();
  const Skeleton& skeleton = *m.skeleton;
  out.translations = s.pose.translations, out.rotations = s.pose.rotations, out.scales = s.pose.scales;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int parent = skeleton.parent(joint), bone = m.plan.bone_of_joint[idx(joint)];
    const Quatd above = parent == kNoJoint ? Quatd{} : s.rotations[idx(parent)];
    const Affine above_affine = parent == kNoJoint ? Affine{} : s.affine[idx(parent)];
    if (bone >= 0 && m.plan.bones[idx(bone)].joint == joint) {
      out.rotations[idx(joint)] = to_float(normalized(conjugate(above) * bone_rotation(bone)));
      if (bone == 0) {
        const Vec3d at = (bone_origin_m(0) + Vec3d{0, s.ground_y_m, 0}) / m.plan.metres_per_unit;
        out.translations[idx(joint)] = to_float(inverse(to_double(above_affine)).apply_point(at));
      }
    }
    s.rotations[idx(joint)] = above * to_double(out.rotations[idx(joint)]);
    s.affine[idx(joint)] = above_affine * to_affine(out.view().joint(joint));
  }
}

int BodyState::num_bones() const { return static_cast<int>(inside_->parts().plan.bones.size()); }
Vec3d BodyState::bone_origin_m(int bone) const {
  return read_vec(inside_->data->xpos + 3 * inside_->body_of(idx(bone)));
}
Quatd BodyState::bone_rotation(int bone) const {
  return read_quat(inside_->data->xquat + 4 * inside_->body_of(idx(bone)));
}
Vec3d BodyState::target_origin_m(int bone) const { return inside_->target_origin_m(bone); }
Quatd BodyState::target_rotation(int bone) const {
  return to_double(inside_->posed.rotations[idx(inside_->parts().plan.bones[idx(bone)].joint)]);
}
Vec3d BodyState::bone_velocity_m_s(int bone) const {
  mjtNum velocity[6];
  mj_objectVelocity(inside_->engine(), inside_->data.get(), mjOBJ_BODY, inside_->body_of(idx(bone)), velocity, 0);
  return read_vec(velocity + 3);
}
// From the velocities of the joints: the engine's own velocities are one step older.
void BodyState::read_bones(std::span<BoneMotion> out) const {
  const Inside& s = *inside_;
  const BodyModel::Inside& m = s.parts();
  ZOE_CHECK(out.size() == m.plan.bones.size(), "BodyState::read_bones: wrong size");
  for (std::size_t b = 0; b < out.size(); ++b) {
    BoneMotion& bone = out[b];
    bone.position_m = bone_origin_m(static_cast<int>(b)), bone.rotation = bone_rotation(static_cast<int>(b));
    const mjtNum* speed = s.qvel() + m.dof_of_bone[b];
    if (b == 0) {
      bone.velocity_m_s = read_vec(speed), bone.spin_rad_s = rotate(bone.rotation, read_vec(speed + 3));
      continue;
    }
    const BoneMotion& parent = out[idx(m.plan.bones[b].parent)];
    const Vec3d arm = bone.position_m - parent.position_m;
    bone.velocity_m_s = parent.velocity_m_s + cross(parent.spin_rad_s, arm);
    bone.spin_rad_s = parent.spin_rad_s + rotate(bone.rotation, read_vec(speed));
  }
}

Vec3d BodyState::centre_of_mass_m() const { return read_vec(inside_->data->subtree_com + 3 * inside_->body_of(0)); }

double BodyState::deepest_contact_m() const {
  double deepest = 0;
  for (int i = 0; i < inside_->data->ncon; ++i) {
    const mjContact& contact = inside_->data->contact[i];
    const int a = inside_->engine()->geom_bodyid[contact.geom1], b = inside_->engine()->geom_bodyid[contact.geom2];
    const bool with_floor = (a == 0) != (b == 0);
    if (with_floor) deepest = std::max(deepest, -contact.dist);
  }
  return deepest;
}

bool BodyState::touches_floor(int bone) const {
  const int body = inside_->body_of(idx(bone));
  for (int i = 0; i < inside_->data->ncon; ++i) {
    const mjContact& contact = inside_->data->contact[i];
    const int a = inside_->engine()->geom_bodyid[contact.geom1], b = inside_->engine()->geom_bodyid[contact.geom2];
    if ((a == 0 && b == body) || (b == 0 && a == body)) return contact.dist < 0;
  }
  return false;
}

namespace {

// One list of arrays for saving and restoring.
template <typename Visit>
void visit_state(const mjModel& model, mjData& data, double& ground, Vec3d& moved, Vec3d& com, Vec3d& com_velocity,
                 std::vector<mjtNum>& target, std::vector<mjtNum>& velocity, Pose& pose, const Visit& visit) {
  visit(&data.time, sizeof(mjtNum));
  visit(&ground, sizeof(double));
  visit(&moved, sizeof(Vec3d));
  visit(&com, sizeof(Vec3d));
  visit(&com_velocity, sizeof(Vec3d));
  visit(data.qpos, sizeof(mjtNum) * idx(model.nq));
  visit(data.qvel, sizeof(mjtNum) * idx(model.nv));
  visit(data.qacc_warmstart, sizeof(mjtNum) * idx(model.nv));
  visit(target.data(), sizeof(mjtNum) * target.size());
  visit(velocity.data(), sizeof(mjtNum) * velocity.size());
  visit(pose.translations.data(), sizeof(Vec3) * pose.translations.size());
  visit(pose.rotations.data(), sizeof(Quat) * pose.rotations.size());
  visit(pose.scales.data(), sizeof(Vec3) * pose.scales.size());
}

}  // namespace

std::size_t BodyState::num_saved_bytes() const {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  std::size_t size = 0;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void*, std::size_t bytes) { size += bytes; });
  return size;
}

void BodyState::save(std::span<std::byte> out) const {
  ZOE_CHECK(out.size() == num_saved_bytes(), "BodyState::save: wrong size");
  std::size_t at = 0;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t bytes) {
                std::memcpy(out.data() + at, values, bytes);
                at += bytes;
              });
}

Result<void> BodyState::restore(std::span<const std::byte> bytes) {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  if (bytes.size() != num_saved_bytes())
    return Error{ErrorCode::kInvalid, "the saved state is of another body: its size differs", {}};
  Inside& s = *inside_;
  // Doubles first; all of them must be finite.
  const std::size_t size_of_doubles = sizeof(double) * (11 + 2 * idx(s.engine()->nq) + 3 * idx(s.engine()->nv));
  if (!all_finite_in<double>(bytes.first(size_of_doubles)) || !all_finite_in<float>(bytes.subspan(size_of_doubles)))
    return Error{ErrorCode::kInvalid, "the saved state has a number that is not finite", {}};
  mj_resetData(s.engine(), s.data.get());
  std::size_t at = 0;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t size) {
                std::memcpy(values, bytes.data() + at, size);
                at += size;
              });
  anatomy::compute_model_pose(*s.parts().skeleton, s.pose.view(), s.posed);
  // Kinematics normalises rotations once more, which may change their last bits.
  std::ranges::copy_n(s.data->qpos, s.engine()->nq, s.now.begin());
  mj_kinematics(s.engine(), s.data.get());
  mj_comPos(s.engine(), s.data.get());
  std::ranges::copy(s.now, s.data->qpos);
  return {};
}

void BodyState::copy_from(const BodyState& other) {
  ZOE_CHECK(!inside_->shares, "BodyState: a body of a world is not saved alone");
  ZOE_CHECK(inside_->model == other.inside_->model || (inside_->parts().skeleton == other.inside_->parts().skeleton &&
                                                       inside_->engine()->nq == other.inside_->engine()->nq),
            "BodyState::copy_from: another body");
  Inside& s = *inside_;
  const Inside& o = *other.inside_;
  // A tick needs no more than this. All of the engine's data are some megabytes, and copies take longer than ticks.
  s.data->time = o.data->time;
  std::ranges::copy_n(o.data->qpos, s.engine()->nq, s.data->qpos);
  std::ranges::copy_n(o.data->qvel, s.engine()->nv, s.data->qvel);
  std::ranges::copy_n(o.data->qacc_warmstart, s.engine()->nv, s.data->qacc_warmstart);
  std::ranges::copy_n(o.data->xpos, 3 * s.engine()->nbody, s.data->xpos);
  std::ranges::copy_n(o.data->xquat, 4 * s.engine()->nbody, s.data->xquat);
  std::ranges::copy_n(o.data->subtree_com, 3 * s.engine()->nbody, s.data->subtree_com);
  std::ranges::copy_n(o.data->cvel, 6 * s.engine()->nbody, s.data->cvel);
  s.data->ncon = o.data->ncon;
  std::copy_n(o.data->contact, o.data->ncon, s.data->contact);
  s.ground_y_m = o.ground_y_m, s.moved = o.moved;
  s.target = o.target, s.previous = o.previous, s.velocity = o.velocity;
  s.com = o.com, s.com_velocity = o.com_velocity;
  s.pose = o.pose;
  std::ranges::copy(o.posed.rotations, s.posed.rotations.begin());
  std::ranges::copy(o.posed.positions, s.posed.positions.begin());
}

std::size_t BodyState::num_coordinates() const { return idx(inside_->engine()->nq) + idx(inside_->engine()->nv); }

void BodyState::read_coordinates(std::span<double> out) const {
  const Inside& s = *inside_;
  ZOE_CHECK(out.size() == num_coordinates(), "BodyState::read_coordinates: wrong size");
  std::copy_n(s.data->qpos, s.engine()->nq, out.data());
  std::copy_n(s.data->qvel, s.engine()->nv, out.data() + s.engine()->nq);
}

void BodyState::displace(std::span<const double> change) {
  Inside& s = *inside_;
  const std::size_t nv = idx(s.engine()->nv);
  ZOE_CHECK(change.size() == 2 * nv, "BodyState::displace: wrong size");
  mj_integratePos(s.engine(), s.data->qpos, change.data(), 1);
  for (std::size_t i = 0; i < nv; ++i) s.data->qvel[i] += change[nv + i];
  mj_kinematics(s.engine(), s.data.get());
  mj_comPos(s.engine(), s.data.get());
}

void BodyState::difference_from(std::span<const double> coordinates, std::span<double> change) const {
  const Inside& s = *inside_;
  const std::size_t nq = idx(s.engine()->nq), nv = idx(s.engine()->nv);
  ZOE_CHECK(coordinates.size() == nq + nv && change.size() == 2 * nv, "BodyState::difference_from: wrong size");
  mj_differentiatePos(s.engine(), change.data(), 1, coordinates.data(), s.data->qpos);
  for (std::size_t i = 0; i < nv; ++i) change[nv + i] = s.data->qvel[i] - coordinates[nq + i];
}

void BodyState::velocity_error(std::span<double> out) const {
  const Inside& s = *inside_;
  ZOE_CHECK(out.size() == s.velocity.size(), "BodyState::velocity_error: wrong size");
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = s.data->qvel[i] - s.velocity[i];
}

Vec3d BodyState::target_centre_of_mass_m() const { return inside_->com; }

std::uint64_t BodyState::hash() const {
  Hash64 hash;
  Inside& s = *inside_;
  visit_state(*s.engine(), *s.data, s.ground_y_m, s.moved, s.com, s.com_velocity, s.target, s.velocity, s.pose,
              [&](void* values, std::size_t bytes) {
                hash.add({static_cast<const std::byte*>(values), bytes});
              });
  return hash.finish();
}

double BodyState::ground_m(Vec3d at) const { return inside_->simulation->height_m(at.x, at.z); }

}  // namespace zoe::physics
