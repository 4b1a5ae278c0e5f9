// SPDX-License-Identifier: MIT
#include "author/generated/defects.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "zoe/author/planned_motion.h"
#include "zoe/core/index.h"
#include "zoe/generate/gait_judge.h"
#include "zoe/generate/loose_parts.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/generate/stir.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::author {
namespace {

double mean_height(const Motion& motion, std::span<const int> joints) {
  const std::vector<Vec3> places = model_positions(motion, joints);
  double sum = 0;
  for (const Vec3& place : places) sum += double{place.y};
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

}  // namespace

bool falls_apart(const Motion& made, const SkeletonAnalysis& analysis) {
  constexpr double kFar = 0.12;  // Of the body's height.
  std::vector<int> all(idx(made.num_joints()));
  std::iota(all.begin(), all.end(), 0);
  const Motion rest = make_motion(made.skeleton, "rest", made.fps, 1, false);
  const std::vector<Vec3> own = model_positions(rest, all), places = model_positions(made, all);
  for (const generate::LoosePart& part : generate::find_loose_parts(*made.skeleton, analysis)) {
    if (part.carrier == kNoJoint || part.is_foot) continue;
    const std::size_t part_at = idx(part.joint), carrier = idx(part.carrier);
    const double usual = double{distance(own[part_at], own[carrier])};
    int far = 0;
    for (std::size_t f = 0; f < idx(made.num_frames); ++f) {
      const double now = double{distance(places[f * all.size() + part_at], places[f * all.size() + carrier])};
      far += std::abs(now - usual) > kFar * analysis.height_m ? 1 : 0;
    }
    if (10 * far > made.num_frames) return true;
  }
  return false;
}

bool crouches(const Motion& made, const Motion& planned, const SkeletonAnalysis& analysis) {
  constexpr double kLeastHeight = 0.85;
  const std::vector<int> hips{analysis.hips};
  if (analysis.family != BodyFamily::kBiped || analysis.hips == kNoJoint) return false;
  return mean_height(made, hips) < kLeastHeight * mean_height(planned, hips);
}

bool leaves_ground(const Motion& made, const Motion& planned, const control::GaitPlan& plan) {
  constexpr double kMostHeight = 0.15;  // In the mean over the joints that carry it.
  if (plan.locomotion != control::Locomotion::kCrawl) return false;
  const std::vector<int> joints = carrying_joints(plan);
  const double off_m = std::abs(mean_height(made, joints) - mean_height(planned, joints));
  return off_m > kMostHeight * double{plan.settings.body_length_m};
}

std::string defect_of_carried(const Motion& made, const Motion& planned, const Alive& alive,
                              const SkeletonAnalysis& analysis) {
  constexpr double kLeastSwing = 0.5, kMostSwing = 2, kLeastSpeed = 0.3;
  const std::vector<int> joints = carrying_joints(alive.plan);
  const bool flies = alive.plan.locomotion == control::Locomotion::kFly;
  const double swing = generate::swing_rad(made, joints), usual = generate::swing_rad(planned, joints);
  if (swing < kLeastSwing * usual) return flies ? "its wings hardly beat" : "its body hardly bends";
  if (!joints.empty() && swing > kMostSwing * usual) return "its body folds up";
  if (leaves_ground(made, planned, alive.plan)) return "it leaves the ground";
  const double speed = generate::judge_gait(made, analysis).speed_m_s;
  return speed < kLeastSpeed * double{alive.plan.settings.walk_mps} ? "it hardly travels" : "";
}

std::string defect_of_deed(const Motion& made, const Motion& planned, PlannedAction deed, const Alive& alive,
                           const SkeletonAnalysis& analysis) {
  constexpr double kLeast = 0.5, kWalks = 0.3;
  if (deed == PlannedAction::kIdle) return {};
  // What crawls does so on the ground, whatever else it does.
  if (leaves_ground(made, planned, alive.plan)) return "it leaves the ground";
  const generate::Stir stir = generate::measure_stir(made, analysis);
  const generate::Stir usual = generate::measure_stir(planned, analysis);
  if (deed == PlannedAction::kJump) return stir.rise < kLeast * usual.rise ? "it stays on the ground" : "";
  if (deed == PlannedAction::kDie) return stir.sinks < kLeast * usual.sinks ? "it does not fall" : "";
  if (stir.reach < kLeast * usual.reach || stir.speed_s < kLeast * usual.speed_s) return "it hardly moves";
  const generate::GaitFigures gait = generate::judge_gait(made, analysis);
  const bool walks =
      gait.verdict != generate::GaitVerdict::kNone && gait.speed_m_s > kWalks * double{alive.plan.settings.walk_mps};
  return walks ? "it walks" : "";
}

}  // namespace zoe::author
