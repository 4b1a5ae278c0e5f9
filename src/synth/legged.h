// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies on legs: standing, walking, running. Feet are placed first, then the trunk above them.
#pragma once

#include "synth/action.h"
#include "synth/curve.h"
#include "synth/footfall.h"
#include "synth/life.h"
#include "synth/rig.h"
#include "synth/task.h"

namespace zoe::synth {

class LeggedAnimator {
 public:
  // `travel` shortens steps: factor on the limit of the gait, in (0, 1].
  LeggedAnimator(const Body& body, const ClipRequest& request, Random random, float travel = 1);
  // A person with props: the task has the track, and leads hips and hands.
  LeggedAnimator(const Body& body, const ClipRequest& request, const Task& task, Random random, float travel = 1);
  Clip run();
  // After run(): the largest distance of a foot in contact from its target, metres.
  float missed_m() const { return missed_m_; }

 private:
  struct Frame {                        // State of the trunk, at one time.
    float ground_m = 0;                 // Height of the ground under the middle.
    float pitch_rad = 0, roll_rad = 0;  // Of the ground under the feet.
    float drop_m = 0;                   // How much lower the trunk must be for all feet to reach.
    float height_m = 0;                 // Of the centre of mass; with flights only.
  };
  std::vector<FootPose> feet_at(double time_s) const;
  double time_of(int frame) const { return frame / request_.fps; }
  Frame& frame(int index) { return frames_[static_cast<std::size_t>(index + pad_)]; }

  void measure_ground();
  void find_drops();
  // How much lower the trunk must be for the legs to reach their feet in the present pose.
  float drop_needed(std::span<const FootPose> feet) const;
  // Adds [frames] of drops, smoothed.
  void add_drops(std::vector<float> drops);
  void plan_heights();
  float standing_height(double time_s) const;  // Of the centre of mass.
  // Trunk, neck, tail and arms at a time. Legs are solved afterwards. `shift` moves the centre.
  void pose_trunk(double time_s, const Frame& frame, Vec3 shift);
  void pose_long_trunk(const Track::Sample& now, const Frame& frame, const ActionPose& action);
  // Hips, lean and hands of task_.
  void pose_hands(const TaskPose& task);
  void reach(const Arm& arm, const TaskPose::Hand& hand);
  void pose_wings(double time_s, const ActionPose& action);
  void pose_arms(const Track::Sample& now, double time_s, const ActionPose& action);
  void pose_tail(const Track::Sample& now, double time_s, const ActionPose& action);
  void pose_head(const Track::Sample& now, double time_s, const ActionPose& action);

  LeggedAnimator(const Body& body, const ClipRequest& request, const Task* task, Random random, float travel);

  const Body& body_;
  const Task* task_ = nullptr;
  ClipRequest request_;
  GaitNumbers gait_;
  StyleNumbers style_;
  Terrain terrain_;
  Track track_;
  Actions actions_;
  std::optional<Curve> path_;  // For bodies that follow it.
  Footfalls falls_;
  Rig rig_;
  Vec3 rest_com_;  // Model space at rest.
  int num_frames_ = 0, pad_ = 0;
  std::vector<Frame> frames_;  // From -pad_ to num_frames_ + pad_.
  Wander shift_x_, shift_z_, look_, nod_, tremble_, tail_;
  float missed_m_ = 0;
  float breath_hz_ = 0.3F;
  bool still_ = false;
};

}  // namespace zoe::synth
