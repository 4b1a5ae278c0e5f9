// SPDX-License-Identifier: MIT
#include "zoe/certify/sabotage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/random.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/loop.h"

#include "certify/angle.h"
#include "certify/judge.h"
#include "certify/sabotage_limbs.h"
#include "certify/twist.h"

namespace zoe::certify {
namespace {

constexpr double kRadians = 1 / kDegrees;

Vec3 random_direction(Random& random) {
  const Vec3 v{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
               static_cast<float>(random.normal())};
  return normalized(v, {1, 0, 0});
}

// Moves the whole body, metres in the model.
void move_roots(Motion& motion, const SkeletonAnalysis& body, int frame, Vec3 by_m) {
  const std::size_t row = idx(frame) * idx(motion.num_joints());
  const Vec3 by = by_m / static_cast<float>(body.metres_per_unit);
  for (int j = 0; j < motion.num_joints(); ++j)
    if (motion.skeleton->parent(j) == kNoJoint) motion.translations[row + idx(j)] += by;
}

Sabotaged whole(Motion motion) {
  const int last = motion.num_frames - 1;
  return {std::move(motion), 0, last, kNoJoint};
}

std::optional<Sabotaged> slide(const Motion& motion, const ClipTrack& track, Random random, double speed) {
  if (track.feet.empty() || !uses_ground(track.body->family) || track.frames < track.frames_of(1, 8))
    return std::nullopt;
  if (is_in_place(track) || !stands(track)) return std::nullopt;
  const float angle = random.uniform(0, 2 * std::numbers::pi_v<float>);
  const Vec3 step = Vec3{std::sin(angle), 0, std::cos(angle)} * static_cast<float>(speed * track.size_m / track.fps);
  Sabotaged out = whole(motion);
  for (int f = 0; f < track.frames; ++f) move_roots(out.motion, *track.body, f, step * static_cast<float>(f));
  return out;
}

std::optional<Sabotaged> shift(const Motion& motion, const ClipTrack& track, double by_m) {
  if (!uses_ground(track.body->family) || (by_m > 0 && track.body->family == BodyFamily::kBird)) return std::nullopt;
  Sabotaged out = whole(motion);
  for (int f = 0; f < track.frames; ++f) move_roots(out.motion, *track.body, f, Vec3{0, static_cast<float>(by_m), 0});
  return out;
}

struct Span {
  int first, last;
};
Span some_span(const ClipTrack& track, Random& random, double seconds) {
  const int length = std::min(track.frames_of(seconds, 4), track.frames / 2);
  const int first =
      2 + static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(1, track.frames - length - 4))));
  return {first, std::min(track.frames - 1, first + length - 1)};
}

std::optional<Sabotaged> twist(const Motion& motion, const ClipTrack& track, Random random, double angle_deg) {
  const std::vector<TwistJoint> joints = find_twist_joints(track.skeleton(), *track.body);
  if (joints.empty() || track.frames < 12) return std::nullopt;
  const TwistJoint& one = joints[random.below(joints.size())];
  const Span span = some_span(track, random, 0.4);
  Sabotaged out{motion, span.first, span.last, one.joint};
  const Quat turn = from_axis_angle(one.axis, static_cast<float>(angle_deg * kRadians));
  for (int f = span.first; f <= span.last; ++f) {
    Quat& q = out.motion.rotations[idx(f) * idx(track.joints) + idx(one.joint)];
    q = normalized(q * turn);
  }
  make_continuous(out.motion);
  return out;
}

std::optional<Sabotaged> jitter(const Motion& motion, const ClipTrack& track, Random random, double deviation_deg) {
  if (track.frames < 24) return std::nullopt;
  Sabotaged out = whole(motion);
  const auto scale = static_cast<float>(deviation_deg * kRadians);
  for (Quat& q : out.motion.rotations) {
    const Vec3 noise{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                     static_cast<float>(random.normal())};
    q = normalized(q * from_rotation_vector(noise * scale));
  }
  make_continuous(out.motion);
  return out;
}

std::optional<Sabotaged> spike(const Motion& motion, const ClipTrack& track, Random random, double angle_deg) {
  const std::vector<int> joints = spike_joints(track.skeleton(), *track.body);
  if (joints.empty() || track.frames < 12) return std::nullopt;
  const int joint = joints[random.below(joints.size())];
  const int frame = 4 + static_cast<int>(random.below(static_cast<std::uint64_t>(track.frames - 8)));
  Sabotaged out{motion, frame, frame, joint};
  Quat& q = out.motion.rotations[idx(frame) * idx(track.joints) + idx(joint)];
  q = normalized(q * from_axis_angle(random_direction(random), static_cast<float>(angle_deg * kRadians)));
  make_continuous(out.motion);
  return out;
}

std::optional<Sabotaged> stretch(const Motion& motion, const ClipTrack& track, Random random, double factor) {
  std::vector<int> bones;
  for (const Limb& limb : track.body->limbs) {
    for (std::size_t i = 1; i < limb.joints.size(); ++i) {
      const float bone = distance(track.at(0, limb.joints[i]), track.at(0, track.skeleton().parent(limb.joints[i])));
      if (bone > 0.05F * track.size_m) bones.push_back(limb.joints[i]);
    }
  }
  if (bones.empty())
    for (const int j : track.body->spine)
      if (track.skeleton().parent(j) != kNoJoint && j != track.body->hips && j != track.body->root) bones.push_back(j);
  if (bones.empty() || track.frames < 12) return std::nullopt;
  const int joint = bones[random.below(bones.size())];
  const Span span = some_span(track, random, 0.4);
  Sabotaged out{motion, span.first, span.last, joint};
  for (int f = span.first; f <= span.last; ++f)
    out.motion.translations[idx(f) * idx(track.joints) + idx(joint)] *= static_cast<float>(factor);
  return out;
}

// A cycle of the clip, closed, and then cut where its pose is least like the first.
std::optional<Sabotaged> cut_loop(const Motion& motion, const ClipTrack& track, double least_deg) {
  const RootTrajectory root = find_root(motion, *track.body);
  LoopOptions options;
  options.root = &root;
  options.max_results = 1;
  const Result<std::vector<Loop>> loops = find_loops(motion, options);
  if (!loops || loops->empty()) return std::nullopt;
  const Result<Motion> closed = close_loop(motion, loops->front(), &root);
  if (!closed || closed->num_frames < 12) return std::nullopt;
  const std::vector<int> joints = moving_joints(track.skeleton());
  const auto at = [&](int f, int j) { return closed->rotations[idx(f) * idx(track.joints) + idx(j)]; };
  int best = 0;
  double most = 0;
  for (const int j : joints) {
    if (track.skeleton().parent(j) == kNoJoint) continue;
    double usual = 0;  // A step of this size is no seam.
    for (int f = 0; f + 1 < closed->num_frames; ++f) usual = std::max(usual, angle_deg(at(f, j), at(f + 1, j)));
    for (int f = closed->num_frames / 4; f < closed->num_frames * 3 / 4; ++f) {
      const double gap = angle_deg(at(f, j), at(0, j)) - usual;
      if (gap > most) most = gap, best = f;
    }
  }
  if (most < least_deg) return std::nullopt;
  Result<Motion> part = trim(*closed, 0, best);
  if (!part) return std::nullopt;
  return Sabotaged{std::move(*part), best, best, kNoJoint};
}

std::optional<Sabotaged> turned_rest(const Motion& motion, const ClipTrack& track, Random random) {
  if (!shows_facing(*track.body)) return std::nullopt;
  const float angle = random.below(2) == 0 ? std::numbers::pi_v<float> : std::numbers::pi_v<float> / 2;
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, angle);
  std::vector<JointDesc> joints(track.skeleton().joints().begin(), track.skeleton().joints().end());
  Sabotaged out = whole(motion);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent != kNoJoint) continue;
    joints[j].rest_local.rotation = turn * joints[j].rest_local.rotation;
    joints[j].rest_local.translation = rotate(turn, joints[j].rest_local.translation);
    for (int f = 0; f < motion.num_frames; ++f) {
      const std::size_t i = idx(f) * joints.size() + j;
      out.motion.rotations[i] = turn * out.motion.rotations[i];
      out.motion.translations[i] = rotate(turn, out.motion.translations[i]);
    }
  }
  Result<SkeletonPtr> skeleton = Skeleton::create(std::move(joints));
  if (!skeleton) return std::nullopt;
  out.motion.skeleton = *skeleton;
  return out;
}

Sabotaged changed_space(const Motion& motion, const SpaceChange& change) {
  return whole(convert_space(motion, change, convert_space(*motion.skeleton, change)));
}

}  // namespace

std::optional<Sabotaged> sabotage(const Motion& given, const SkeletonAnalysis& analysis, Check way, std::uint64_t seed,
                                  const SabotageSizes& sizes) {
  const ClipTrack track = make_clip_track(given, analysis);
  const Motion& motion = track.motion;
  if (track.frames < 2) return std::nullopt;
  const Random random = Random(seed).split(static_cast<std::uint64_t>(way));
  const auto size = static_cast<double>(track.size_m);
  switch (way) {
    case Check::kFootSlide:
      return slide(motion, track, random, sizes.slide);
    case Check::kPenetration:
      return shift(motion, track, -sizes.sink * size);
    case Check::kFloating:
      return shift(motion, track, sizes.raise * size);
    case Check::kKneeFlip:
    case Check::kElbowFlip:
      return sabotage_hinge(motion, track, way == Check::kKneeFlip, seed, sizes);
    case Check::kTwist:
      return twist(motion, track, random, sizes.twist_deg);
    case Check::kSideSwap:
      return sabotage_sides(motion, track, seed, sizes);
    case Check::kJitter:
      return jitter(motion, track, random, sizes.jitter_deg);
    case Check::kSpike:
      return spike(motion, track, random, sizes.spike_deg);
    case Check::kLoopSeam:
      return cut_loop(motion, track, sizes.least_seam_deg);
    case Check::kBoneStretch:
      return stretch(motion, track, random, sizes.stretch);
    case Check::kScale:
      return changed_space(motion, {.scale = size > 0.3 ? 100.0 : 0.01});
    case Check::kUp:
      if (!shown_up(*motion.skeleton, analysis, {&motion, 1}, nullptr)) return std::nullopt;
      return changed_space(motion, {.turn = SpaceChange::Turn::kYUpToZUp});
    case Check::kFacing:
      return turned_rest(motion, track, random);
    case Check::kWeights:
    case Check::kRoundTrip:
    case Check::kSource:
      break;
  }
  return std::nullopt;
}

}  // namespace zoe::certify
