// SPDX-License-Identifier: MIT
#include "generate/foot_goals.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/find_root.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "generate/plant_weighted.h"

namespace zoe::generate {
namespace {

constexpr float kMostStride = 0.45F;     // Leg lengths of a foot ahead of or behind the middle of its path.
constexpr double kHeightWindow_s = 0.3;  // Half of the time over which the body's height is averaged.
constexpr float kMostHold = 0.35F;       // Leg lengths between a held foot and its own path.
constexpr float kLift = 0.08F;           // Leg lengths of a foot above the ground in the middle of a swing, at least.

// A stretch of frames in which a foot touches, or does not.
struct Run {
  int begin = 0, end = 0;
  bool touching = false;
};

std::vector<Run> runs_of(const Contacts& contacts, std::size_t column) {
  std::vector<Run> runs;
  for (int f = 0; f < contacts.num_frames; ++f) {
    const bool touching = contacts.at(f, static_cast<int>(column));
    if (runs.empty() || runs.back().touching != touching) runs.push_back({f, f, touching});
    runs.back().end = f + 1;
  }
  return runs;
}

// Value and slope at both ends, no curvature there. u: 0 to 1; slopes per unit of u.
Vec3 quintic(Vec3 from, Vec3 from_slope, Vec3 to, Vec3 to_slope, float u) {
  const float u3 = u * u * u, u4 = u3 * u, u5 = u4 * u;
  const float b = 10 * u3 - 15 * u4 + 6 * u5;
  return from * (1 - b) + to * b + from_slope * (u - 6 * u3 + 8 * u4 - 3 * u5) + to_slope * (-4 * u3 + 7 * u4 - 3 * u5);
}

// Change of a path per frame.
Vec3 slope_at(std::span<const Vec3> path, int frame) {
  const int last = static_cast<int>(path.size()) - 1, before = std::max(0, frame - 1),
            after = std::min(last, frame + 1);
  return after > before ? (path[idx(after)] - path[idx(before)]) / static_cast<float>(after - before) : Vec3{};
}

// Offsets that hold the foot in a contact.
void hold(std::span<const Vec3> own, Run run, float standing, bool is_step, float leg_m, std::vector<Vec3>& offsets) {
  Vec3 mean{};
  float lowest = own[idx(run.begin)].y;
  for (int f = run.begin; f < run.end; ++f) {
    mean += own[idx(f)] / static_cast<float>(run.end - run.begin);
    lowest = std::min(lowest, own[idx(f)].y);
  }
  float furthest = 0;
  for (int f = run.begin; f < run.end; ++f) {
    const Vec3 away = mean - own[idx(f)];
    offsets[idx(f)] = is_step ? Vec3{away.x, standing - own[idx(f)].y, away.z} : Vec3{0, standing - lowest, 0};
    furthest = std::max(furthest, length(offsets[idx(f)]));
  }
  const float share = furthest > kMostHold * leg_m ? kMostHold * leg_m / furthest : 1.0F;
  for (int f = run.begin; f < run.end; ++f) offsets[idx(f)] = offsets[idx(f)] * share;
}

// Offsets between two contacts: they begin and end with those of the contacts. A held foot leaves the ground and comes
// back to it without a jump of its velocity.
void swing(std::span<const Vec3> own, Run run, float standing, bool is_held, float lift_m, std::vector<Vec3>& offsets) {
  const int frames = static_cast<int>(own.size());
  const bool opens = run.begin == 0, closes = run.end == frames;
  if (opens && closes) return;
  const int from = opens ? 0 : run.begin - 1, to = closes ? frames - 1 : run.end;
  const Vec3 first = opens ? offsets[idx(to)] : offsets[idx(from)], last = closes ? first : offsets[idx(to)];
  const auto span = static_cast<float>(std::max(1, to - from));
  const Vec3 first_slope = is_held && !opens ? slope_at(own, from) * -span : Vec3{};
  const Vec3 last_slope = is_held && !closes ? slope_at(own, to) * -span : Vec3{};
  for (int f = run.begin; f < run.end; ++f) {
    const float part = static_cast<float>(f - from) / span;
    offsets[idx(f)] = quintic(first, first_slope, last, last_slope, part);
    // Of a swing that the motion cuts, one half.
    const float u = opens ? 0.5F + 0.5F * part : closes ? 0.5F * part : part, wave = std::sin(3.14159265F * u);
    const float least = standing + lift_m * wave * wave, rest = 0.1F * lift_m;
    const float above = own[idx(f)].y + offsets[idx(f)].y - least;
    // The larger of both, without a kink.
    offsets[idx(f)].y += 0.5F * (std::sqrt(above * above + rest * rest * wave * wave) - above);
  }
}

}  // namespace

GaitLegs gait_legs(const Skeleton& skeleton, const SkeletonAnalysis& analysis, float leg_m) {
  GaitLegs out{anatomy::find_leg_rigs(skeleton, analysis, /*with_tips=*/true), {}, leg_m};
  for (const anatomy::LegRig& rig : out.rigs)
    out.columns.push_back(static_cast<std::size_t>(std::find(analysis.feet.begin(), analysis.feet.end(), rig.ankle) -
                                                   analysis.feet.begin()));
  return out;
}

float lengthen_strides(Motion& motion, const RootTrajectory& roots, const GaitLegs& legs, float factor) {
  const auto frames = idx(motion.num_frames);
  std::vector<std::vector<Vec3>> relative;
  std::vector<Vec3> means;
  float longest = 0;
  for (const anatomy::LegRig& rig : legs.rigs) {
    std::vector<Vec3>& path = relative.emplace_back(model_positions(motion, {&rig.ankle, 1}));
    Vec3& mean = means.emplace_back();
    for (std::size_t f = 0; f < frames; ++f) {
      path[f] = rotate(conjugate(rotation_of(roots.roots[f])), path[f] - roots.roots[f].position);
      mean += path[f] / static_cast<float>(frames);
    }
    std::vector<float> lengths;
    for (const Vec3& p : path) lengths.push_back(std::hypot(p.x - mean.x, p.z - mean.z));
    const auto rank = static_cast<std::ptrdiff_t>(9 * lengths.size() / 10);
    std::nth_element(lengths.begin(), lengths.begin() + rank, lengths.end());
    longest = std::max(longest, lengths[idx(static_cast<int>(rank))]);
  }
  if (longest <= 0) return 1;
  const float used = std::clamp(kMostStride * legs.leg_m / longest, 1.0F, std::max(1.0F, factor));
  if (used <= 1) return 1;
  std::vector<std::vector<Vec3>> goals = relative;
  for (std::size_t leg = 0; leg < goals.size(); ++leg) {
    for (std::size_t f = 0; f < frames; ++f) {
      Vec3& p = goals[leg][f];
      const Vec3 away = p - means[leg];
      p = means[leg] + Vec3{away.x * used, away.y, away.z * used};
      p = rotate(rotation_of(roots.roots[f]), p) + roots.roots[f].position;
    }
  }
  anatomy::reach_ankles(motion, legs.rigs, goals);
  return used;
}

std::vector<float> ground_offsets(const Motion& motion, std::span<const int> feet, const Contacts& contacts,
                                  std::span<const float> standing) {
  const auto frames = idx(motion.num_frames);
  const std::vector<Vec3> tracks = model_positions(motion, feet);
  std::vector<float> sums(frames, 0), counts(frames, 0);
  bool touches = false;
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t leg = 0; leg < feet.size(); ++leg) {
      if (!contacts.at(static_cast<int>(f), static_cast<int>(leg))) continue;
      sums[f] += standing[leg] - tracks[f * feet.size() + leg].y;
      counts[f] += 1;
      touches = true;
    }
  }
  if (!touches) return {};
  std::vector<float> out(frames, 0);
  const int count = motion.num_frames, half = std::max(1, static_cast<int>(std::lround(kHeightWindow_s * motion.fps)));
  for (int f = 0; f < count; ++f) {
    // Twice as far as needed to see any contact, so that the window grows and shrinks without jumps.
    for (int reach = half; reach <= 4 * count; reach *= 2) {
      double sum = 0, weights = 0;
      for (int k = std::max(0, f - reach); k <= std::min(count - 1, f + reach); ++k) {
        const double u = static_cast<double>(k - f) / (reach + 1), weight = (1 - u * u) * (1 - u * u);
        sum += weight * double{sums[idx(k)]};
        weights += weight * double{counts[idx(k)]};
      }
      if (weights < 0.2) continue;
      out[idx(f)] = static_cast<float>(sum / weights);
      break;
    }
  }
  return out;
}

void set_steps(Motion& motion, const GaitLegs& legs, const Contacts& contacts, std::span<const float> standing,
               std::span<const std::uint8_t> is_step) {
  std::vector<std::vector<Vec3>> goals;
  for (std::size_t leg = 0; leg < legs.rigs.size(); ++leg) {
    const std::size_t column = legs.columns[leg];
    const std::vector<Vec3> own = model_positions(motion, {&legs.rigs[leg].ankle, 1});
    std::vector<Vec3> offsets(own.size());
    // Of bodies on two legs, a foot with a ball rolls over it: its ankle is not held. Paws do not roll.
    const bool rolls = legs.rigs[leg].ball != kNoJoint && legs.rigs.size() < 4;
    const bool is_held = is_step[column] != 0 && !rolls;
    const float lift_m = is_step[column] != 0 ? kLift * legs.leg_m : 0.0F;
    const std::vector<Run> runs = runs_of(contacts, column);
    for (const Run& run : runs)
      if (run.touching) hold(own, run, standing[column], is_held, legs.leg_m, offsets);
    for (const Run& run : runs)
      if (!run.touching) swing(own, run, standing[column], is_held, lift_m, offsets);
    goals.push_back(own);
    for (std::size_t f = 0; f < own.size(); ++f) goals.back()[f] += offsets[f];
  }
  anatomy::reach_ankles(motion, legs.rigs, goals);
}

void level_feet(Motion& motion, const SkeletonAnalysis& analysis, const RootTrajectory& roots, const Contacts& contacts,
                std::span<const int> joints, std::span<const std::size_t> columns) {
  constexpr double kRamp_s = 0.15;
  const Skeleton& skeleton = *motion.skeleton;
  Motion still = make_motion(motion.skeleton, "rest", motion.fps, 1, false);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    still.translations[idx(j)] = skeleton.rest_local(j).translation;
    still.rotations[idx(j)] = skeleton.rest_local(j).rotation;
  }
  const float facing = find_root(still, analysis).roots[0].facing_rad;
  const int frames = motion.num_frames, ramp = std::max(1, static_cast<int>(std::lround(kRamp_s * motion.fps)));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int joint = joints[i], parent = skeleton.parent(joint);
    const Quat rest = anatomy::model_rotation(skeleton, still.frame(0), joint);
    for (int f = 0; f < frames; ++f) {
      int nearest = ramp;  // Frames to the nearest contact.
      for (int k = std::max(0, f - ramp + 1); k < std::min(frames, f + ramp); ++k)
        if (contacts.at(k, static_cast<int>(columns[i]))) nearest = std::min(nearest, std::abs(k - f));
      const float weight = fading(nearest, ramp);
      if (weight <= 0) continue;
      const float turn_rad = roots.roots[idx(f)].facing_rad - facing;
      const Quat level = from_axis_angle(Vec3{0, 1, 0}, turn_rad) * rest;
      const Quat now = anatomy::model_rotation(skeleton, motion.frame(f), joint);
      const Quat turned = slerp(now, level, weight);
      const Quat above = parent == kNoJoint ? Quat{} : anatomy::model_rotation(skeleton, motion.frame(f), parent);
      motion.rotations[idx(f) * idx(skeleton.num_joints()) + idx(joint)] = normalized(conjugate(above) * turned);
    }
  }
  make_continuous(motion);
}

}  // namespace zoe::generate
