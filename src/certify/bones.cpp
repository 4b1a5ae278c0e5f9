// SPDX-License-Identifier: MIT
// Bones that change their length, and the seam of a loop.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

// Bones between joints of the body: what hangs on the root (hips, props, controls) may move.
std::vector<int> body_bones(const ClipTrack& track) {
  const SkeletonAnalysis& body = *track.body;
  std::vector<char> in_body(idx(track.joints), 0);
  for (const int j : body.spine) in_body[idx(j)] = 1;
  for (const int j : body.tail) in_body[idx(j)] = 1;
  if (body.head != kNoJoint) in_body[idx(body.head)] = 1;
  for (const Limb& limb : body.limbs)
    for (std::size_t i = 1; i < limb.joints.size(); ++i) in_body[idx(limb.joints[i])] = 1;
  std::vector<int> bones;
  for (int j = 0; j < track.joints; ++j) {
    const int parent = track.skeleton().parent(j);
    if (in_body[idx(j)] != 0 && parent != kNoJoint && j != body.hips && j != body.root) bones.push_back(j);
  }
  return bones;
}

}  // namespace

void check_bones(const ClipTrack& track, Judge& judge) {
  const std::vector<int> bones = body_bones(track);
  if (bones.empty() || track.frames < 2) return judge.skip(Check::kBoneStretch, "no bones of a body were found");
  std::vector<float> lengths(idx(track.frames));
  for (const int j : bones) {
    for (int f = 0; f < track.frames; ++f)
      lengths[idx(f)] = distance(track.at(f, j), track.at(f, track.skeleton().parent(j)));
    std::vector<float> sorted = lengths;
    std::nth_element(sorted.begin(), sorted.begin() + track.frames / 2, sorted.end());
    const float usual = sorted[idx(track.frames / 2)];
    // Changes of short bones are invisible: bones below 3 % of the body's size count as that long.
    const float least = std::max(usual, 0.03F * track.size_m);
    double worst = 0;
    int first = -1, last = -1;
    for (int f = 0; f < track.frames; ++f) {
      const double change = 100 * static_cast<double>(std::abs(lengths[idx(f)] - usual) / least);
      worst = std::max(worst, change);
      if (change <= judge.limit(Check::kBoneStretch)) continue;
      first = first < 0 ? f : first;
      last = f;
    }
    judge.add(Check::kBoneStretch, worst, std::max(first, 0), std::max(last, 0), {j},
              fmt::format("The bone to {} changes its length by {:.0f} %. Remove its translation or scale keys.",
                          track.skeleton().name(j), worst));
  }
}

void check_seam(const ClipTrack& track, Judge& judge) {
  constexpr Check kCheck = Check::kLoopSeam;
  if (!judge.options().loop) return judge.skip(kCheck, "not stated to be a loop (--loop)");
  if (track.frames < 4) return judge.skip(kCheck, "the clip has fewer than 4 frames");
  const RootTrajectory root = find_root(track.motion, *track.body);
  const auto without_heading = [&](int f) { return conjugate(rotation_of(root.roots[idx(f)])); };
  const int end = track.frames - 1;
  double worst = 0;
  int worst_joint = 0;
  for (int j = 0; j < track.joints; ++j) {
    if (track.skeleton().kind(j) == JointKind::kEndSite) continue;
    const bool is_root = track.skeleton().parent(j) == kNoJoint;
    const auto pose = [&](int f) { return is_root ? without_heading(f) * track.local(f, j) : track.local(f, j); };
    double usual = 0;
    for (int f = 0; f < end; ++f) usual = std::max(usual, static_cast<double>(angle_between(pose(f), pose(f + 1))));
    // One step of time may pass between the last frame and the first.
    const double gap = static_cast<double>(angle_between(pose(end), pose(0)));
    const double value = kDegrees * std::max(0.0, gap - usual);
    if (value > worst) worst = value, worst_joint = j;
  }
  judge.add(
      kCheck, worst, end, end, {worst_joint},
      fmt::format("The loop jumps from its last frame to its first: {} by {:.0f} degrees. `zoe fix --loop` closes "
                  "the seam; or cut the clip at another frame.",
                  track.skeleton().name(worst_joint), worst));
}

}  // namespace zoe::certify
