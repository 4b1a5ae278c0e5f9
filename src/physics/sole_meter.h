// SPDX-License-Identifier: MIT
// Part of Zoetrope. Depths and slides of soles, for targets and simulated bodies alike.
#pragma once

#include "zoe/physics/body_model.h"

namespace zoe::physics {

inline bool is_sole(const Bone& bone) { return bone.role == BoneRole::kFoot || bone.role == BoneRole::kToe; }

// Sized once.
class SoleMeter {
 public:
  SoleMeter(const BodyPlan& plan, double frame_s, GroundPtr ground);
  void add_body(const BodyState& state);
  void add_target(const BodyState& state);
  // The next frame does not follow the last one.
  void interrupt() { continues_ = false; }
  // Deepest point of feet and toes below the ground, mean over frames; horizontal speed of feet that stand: of the
  // middle of the sole, which moves while a foot rolls, and of the point of the sole that is lowest, which does not.
  double mean_depth_m() const { return num_frames_ > 0 ? depth_sum_m_ / num_frames_ : 0; }
  double mean_slide_m_s() const { return num_slides_ > 0 ? slide_sum_m_s_ / num_slides_ : 0; }
  double mean_slip_m_s() const { return num_slides_ > 0 ? slip_sum_m_s_ / num_slides_ : 0; }

 private:
  template <typename Origin, typename Rotation>
  void add(const Origin& origin, const Rotation& rotation);

  const BodyPlan* plan_;
  double frame_s_;
  GroundPtr ground_;
  std::vector<Vec3d> before_;  // [bones] Centre of the shape.
  std::vector<Quatd> turn_before_;
  std::vector<Vec3d> origin_before_;
  std::vector<double> low_before_m_;
  bool continues_ = false;
  double depth_sum_m_ = 0, slide_sum_m_s_ = 0, slip_sum_m_s_ = 0;
  int num_frames_ = 0, num_slides_ = 0;
};

}  // namespace zoe::physics
