// SPDX-License-Identifier: MIT
// Part of Zoetrope. A motion: poses of one skeleton at a fixed rate, as contiguous arrays [frames × joints].
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/character/skeleton.h"

namespace zoe {

struct Motion {
  std::string name;
  double fps = 30.0;          // Frames per second, > 0.
  double start_time_s = 0.0;  // Time of frame 0 on the file's own clock.
  int num_frames = 0;
  SkeletonPtr skeleton;

  // Frame-major: entry (frame, joint) is at frame * num_joints + joint. Parent-relative, metres.
  std::vector<Vec3> translations;
  std::vector<Quat> rotations;  // Unit, and continuous in time: consecutive rotations of a track have dot >= 0.
  std::vector<Vec3> scales;     // Same layout, or empty when every scale is one.

  // Weights of the character's morph targets, [frames × num_morph_weights]; layout of Character::num_morph_weights().
  int num_morph_weights = 0;
  std::vector<float> morph_weights;

  int num_joints() const { return skeleton ? skeleton->num_joints() : 0; }
  // Time from the first frame to the last.
  double duration_s() const { return num_frames > 1 ? (num_frames - 1) / fps : 0.0; }
  PoseView frame(int index) const;
  std::span<const float> frame_morph_weights(int index) const;
};

// Array lengths, fps, finiteness, unit quaternions. Readers call it last.
Result<void> validate(const Motion& motion);

// Makes every rotation track continuous (dot of consecutive ones >= 0) by flipping signs. Rotations stay the same.
void make_continuous(Motion& motion);

// A motion of `num_frames` rest poses: the start for readers and generators.
Motion make_motion(SkeletonPtr skeleton, std::string name, double fps, int num_frames, bool with_scales);

}  // namespace zoe
