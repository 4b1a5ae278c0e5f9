// SPDX-License-Identifier: MIT
#include "zoe/generate/gait_judge.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "generate/standing_legs.h"
#include "generate/step_contacts.h"

namespace zoe::generate {
namespace {

constexpr double kSameSpeed = 1.5;  // Largest ratio of the speeds of a body and of its steps.
constexpr double kSlowest = 0.1;    // Speed of steps or bodies that count, over the root of gravity times leg length.
constexpr float kClearly = 0.3F;    // Of StepContacts::swing_direction.

double mean_length(std::span<const Vec3> velocities) {
  double sum = 0;
  for (const Vec3& v : velocities) sum += std::hypot(double{v.x}, double{v.z});
  return velocities.empty() ? 0 : sum / static_cast<double>(velocities.size());
}

GaitVerdict verdict_of(const StepContacts& steps, Vec3 own_velocity, double speed, double step_speed, double least) {
  const bool travels = speed > least;
  if (travels && length(steps.swing_direction) > kClearly &&
      dot(own_velocity, steps.swing_direction) < -0.5F * length(own_velocity) * length(steps.swing_direction))
    return GaitVerdict::kBackwards;
  if (steps.num_stepping == 0 || std::max(speed, step_speed) < least) return GaitVerdict::kNone;
  if (speed > kSameSpeed * step_speed) return GaitVerdict::kSlides;
  return kSameSpeed * speed < step_speed ? GaitVerdict::kOnTheSpot : GaitVerdict::kCarried;
}

}  // namespace

const char* to_string(GaitVerdict verdict) {
  constexpr const char* kNames[] = {"none", "carried", "on_the_spot", "slides", "backwards"};
  return kNames[static_cast<std::size_t>(verdict)];
}

GaitFigures judge_gait(const Motion& motion, const SkeletonAnalysis& analysis, double ground_m) {
  GaitFigures out;
  if (motion.num_frames < 1) return out;
  const RootTrajectory roots = find_root(motion, analysis);
  out.speed_m_s = mean_length(roots.velocities);
  const float leg_m = length_of_legs(analysis, *motion.skeleton);
  if (analysis.feet.empty() || !(leg_m > 0)) return out;
  const std::vector<float> standing = standing_heights(analysis, *motion.skeleton, leg_m);
  const std::vector<Vec3> feet = model_positions(motion, analysis.feet);
  for (std::size_t f = 0; f < idx(motion.num_frames); ++f) {
    double lowest = 1e9;
    for (std::size_t leg = 0; leg < standing.size(); ++leg)
      lowest = std::min(lowest, double{feet[f * standing.size() + leg].y} - ground_m - double{standing[leg]});
    out.hover_m += std::max(0.0, lowest) / motion.num_frames;
    out.sink_m += std::max(0.0, -lowest) / motion.num_frames;
  }
  const StepContacts steps = find_step_contacts(motion, analysis.feet, roots, leg_m);
  out.step_speed_m_s = mean_length(steps.velocities);
  out.verdict = verdict_of(steps, own_velocity(roots), out.speed_m_s, out.step_speed_m_s,
                           kSlowest * std::sqrt(9.81 * double{leg_m}));
  return out;
}

}  // namespace zoe::generate
