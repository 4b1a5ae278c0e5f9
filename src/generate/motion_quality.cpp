// SPDX-License-Identifier: MIT
#include "zoe/generate/motion_quality.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/index.h"
#include "zoe/generate/loose_parts.h"
#include "zoe/motion/foot_skate.h"

#include "generate/standing_legs.h"

namespace zoe::generate {

namespace {

// positions: [frames × joints]
double low_foot_speed(std::span<const Vec3> positions, std::size_t joints, std::span<const int> feet, double fps) {
  const std::size_t frames = positions.size() / joints;
  double sum = 0;
  for (const int foot : feet) {
    std::vector<std::pair<float, std::size_t>> heights;  // Middle of each step between frames.
    for (std::size_t f = 1; f < frames; ++f)
      heights.emplace_back(positions[f * joints + idx(foot)].y + positions[(f - 1) * joints + idx(foot)].y, f);
    const std::size_t lowest = std::max<std::size_t>(1, heights.size() / 3);
    std::partial_sort(heights.begin(), heights.begin() + static_cast<std::ptrdiff_t>(lowest), heights.end());
    for (std::size_t i = 0; i < lowest; ++i) {
      const std::size_t f = heights[i].second;
      const Vec3 d = positions[f * joints + idx(foot)] - positions[(f - 1) * joints + idx(foot)];
      sum += std::hypot(double{d.x}, double{d.z}) * fps / static_cast<double>(lowest);
    }
  }
  return sum / static_cast<double>(feet.size());
}

}  // namespace

Result<MotionQuality> measure_quality(const Motion& motion, const SkeletonAnalysis& analysis, double ground_m) {
  MotionQuality quality;
  const std::size_t joints = idx(motion.num_joints());
  std::vector<Vec3> positions(idx(motion.num_frames) * joints);
  std::vector<Affine> models(joints);
  const std::span<const Affine> rest = motion.skeleton->rest_model();
  std::vector<char> is_loose(joints, 0);
  std::vector<char> is_above(joints, 0);  // Roots of rigs stay at the ground of their files or go anywhere.
  for (int j = analysis.hips; j != kNoJoint; j = motion.skeleton->parent(j)) is_above[idx(j)] = j != analysis.hips;
  for (const LoosePart& part : find_loose_parts(*motion.skeleton, analysis)) is_loose[idx(part.joint)] = 1;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), models);
    double depth = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      positions[idx(f) * joints + j] = models[j].t;
      if (motion.skeleton->kind(static_cast<int>(j)) == JointKind::kNode) continue;
      if (is_above[j] == 0) depth = std::max(depth, ground_m - double{models[j].t.y});
      const int parent = motion.skeleton->parent(static_cast<int>(j));
      if (parent == kNoJoint || parent == analysis.root || static_cast<int>(j) == analysis.hips) continue;
      if (motion.skeleton->kind(parent) == JointKind::kNode || is_loose[j] != 0) continue;  // No bone between them.
      const double length_m = distance(rest[j].t, rest[idx(parent)].t);
      if (length_m < 1e-4) continue;
      const double now_m = distance(models[j].t, models[idx(parent)].t);
      quality.bone_error = std::max(quality.bone_error, std::abs(now_m - length_m) / length_m);
    }
    quality.penetration_m += depth / motion.num_frames;
  }
  if (motion.num_frames > 3) {
    const double cube = motion.fps * motion.fps * motion.fps;
    double sum = 0;
    for (std::size_t f = 3; f < idx(motion.num_frames); ++f) {
      for (std::size_t j = 0; j < joints; ++j) {
        const auto at = [&](std::size_t back) { return positions[(f - back) * joints + j]; };
        sum += double{length(at(0) - at(1) * 3.0F + at(2) * 3.0F - at(3))} * cube;
      }
    }
    quality.jerk_m_s3 = sum / static_cast<double>((idx(motion.num_frames) - 3) * joints);
  }
  const int hips = analysis.hips != kNoJoint ? analysis.hips : std::max(0, analysis.root);
  const Vec3 way = positions[positions.size() - joints + idx(hips)] - positions[idx(hips)];
  quality.travel_m = std::hypot(double{way.x}, double{way.z});
  quality.gait = judge_gait(motion, analysis, ground_m);
  if (analysis.feet.empty() || motion.num_frames < 3) return quality;
  quality.low_foot_speed_m_s = low_foot_speed(positions, joints, analysis.feet, motion.fps);
  // Leg lengths of their own: find_foot_contacts() would add half of the spine of a rig whose legs meet at the hips,
  // and take a cow that walks two metres for a cycle on the spot.
  ContactOptions options{.leg_length_m = length_of_legs(analysis, *motion.skeleton)};
  if (quality.gait.verdict != GaitVerdict::kNone) options.in_place = quality.gait.verdict == GaitVerdict::kOnTheSpot;
  const Result<Contacts> contacts = find_foot_contacts(motion, analysis, options);
  if (!contacts) return quality;  // Bodies whose feet never touch anything.
  ZOE_TRY_ASSIGN(const std::vector<FootSkate> feet, foot_skate(motion, analysis.feet, *contacts));
  double weighed = 0, share = 0;
  for (const FootSkate& foot : feet) {
    weighed += double{foot.mean_speed_m_s} * double{foot.contact_share};
    share += double{foot.contact_share};
  }
  quality.foot_skate_m_s = share > 0 ? weighed / share : 0;
  quality.contact_share = share / static_cast<double>(feet.size());
  return quality;
}

const char* defect_of_walk(const MotionQuality& quality, double usual_m_s) {
  constexpr double kLeastSpeed = 0.3;  // Of the usual one.
  constexpr double kMostSlide = 0.5;   // Speed of low feet over that of the body; a treadmill's is 1.
  const GaitFigures& gait = quality.gait;
  if (gait.speed_m_s < kLeastSpeed * usual_m_s) return "it hardly travels";
  if (gait.verdict == GaitVerdict::kSlides) return "it goes faster than its steps";
  if (gait.verdict == GaitVerdict::kOnTheSpot) return "it goes slower than its steps";
  if (gait.verdict == GaitVerdict::kBackwards) return "its raised feet go backwards";
  if (gait.verdict == GaitVerdict::kNone) return "it does not step";
  return quality.low_foot_speed_m_s > kMostSlide * gait.speed_m_s ? "its feet slide" : nullptr;
}

double swing_rad(const Motion& motion, std::span<const int> joints) {
  double sum = 0;
  const std::size_t row = idx(motion.num_joints()), frames = idx(motion.num_frames);
  for (const int joint : joints) {
    Quat mean{0, 0, 0, 0};
    const Quat first = motion.rotations[idx(joint)];
    for (std::size_t f = 0; f < frames; ++f) {
      const Quat q = motion.rotations[f * row + idx(joint)];
      const float sign = dot(q, first) < 0 ? -1.0F : 1.0F;
      mean = {mean.x + sign * q.x, mean.y + sign * q.y, mean.z + sign * q.z, mean.w + sign * q.w};
    }
    mean = normalized(mean);
    for (std::size_t f = 0; f < frames; ++f) {
      const double cosine = std::abs(double{dot(motion.rotations[f * row + idx(joint)], mean)});
      const double angle = 2 * std::acos(std::min(1.0, cosine));
      sum += angle * angle;
    }
  }
  const std::size_t count = joints.size() * frames;
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

}  // namespace zoe::generate
