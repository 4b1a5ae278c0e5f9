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

// Where a body is, frame by frame.
struct Track {
  std::vector<double> lowest_m;  // [frames] Height of the body's lowest joint.
  std::vector<Quat> trunk;       // [frames] In the model.
};
Track track_of(const Motion& motion, int trunk, int hips) {
  Track out;
  std::vector<Affine> model(idx(motion.num_joints()));
  // Joints above the trunk or the hips are none of the body's: a root on the ground, nodes of the file.
  std::vector<char> is_body(model.size(), 0);
  is_body[idx(trunk)] = 1;
  for (int j = trunk + 1; j < motion.num_joints(); ++j) {
    const int parent = motion.skeleton->parent(j);
    if (parent != kNoJoint) is_body[idx(j)] = is_body[idx(parent)];
  }
  for (int j = hips == kNoJoint ? kNoJoint : motion.skeleton->parent(hips); j != kNoJoint;
       j = motion.skeleton->parent(j))
    is_body[idx(j)] = 0;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(f), model);
    float low = 1e30F;
    for (std::size_t j = 0; j < model.size(); ++j)
      if (is_body[j] != 0) low = std::min(low, model[j].t.y);
    out.lowest_m.push_back(double{low});
    Quat turn;
    for (int j = trunk; j != kNoJoint; j = motion.skeleton->parent(j))
      turn = normalized(motion.rotations[idx(f * motion.num_joints() + j)] * turn);
    out.trunk.push_back(turn);
  }
  return out;
}

double mean_depth_m(const Track& track) {
  double sum = 0;
  for (const double low : track.lowest_m) sum += std::max(0.0, -low);
  return sum / static_cast<double>(std::max<std::size_t>(1, track.lowest_m.size()));
}
double lowest_at_end_m(const Track& track) {
  const auto begin = track.lowest_m.end() - static_cast<std::ptrdiff_t>((track.lowest_m.size() + 3) / 4);
  return std::accumulate(begin, track.lowest_m.end(), 0.0) / static_cast<double>(track.lowest_m.end() - begin);
}

// Comes down to the ground as the action should.
bool floats(const Track& made, const Track& planned, PlannedAction deed, const control::GaitPlan& plan) {
  constexpr double kHigh = 0.1, kHighCrawler = 0.04;  // Body lengths.
  const double high_m =
      double{plan.settings.body_length_m} * (plan.locomotion == control::Locomotion::kCrawl ? kHighCrawler : kHigh);
  if (deed == PlannedAction::kDie && lowest_at_end_m(made) > std::max(0.0, lowest_at_end_m(planned)) + high_m)
    return true;
  if (plan.locomotion == control::Locomotion::kFly || plan.locomotion == control::Locomotion::kSwim) return false;
  const double limit_m = planned.lowest_m.front() + high_m;
  if (made.lowest_m.front() > limit_m) return true;
  const auto is_high = [&](double low) { return low > limit_m; };
  const auto high = std::count_if(made.lowest_m.begin(), made.lowest_m.end(), is_high);
  const auto frames = static_cast<std::ptrdiff_t>(made.lowest_m.size());
  return deed == PlannedAction::kJump ? high == frames : 2 * high > frames;
}

// How far the trunk's own up has turned from the first frame to the last.
double tilted_rad(const Track& track) {
  if (track.trunk.empty()) return 0;
  const Vec3 up{0, 1, 0};
  const Vec3 last = rotate(track.trunk.back() * conjugate(track.trunk.front()), up);
  return std::acos(std::clamp(double{last.y}, -1.0, 1.0));
}

// The largest angle between the trunk's headings at the start and at any other time.
double turned_rad(const Track& made, const Track& planned) {
  // The planned body begins facing +Z: an axis of its trunk that does so shows the heading.
  const Vec3 ahead = rotate(conjugate(planned.trunk.front()), Vec3{0, 0, 1});
  const auto heading = [&](const Quat& trunk) {
    const Vec3 v = rotate(trunk, ahead);
    return Vec3{v.x, 0, v.z};
  };
  const Vec3 first = heading(made.trunk.front());
  double most = 0;
  for (const Quat& trunk : made.trunk) {
    const Vec3 now = heading(trunk);
    // Looking up or down, a trunk has no heading.
    if (length(now) < 0.5F || length(first) < 0.5F) continue;
    const double cosine = double{dot(now, first)} / double{length(now) * length(first)};
    most = std::max(most, std::acos(std::clamp(cosine, -1.0, 1.0)));
  }
  return most;
}

}  // namespace

std::string misplaced(const Motion& made, const Motion& planned, PlannedAction deed, const control::GaitPlan& plan,
                      const SkeletonAnalysis& analysis) {
  constexpr double kDeep = 0.05, kTurnedOver_rad = 0.87, kTurnsRound_rad = 1.75;
  const Track own = track_of(made, plan.trunk, analysis.hips), usual = track_of(planned, plan.trunk, analysis.hips);
  if (own.trunk.empty() || usual.trunk.empty()) return {};
  if (mean_depth_m(own) - mean_depth_m(usual) > kDeep * double{plan.settings.body_length_m})
    return "it sinks into the ground";
  if (floats(own, usual, deed, plan)) return "it floats";
  const bool waves = plan.locomotion == control::Locomotion::kCrawl || plan.locomotion == control::Locomotion::kSwim;
  if (!waves && double{angle_between(own.trunk.front(), usual.trunk.front())} > kTurnedOver_rad)
    return "it begins turned over";
  const bool straight = deed == PlannedAction::kJump || deed == PlannedAction::kHit;
  return straight && turned_rad(own, usual) > kTurnsRound_rad ? "it turns round" : "";
}

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
  constexpr double kLeast = 0.5, kLeastStrike = 0.6, kWalks = 0.3, kFalls = 0.03, kTilts = 0.4, kLies = 0.8;
  if (std::string defect = misplaced(made, planned, deed, alive.plan, analysis); !defect.empty()) return defect;
  if (deed == PlannedAction::kIdle) return {};
  // What crawls does so on the ground, whatever else it does.
  if (leaves_ground(made, planned, alive.plan)) return "it leaves the ground";
  const generate::Stir stir = generate::measure_stir(made, analysis);
  const generate::Stir usual = generate::measure_stir(planned, analysis);
  if (deed == PlannedAction::kJump) return stir.rise < kLeast * usual.rise ? "it stays on the ground" : "";
  // What lies already cannot fall.
  if (deed == PlannedAction::kDie) {
    const bool lies = usual.sinks < kFalls;
    const double tilt = tilted_rad(track_of(made, alive.plan.trunk, analysis.hips));
    const bool tilts = tilt > kTilts * tilted_rad(track_of(planned, alive.plan.trunk, analysis.hips));
    return !lies && stir.sinks < (tilts ? kLeast : kLies) * usual.sinks ? "it does not fall" : "";
  }
  const double least = deed == PlannedAction::kAttack ? kLeastStrike : kLeast;
  if (stir.reach < least * usual.reach || stir.speed_s < least * usual.speed_s) return "it hardly moves";
  const generate::GaitFigures gait = generate::judge_gait(made, analysis);
  const bool walks =
      gait.verdict != generate::GaitVerdict::kNone && gait.speed_m_s > kWalks * double{alive.plan.settings.walk_mps};
  return walks ? "it walks" : "";
}

}  // namespace zoe::author
