// SPDX-License-Identifier: MIT
// Exchanged sides: between two frames all limbs jump, and the jump vanishes where the frame before is taken with left
// and right exchanged, mirrored (a wrong mirror) or as it is (labels of markers that were swapped).
#include "certify/sides.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/anatomy/mirror.h"

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

struct Steps {
  double own = 0;       // Root mean square of the limbs' rotations from frame to frame, degrees.
  double mirrored = 0;  // From the mirrored frame before.
  double raw = 0;       // From the partners' rotations of the frame before.
};

Steps steps_between(const ClipTrack& track, const Sides& sides, int f) {
  const auto square = [](Quat a, Quat b) { return std::pow(static_cast<double>(angle_between(a, b)), 2); };
  Steps sum;
  for (std::size_t i = 0; i < sides.joints.size(); ++i) {
    const int j = sides.joints[i];
    const Quat after = track.local(f + 1, j);
    sum.own += square(track.local(f, j), after);
    sum.mirrored += square(sides.mirrored.rotations[idx(f) * idx(track.joints) + idx(j)], after);
    sum.raw += square(track.local(f, sides.partners[i]), after);
  }
  const auto root = [&](double s) { return kDegrees * std::sqrt(s / static_cast<double>(sides.joints.size())); };
  return {root(sum.own), root(sum.mirrored), root(sum.raw)};
}

}  // namespace

std::optional<Sides> find_sides(const Motion& motion, const SkeletonAnalysis& analysis) {
  const Result<MirrorMap> map = mirror_map(*motion.skeleton, analysis, {&motion, 1});
  if (!map) return std::nullopt;
  std::vector<char> in_limb(idx(motion.num_joints()), 0);
  for (const Limb& limb : analysis.limbs)
    for (const int j : limb.joints) in_limb[idx(j)] = 1;
  Sides sides;
  for (const int j : moving_joints(*motion.skeleton)) {
    const int partner = map->partners[idx(j)];
    if (in_limb[idx(j)] == 0 || partner == kNoJoint || partner == j) continue;
    sides.joints.push_back(j);
    sides.partners.push_back(partner);
  }
  if (sides.joints.size() < 2) return std::nullopt;
  Result<Motion> mirrored = mirror(motion, *map);
  if (!mirrored) return std::nullopt;
  sides.mirrored = std::move(*mirrored);
  return sides;
}

void check_sides(const ClipTrack& track, Judge& judge) {
  constexpr Check kCheck = Check::kSideSwap;
  if (track.frames < 6) return judge.skip(kCheck, "the clip has fewer than 6 frames");
  const std::optional<Sides> sides = find_sides(track.motion, *track.body);
  if (!sides) return judge.skip(kCheck, "the body has no left and right limbs");
  std::vector<Steps> steps;
  for (int f = 0; f + 1 < track.frames; ++f) steps.push_back(steps_between(track, *sides, f));
  std::vector<int> events;
  double worst = 0;
  for (std::size_t f = 0; f < steps.size(); ++f) {
    double around = 0;
    for (std::size_t k = f >= 3 ? f - 3 : 0; k <= std::min(f + 3, steps.size() - 1); ++k)
      if (k != f) around = std::max(around, steps[k].own);
    const double exchanged = std::min(steps[f].mirrored, steps[f].raw);
    const double saved = steps[f].own - exchanged;
    const bool jumps = steps[f].own > 1.3 * around && exchanged < 0.65 * steps[f].own;
    worst = std::max(worst, jumps ? saved : 0.0);
    if (jumps && saved > judge.limit(kCheck)) events.push_back(static_cast<int>(f) + 1);
  }
  judge.measure(kCheck, worst);
  if (events.empty()) return;
  const int first = events.front(), last = events.size() > 1 ? events.back() - 1 : track.frames - 1;
  judge.add(kCheck, worst, first, last, sides->joints,
            fmt::format("Left and right limbs exchange their motions at frame {}. Exchange the sides of these frames: "
                        "labels were swapped, or a mirror was applied to a part.",
                        first + track.first_frame));
}

}  // namespace zoe::certify
