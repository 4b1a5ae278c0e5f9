// SPDX-License-Identifier: MIT
// Part of Zoetrope. The motion of every character of a crowd, frame by frame: as arrays, or as one motion with all
// joints.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/motion/motion.h"

namespace zoe::eval {

class CrowdRecording {
 public:
  // fps: rate of the added frames.
  CrowdRecording(const control::Crowd& crowd, double fps);

  void add(const control::Crowd& crowd);
  std::size_t num_frames() const { return num_frames_; }

  // "roots" [frames, characters, 4] (x, y, z, facing), "translations" [frames, characters, joints, 3], "rotations" […
  // 4], "contacts" [frames, characters, contacts], "parents", "joints" (names), "fps".
  Result<void> write_npz(const std::filesystem::path& file) const;
  // The joints of all characters in one skeleton, with the index of the character before each name: "7:hips".
  Result<Motion> joined() const;

 private:
  double fps_;
  SkeletonPtr skeleton_;
  std::size_t num_characters_, num_contacts_ = 0, num_frames_ = 0;
  std::vector<float> roots_, contacts_;  // [frames × characters × 4], [… × contacts]
  std::vector<Vec3> translations_;       // [frames × characters × joints]
  std::vector<Quat> rotations_;
};

// Memory of a recording of num_frames frames.
double recording_bytes(const control::Crowd& crowd, double num_frames);

}  // namespace zoe::eval
