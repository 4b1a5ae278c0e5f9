// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a BodyState holds: its part of the engine's data, and the targets of a tick.
#pragma once

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

#include "physics/simulation.h"

namespace zoe::physics {

inline Quatd read_quat(const mjtNum* q) { return {q[1], q[2], q[3], q[0]}; }
inline void write_quat(mjtNum* out, Quatd q) { out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z; }
inline Vec3d read_vec(const mjtNum* v) { return {v[0], v[1], v[2]}; }

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
    std::vector<int> soles;  // The bone and its toes.
    Vec3d before, velocity;  // Of the target: where it was a tick before, and its velocity in this tick.
    double clearance_m = 0;  // Of the target's soles above the ground.
  };
  std::vector<Foot> feet;

  TickOptions ticking;  // Of this tick.
  TickReport ticked;

  Inside(BodyModelPtr given, std::shared_ptr<Simulation> given_simulation);

  const BodyModel::Inside& parts() const { return model->inside(); }
  const mjModel* engine() const { return simulation->model.get(); }
  const mjModel* own_engine() const { return parts().model.get(); }
  mjtNum* qpos() const { return data->qpos + first_qpos; }
  mjtNum* qvel() const { return data->qvel + first_dof; }
  mjtNum* applied() const { return data->qfrc_applied + first_dof; }
  int body_of(std::size_t bone) const { return first_body + parts().body_of_bone[bone]; }

  void set_target(const PoseView& view);
  Vec3d target_com() const;
  Vec3d target_origin_m(int bone) const;
  double target_clearance_m(int bone) const;
  void interpolate(double t);  // Targets turn at a constant rate within a tick.
  // Velocity from previous to target, in the space of qvel.
  void target_velocity(std::vector<mjtNum>& out) const;

  bool is_bad() const;
  // Abuse only: a body that was thrown with 30 times its weight spins faster and faster.
  void slow_down();
  // This body alone; others and props go on.
  void take(const std::vector<mjtNum>& given);

  // [nv] Velocity of the target in this tick, in the tick before, and between; its acceleration, and the torques that
  // cause it.
  std::vector<mjtNum> velocity, velocity_before, velocity_now, acceleration, inertial;

  double step_s() const { return engine()->opt.timestep; }
  Vec3d root_error() const;  // Of the root at the end of a step, metres;
  Vec3d root_turn() const;   // and of its orientation, radians in its own frame.
  void feed_forward(double t);
  void apply_support(const TickOptions& options, double t);
  void apply_servos(const TickOptions& options);
  void hold_hinges(double share);
  void apply_assist(const TickOptions& options, TickReport& report);
  void apply_swing(const TickOptions& options, double t);
};

}  // namespace zoe::physics
