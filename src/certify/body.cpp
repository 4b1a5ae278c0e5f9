// SPDX-License-Identifier: MIT
// The body as a whole: its size, its up axis, its facing, its sides.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/anatomy/foot_contacts.h"

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

struct SizeRange {
  double low_m, high_m;
};
SizeRange sizes_of(BodyFamily family) {
  switch (family) {
    case BodyFamily::kBiped:
      return {0.25, 5};
    case BodyFamily::kQuadruped:
      return {0.1, 12};
    default:
      return {0.05, 20};
  }
}

void check_scale(const Skeleton& skeleton, const SkeletonAnalysis& analysis, Judge& judge) {
  if (!judge.options().unit_is_stated)
    return judge.skip(Check::kScale, "the format states no unit; the size is estimated");
  // As stated: the analysis may have replaced a unit that makes no sense.
  const double size = static_cast<double>(body_size_m(skeleton, analysis)) / analysis.metres_per_unit;
  const SizeRange range = sizes_of(analysis.family);
  // How many times too large or too small: 1 is in range.
  const double factor = std::max(size / range.high_m, range.low_m / std::max(size, 1e-12));
  judge.add(Check::kScale, factor, 0, 0, {},
            fmt::format("The body is {:.3g} m long; a {} has {:g} to {:g} m. The file's unit is wrong: convert with "
                        "--scale {:g}.",
                        size, to_string(analysis.family), range.low_m, range.high_m, size > range.high_m ? 0.01 : 100));
}

// The feet of the reference pose tell where the front is, independent of the names of sides.
void check_rig_sides(const SkeletonAnalysis& analysis, Judge& judge) {
  if (analysis.family != BodyFamily::kBiped) return;
  Vec3 toes{}, across{};
  for (const std::vector<int>& parts : foot_parts(analysis)) {
    if (parts.size() < 2) continue;
    toes += analysis.reference_positions[idx(parts.back())] - analysis.reference_positions[idx(parts.front())];
  }
  for (const JointPair& pair : analysis.pairs)
    across += analysis.reference_positions[idx(pair.left)] - analysis.reference_positions[idx(pair.right)];
  const auto flat = [&](Vec3 v) { return v - analysis.up * dot(v, analysis.up); };
  if (length(flat(toes)) * 1000 < length(flat(across))) return;
  const Vec3 left = cross(analysis.up, normalized(flat(toes)));
  const double angle = angle_deg(left, flat(across));
  if (angle < 150) return;
  judge.add(Check::kSideSwap, angle, 0, 0, {},
            "Joints named left are on the body's right: names of the two sides are exchanged. Rename them.");
}

// People and animals on four legs stand and look ahead; the others may as well lie.
bool is_upright_family(const SkeletonAnalysis& analysis) {
  return analysis.family == BodyFamily::kBiped || analysis.family == BodyFamily::kQuadruped;
}

}  // namespace

std::optional<Vec3> shown_up(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                             const Character* character) {
  if (!is_upright_family(analysis)) return std::nullopt;
  AnalysisOptions options;
  options.up_is_known = false;
  const SkeletonAnalysis unprejudiced = analyse(skeleton, clips, character, options);
  constexpr double kSure = 0.9;  // As the reader of BVH files: none of the shared files misleads the analysis there.
  if (unprejudiced.of(AnalysisField::kUp).confidence < kSure) return std::nullopt;
  return unprejudiced.up;
}

bool shows_facing(const SkeletonAnalysis& analysis) {
  return analysis.reference_clip < 0 && is_upright_family(analysis) &&
         analysis.of(AnalysisField::kForward).confidence >= 0.6;
}

bool check_body(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                const Character* character, Judge& judge) {
  check_scale(skeleton, analysis, judge);
  const std::optional<Vec3> up = shown_up(skeleton, analysis, clips, character);
  if (!up) {
    judge.skip(Check::kUp, "the body does not show its up axis");
  } else {
    judge.add(Check::kUp, angle_deg(*up, {0, 1, 0}), 0, 0, {},
              fmt::format("The body stands along ({:.0f}, {:.0f}, {:.0f}), not along +Y. Turn it: `zoe convert` with "
                          "--bvh-up z for BVH, or the exporter's up axis.",
                          up->x, up->y, up->z));
    if (angle_deg(*up, {0, 1, 0}) > judge.limit(Check::kUp)) return false;
  }
  if (!shows_facing(analysis)) {
    judge.skip(Check::kFacing, "the rest pose does not show where the body faces");
  } else {
    const Vec3 forward = normalized(Vec3{analysis.forward.x, 0, analysis.forward.z}, {0, 0, 1});
    judge.add(Check::kFacing, angle_deg(forward, {0, 0, 1}), 0, 0, {},
              "The rest pose does not look along +Z. Engines will walk it sideways or backwards: turn the rig.");
  }
  // A frame of a run shows feet that point anywhere.
  if (analysis.reference_clip < 0 && analysis.reference_positions.size() == idx(skeleton.num_joints()))
    check_rig_sides(analysis, judge);
  return true;
}

}  // namespace zoe::certify
