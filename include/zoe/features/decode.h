// SPDX-License-Identifier: MIT
// Part of Zoetrope. Decodes a model's output into a root and a pose.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/features/layout.h"
#include "zoe/motion/motion.h"

namespace zoe::features {

// One step of an output, in model space. Sized once by Decoder::make_frame(). Arrays without a channel in the layout
// stay empty. Values of joints in parent or canonical space are parent-relative.
struct DecodedFrame {
  PlanarRoot root;       // After the step.
  PlanarRoot pose_root;  // Root space of the pose: the same, or the one before (PFNN predicts the step that follows).
  std::vector<Vec3> positions, velocities;  // [Decoder::joints()]
  std::vector<Quat> rotations;              // [Decoder::joints()]
  std::vector<float> contacts;              // [contact joints]
  float phase_delta = 0;                    // Turns, of "phase.delta".

  // Scratch of to_pose(): [joints of the skeleton].
  std::vector<Quat> model_rotations;
  std::vector<Affine> models;
};

// The meaning of columns; immutable. Needs the motion of the root ("root.delta", "root.own_velocity", or a trajectory
// "root parts=position,direction" that begins one frame ahead, as NSM's). For every joint to decode it needs its
// position and its rotation as two axes (z and y, or x and y) or as rotation_log, in root, parent or canonical space.
class Decoder {
 public:
  static Result<Decoder> create(const Layout& layout, const SkeletonPtr& skeleton, BlockKind kind = BlockKind::kOutput);

  const SkeletonPtr& skeleton() const { return skeleton_; }
  std::span<const int> joints() const { return joints_; }
  int width() const { return width_; }
  // One of joints() whose decoded position to_pose() applies. The others keep their bones.
  bool takes_position(int joint) const { return is_placed_[static_cast<std::size_t>(joint)] != 0; }
  DecodedFrame make_frame() const;

  // values: [width()] of one step, not normalised. Never allocates.
  RootDelta root_step(std::span<const float> values) const noexcept;
  // Root steps are composed, not summed. Never allocates.
  void decode(std::span<const float> values, const PlanarRoot& root_before, DecodedFrame& out) const noexcept;
  // The same with the root after the step given by the caller.
  void decode(std::span<const float> values, const PlanarRoot& root_before, const PlanarRoot& root,
              DecodedFrame& out) const noexcept;

  // Local rotations on the skeleton. The hips and joints without a decoded ancestor take their decoded positions.
  // Others keep their bone: its rest length, or, with use_positions, the decoded offset. `pose` supplies joints without
  // features, and scales.
  void to_pose(DecodedFrame& frame, Pose& pose, bool use_positions = false) const noexcept;

 private:
  // First columns of one joint's parts, -1 where there is none.
  struct JointColumns {
    int joint = kNoJoint;
    int position = -1, velocity = -1, x_axis = -1, y_axis = -1, z_axis = -1, log = -1;
    bool position_is_local = false, rotation_is_local = false,
         velocity_is_local = false;  // Parent-relative.
    // Canonical rotations c are before * c * after: from the parent where that is the parent joint,
    // else from the root.
    bool is_canonical = false;
    Quat before, after;

    bool has_rotation() const { return log >= 0 || (y_axis >= 0 && (z_axis >= 0 || x_axis >= 0)); }
  };
  void add_channel(const Layout& layout, const Channel& channel, std::span<const int> joints, int column);
  Quat read_rotation(const JointColumns& columns, std::span<const float> values) const;
  // The rotations of four joints in a row, with the same bits. False where they are not of one form.
  bool read_four(std::size_t first, std::span<const float> values, Quat turn, Quat* out) const;

  SkeletonPtr skeleton_;
  std::vector<JointColumns> columns_;  // [joints_]
  std::vector<int> joints_;
  std::vector<int> index_of_;        // [skeleton's joints] Index in joints_, or -1.
  std::vector<char> is_placed_;      // [skeleton's joints] Takes its decoded position.
  std::vector<char> carries_place_;  // [skeleton's joints] Has a placed joint below it.
  bool has_velocities_ = false;
  bool pose_before_root_ = false;
  int width_ = 0, delta_ = -1, own_velocity_ = -1, trajectory_ = -1, contacts_ = -1, num_contacts_ = 0,
      phase_delta_ = -1;
  float travel_scale_ = 1, turn_scale_ = 1, frame_s_ = 0;
};

struct DecodeMotionOptions {
  double fps = 30;
  std::string name = "decoded";
  bool use_positions = true;  // As to_pose().
};

// A whole clip: values are [frames × width()], each frame one step after the one before; `before` is the root before
// the first. Roots are summed in double, so that long clips do not drift.
Motion decode_motion(const Decoder& decoder, std::span<const float> values, const PlanarRoot& before,
                     const DecodeMotionOptions& options = {});

}  // namespace zoe::features
