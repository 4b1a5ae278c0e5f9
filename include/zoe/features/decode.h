// SPDX-License-Identifier: MIT
// Part of Zoetrope. From a model's output back to a root and a pose.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/features/layout.h"

namespace zoe::features {

// One step of an output, in model space. Sized once by Decoder::make_frame(). Arrays that the layout has no channel for
// stay empty.
struct DecodedFrame {
  PlanarRoot root;       // After the step.
  PlanarRoot pose_root;  // In which the pose was given: the same, or the one before (PFNN predicts the way that follows).
  std::vector<Vec3> positions, velocities;  // [Decoder::joints()]
  std::vector<Quat> rotations;              // [Decoder::joints()]
  std::vector<float> contacts;              // [contact joints]

  // Scratch of to_pose(): [joints of the skeleton].
  std::vector<Quat> model_rotations;
  std::vector<Affine> models;
};

// Which columns mean what; immutable. Needs "root.delta" or "root.own_velocity", and joint channels of one list of joints
// with rotations as two axes (z and y, or x and y) or as rotation_log, in root or parent space.
class Decoder {
 public:
  static Result<Decoder> create(const Layout& layout, const SkeletonPtr& skeleton, BlockKind kind = BlockKind::kOutput);

  std::span<const int> joints() const { return joints_; }
  DecodedFrame make_frame() const;

  // values: [width] of one step, not normalised. Root steps are composed, not summed. Never allocates.
  void decode(std::span<const float> values, const PlanarRoot& root_before, DecodedFrame& out) const noexcept;

  // Local rotations on the skeleton. The hips and joints that hang on no decoded one are placed; others keep their bone: its rest
  // length, or, with use_positions, whatever was decoded. pose gives what joints without features keep, and scales.
  void to_pose(DecodedFrame& frame, Pose& pose, bool use_positions = false) const noexcept;

 private:
  // Columns of one part: joint i's three numbers begin at column + i * stride.
  struct Field {
    int column = -1, stride = 3;
    bool exists() const { return column >= 0; }
  };
  Vec3 read(const Field& field, std::span<const float> values, std::size_t i) const;
  Quat read_rotation(std::span<const float> values, std::size_t i) const;
  PlanarRoot move_root(std::span<const float> values, const PlanarRoot& before) const;

  SkeletonPtr skeleton_;
  std::vector<int> joints_;
  std::vector<int> index_of_;   // [skeleton's joints] place in joints_, or -1.
  std::vector<char> is_placed_;  // [skeleton's joints] keeps its decoded position whatever its bone.
  Field position_, x_axis_, y_axis_, z_axis_, log_, velocity_;
  bool in_parent_ = false;         // Joint channels are in parent space.
  bool pose_before_root_ = false;
  int width_ = 0, delta_ = -1, own_velocity_ = -1, contacts_ = -1, num_contacts_ = 0;
  float travel_scale_ = 1, turn_scale_ = 1, frame_s_ = 0;
};

}  // namespace zoe::features
