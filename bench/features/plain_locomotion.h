// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. A plain implementation of the locomotion layout: each sample's window
// computed from model transforms, after the definitions of the reference's sampler. Independent of src/features.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"
#include "zoe/motion/root.h"

namespace zoe::bench {

class PlainLocomotion {
 public:
  // joints: of the pose features, in their order. The clip's rate must be a multiple of 30.
  PlainLocomotion(const Motion& motion, const RootJoints& root_joints, const RootOptions& options,
                  std::vector<int> joints);

  // frame: of the clip. Appends 12 J + 96 + 3 J numbers to input and 16 × (3 + 12 J) to output.
  void sample(int frame, std::vector<float>& input, std::vector<float>& output) const;

 private:
  const Affined& joint(int frame, int joint) const;
  Affined root(int frame) const;
  Vec3d velocity(int frame, int joint) const;
  void append_pose(int frame, std::vector<float>& out) const;
  int clamped(int frame) const;

  int num_frames_, num_joints_, stride_;
  double fps_;
  std::vector<int> joints_;
  std::vector<Affined> models_;  // [frames × joints]
  std::vector<PlanarRoot> roots_;
};

}  // namespace zoe::bench
