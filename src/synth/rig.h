// SPDX-License-Identifier: MIT
// Part of Zoetrope. A body being posed: local rotations in, model-space frames out, and the legs'
// solver.
#pragma once

#include <span>
#include <vector>

#include "synth/stance.h"
#include "synth/track.h"

namespace zoe::synth {

inline Quat about_x(float angle) { return from_axis_angle(Vec3{1, 0, 0}, angle); }
inline Quat about_y(float angle) { return from_axis_angle(Vec3{0, 1, 0}, angle); }
inline Quat about_z(float angle) { return from_axis_angle(Vec3{0, 0, 1}, angle); }

class Rig {
 public:
  explicit Rig(const Body& body);

  const Body& body() const { return *body_; }
  Pose& pose() { return pose_; }
  const Vec3& position(int joint) const { return positions_[static_cast<std::size_t>(joint)]; }
  const Quat& rotation(int joint) const { return rotations_[static_cast<std::size_t>(joint)]; }

  // All joints as at rest.
  void reset();
  // The body's root in world space; a joint 0 above it is the marker on the ground below `marker`.
  void place_root(Vec3 position, Quat rotation, Vec3 marker, float facing_rad);
  void set(int joint, Quat local) { pose_.rotations[static_cast<std::size_t>(joint)] = local; }
  void turn(int joint, Quat by) {
    Quat& q = pose_.rotations[static_cast<std::size_t>(joint)];
    q = normalized(q * by);
  }
  // A bend (rotation vector, radians) shared evenly by the joints of a chain.
  void bend(std::span<const int> chain, Vec3 total_rad);
  // Turns chain joints and `last` evenly so that `last` gets this model rotation, as far as limits
  // allow.
  void aim(std::span<const int> chain, int last, Quat model_rotation, float share = 1);
  void clamp(int joint);
  void clamp_all();
  // Model frames of all joints from `first` on.
  void update(int first = 0);
  Vec3 centre_of_mass() const;
  // The pose as frame `index` of a motion of this skeleton.
  void write(Motion& motion, int index) const;

  // Solves base, upper, lower and the distal bones. update() must be current for the leg's parent. Returns the
  // remaining distance of the foot to its target, metres.
  float solve_leg(const Leg& leg, const FootPose& foot);
  // From the leg's origin to the joint that the two bones must reach; and that joint's position.
  Vec3 ankle_target(const Leg& leg, const FootPose& foot) const;

 private:
  Vec3 hip(const Leg& leg) const;  // Start of the leg with its base at rest.
  float leg_angle(const Leg& leg, const FootPose& foot) const;
  float base_yaw(const Leg& leg, Vec3 ball) const;
  Quat distal_rotation(const Leg& leg, const FootPose& foot, std::size_t index) const;
  void update_leg(const Leg& leg);

  const Body* body_;
  Pose pose_;
  std::vector<Vec3> positions_;
  std::vector<Quat> rotations_;
};

}  // namespace zoe::synth
