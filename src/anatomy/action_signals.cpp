// SPDX-License-Identifier: MIT
#include "anatomy/action_signals.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/root_joints.h"
#include "zoe/math/filter.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::anatomy {
namespace {

constexpr double kGravity = 9.81;  // m/s²

std::vector<Vec3> track_of(const Motion& motion, int joint, double metres) {
  std::vector<Vec3> track = model_positions(motion, {&joint, 1});
  for (Vec3& p : track) p = p * static_cast<float>(metres);
  return track;
}

std::vector<float> heights_of(const std::vector<Vec3>& track) {
  std::vector<float> heights;
  for (const Vec3& p : track) heights.push_back(p.y);
  return heights;
}

std::vector<float> derivative(const std::vector<float>& values, double fps) {
  std::vector<float> out(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t a = i > 0 ? i - 1 : 0, b = std::min(i + 1, values.size() - 1);
    if (b > a) out[i] = (values[b] - values[a]) * static_cast<float>(fps / static_cast<double>(b - a));
  }
  return out;
}

float percentile(std::vector<float> values, double share) {
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// Least value within ± half_window frames: a deque of rising values.
std::vector<float> moving_min(const std::vector<float>& values, std::size_t half_window) {
  std::vector<float> out(values.size());
  std::vector<std::size_t> queue;
  std::size_t head = 0;
  for (std::size_t i = 0, next = 0; i < values.size(); ++i) {
    for (; next < values.size() && next <= i + half_window; ++next) {
      while (queue.size() > head && values[queue.back()] >= values[next]) queue.pop_back();
      queue.push_back(next);
    }
    while (queue[head] + half_window < i) ++head;
    out[i] = values[queue[head]];
  }
  return out;
}

std::vector<float> moving_mean(const std::vector<char>& values, std::size_t half_window) {
  std::vector<int> sums(values.size() + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + (values[i] != 0);
  std::vector<float> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t a = i - std::min(i, half_window), b = std::min(i + half_window + 1, values.size());
    out.push_back(static_cast<float>(sums[b] - sums[a]) / static_cast<float>(b - a));
  }
  return out;
}

struct FeetTrack {
  std::vector<float> low;      // [frames] height of the lowest part of any foot.
  std::vector<float> slowest;  // [frames] speed of the slowest part of any foot, m/s.
};

FeetTrack measure_feet(const Motion& motion, const SkeletonAnalysis& analysis, double metres) {
  std::vector<int> joints;
  for (const auto& foot : foot_parts(analysis)) joints.insert(joints.end(), foot.begin(), foot.end());
  std::vector<Vec3> tracks = model_positions(motion, joints);
  const std::size_t n = joints.size(), frames = tracks.size() / n;
  const std::span<float> numbers(&tracks[0].x, tracks.size() * 3);
  for (std::size_t k = 0; k < 3 * n; ++k) low_pass_zero_phase(numbers.subspan(k), 12, motion.fps, 3 * n);
  FeetTrack out;
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t a = f > 0 ? f - 1 : 0, b = std::min(f + 1, frames - 1);
    float low = tracks[f * n].y, least_step = distance(tracks[a * n], tracks[b * n]);
    for (std::size_t j = 1; j < n; ++j) {
      low = std::min(low, tracks[f * n + j].y);
      least_step = std::min(least_step, distance(tracks[a * n + j], tracks[b * n + j]));
    }
    out.low.push_back(low * static_cast<float>(metres));
    out.slowest.push_back(b > a ? least_step * static_cast<float>(metres * motion.fps / static_cast<double>(b - a))
                                : 0);
  }
  return out;
}

// Mean height of head, hips and limbs: near enough to the centre of mass to fall as it does.
std::vector<float> middle_height(const Motion& motion, const SkeletonAnalysis& analysis, double metres) {
  std::vector<int> joints{analysis.hips};
  if (analysis.head != kNoJoint) joints.push_back(analysis.head);
  joints.insert(joints.end(), analysis.spine.begin(), analysis.spine.end());
  for (const Limb& limb : analysis.limbs) joints.insert(joints.end(), limb.joints.begin(), limb.joints.end());
  const std::vector<Vec3> tracks = model_positions(motion, joints);
  std::vector<float> heights;
  for (std::size_t f = 0; f < static_cast<std::size_t>(motion.num_frames); ++f) {
    double sum = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) sum += tracks[f * joints.size() + j].y;
    heights.push_back(static_cast<float>(sum / static_cast<double>(joints.size()) * metres));
  }
  return heights;
}

// Runs of airborne frames, gaps under 0.07 s closed, that last longer than the flight of a running step (about 0.25 √(L
// / 0.9) s for a leg of L metres).
std::vector<char> long_flights(const std::vector<char>& airborne, double fps, double leg_m) {
  const auto gap = static_cast<std::size_t>(0.07 * fps);
  const auto longest_step = static_cast<std::size_t>(std::ceil(0.22 * std::sqrt(leg_m / 0.9) * fps));
  const auto margin = static_cast<std::size_t>(0.1 * fps);  // Take-off and landing.
  std::vector<char> jumps(airborne.size(), 0);
  for (std::size_t begin = 0; begin < airborne.size(); ++begin) {
    if (!airborne[begin]) continue;
    std::size_t end = begin;  // Last airborne frame of the run.
    for (std::size_t i = begin; i < airborne.size() && i <= end + gap + 1; ++i) {
      if (airborne[i]) end = i;
    }
    if (end + 1 - begin >= longest_step) {
      const std::size_t last = std::min(end + margin, airborne.size() - 1);
      for (std::size_t i = begin - std::min(begin, margin); i <= last; ++i) jumps[i] = 1;
    }
    begin = end;
  }
  return jumps;
}

void measure_flight(const Motion& motion, const SkeletonAnalysis& analysis, const FeetTrack& feet, double metres,
                    ActionSignals& out) {
  std::vector<float> middle = middle_height(motion, analysis, metres);
  low_pass_zero_phase(middle, 6, motion.fps);
  const std::vector<float> fall = derivative(derivative(middle, motion.fps), motion.fps);
  // The ground may be uneven: feet are in the air when they are well above their lowest height around this frame.
  const std::vector<float> ground = moving_min(feet.low, static_cast<std::size_t>(0.6 * motion.fps));
  const auto frames = static_cast<std::size_t>(motion.num_frames);
  std::vector<char> off_ground(frames), airborne(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    // On stairs feet rise too, but one is always in contact.
    off_ground[f] =
        feet.low[f] - ground[f] > 0.02 * out.leg_m && feet.slowest[f] > 0.16 * std::sqrt(kGravity * out.leg_m);
    airborne[f] = feet.low[f] - ground[f] > 0.05 * out.leg_m && fall[f] < -0.4 * kGravity;
  }
  out.flight_share = moving_mean(off_ground, static_cast<std::size_t>(0.4 * motion.fps));
  out.jumps = long_flights(airborne, motion.fps, out.leg_m);
}

void measure_travel(const Motion& motion, const SkeletonAnalysis& analysis, double metres, ActionSignals& out) {
  std::vector<Vec3> hips = track_of(motion, analysis.hips, metres);
  const std::span<float> numbers(&hips[0].x, hips.size() * 3);
  for (std::size_t k : {0U, 2U}) low_pass_zero_phase(numbers.subspan(k), 1.0, motion.fps, 3);
  out.speed.assign(hips.size(), 0);
  for (std::size_t i = 0; i < hips.size(); ++i) {
    const std::size_t a = i > 0 ? i - 1 : 0, b = std::min(i + 1, hips.size() - 1);
    if (b > a)
      out.speed[i] = std::hypot(hips[b].x - hips[a].x, hips[b].z - hips[a].z) *
                     static_cast<float>(motion.fps / static_cast<double>(b - a));
  }
  out.turn.assign(hips.size(), 0);
  const RootJoints joints = root_joints(analysis);
  const auto rule = facing_rule(analysis, joints);
  if (!rule) return;
  RootOptions options;
  options.facing = *rule;
  options.ends = RootOptions::Ends::kReflect;
  if (const Result<RootTrajectory> root = extract_root(motion, joints, options)) {
    out.turn = root->turn_speeds_rad_s;
    low_pass_zero_phase(out.turn, 1.0, motion.fps);
  }
}

}  // namespace

Result<ActionSignals> measure_actions(const Motion& motion, const SkeletonAnalysis& analysis) {
  const auto invalid = [](const char* message) { return Error{ErrorCode::kInvalid, message, {}}; };
  if (motion.num_frames < 1) return invalid("segments need at least one frame");
  if (analysis.hips == kNoJoint) return invalid("segments: no body was found in the skeleton");
  if (analysis.up.y < 0.7F) return invalid("segments: the body's up is not +Y; turn it first (for a BVH: --bvh-up z)");
  const double metres = analysis.metres_per_unit;
  ActionSignals out;
  out.has_feet = !analysis.feet.empty();
  out.quadruped = out.has_feet && analysis.feet.size() > 2;
  out.leg_m = out.has_feet ? leg_length(*motion.skeleton, analysis.feet) * metres : 0;
  if (!(out.leg_m > 1e-4)) out.leg_m = std::max(1e-4, 0.5 * analysis.height_m);

  const auto frames = static_cast<std::size_t>(motion.num_frames);
  FeetTrack feet{std::vector<float>(frames, static_cast<float>(analysis.ground_height * metres)), {}};
  if (out.has_feet) feet = measure_feet(motion, analysis, metres);
  const int top = out.quadruped ? root_joints(analysis).neck : analysis.head;
  out.hip_height = heights_of(track_of(motion, analysis.hips, metres));
  out.top_height = top == kNoJoint ? out.hip_height : heights_of(track_of(motion, top, metres));
  for (auto* heights : {&out.hip_height, &out.top_height}) {
    for (std::size_t f = 0; f < frames; ++f) (*heights)[f] -= feet.low[f];
    low_pass_zero_phase(*heights, 2, motion.fps);
  }
  // A clip may never contain standing. Then the legs give the height of the hips. Legs of animals are never straight.
  const double least = out.quadruped ? 0.65 : 0.85;
  out.standing_hip_m = std::max<double>(percentile(out.hip_height, 0.9), least * out.leg_m);
  out.standing_top_m = percentile(out.top_height, 0.9);
  if (!out.quadruped && analysis.height_m > 0)
    out.standing_top_m = std::max(out.standing_top_m, 0.8 * analysis.height_m);
  out.standing_top_m = std::max(out.standing_top_m, 1e-6);

  measure_travel(motion, analysis, metres, out);
  out.flight_share.assign(frames, 0);
  out.jumps.assign(frames, 0);
  if (out.has_feet) measure_flight(motion, analysis, feet, metres, out);
  return out;
}

}  // namespace zoe::anatomy
