// SPDX-License-Identifier: MIT
#include "zoe/retarget/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/anatomy/standing.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

#include "retarget/body.h"
#include "retarget/goals.h"
#include "retarget/match.h"

namespace zoe {
namespace {

using retarget_detail::LimbMatch;

constexpr float kDegPerRad = 180 / std::numbers::pi_v<float>;
constexpr float kFlipDeg = 60;
constexpr float kNearGround = 0.065F;  // Leg lengths; ContactOptions::height_leave.

struct Mean {
  double sum = 0, worst = 0;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    worst = std::max(worst, value);
    ++count;
  }
  double value() const { return count > 0 ? sum / static_cast<double>(count) : 0.0; }
};

float chain_length(const SkeletonAnalysis& body, const std::vector<int>& joints) {
  float sum = 0;
  for (std::size_t i = 1; i < joints.size(); ++i)
    sum += distance(body.reference_positions[idx(joints[i])], body.reference_positions[idx(joints[i - 1])]);
  return sum;
}

// A limb of one body over the clip.
struct Track {
  std::vector<Vec3> root;                // [frames] its upper end.
  std::vector<std::vector<Vec3>> parts;  // [parts][frames] Hand, or ankle and ball.
  std::vector<float> standing;           // [parts] Contact height of the foot.
  std::vector<float> at_rest;            // [parts] The same in the reference pose.
  float root_at_rest = 0;                // Height of the upper end in the reference pose.
  float limb_length = 0;
  Vec3 up;

  Track(const Motion& motion, const SkeletonAnalysis& body, const std::vector<int>& joints, int ball) : up(body.up) {
    const auto track = [&](int joint) { return model_positions(motion, {&joint, 1}); };
    const auto rest = [&](int joint) { return body.reference_positions[idx(joint)]; };
    root = track(joints.front());
    root_at_rest = dot(rest(joints.front()), up);
    limb_length = chain_length(body, joints);
    for (const int part : {joints.back(), ball}) {
      if (part == kNoJoint) continue;
      parts.push_back(track(part));
      at_rest.push_back(dot(rest(part), up));
    }
  }

  void find_standing(std::span<const std::uint8_t> touching) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      standing.push_back(anatomy::standing_height(parts[p], touching, up, at_rest[p]));
  }

  // Takes the height of the ground below away.
  void flatten(const Ground& ground, float metres_per_unit) {
    const Quat world = retarget_detail::turn_between(up, Vec3{0, 1, 0});
    const auto rise = [&](Vec3 p) {
      const Vec3 at = rotate(world, p) * metres_per_unit;
      return ground.height(at.x, at.z) / metres_per_unit;
    };
    for (std::size_t f = 0; f < root.size(); ++f) {
      root[f] -= up * rise(parts[0][f]);
      for (auto& part : parts) part[f] -= up * rise(part[f]);
    }
  }

  Vec3 level(Vec3 v) const { return v - up * dot(v, up); }
  float height(std::size_t part, std::size_t frame) const { return dot(parts[part][frame], up) - standing[part]; }
  // Height of the lower part above its contact height, leg lengths.
  float lowest(std::size_t frame) const {
    float least = height(0, frame);
    for (std::size_t p = 1; p < parts.size(); ++p) least = std::min(least, height(p, frame));
    return least / limb_length;
  }
  std::array<float, 2> carrying(std::size_t frame) const {
    std::array<float, 2> heights{}, weights{};
    for (std::size_t p = 0; p < parts.size(); ++p) heights[p] = height(p, frame);
    anatomy::carrying_weights({heights.data(), parts.size()}, kNearGround * limb_length,
                              {weights.data(), parts.size()});
    return weights;
  }
  // Horizontal length from ankle to ball of a flat foot.
  float sole_length() const {
    const float foot = distance(parts[0][0], parts[1][0]), drop = standing[0] - standing[1];
    return std::sqrt(std::max(0.0F, foot * foot - drop * drop));
  }
  // Displacement of the part that carries the foot, from the frame before to this one, leg lengths.
  float slid(std::size_t frame) const {
    const std::array<float, 2> before = carrying(frame - 1), here = carrying(frame);
    Vec3 sum{};
    for (std::size_t p = 0; p < parts.size(); ++p)
      sum += (parts[p][frame] - parts[p][frame - 1]) * (0.5F * (before[p] + here[p]));
    return length(level(sum)) / limb_length;
  }
};

// Distance of the target's foot from the source's in each frame, in target leg lengths. Horizontally it is measured
// from the upper end of the leg, vertically from the contact height, or from the upper end when it is high up. A foot
// in contact has one position, so the difference of the upper ends is averaged over each contact.
class FootErrors {
 public:
  FootErrors(const Track& a, const Track& b, Quat turn, float scale, double fps, std::span<const std::uint8_t> touching,
             bool on_toes, bool keeps_stance)
      : a_(a), b_(b), turn_(turn), scale_(scale), on_toes_(on_toes) {
    const std::size_t stands_on = on_toes ? 1 : 0;
    const float height_a = a.root_at_rest - a.at_rest[stands_on], height_b = b.root_at_rest - b.at_rest[stands_on];
    const bool by_stance = keeps_stance && height_a > 0 && height_b > 0;
    const float ratio = by_stance ? height_b / height_a : b.limb_length / a.limb_length;
    for (std::size_t f = 0; f < a.root.size(); ++f) {
      const float rise =
          dot(b.root[f], b.up) - b.standing[stands_on] - (dot(a.root[f], a.up) - a.standing[stands_on]) * ratio;
      shift_.push_back(
          b.level(b.root[f]) - scaled(a.root[f]) +
          b.up * (rise * retarget_detail::off_the_ground(a.lowest(f), touching[f] != 0 ? 0.0F : rise / b.limb_length)));
    }
    for (std::size_t begin = 0, end = 0; begin < touching.size(); begin = end + 1) {
      Vec3 sum{};
      for (end = begin; end < touching.size() && touching[end] != 0; ++end) sum += shift_[end];
      for (std::size_t f = begin; f < end; ++f) shift_[f] = sum / static_cast<float>(end - begin);
    }
    if (b.parts.size() < 2) return;
    std::vector<Vec3> feet;
    for (std::size_t f = 0; f < b.root.size(); ++f) feet.push_back(b.parts[1][f] - b.parts[0][f]);
    ahead_ =
        retarget_detail::foot_headings(feet, b.up, b.standing[0] - b.standing[1], kNearGround * b.limb_length, fps);
  }

  // Of the part that carries the target's foot (ankle, ball, or both) near the ground, and of the ankle above it; of
  // the ball for a body that walks on its toes.
  double at(std::size_t f) const {
    std::array<float, 2> weights{0, 1};
    if (!on_toes_) {
      weights = b_.carrying(f);
      weights[1] *= retarget_detail::near_the_ground(a_.lowest(f));
      weights[0] = 1 - weights[1];
    }
    Vec3 error{};
    for (std::size_t part = 0; part < b_.parts.size(); ++part) error += part_error(f, part) * weights[part];
    return length(error) / b_.limb_length;
  }

 private:
  Vec3 scaled(Vec3 p) const { return rotate(turn_, a_.level(p)) * scale_; }

  Vec3 part_error(std::size_t f, std::size_t part) const {
    const float ratio = b_.limb_length / a_.limb_length;
    Vec3 level = b_.level(b_.parts[part][f]) - scaled(a_.parts[part][f]) - shift_[f];
    // Longer feet reach further from the targets of their ankles.
    if (part == 1 && !on_toes_) {
      level -= ahead_[f] * (b_.sole_length() - scale_ * a_.sole_length());
    }
    return level + b_.up * (b_.height(part, f) - a_.height(part, f) * ratio);
  }

  const Track &a_, &b_;
  Quat turn_;
  float scale_;
  bool on_toes_;
  std::vector<Vec3> shift_, ahead_;
};

// Of the parts that carry the target's foot, leg lengths.
double contact_error(const Track& a, const Track& b, std::size_t f) {
  const std::array<float, 2> weights = b.carrying(f);
  const float ratio = b.limb_length / a.limb_length;
  double error = 0;
  for (std::size_t p = 0; p < b.parts.size(); ++p)
    error += weights[p] * std::abs(b.height(p, f) - a.height(p, f) * ratio);
  return error / b.limb_length;
}

// [frames - 1] the largest rotation of any joint relative to its parent, degrees, and its joint.
struct Steps {
  std::vector<float> largest_deg;
  std::vector<float> in_model_deg;  // The same for rotations in the model.
  std::vector<int> joint;

  explicit Steps(const Motion& motion) {
    const std::size_t n = idx(motion.num_joints());
    anatomy::ModelPose before, here;
    for (int f = 0; f < motion.num_frames; ++f) {
      std::swap(before, here);
      anatomy::compute_model_pose(*motion.skeleton, motion.frame(f), here);
      if (f == 0) continue;
      float largest = 0, in_model = 0;
      int which = kNoJoint;
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t i = idx(f) * n + j;
        const float angle = kDegPerRad * angle_between(motion.rotations[i], motion.rotations[i - n]);
        in_model = std::max(in_model, kDegPerRad * angle_between(before.rotations[j], here.rotations[j]));
        if (angle <= largest) continue;
        largest = angle;
        which = static_cast<int>(j);
      }
      largest_deg.push_back(largest);
      in_model_deg.push_back(in_model);
      joint.push_back(which);
    }
  }

  // Relative to its parent or in the model, within a frame: a joint with another parent in the other body (a foot on
  // the root) turns relative to its parent as this one does in the model.
  float around_deg(std::size_t f) const {
    float most = 0;
    for (std::size_t k = f > 0 ? f - 1 : 0; k < std::min(f + 2, largest_deg.size()); ++k)
      most = std::max({most, largest_deg[k], in_model_deg[k]});
    return most;
  }
};

// Ends relative to the hips in body heights.
double end_error(const Motion& source, const SkeletonAnalysis& from, const Motion& target, const SkeletonAnalysis& to,
                 const retarget_detail::BodyMatch& match, Quat target_from_source) {
  std::vector<int> a{from.hips}, b{to.hips};
  for (const auto* limbs : {&match.legs, &match.arms}) {
    for (const LimbMatch& limb : *limbs) {
      a.push_back(limb.source.back());
      b.push_back(limb.target.back());
    }
  }
  if (from.head != kNoJoint && to.head != kNoJoint) {
    a.push_back(from.head);
    b.push_back(to.head);
  }
  const auto pa = model_positions(source, a), pb = model_positions(target, b);
  const auto height_a = static_cast<float>(from.height_m / from.metres_per_unit);
  const auto height_b = static_cast<float>(to.height_m / to.metres_per_unit);
  if (!(height_a > 0 && height_b > 0)) return 0;
  Mean mean;
  for (std::size_t f = 0; f < idx(source.num_frames); ++f) {
    for (std::size_t k = 1; k < a.size(); ++k) {
      const std::size_t i = f * a.size();
      mean.add(distance(rotate(target_from_source, pa[i + k] - pa[i]) / height_a, (pb[i + k] - pb[i]) / height_b));
    }
  }
  return mean.value();
}

}  // namespace

RetargetMetrics measure_retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const Motion& target,
                                 const SkeletonAnalysis& target_analysis, const Ground* terrain, const JointMap& map) {
  ZOE_CHECK(source.num_frames == target.num_frames, "measure_retarget() needs motions of the same frames");
  RetargetMetrics out;
  const auto match =
      retarget_detail::match_bodies(*source.skeleton, source_analysis, *target.skeleton, target_analysis, map);
  const Quat turn = retarget_detail::turn_between(source_analysis.up, target_analysis.up);
  const auto frames = idx(source.num_frames);
  const retarget_detail::Stands stands(source, source_analysis);

  // "Height-normalised": by the legs, which carry the body, not by heads and hats.
  double source_legs = 0, target_legs = 0;
  for (const LimbMatch& leg : match.legs) {
    source_legs += chain_length(source_analysis, leg.source);
    target_legs += chain_length(target_analysis, leg.target);
  }
  const auto scale = static_cast<float>(source_legs > 0 ? target_legs / source_legs : 1.0);
  // Travel has one scale. A frog's short front legs go as far over the ground as its long hind legs.
  const double num_legs = std::max(1.0, static_cast<double>(match.legs.size()));
  const double mean_a = source_legs / num_legs, mean_b = target_legs / num_legs;

  Mean foot, hand, slide, source_slide, contact;
  std::size_t touched = 0;
  for (const LimbMatch& leg : match.legs) {
    Track a(source, source_analysis, leg.source, leg.source_ball),
        b(target, target_analysis, leg.target, leg.target_ball);
    if (!(a.limb_length > 0 && b.limb_length > 0)) continue;
    ++out.num_legs;
    const std::vector<std::uint8_t>& touching = stands.of(leg.source_foot);
    if (terrain != nullptr) b.flatten(*terrain, static_cast<float>(target_analysis.metres_per_unit));
    a.find_standing(touching);
    b.find_standing(touching);
    const FootErrors errors(a, b, turn, scale, source.fps, touching, leg.on_toes, match.keeps_stance);
    const float floor = *std::ranges::min_element(b.at_rest);
    for (std::size_t f = 0; f < frames; ++f) {
      foot.add(errors.at(f));
      for (std::size_t p = 0; p < b.parts.size(); ++p)
        out.sunk = std::max<double>(out.sunk, (floor - dot(b.parts[p][f], b.up)) / b.limb_length);
      touched += touching[f];
      if (touching[f] != 0) contact.add(contact_error(a, b, f));
      if (f == 0 || touching[f] == 0 || touching[f - 1] == 0) continue;
      source_slide.add(a.slid(f) * a.limb_length / mean_a * source.fps);
      slide.add(b.slid(f) * b.limb_length / mean_b * target.fps);
    }
  }
  for (const LimbMatch& arm : match.arms) {
    const Track a(source, source_analysis, arm.source, kNoJoint), b(target, target_analysis, arm.target, kNoJoint);
    if (!(a.limb_length > 0 && b.limb_length > 0)) continue;
    ++out.num_arms;
    for (std::size_t f = 0; f < frames; ++f) {
      hand.add(distance(rotate(turn, a.parts[0][f] - a.root[f]) / a.limb_length,
                        (b.parts[0][f] - b.root[f]) / b.limb_length));
    }
  }
  out.source_slide = source_slide.value();
  out.slide = slide.value();
  out.contact_share = out.num_legs > 0 && frames > 0
                          ? static_cast<double>(touched) / static_cast<double>(frames * idx(out.num_legs))
                          : 0.0;
  out.contact_height_error = contact.value();
  out.mean_foot_error = foot.value();
  out.worst_foot_error = foot.worst;
  out.mean_hand_error = hand.value();
  out.worst_hand_error = hand.worst;
  out.mean_end_error = end_error(source, source_analysis, target, target_analysis, match, turn);

  const Steps before(source), after(target);
  for (std::size_t f = 0; f < after.largest_deg.size(); ++f) {
    out.source_step_deg = std::max<double>(out.source_step_deg, before.largest_deg[f]);
    if (after.largest_deg[f] > kFlipDeg && before.around_deg(f) <= kFlipDeg) ++out.num_flips;
    if (after.largest_deg[f] <= out.step_deg) continue;
    out.step_deg = after.largest_deg[f];
    out.step_joint = after.joint[f];
    out.step_frame = static_cast<int>(f) + 1;
  }
  return out;
}

RoundTrip measure_round_trip(const Motion& original, const Motion& back, const SkeletonAnalysis& analysis,
                             const Skeleton& other_skeleton, const SkeletonAnalysis& other, const JointMap& map) {
  ZOE_CHECK(original.skeleton->num_joints() == back.skeleton->num_joints() && original.num_frames == back.num_frames,
            "measure_round_trip() needs two motions of one skeleton and the same frames");
  const Skeleton& skeleton = *original.skeleton;
  std::vector<char> counted(idx(skeleton.num_joints()), 0);
  for (const auto& joint : retarget_detail::match_bodies(skeleton, analysis, other_skeleton, other, map).joints)
    counted[idx(joint.source)] = 1;
  RoundTrip out;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (counted[idx(j)]) {
      ++out.num_joints;
    } else if (skeleton.kind(j) == JointKind::kBone) {
      out.lacking.push_back(j);
    }
  }
  Mean mean;
  std::vector<Mean> by_joint(counted.size());
  anatomy::ModelPose a, b;
  for (int f = 0; f < original.num_frames; ++f) {
    anatomy::compute_model_pose(skeleton, original.frame(f), a);
    anatomy::compute_model_pose(skeleton, back.frame(f), b);
    for (std::size_t j = 0; j < counted.size(); ++j)
      if (counted[j]) by_joint[j].add(kDegPerRad * angle_between(a.rotations[j], b.rotations[j]));
  }
  for (std::size_t j = 0; j < counted.size(); ++j) {
    out.joint_mean_deg.push_back(by_joint[j].value());
    mean.sum += by_joint[j].sum;
    mean.count += by_joint[j].count;
    mean.worst = std::max(mean.worst, by_joint[j].worst);
  }
  out.mean_deg = mean.value();
  out.worst_deg = mean.worst;
  return out;
}

}  // namespace zoe
