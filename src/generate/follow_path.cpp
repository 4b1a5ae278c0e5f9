// SPDX-License-Identifier: MIT
#include "zoe/generate/follow_path.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/seam.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/joint_tracks.h"

#include "generate/body_size.h"
#include "generate/plant_weighted.h"
#include "generate/smooth_path.h"

namespace zoe::generate {
namespace {

constexpr double kStandingSizes = 0.03;  // Sizes of the body per second, below which a body stands and sways.
constexpr double kLeastSizes = 0.3;      // Distance that a clip must travel.
constexpr double kJoin_s = 0.2;          // Around the join of two copies, where it jumps.
constexpr double kMostJump = 1.1;        // Of the clip's usual jump: what planted feet may cost.
constexpr double kCycleShare = 0.03;     // Of the body's size: a clip whose ends fit repeats.

// Velocity over the ground that feet in contact push back with, m/s: of walks on the spot.
Vec3 pushed_velocity(const Motion& motion, const SkeletonAnalysis& body, const Contacts& contacts) {
  Vec3 sum{};
  int count = 0;
  for (std::size_t foot = 0; foot < body.feet.size(); ++foot) {
    const int joint = body.feet[foot];
    const std::vector<Vec3> track = model_positions(motion, {&joint, 1});
    for (int f = 1; f < motion.num_frames; ++f) {
      if (!contacts.at(f, static_cast<int>(foot)) || !contacts.at(f - 1, static_cast<int>(foot))) continue;
      sum = sum - (track[idx(f)] - track[idx(f - 1)]);
      ++count;
    }
  }
  if (count == 0) return {};
  const Vec3 mean = sum * (static_cast<float>(motion.fps) / static_cast<float>(count));
  return {mean.x, 0, mean.z};
}

struct OwnPath {
  std::vector<double> way;  // [frames] Distance travelled.
  std::optional<SmoothPath> path;
};

// A standing body that sways travels nothing: slow steps of the root are no part of the path.
OwnPath own_path(const Motion& motion, const SkeletonAnalysis& body, double rounding_m) {
  const RootTrajectory root = find_root(motion, body);
  const double standing_m_s = kStandingSizes * body_size_m(body);
  OwnPath own{std::vector<double>(root.roots.size(), 0), std::nullopt};
  std::vector<Vec3> points{root.roots[0].position};
  std::vector<double> params{0};
  for (std::size_t f = 1; f < own.way.size(); ++f) {
    const Vec3 step = root.roots[f].position - root.roots[f - 1].position;
    const double step_m = length(step), u = std::clamp(step_m * root.fps / (2 * standing_m_s), 0.0, 1.0);
    const double share = u * u * (3 - 2 * u);
    own.way[f] = own.way[f - 1] + step_m * share;
    if (step_m * share <= 1e-7) continue;
    points.push_back(points.back() + step * static_cast<float>(share));
    params.push_back(own.way[f]);
  }
  if (points.size() > 1) own.path.emplace(points, params, rounding_m, false);
  return own;
}

// As a clip that travels, repeated where it is a cycle and the path is longer.
// Copies of a cycle whose joins do not jump.
Motion joined_copies(const Motion& cycle, const GroundMove& move, int copies) {
  Motion all = unrolled(cycle, move, copies);
  const int frames = cycle.num_frames - 1;
  const int window = std::min(static_cast<int>(std::lround(kJoin_s * cycle.fps)), frames / 3);
  std::vector<std::uint8_t> known(idx(all.num_frames), 1);
  std::vector<int> joins;
  for (int copy = 1; copy < copies; ++copy) {
    joins.push_back(copy * frames);
    for (int f = copy * frames - window; f <= copy * frames + window; ++f) known[idx(f)] = 0;
  }
  return soften_seams(cycle, all, joins, known).motion;
}

struct Prepared {
  Motion motion;
  bool was_in_place = false;
  int copies = 1;
};
Prepared prepare(const Motion& motion, const SkeletonAnalysis& body, double path_m, const FollowOptions& options) {
  Prepared out{motion};
  const double size_m = body_size_m(body);
  const auto travel = [&](Vec3 velocity) {
    for (int f = 0; f < motion.num_frames; ++f)
      move_frames(out.motion, f, f, {0, velocity * static_cast<float>(f / motion.fps)});
    out.was_in_place = length(velocity) > 0;
  };
  if (!body.feet.empty()) {
    const Result<Contacts> contacts = find_foot_contacts(motion, body);
    if (contacts && contacts->in_place && !options.speed_m_s) travel(pushed_velocity(motion, body, *contacts));
  }
  if (options.speed_m_s) {
    const Vec3 ahead = normalized(Vec3{body.forward.x, 0, body.forward.z}, Vec3{0, 0, 1});
    travel(ahead * static_cast<float>(*options.speed_m_s));
  }
  if (motion.num_frames < 4) return out;
  const std::vector<Vec3> positions = all_positions(out.motion);
  const int last = motion.num_frames - 1;
  const Alignment fit = align_frames(positions, motion.num_joints(), 0, last, 0, 0);
  const Vec3 hips = positions[idx(std::max(0, body.hips))];
  const double step_m = distance(moved(fit.move, hips), hips);
  if (fit.distance_m > kCycleShare * size_m || step_m < 0.05 * size_m) return out;
  const double most = std::max(1.0, options.max_s / std::max(1e-3, motion.duration_s()));
  out.copies = static_cast<int>(std::clamp(std::ceil(path_m / step_m), 1.0, most));
  // A curved cycle would go round: the path decides where it goes, so copies follow each other straight.
  const GroundMove straight{0, fit.move.shift};
  if (out.copies > 1)
    out.motion = joined_copies(out.motion, std::abs(fit.move.turn_rad) < 0.1F ? straight : fit.move, out.copies);
  return out;
}

// Carries every frame from its own path to the new one.
void carry(Motion& motion, const OwnPath& own, const SmoothPath& path) {
  for (int f = 0; f < motion.num_frames; ++f) {
    const double arc = own.path->arc_of(own.way[idx(f)]);
    move_frames(motion, f, f, move_between(own.path->at(arc), path.at(arc)));
  }
  make_continuous(motion);
}

}  // namespace

Result<FollowedPath> follow_path(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const Vec3> places,
                                 bool closed, const FollowOptions& options) {
  const double size_m = body_size_m(analysis), rounding_m = options.rounding * size_m;
  std::vector<Vec3> points;
  std::vector<double> params;
  const auto add = [&](Vec3 p) {
    p.y = 0;
    if (!points.empty() && distance(p, points.back()) < 1e-4F) return;
    params.push_back(points.empty() ? 0 : params.back() + double{distance(p, points.back())});
    points.push_back(p);
  };
  for (const Vec3& p : places) add(p);
  if (closed && !places.empty()) add(places.front());
  if (points.size() < 2) return Error{ErrorCode::kUsage, "the path needs two different positions"};
  if (params.back() < size_m)
    return Error{
        ErrorCode::kUsage,
        fmt::format("the path has {:.2f} m, the body {:.2f} m: it is too short to walk along", params.back(), size_m)};
  // A short path keeps its shape.
  const SmoothPath path(points, params, std::min(rounding_m, params.back() / 12), closed);

  FollowedPath out;
  out.path_m = path.length_m();
  Prepared clip = prepare(motion, analysis, out.path_m, options);
  out.copies = clip.copies;
  out.was_in_place = clip.was_in_place;
  OwnPath own = own_path(clip.motion, analysis, rounding_m);
  out.own_m = own.path ? own.path->length_m() : 0;
  if (!own.path || out.own_m < kLeastSizes * size_m)
    return Error{ErrorCode::kUsage,
                 fmt::format("the clip travels {:.2f} m: it has no path that could be bent. Use a clip that walks, or "
                             "one on the spot with its speed (--speed)",
                             out.own_m)};
  // A clip that goes round a closed path goes on; copies of a cycle end with the first round.
  if ((!closed || out.copies > 1) && out.own_m > out.path_m) {
    int last = clip.motion.num_frames - 1;
    while (last > 2 && own.path->arc_of(own.way[idx(last)]) > out.path_m) --last;
    out.cut = last < clip.motion.num_frames - 1;
    ZOE_TRY_ASSIGN(clip.motion, trim(clip.motion, 0, last));
    own.way.resize(idx(clip.motion.num_frames));
  }
  out.covered_m = own.path->arc_of(own.way.back());
  std::optional<Contacts> contacts;
  if (!analysis.feet.empty()) {
    if (Result<Contacts> found = find_foot_contacts(clip.motion, analysis, {.in_place = false})) {
      contacts = std::move(*found);
      out.own_skate_m_s = mean_skate(clip.motion, analysis, *contacts);
    }
  }
  out.motion = clip.motion;
  carry(out.motion, own, path);
  // Of a clip that was cut the same frames: a percentile of few frames depends on which ones they are.
  const double own_jump = std::max(usual_jump(out.cut && out.copies == 1 ? clip.motion : motion), 1e-5);
  const auto jump_ratio = [&](const Motion& made) { return usual_jump(made) / own_jump; };
  out.jump_ratio = jump_ratio(out.motion);
  // Feet of runs may be pulled back so hard that they jump: then they are planted by half, or not at all.
  for (const float share : {1.0F, 0.5F}) {
    if (!options.plant_feet || !contacts) break;
    const std::vector<float> all(idx(out.motion.num_frames), share);
    Result<Motion> planted = plant_weighted(out.motion, analysis, all, {.contacts = contacts});
    if (!planted) break;
    const double ratio = jump_ratio(*planted);
    if (ratio > std::max(kMostJump, out.jump_ratio)) continue;
    out.motion = std::move(*planted);
    out.jump_ratio = ratio;
    break;
  }
  if (contacts) out.skate_m_s = mean_skate(out.motion, analysis, *contacts);
  const RootTrajectory root = find_root(out.motion, analysis);
  for (std::size_t f = 0; f < root.roots.size(); ++f) {
    const double arc = own.path->arc_of(own.way[f]);
    const double error = path.distance_to(root.roots[f].position, arc - size_m, arc + size_m);
    out.mean_error_m += error / static_cast<double>(root.roots.size());
    out.max_error_m = std::max(out.max_error_m, error);
  }
  return out;
}

}  // namespace zoe::generate
