// SPDX-License-Identifier: MIT
#include "zoe/eval/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/index.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/held_out.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::eval {
namespace {

struct GroundPart {
  int joint = kNoJoint, contact = -1;
  float standing_m = 0;
};
std::vector<GroundPart> ground_parts(const control::Body& body) {
  std::vector<GroundPart> parts;
  for (const control::BodyLeg& leg : body.legs) {
    parts.push_back({leg.leg.ankle, leg.ankle_contact, leg.leg.ankle_height_m});
    if (leg.leg.ball != kNoJoint) parts.push_back({leg.leg.ball, leg.ball_contact, leg.leg.ball_height_m});
  }
  return parts;
}

struct MeanAndTail {
  double mean = 0, p95 = 0;
};
MeanAndTail mean_and_tail(std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  std::sort(values.begin(), values.end());
  return {sum / static_cast<double>(values.size()), values[values.size() * 95 / 100]};
}

enum class BodyPart : std::uint8_t { kTrunk, kLegs, kArms, kFingers };
constexpr std::size_t kNumParts = 4;

// [joints]
std::vector<BodyPart> parts_of_joints(const control::Body& body) {
  const SkeletonAnalysis analysis = analyse(*body.skeleton);
  std::vector<BodyPart> out(idx(body.skeleton->num_joints()), BodyPart::kTrunk);
  for (const Limb& limb : analysis.limbs)
    if (limb.kind == LimbKind::kArm && !limb.joints.empty()) out[idx(limb.joints[0])] = BodyPart::kArms;
  for (const control::BodyLeg& leg : body.legs) out[idx(leg.leg.hip)] = BodyPart::kLegs;
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    const int above = body.skeleton->parent(j);
    if (above == kNoJoint || out[idx(j)] != BodyPart::kTrunk) continue;
    const bool is_hand = std::find(analysis.hands.begin(), analysis.hands.end(), above) != analysis.hands.end();
    out[idx(j)] = is_hand ? BodyPart::kFingers : out[idx(above)];
  }
  return out;
}

// Sums of the distances of joints.
class PartSums {
 public:
  explicit PartSums(const std::vector<BodyPart>& part_of) : part_of_(&part_of) {
    for (const BodyPart part : part_of) joints_[idx(static_cast<int>(part))] += 1;
  }
  void add(std::span<const double> distances_m) {
    for (std::size_t j = 0; j < distances_m.size(); ++j) sums_[idx(static_cast<int>((*part_of_)[j]))] += distances_m[j];
    ++frames_;
  }
  PartErrors errors(std::size_t all_frames) const {
    const auto mean_cm = [&](std::initializer_list<BodyPart> parts) {
      double sum = 0, joints = 0;
      for (const BodyPart part : parts)
        sum += sums_[idx(static_cast<int>(part))], joints += joints_[idx(static_cast<int>(part))];
      return joints > 0 && frames_ > 0 ? 100 * sum / joints / static_cast<double>(frames_) : 0.0;
    };
    return {.joints_cm = mean_cm({BodyPart::kTrunk, BodyPart::kLegs, BodyPart::kArms, BodyPart::kFingers}),
            .body_cm = mean_cm({BodyPart::kTrunk, BodyPart::kLegs, BodyPart::kArms}),
            .legs_cm = mean_cm({BodyPart::kLegs}),
            .trunk_cm = mean_cm({BodyPart::kTrunk}),
            .arms_cm = mean_cm({BodyPart::kArms}),
            .fingers_cm = mean_cm({BodyPart::kFingers}),
            .share = all_frames > 0 ? static_cast<double>(frames_) / static_cast<double>(all_frames) : 0};
  }

 private:
  const std::vector<BodyPart>* part_of_;
  std::array<double, kNumParts> sums_{}, joints_{};
  std::size_t frames_ = 0;
};

// Positions of all joints in the space of the root, heights above its plane.
void rooted_places(const Skeleton& skeleton, const PoseView& pose, const PlanarRoot& root, float plane_m,
                   std::vector<Affine>& models, std::vector<Vec3>& out) {
  compute_model_from_joint(skeleton, pose, models);
  const Quat turn = conjugate(rotation_of(PlanarRoot{{}, root.facing_rad}));
  for (std::size_t j = 0; j < models.size(); ++j)
    out[j] = rotate(turn, models[j].t - Vec3{root.position.x, plane_m, root.position.z});
}

// Of all frames of a clip: rooted_places(), [frames × joints].
std::vector<Vec3> places_of_clip(const Skeleton& skeleton, const ClipOnGround& clip) {
  const std::size_t joints = idx(skeleton.num_joints());
  std::vector<Affine> models(joints);
  std::vector<Vec3> out, one(joints);
  for (std::size_t f = 0; f < clip.roots.size(); ++f) {
    rooted_places(skeleton, clip.motion.frame(static_cast<int>(f)), clip.roots[f], 0, models, one);
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

// Distances of joints; returns their mean.
double distances(std::span<const Vec3> made, std::span<const Vec3> real, std::vector<double>& apart_m) {
  double sum = 0;
  for (std::size_t j = 0; j < made.size(); ++j) {
    apart_m[j] = static_cast<double>(distance(made[j], real[j]));
    sum += apart_m[j];
  }
  return sum / static_cast<double>(made.size());
}

bool is_uneven(const Ground& ground, const PlanarRoot& root) {
  constexpr float kUneven_m = 0.04F, kAhead_m = 0.45F, kBeside_m = 0.25F;
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
  for (const Vec3 way : {Vec3{}, Vec3{0, 0, kAhead_m}, Vec3{0, 0, 0.5F * kAhead_m}, Vec3{0, 0, -0.5F * kAhead_m},
                         Vec3{0, 0, -kAhead_m}, Vec3{kBeside_m, 0, 0}, Vec3{-kBeside_m, 0, 0}}) {
    const Vec3 at = root.position + rotate(rotation_of(root), way);
    const float height_m = ground.height(at.x, at.z);
    if (!std::isfinite(height_m)) continue;
    lowest = std::min(lowest, height_m), highest = std::max(highest, height_m);
  }
  return highest - lowest >= kUneven_m;
}

}  // namespace

SurfaceMetrics measure_on_ground(const Motion& motion, std::span<const float> contacts, const control::Body& body,
                                 const Ground& ground) {
  const std::size_t frames = idx(motion.num_frames), num_contacts = body.contact_joints.size();
  std::vector<double> deep, gaps;
  double slide = 0;
  std::size_t count = 0;
  std::vector<Affine> models(idx(motion.num_joints()));
  const std::vector<GroundPart> parts = ground_parts(body);
  std::vector<Vec3> before(parts.size());
  for (std::size_t f = 0; f < frames; ++f) {
    compute_model_from_joint(*motion.skeleton, motion.frame(static_cast<int>(f)), models);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Vec3 at = models[idx(parts[p].joint)].t;
      const double above_cm = 100.0 * static_cast<double>(at.y - ground.height(at.x, at.z) - parts[p].standing_m);
      deep.push_back(std::max(-above_cm, 0.0));
      ++count;
      if (f > 0 && parts[p].contact >= 0 && contacts[f * num_contacts + idx(parts[p].contact)] >= 0.5F) {
        gaps.push_back(std::max(above_cm, 0.0));
        slide += 100 * motion.fps * std::hypot(at.x - before[p].x, at.z - before[p].z);
      }
      before[p] = at;
    }
  }
  SurfaceMetrics out;
  const std::size_t in_contact = gaps.size();
  const MeanAndTail depth = mean_and_tail(deep), gap = mean_and_tail(gaps);
  out.penetration_cm = depth.mean;
  out.penetration_p95_cm = depth.p95;
  out.gap_cm = gap.mean;
  out.gap_p95_cm = gap.p95;
  out.foot_skate_cm_s = in_contact > 0 ? slide / static_cast<double>(in_contact) : 0;
  out.contact_share = count > 0 ? static_cast<double>(in_contact) / static_cast<double>(count) : 0;
  return out;
}

std::map<std::string, SurfaceMetrics> evaluate_terrain(const control::Controller& controller, const control::Body& body,
                                                       const TerrainOptions& options, int* recoveries_out) {
  std::vector<TerrainShape> shapes = options.shapes;
  if (shapes.empty()) {
    for (int i = 0; i < kNumTerrainShapes; ++i) shapes.push_back(static_cast<TerrainShape>(i));
  }
  std::map<std::string, SurfaceMetrics> out;
  if (recoveries_out != nullptr) *recoveries_out = 0;
  const double fps = controller.rate_hz();
  for (const TerrainShape shape : shapes) {
    SurfaceMetrics& sum = out[to_string(shape)];
    for (int i = 0; i < options.num_seeds; ++i) {
      const GroundPtr ground = make_terrain_ground(shape, options.first_seed + static_cast<std::uint64_t>(i));
      auto intents = make_course("straight", body.motion_range.pace_mps, 1);
      ZOE_CHECK(intents.has_value(), "there is a straight course");
      const Recording run =
          record(controller, **intents,
                 {.seconds = options.seconds, .fps = fps, .ground = ground, .place_feet = options.place_feet});
      if (recoveries_out != nullptr) *recoveries_out += run.num_recoveries;
      const int first = static_cast<int>(fps);
      Motion cut = make_motion(run.motion.skeleton, run.motion.name, fps, run.motion.num_frames - first, false);
      const auto from = static_cast<std::ptrdiff_t>(first) * run.motion.num_joints();
      std::copy(run.motion.translations.begin() + from, run.motion.translations.end(), cut.translations.begin());
      std::copy(run.motion.rotations.begin() + from, run.motion.rotations.end(), cut.rotations.begin());
      const SurfaceMetrics one = measure_on_ground(
          cut, std::span(run.contacts).subspan(idx(first) * body.contact_joints.size()), body, *ground);
      const double share = 1.0 / options.num_seeds;
      sum.penetration_cm += share * one.penetration_cm;
      sum.penetration_p95_cm += share * one.penetration_p95_cm;
      sum.gap_cm += share * one.gap_cm;
      sum.gap_p95_cm += share * one.gap_p95_cm;
      sum.foot_skate_cm_s += share * one.foot_skate_cm_s;
      sum.contact_share += share * one.contact_share;
    }
  }
  return out;
}

RolloutErrors rollout_errors(const control::Controller& controller, const control::Body& body,
                             std::span<const ClipOnGround> clips, const RolloutOptions& options) {
  RolloutErrors out;
  const double fps = controller.rate_hz();
  const auto steps = static_cast<std::size_t>(std::lround(options.seconds * fps));
  const auto every = static_cast<std::size_t>(std::max(std::lround(options.every_s * fps), 1L));
  const auto past = static_cast<std::size_t>(std::lround(0.6 * fps));
  const Skeleton& skeleton = *controller.skeleton();
  const std::size_t joints = idx(skeleton.num_joints()), num_contacts = body.contact_joints.size();
  std::vector<Affine> models(joints);
  std::vector<Vec3> made(joints);
  const std::vector<GroundPart> parts = ground_parts(body);
  const std::vector<BodyPart> part_of = parts_of_joints(body);
  PartSums everywhere(part_of), uneven(part_of), level(part_of), in_step(part_of);
  std::vector<double> apart_m(joints), shifted_m(joints), nearest_m(joints);
  const auto reach = static_cast<std::size_t>(0.25 * fps);
  double feet = 0, heights = 0;
  std::size_t frames = 0;
  constexpr std::size_t kTimes = 10;
  std::vector<double> by_time(kTimes), counts(kTimes);
  for (const ClipOnGround& clip : clips) {
    double of_clip = 0;
    std::size_t frames_before = frames;
    const std::vector<Vec3> places = places_of_clip(skeleton, clip);
    const auto places_at = [&](std::size_t f) { return std::span(places).subspan(f * joints, joints); };
    for (std::size_t start = past; start + steps < clip.roots.size(); start += every) {
      const auto state = controller.make_state({.root = clip.roots[start], .ground = clip.ground});
      state->set_foot_placement(options.place_feet);
      std::vector<control::MotionMoment> moments;
      for (std::size_t f = start - past; f <= start; ++f) {
        control::MotionMoment moment{clip.roots[f], clip.motion.frame(static_cast<int>(f)),
                                     std::span(clip.contacts).subspan(f * num_contacts, num_contacts)};
        if (!clip.phases.empty())
          moment.local_phases = std::span(clip.phases).subspan(2 * f * num_contacts, 2 * num_contacts);
        moments.push_back(moment);
      }
      if (!controller.begin_in(*state, moments)) return {};
      const auto intents =
          follow_roots({clip.roots.begin() + static_cast<std::ptrdiff_t>(start), clip.roots.end()}, fps);
      for (std::size_t k = 1; k <= steps; ++k) {
        controller.tick(*state, intents->next(state->root(), 1 / fps), 1 / fps);
        rooted_places(skeleton, state->pose(), state->root(), state->root().position.y, models, made);
        const std::size_t now = start + k;
        const std::span<const Vec3> real = places_at(now);
        const double off = distances(made, real, apart_m);
        double least = off;
        nearest_m = apart_m;
        for (std::size_t f = now - std::min(now, reach); f <= std::min(now + reach, clip.roots.size() - 1); ++f) {
          if (f == now) continue;
          const double other = distances(made, places_at(f), shifted_m);
          if (other < least) least = other, std::swap(nearest_m, shifted_m);
        }
        in_step.add(nearest_m);
        everywhere.add(apart_m);
        (is_uneven(*clip.ground, clip.roots[now]) ? uneven : level).add(apart_m);
        of_clip += off;
        by_time[(k - 1) * kTimes / steps] += off;
        counts[(k - 1) * kTimes / steps] += 1;
        for (const GroundPart& part : parts) {
          feet += static_cast<double>(distance(made[idx(part.joint)], real[idx(part.joint)])) /
                  static_cast<double>(parts.size());
          heights += std::abs(static_cast<double>(made[idx(part.joint)].y - real[idx(part.joint)].y)) /
                     static_cast<double>(parts.size());
        }
        ++frames;
      }
      ++out.num_rollouts;
    }
    if (frames > frames_before) out.by_clip_cm[clip.name] = 100 * of_clip / static_cast<double>(frames - frames_before);
  }
  if (frames == 0) return out;
  out.everywhere = everywhere.errors(frames);
  out.uneven = uneven.errors(frames);
  out.level = level.errors(frames);
  out.in_step = in_step.errors(frames);
  out.joints_cm = out.everywhere.joints_cm;
  out.feet_cm = 100 * feet / static_cast<double>(frames);
  out.foot_height_cm = 100 * heights / static_cast<double>(frames);
  for (std::size_t t = 0; t < kTimes; ++t) out.by_time_cm.push_back(100 * by_time[t] / std::max(counts[t], 1.0));
  return out;
}

}  // namespace zoe::eval
