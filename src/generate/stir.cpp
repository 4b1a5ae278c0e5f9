// SPDX-License-Identifier: MIT
#include "zoe/generate/stir.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "generate/body_size.h"

namespace zoe::generate {
namespace {

// Joints of the body: no plain nodes, and none above the hips.
std::vector<int> body_joints(const Motion& motion, const SkeletonAnalysis& analysis) {
  std::vector<char> is_out(idx(motion.num_joints()), 0);
  if (analysis.hips != kNoJoint)
    for (int j = motion.skeleton->parent(analysis.hips); j != kNoJoint; j = motion.skeleton->parent(j))
      is_out[idx(j)] = 1;
  std::vector<int> joints;
  for (int j = 0; j < motion.num_joints(); ++j)
    if (is_out[idx(j)] == 0 && motion.skeleton->kind(j) != JointKind::kNode) joints.push_back(j);
  return joints;
}

}  // namespace

Stir measure_stir(const Motion& motion, const SkeletonAnalysis& analysis) {
  Stir stir;
  const std::vector<int> joints = body_joints(motion, analysis);
  const std::size_t frames = idx(motion.num_frames), count = joints.size();
  if (frames < 2 || count == 0) return stir;
  std::vector<Vec3> at = model_positions(motion, joints);
  const double size = body_size_m(analysis);
  const std::vector<PlanarRoot> roots = find_root(motion, analysis).roots;
  double first_m = 0, last_m = 0;
  float lowest_ever = 1e30F, highest = -1e30F;
  const std::size_t late = frames - std::max<std::size_t>(1, frames / 4);
  for (std::size_t f = 0; f < frames; ++f) {
    double mean = 0;
    float low = 1e30F;
    for (std::size_t j = 0; j < count; ++j) {
      mean += double{at[f * count + j].y} / static_cast<double>(count);
      low = std::min(low, at[f * count + j].y);
    }
    if (f == 0) first_m = mean;
    if (f >= late) last_m += mean / static_cast<double>(frames - late);
    lowest_ever = std::min(lowest_ever, low);
    highest = std::max(highest, low);
  }
  stir.rise = double{highest - lowest_ever} / size;
  stir.sinks = (first_m - last_m) / size;
  Vec3 way = roots.back().position - roots.front().position;
  way.y = 0;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t j = 0; j < count; ++j)
      at[f * count + j] -= way * (static_cast<float>(f) / static_cast<float>(frames - 1));
  const std::size_t tenth =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(0.1 * motion.fps)), 1, frames - 1);
  for (std::size_t j = 0; j < count; ++j) {
    Vec3 mean{};
    for (std::size_t f = 0; f < frames; ++f) mean += at[f * count + j] / static_cast<float>(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      stir.reach = std::max(stir.reach, double{distance(at[f * count + j], mean)} / size);
      if (f < tenth) continue;
      const double moved = distance(at[f * count + j], at[(f - tenth) * count + j]);
      stir.speed_s = std::max(stir.speed_s, moved / size * motion.fps / static_cast<double>(tenth));
    }
  }
  return stir;
}

}  // namespace zoe::generate
