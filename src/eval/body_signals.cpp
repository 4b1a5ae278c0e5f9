// SPDX-License-Identifier: MIT
#include "eval/body_signals.h"

#include <algorithm>
#include <numeric>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::eval {
namespace {

// Central differences, one-sided at the ends. values: [frames × stride].
std::vector<Vec3> differentiate_rows(const std::vector<Vec3>& values, std::size_t frames, std::size_t stride) {
  std::vector<Vec3> out(values.size());
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t from = f > 0 ? f - 1 : 0, to = f + 1 < frames ? f + 1 : f;
    const float rate = static_cast<float>(kSignalFps) / static_cast<float>(to - from);
    for (std::size_t j = 0; j < stride; ++j)
      out[f * stride + j] = (values[to * stride + j] - values[from * stride + j]) * rate;
  }
  return out;
}

// The value that a twentieth of the frames is below.
float low_level(std::vector<float> heights) {
  const auto at = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 20);
  std::nth_element(heights.begin(), at, heights.end());
  return *at;
}

}  // namespace

Result<BodySignals> measure_body(const Motion& motion, const SkeletonAnalysis& analysis) {
  BodySignals out;
  out.body = find_body_parts(*motion.skeleton, analysis);
  if (!(out.body.length > 0)) return Error{ErrorCode::kInvalid, "the body has no bones to measure by", {}};
  ZOE_TRY_ASSIGN(const Motion clip, resample(motion, kSignalFps));
  if (clip.num_frames < 4) return Error{ErrorCode::kInvalid, "the clip is shorter than 4 frames at 30 per second", {}};
  const std::size_t frames = idx(clip.num_frames), joints = idx(clip.num_joints());
  out.num_frames = clip.num_frames;
  out.num_joints = joints;
  std::vector<int> all(joints);
  std::iota(all.begin(), all.end(), 0);
  std::vector<Vec3> world = model_positions(clip, all);
  const float scale = 1 / out.body.length;
  for (Vec3& place : world) place *= scale;
  const RootTrajectory root = find_root(clip, analysis);

  const std::size_t supports = out.body.supports.size();
  std::vector<Vec3> support_places(frames * supports);
  out.support_heights.resize(frames * supports);
  std::vector<float> levels, lowest(frames, 1e30F), heights(frames);
  for (std::size_t s = 0; s < supports; ++s) {
    for (std::size_t f = 0; f < frames; ++f) {
      const Vec3 place = world[f * joints + idx(out.body.supports[s])];
      support_places[f * supports + s] = place;
      heights[f] = place.y;
      lowest[f] = std::min(lowest[f], place.y);
    }
    levels.push_back(low_level(heights));
  }
  const float ground = supports > 0 ? low_level(lowest) : 0.0F;
  for (std::size_t f = 0; f < frames; ++f) {
    // Joints of a body without feet are measured from the ground: a snake's raised head has no level of its own.
    for (std::size_t s = 0; s < supports; ++s)
      out.support_heights[f * supports + s] =
          support_places[f * supports + s].y - (out.body.has_feet ? levels[s] : ground);
  }
  out.world_velocities = differentiate_rows(support_places, frames, supports);

  std::vector<Vec3> centres(frames);
  out.places.resize(frames * joints);
  for (std::size_t f = 0; f < frames; ++f) {
    const PlanarRoot& at = root.roots[f];
    const Quat back = conjugate(rotation_of(at));
    const Vec3 origin{at.position.x * scale, ground, at.position.z * scale};
    for (std::size_t j = 0; j < joints; ++j) {
      const Vec3 place = world[f * joints + j];
      centres[f] += place * out.body.weights[j];
      out.places[f * joints + j] = rotate(back, place - origin);
    }
    out.facing_rad.push_back(at.facing_rad);
    out.root_places.push_back({at.position.x * scale, 0, at.position.z * scale});
    Vec3 axis{};
    if (out.body.axis_from != kNoJoint)
      axis = out.places[f * joints + idx(out.body.axis_to)] - out.places[f * joints + idx(out.body.axis_from)];
    const float size = length(axis);
    out.trunk_axis.push_back(size > 1e-6F ? axis / size : Vec3{});
  }
  out.velocities = differentiate_rows(out.places, frames, joints);
  out.centre_velocity = differentiate_rows(centres, frames, 1);
  for (std::size_t f = 0; f < frames; ++f)
    out.centre_velocity[f] = rotate(conjugate(rotation_of(root.roots[f])), out.centre_velocity[f]);
  return out;
}

}  // namespace zoe::eval
