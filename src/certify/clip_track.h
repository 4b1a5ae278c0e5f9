// SPDX-License-Identifier: MIT
// Part of Zoetrope. What all checks look at: every joint of a clip in the model, in metres and Y up, computed once.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/index.h"

namespace zoe::certify {

struct ClipTrack {
  const SkeletonAnalysis* body = nullptr;
  Motion motion;        // Without calibration frames.
  int first_frame = 0;  // Of the clip as given: number of calibration frames.
  int frames = 0, joints = 0;
  double fps = 30;
  float size_m = 1;                    // body_size_m().
  std::vector<Vec3> positions;         // [frames × joints]
  std::vector<Quat> rotations;         // [frames × joints], model_from_joint.
  std::vector<std::vector<int>> feet;  // [legs] the joints of each foot.
  std::vector<float> soles_m;          // [frames × legs] height of the lowest joint of each foot.
  std::vector<float> speeds_m_s;       // [frames × legs] horizontal, of the slowest part of the foot that is low.

  const Skeleton& skeleton() const { return *motion.skeleton; }
  Vec3 at(int f, int j) const { return positions[idx(f) * idx(joints) + idx(j)]; }
  Quat model(int f, int j) const { return rotations[idx(f) * idx(joints) + idx(j)]; }
  Quat local(int f, int j) const { return motion.rotations[idx(f) * idx(joints) + idx(j)]; }
  float sole(int f, int leg) const { return soles_m[idx(f) * feet.size() + idx(leg)]; }
  float speed(int f, int leg) const { return speeds_m_s[idx(f) * feet.size() + idx(leg)]; }
  int num_legs() const { return static_cast<int>(feet.size()); }
  // Frames of a duration, at least `least`.
  int frames_of(double seconds, int least = 1) const;
};

ClipTrack make_clip_track(const Motion& motion, const SkeletonAnalysis& analysis);

// Metres, the same in every pose: three quarters of the longest path along the bones, which is the height of a person.
// 1 where there is none.
float body_size_m(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

// Joints of spine, limbs, head and tail, in the order of the skeleton; all bones where none were found. Props, controls
// and helpers are not judged.
std::vector<int> body_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis, bool with_tail = true);

// [joints] distance to the furthest joint below each one, metres in the reference pose: what a rotation moves.
std::vector<float> levers_m(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

// Flyers and swimmers: the ground is not theirs.
bool uses_ground(BodyFamily family);

}  // namespace zoe::certify
