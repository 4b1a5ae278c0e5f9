// SPDX-License-Identifier: MIT
// Part of Zoetrope. A simulated body: an immutable model and mutable states that follow target poses.
//
//   const auto model = physics::BodyModel::create(*plan, skeleton);
//   physics::BodyState state(*model);
//   state.reset(clip.frame(0), ground_m);
//   for (int frame = 1; frame < clip.num_frames; ++frame) {
//     state.tick(clip.frame(frame), {.assist_n = 200});   // one frame of 1/60 s
//     state.read_pose(pose);                              // local transforms of every joint
//   }
//
// Servos: implicit spring-dampers. Their damping is part of the inertia that the contact solver sees, so high gains
// are stable at large steps and contacts stay exact. The root has no servo but the assist, whose force is limited and
// measured.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/ground/ground.h"
#include "zoe/motion/bone_rows.h"
#include "zoe/physics/body_plan.h"

namespace zoe::physics {

struct BodyModelOptions {
  double frame_s = 1.0 / 60;  // Of one tick.
  int steps_per_frame = 4;    // Steps of the simulation in one tick.
  bool self_contacts = true;  // Bones push each other, except where the plan filters them.
  GroundPtr ground = {};      // World space, metres. Null: flat at zero.
};

struct Simulation;  // Of the engine.

class BodyModel {
 public:
  // Fails where MuJoCo refuses the model; the message is MuJoCo's.
  static Result<std::shared_ptr<const BodyModel>> create(BodyPlan plan, SkeletonPtr skeleton,
                                                         const BodyModelOptions& options = {});
  ~BodyModel();

  const BodyPlan& plan() const;
  const Skeleton& skeleton() const;
  const BodyModelOptions& options() const;
  int num_dofs() const;

  struct Inside;
  const Inside& inside() const { return *inside_; }

 private:
  BodyModel();
  std::unique_ptr<Inside> inside_;
};
using BodyModelPtr = std::shared_ptr<const BodyModel>;

struct TickOptions {
  double assist_n = 0;     // Largest force of the assist on the root. 0: none, neither force nor torque.
  double servo_scale = 1;  // Of the servos' gains: 0 is a limp ragdoll, values between are an active one.
  Vec3d push_n;            // Force on the push bone, world space.
  int push_bone = 0;       // Index into BodyPlan::bones.
  bool swings = true;      // Swinging feet have a servo of their own. Not while getting up: feet are below the body.
  std::span<const Vec3d> offsets_rad = {};  // [bones] Added to the targets, in the bone's frame. Empty: none.
};

struct TickReport {
  double assist_n = 0, assist_nm = 0;  // Mean size over the steps of the tick.
  bool went_bad = false;               // Numbers became too large: the state was reset to the target.
};

// Sized once; ticks never allocate. Not thread-safe; different states of one model may tick at the same time.
class BodyState {
 public:
  explicit BodyState(BodyModelPtr model);
  ~BodyState();
  BodyState(BodyState&&) noexcept;
  BodyState& operator=(BodyState&&) noexcept;

  // The body takes the pose, at rest. Targets' positions in the skeleton's units; the ground is at ground_y_m in them.
  void reset(const PoseView& pose, double ground_y_m = 0);
  // The same with the velocity from `pose` to `next` one tick later.
  void reset_moving(const PoseView& pose, const PoseView& next, double ground_y_m);
  // Follows `target`, which the body should reach at the end of the tick.
  TickReport tick(const PoseView& target, const TickOptions& options = {});

  // Targets are moved over the ground by this from now on, those before too: the body feels no velocity from it.
  void move_targets(Vec3d by_m);
  Vec3d targets_moved_m() const;  // By all calls since reset().

  // Local transforms of the simulated pose. Joints that no bone simulates keep the target's.
  void read_pose(Pose& out) const;
  int num_bones() const;
  Vec3d bone_origin_m(int bone) const;  // World: flat ground is y = 0.
  Quatd bone_rotation(int bone) const;
  Vec3d target_origin_m(int bone) const;  // Of the last target, world.
  Quatd target_rotation(int bone) const;
  Vec3d bone_velocity_m_s(int bone) const;  // Of its centre of mass.
  // [bones] Origins, orientations and how they move; world.
  void read_bones(std::span<BoneMotion> out) const;
  Vec3d centre_of_mass_m() const;
  // Depth of the deepest contact with the floor, metres, and whether a bone other than feet and toes touches it.
  double deepest_contact_m() const;
  bool touches_floor(int bone) const;
  double ground_m(Vec3d at) const;  // Height of the ground below a point; 0 on flat ground.

  // Equal bits after restore(save()): the same future under the same targets. Bytes of another model are refused.
  std::size_t num_saved_bytes() const;
  void save(std::span<std::byte> out) const;
  Result<void> restore(std::span<const std::byte> bytes);
  void copy_from(const BodyState& other);  // Of the same model, or of one with another number of steps.
  std::uint64_t hash() const;

  // Coordinates: positions (root in metres, then rotations), then velocities. A change of coordinates is a vector of
  // 2 × num_dofs(): of positions in the tangent space (root: metres in world axes, rotation vectors in the bones' own
  // frames), then of velocities. Targets are not part of it.
  std::size_t num_coordinates() const;
  void read_coordinates(std::span<double> out) const;
  void displace(std::span<const double> change);
  // The change that leads from `coordinates` to this state.
  void difference_from(std::span<const double> coordinates, std::span<double> change) const;
  // [num_dofs()] Velocity minus that of the target.
  void velocity_error(std::span<double> out) const;
  Vec3d target_centre_of_mass_m() const;

 private:
  friend class World;
  BodyState(BodyModelPtr model, std::shared_ptr<Simulation> simulation, int first_body, int first_qpos, int first_dof);
  // The parts of a tick: begin, then per step drive() between the halves of the engine's step and mend() after it.
  void begin_tick(const PoseView& target, const TickOptions& options);
  void drive(int step);
  void mend();
  TickReport end_tick();

  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// The body has fallen: its root is at half the target's height, or turned by more than 70 degrees from it.
bool has_fallen(const BodyState& state, const BodyPlan& plan);

}  // namespace zoe::physics
