// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses of a puppet from a motion in space: bones turn to their projected directions and are
// foreshortened, limbs are ordered by depth, and the figure turns like a sheet of paper.
#pragma once

#include <memory>

#include "zoe/anatomy/analysis.h"
#include "zoe/anatomy/find_root.h"
#include "zoe/motion/motion.h"

#include "sprite/puppet/puppet.h"

namespace zoe::sprite {

// One clip of a body.
struct PuppetMotion {
  std::shared_ptr<const Motion> motion;
  SkeletonAnalysis body;
  bool loop = false;
  bool keep_travel = false;
};

class PuppetDriver {
 public:
  PuppetDriver(const Puppet& puppet, const PuppetMotion& source);

  // The puppet stands at the ground below its hips at rest; figure pixels.
  Point pivot() const { return pivot_; }
  // Pixels per unit of the motion.
  double scale() const { return scale_; }
  PuppetPose pose(double time_s) const;
  // Travel that pose() removes, pixels to the right.
  double removed_travel(double time_s) const;

 private:
  struct Limb {
    int root = -1, middle = -1, end = -1;  // Joints of the motion.
    bool left = false, front = false;
  };
  struct Sample;  // Joints at one moment, in the body's axes.

  Sample sample_at(double time_s) const;
  void pose_humanoid(const Sample& now, PuppetPose& out) const;
  void pose_animal(const Sample& now, double time_s, PuppetPose& out) const;
  void pose_blob(const Sample& now, PuppetPose& out) const;
  void pose_worm(double time_s, PuppetPose& out) const;
  void stand(const Sample& now, PuppetPose& out) const;
  const Limb* limb(const std::vector<Limb>& limbs, bool left, bool front) const;
  Point joint(std::string_view name) const;
  int bone(std::string_view to) const;
  Point end_of(int bone, const PuppetPose& pose) const;
  double cycle_rad(double time_s) const;

  const Puppet& puppet_;
  PuppetMotion source_;
  RootTrajectory root_;
  std::vector<Limb> legs_, arms_;
  int hips_ = 0, neck_ = 0, head_ = 0;
  double scale_ = 1, ground_ = 0, mean_height_ = 0, swing_height_ = 0, leg_length_ = 1, mean_pitch_ = 0;
  double mean_nod_ = 0;
  float first_facing_ = 0;
  Vec3 first_hips_, travel_;
  Point pivot_;
};

}  // namespace zoe::sprite
