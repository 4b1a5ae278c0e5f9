// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/author/alive.h"
#include "zoe/core/index.h"
#include "zoe/eval/record.h"
#include "zoe/retarget/skin_stretch.h"
#include "zoe/synth/clip.h"

namespace zoe::author {
namespace {

using control::GaitLeg;

// Points of one foot, [frames].
using FootTrack = std::vector<Vec3>;

// A foot this near to its lowest height is on the ground, in leg lengths.
constexpr float kNearGround = 0.02F;

struct Slide {
  double sum_mps = 0;
  int count = 0;
  void add(Vec3 a, Vec3 b, double fps) {
    sum_mps += std::hypot(static_cast<double>(b.x - a.x), static_cast<double>(b.z - a.z)) * fps;
    ++count;
  }
  double mean() const { return count > 0 ? sum_mps / count : 0; }
};

// Of feet that are near the ground, by their heights alone.
double slide_near_ground(const std::vector<FootTrack>& feet, float leg_m, double fps) {
  Slide slide;
  for (const FootTrack& track : feet) {
    std::vector<float> heights;
    for (const Vec3 p : track) heights.push_back(p.y);
    if (heights.size() < 20) continue;
    const auto low = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 20);
    std::nth_element(heights.begin(), low, heights.end());
    const float most = *low + kNearGround * leg_m;
    for (std::size_t f = 1; f < track.size(); ++f)
      if (track[f].y < most && track[f - 1].y < most) slide.add(track[f - 1], track[f], fps);
  }
  return slide.mean();
}

// The same of a synthetic body of the family that walks in curves, as a fraction of its speed.
Result<double> synthetic_slide(std::size_t num_legs, bool upright) {
  const BodyFamily family = num_legs <= 2   ? (upright ? BodyFamily::kBiped : BodyFamily::kBird)
                            : num_legs <= 4 ? BodyFamily::kQuadruped
                            : num_legs <= 6 ? BodyFamily::kHexapod
                            : num_legs <= 8 ? BodyFamily::kOctopod
                                            : BodyFamily::kMillipede;
  const synth::Body body = synth::make_body(family, Random(1), {.mesh = false});
  constexpr double kFps = 60;
  const bool many = num_legs > 4;
  ZOE_TRY_ASSIGN(const synth::Clip clip, synth::make_clip(body,
                                                          {.gait = many ? synth::Gait::kTripod : synth::Gait::kWalk,
                                                           .course = synth::Course::kWeave,
                                                           .seconds = 8,
                                                           .fps = kFps},
                                                          Random(1)));
  std::vector<FootTrack> feet(body.legs.size());
  std::vector<Affine> model(idx(body.skeleton->num_joints()));
  for (int f = 0; f < clip.motion.num_frames; ++f) {
    compute_model_from_joint(*body.skeleton, clip.motion.frame(f), model);
    for (std::size_t i = 0; i < feet.size(); ++i) feet[i].push_back(model[idx(body.legs[i].distal.back())].t);
  }
  return slide_near_ground(feet, body.leg_length_m, kFps) / std::max(1e-6, static_cast<double>(clip.speed_m_s));
}

void measure_limits(const Alive& alive, const Motion& motion, AliveReport& report) {
  for (int f = 0; f < motion.num_frames; ++f) {
    const PoseView frame = motion.frame(f);
    for (std::size_t j = 0; j < alive.plan.limits.size(); ++j) {
      const double beyond = limit_violation_rad(alive.plan.limits[j], frame.rotations[j]);
      if (beyond <= report.limit_rad) continue;
      report.limit_rad = beyond;
      report.limit_joint = alive.body.skeleton->name(static_cast<int>(j));
    }
  }
}

}  // namespace

// Bernoulli's lemniscate. Its narrowest curve has a third of the half width as radius.
Result<control::Path> figure_of_eight(float half_width_m) {
  constexpr int kPoints = 400;
  std::vector<Vec3> places;
  for (int i = 0; i < kPoints; ++i) {
    const float t = 2 * std::numbers::pi_v<float> * (static_cast<float>(i) / kPoints) + std::numbers::pi_v<float> / 2;
    const float s = std::sin(t), c = std::cos(t), scale = half_width_m / (1 + s * s);
    places.push_back({scale * s * c, 0, scale * c});
  }
  return control::Path::create(std::move(places), true);
}

Result<AliveReport> measure_alive(const Alive& alive, const io::Asset& asset) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::make_gait_controller(alive.body, alive.plan));
  const control::GaitSettings& s = alive.plan.settings;
  const float half_width_m = 4 * s.body_length_m;
  ZOE_TRY_ASSIGN(const control::Path path, figure_of_eight(half_width_m));
  const auto source = control::follow(path, {.speed_mps = s.walk_mps});
  constexpr double kFps = 60;
  AliveReport report;
  report.seconds = std::clamp(static_cast<double>(path.length_m() / s.walk_mps) * 1.02, 2.0, 300.0);
  const eval::Recording walked = eval::record(
      *controller, *source, {.seconds = report.seconds, .fps = kFps, .place = control::start_of(path), .ground = {}});
  report.num_recoveries = walked.num_recoveries;
  const Motion& motion = walked.motion;

  int counted = 0;
  for (std::size_t f = static_cast<std::size_t>(kFps / 2); f < walked.roots.size(); ++f) {
    const Vec3 at = walked.roots[f].position;
    const Vec3 near = path.at(path.nearest(at, 0, path.length_m()));
    const double off = std::hypot(static_cast<double>(at.x - near.x), static_cast<double>(at.z - near.z)) /
                       static_cast<double>(s.body_length_m);
    report.path_error += off;
    report.worst_path_error = std::max(report.worst_path_error, off);
    ++counted;
  }
  report.path_error /= std::max(counted, 1);

  const std::size_t legs = alive.plan.legs.size();
  std::vector<FootTrack> feet(legs);
  std::vector<Affine> model(idx(alive.body.skeleton->num_joints()));
  std::vector<Vec3> points(legs);
  Slide planted;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*alive.body.skeleton, motion.frame(f), model);
    control::contact_points(alive.body, alive.plan, model, points);
    for (std::size_t i = 0; i < legs; ++i) {
      feet[i].push_back(points[i]);
      const float floor_m = points[i].y - alive.plan.legs[i].home_m.y;
      if (alive.plan.legs[i].ball == kNoJoint)
        report.sunk = std::max(report.sunk, static_cast<double>(-floor_m / s.leg_length_m));
      const std::size_t c = idx(f) * legs + i;
      if (f > 0 && walked.contacts[c] > 0.5F && walked.contacts[c - legs] > 0.5F)
        planted.add(feet[i][idx(f) - 1], points[i], kFps);
    }
  }
  const double speed_mps = walked.distance_m() / report.seconds;
  if (legs > 0 && speed_mps > 0) {
    report.skate = planted.mean() / speed_mps;
    report.found_skate = slide_near_ground(feet, s.leg_length_m, kFps) / speed_mps;
    const bool upright = alive.analysis.family == BodyFamily::kBiped;
    ZOE_TRY_ASSIGN(report.synthetic_skate, synthetic_slide(legs, upright));
  }
  measure_limits(alive, motion, report);
  report.stretch = measure_skin_stretch(*alive.character, {&motion, 1}).p995;
  report.allowed_stretch = allowed_stretch(*asset.character, asset.clips);
  return report;
}

}  // namespace zoe::author
