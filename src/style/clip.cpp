// SPDX-License-Identifier: MIT
// Whole clips as rows.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/style/features.h"

namespace zoe::style {
namespace {

// Low percentile of the heights of the lower toe: the floor of the toes' joints.
float floor_of(std::vector<float> heights) {
  const auto nth = heights.begin() + static_cast<std::ptrdiff_t>(0.02 * static_cast<double>(heights.size()));
  std::nth_element(heights.begin(), nth, heights.end());
  return *nth;
}

float lower_toe(const RoleBody& body, const anatomy::ModelPose& pose) {
  float lowest = pose.positions[idx(body.joints[kHips])].y;
  for (const int foot : {kLeftUpperLeg + 2, kRightUpperLeg + 2})
    for (const int role : {foot, foot + 1})
      if (body.joints[idx(role)] != kNoJoint) lowest = std::min(lowest, pose.positions[idx(body.joints[idx(role)])].y);
  return lowest;
}

}  // namespace

int stride_of(double fps) { return std::max(1, static_cast<int>(std::lround(fps / kRowsPerSecond))); }

Result<StyleClip> encode_clip(const Motion& motion, const RoleBody& body, const SkeletonAnalysis& analysis) {
  if (motion.num_frames < 2) return Error{ErrorCode::kInvalid, "style needs a clip of at least two frames"};
  StyleClip clip;
  clip.fps = motion.fps;
  clip.stride = std::min(stride_of(motion.fps), motion.num_frames - 1);
  clip.num_frames = motion.num_frames;
  clip.rows.assign(idx(motion.num_frames) * kNumColumns, 0.0F);
  std::vector<RolePose> poses(idx(motion.num_frames));
  std::vector<float> toes;
  anatomy::ModelPose scratch;
  for (int f = 0; f < motion.num_frames; ++f) {
    read_role_pose(body, motion.frame(f), f > 0 ? poses[idx(f - 1)].heading_rad : 0, scratch, poses[idx(f)]);
    toes.push_back(lower_toe(body, scratch));
    clip.headings.push_back(poses[idx(f)].heading_rad);
  }
  clip.floor = floor_of(std::move(toes));
  clip.start = {poses[0].hips, poses[0].heading_rad};
  const double dt_s = clip.stride / motion.fps;
  for (int f = 0; f < motion.num_frames; ++f) {
    const std::span<float> row = std::span(clip.rows).subspan(idx(f) * kNumColumns, kNumColumns);
    const int later = std::max(f, clip.stride);  // The first frames have the speeds of the first pair.
    write_row(body, poses[idx(later - clip.stride)], poses[idx(later)], clip.floor, dt_s, row);
    if (later == f) continue;
    const std::array<float, 3> speeds{row[kSpeedAcross], row[kSpeedAlong], row[kTurn]};
    write_row(body, poses[idx(f)], poses[idx(f)], clip.floor, dt_s, row);
    row[kSpeedAcross] = speeds[0], row[kSpeedAlong] = speeds[1], row[kTurn] = speeds[2];
  }
  if (const Result<Contacts> contacts = find_foot_contacts(motion, analysis)) {
    for (int f = 0; f < motion.num_frames; ++f) {
      float* to = clip.rows.data() + idx(f) * kNumColumns + kContacts;
      if (body.left_foot >= 0) to[0] = contacts->at(f, body.left_foot) ? 1.0F : 0.0F;
      if (body.right_foot >= 0) to[1] = contacts->at(f, body.right_foot) ? 1.0F : 0.0F;
    }
  }
  return clip;
}

Motion decode_clip(std::span<const float> rows, const StyleClip& clip, const RoleBody& body, const Motion& source,
                   double heading_half_life_s) {
  ZOE_CHECK(rows.size() == idx(source.num_frames) * kNumColumns, "one row for each frame of the source");
  Motion out = source;
  Pose from = make_pose(*source.skeleton), to = from;
  anatomy::ModelPose scratch;
  Placement place = clip.start;
  const double dt_s = 1 / clip.fps;
  const auto pull = static_cast<float>(heading_half_life_s > 0 ? 1 - std::exp2(-dt_s / heading_half_life_s) : 0.0);
  const std::size_t joints = idx(source.num_joints());
  for (int f = 0; f < source.num_frames; ++f) {
    const std::span<const float> row = rows.subspan(idx(f) * kNumColumns, kNumColumns);
    if (f == 0) {
      place.hips.y = clip.floor + row[kHeight] * body.leg_length;
    } else {
      place.heading_rad += pull * (clip.headings[idx(f - 1)] - place.heading_rad);
      place = moved(body, place, row, clip.floor, dt_s);
    }
    copy_pose(source.frame(f), span_of(from));
    write_pose(body, row, place, scratch, from, to);
    std::copy(to.translations.begin(), to.translations.end(),
              out.translations.begin() + static_cast<std::ptrdiff_t>(idx(f) * joints));
    std::copy(to.rotations.begin(), to.rotations.end(),
              out.rotations.begin() + static_cast<std::ptrdiff_t>(idx(f) * joints));
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe::style
