// SPDX-License-Identifier: MIT
#include "zoe/generate/key_poses.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"

namespace zoe::generate {
namespace {

void put_pose(Motion& motion, int frame, const Pose& pose) {
  const std::size_t joints = idx(motion.num_joints());
  std::copy_n(pose.translations.begin(), joints, motion.translations.begin() + std::ptrdiff_t(idx(frame) * joints));
  std::copy_n(pose.rotations.begin(), joints, motion.rotations.begin() + std::ptrdiff_t(idx(frame) * joints));
  if (!motion.scales.empty() && !pose.scales.empty())
    std::copy_n(pose.scales.begin(), joints, motion.scales.begin() + std::ptrdiff_t(idx(frame) * joints));
}

// Root of one frame alone: smoothing over time would mix it with frames that are to be replaced.
PlanarRoot root_of_frame(const Motion& motion, int frame, const SkeletonAnalysis& analysis) {
  const int one[] = {frame};
  return find_root(take_frames(motion, one), analysis).roots[0];
}

std::vector<std::uint8_t> known_frames(int num_frames, std::span<const KeyPose> keys, std::span<const Gap> gaps,
                                       int around) {
  std::vector<std::uint8_t> known(idx(num_frames), 1);
  for (const Gap& gap : gaps)
    for (int f = gap.first; f <= gap.last; ++f) known[idx(f)] = 0;
  if (gaps.empty()) {
    for (const KeyPose& key : keys)
      for (int f = std::max(0, key.frame - around); f <= std::min(num_frames - 1, key.frame + around); ++f)
        known[idx(f)] = 0;
  }
  for (const KeyPose& key : keys) known[idx(key.frame)] = 1;
  return known;
}

}  // namespace

Result<KeyedMotion> put_keys(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const KeyPose> keys,
                             std::span<const Gap> gaps, const KeyOptions& options) {
  std::vector<KeyPose> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end(), [](const KeyPose& a, const KeyPose& b) { return a.frame < b.frame; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const int frame = sorted[i].frame;
    if (frame < 0 || frame >= motion.num_frames)
      return Error{ErrorCode::kUsage, fmt::format("a key pose at {:.3f} s is outside the motion, which ends at {:.3f} "
                                                  "s: lengthen it first (--suffix)",
                                                  frame / motion.fps, motion.duration_s())};
    if (i > 0 && frame == sorted[i - 1].frame)
      return Error{ErrorCode::kUsage, fmt::format("two key poses at frame {} ({:.3f} s) contradict each other", frame,
                                                  frame / motion.fps)};
    const bool inside = gaps.empty() || std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
                          return frame >= gap.first && frame <= gap.last;
                        });
    if (!inside)
      return Error{ErrorCode::kUsage,
                   fmt::format("a key pose at frame {} contradicts --in-between: this frame is kept", frame)};
  }
  KeyedMotion out{motion, {}, {}};
  const int around = std::max(2, static_cast<int>(std::lround(options.around_s * motion.fps)));
  out.known = known_frames(motion.num_frames, sorted, gaps, around);
  if (std::none_of(out.known.begin(), out.known.end(), [](std::uint8_t k) { return k != 0; }))
    return Error{ErrorCode::kUsage, "no frame of the motion is known: leave one before or after the gap"};
  for (int f = 0; f < motion.num_frames; ++f) {
    if (out.known[idx(f)] != 0) continue;
    if (out.gaps.empty() || out.gaps.back().last != f - 1) out.gaps.push_back({f, f - 1});
    out.gaps.back().last = f;
  }
  // Frames of a given gap do not count: where the body would be then follows from the frames around it.
  Motion base = motion;
  for (const Gap& gap : gaps) {
    if (gap.num_frames() == motion.num_frames) continue;
    ZOE_TRY_ASSIGN(base, interpolate(base, gap, Fill::kLinear));
  }
  for (const KeyPose& key : sorted) {
    Motion one = take_frames(motion, std::vector<int>{key.frame});
    put_pose(one, 0, key.pose);
    if (options.place)
      move_frames(one, 0, 0, move_between(find_root(one, analysis).roots[0], root_of_frame(base, key.frame, analysis)));
    copy_frames(one, 0, 1, out.motion, key.frame);
  }
  make_continuous(out.motion);
  return out;
}

Result<Pose> pose_by_names(const Motion& source, int frame, const SkeletonPtr& skeleton) {
  Pose pose = make_pose(*skeleton);
  std::vector<std::string> missing;
  const std::size_t joints = idx(source.num_joints());
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    const int from = source.skeleton->find(skeleton->name(j));
    if (from == kNoJoint) {
      // Tips never move.
      if (skeleton->kind(j) != JointKind::kEndSite) missing.emplace_back(skeleton->name(j));
      continue;
    }
    pose.translations[idx(j)] = source.translations[idx(frame) * joints + idx(from)];
    pose.rotations[idx(j)] = source.rotations[idx(frame) * joints + idx(from)];
    if (!source.scales.empty() && !pose.scales.empty())
      pose.scales[idx(j)] = source.scales[idx(frame) * joints + idx(from)];
  }
  if (!missing.empty()) {
    const std::size_t count = missing.size();
    missing.resize(std::min<std::size_t>(count, 5));
    return Error{ErrorCode::kUsage, fmt::format("{} of {} joints are missing in the key pose: {}{}; a pose needs the "
                                                "motion's own skeleton (zoe retarget moves it there)",
                                                count, skeleton->num_joints(), fmt::join(missing, ", "),
                                                count > missing.size() ? ", …" : "")};
  }
  return pose;
}

}  // namespace zoe::generate
