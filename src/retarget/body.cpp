// SPDX-License-Identifier: MIT
#include "retarget/body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "zoe/anatomy/standing.h"
#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"
#include "zoe/retarget/reference_pose.h"

namespace zoe::retarget_detail {
namespace {

double chain_length(const RetargetBody& body, const std::vector<int>& joints) {
  double sum = 0;
  for (std::size_t i = 1; i < joints.size(); ++i) sum += distance(body.at(joints[i]), body.at(joints[i - 1]));
  return sum;
}

// Uses the lower leg of each row.
void share_rows(std::vector<BodyLeg>& legs) {
  for (BodyLeg& leg : legs) {
    for (const BodyLeg& other : legs) {
      if (other.row != leg.row) continue;
      leg.standing_ankle = std::min(leg.standing_ankle, other.standing_ankle);
      leg.standing_ball = std::min(leg.standing_ball, other.standing_ball);
    }
  }
}

// Upper ends of the hindmost pair of legs, in the reference pose.
std::vector<Vec3> hind_leg_tops(const SkeletonAnalysis& body) {
  std::vector<Vec3> tops;
  for (const Limb& limb : body.limbs)
    if (limb.kind == LimbKind::kLeg && !limb.joints.empty())
      tops.push_back(body.reference_positions[idx(limb.joints.front())]);
  std::ranges::stable_sort(tops, {}, [&](Vec3 p) { return dot(p, body.forward); });
  if (tops.size() > 2) tops.resize(2);
  return tops;
}

}  // namespace

Quat turn_between(Vec3 from, Vec3 to) {
  const Vec3d a = normalized(to_double(from)), b = normalized(to_double(to));
  if (!(dot(a, a) > 0.5 && dot(b, b) > 0.5)) return {};
  const double c = dot(a, b);
  if (c < -1 + 1e-9) {
    const Vec3d side = std::abs(a.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    return to_float(from_axis_angle(normalized(cross(a, side)), std::numbers::pi));
  }
  const Vec3d axis = cross(a, b);
  return to_float(normalized(Quatd{axis.x, axis.y, axis.z, 1 + c}));
}

Quat body_frame(const SkeletonAnalysis& body) {
  const Vec3 up = normalized(body.up, Vec3{0, 1, 0});
  const Vec3 forward = normalized(body.forward - up * dot(body.forward, up), Vec3{0, 0, 1});
  return rotation_of(Affine{cross(up, forward), up, forward, {}});
}

RetargetBody::RetargetBody(const Skeleton& skeleton_in, const SkeletonAnalysis& analysis_in, const PoseView& pose,
                           const BodyMatch& match, End end)
    : skeleton(skeleton_in), analysis(analysis_in) {
  anatomy::compute_model_pose(skeleton, pose, reference);
  ground = static_cast<float>(analysis.ground_height);
  travel = analysis.hips;
  Vec3 sum{};
  int count = 0;
  for (const LimbMatch& limb : match.legs) {
    BodyLeg leg;
    leg.joints = end == End::kSource ? &limb.source : &limb.target;
    leg.ball = end == End::kSource ? limb.source_ball : limb.target_ball;
    leg.foot = end == End::kSource ? limb.source_foot : limb.target.back();
    leg.row = limb.row;
    leg.on_toes = limb.on_toes;
    leg.length = static_cast<float>(chain_length(*this, *leg.joints));
    leg.standing_ankle = height(at(leg.joints->back()));
    leg.standing_ball = leg.ball == kNoJoint ? 0.0F : height(at(leg.ball));
    if (leg.on_toes) leg.length += distance(at(leg.ball), at(leg.joints->back()));
    if (leg.row == 0) {
      sum += at(leg.joints->front());
      ++count;
    }
    legs.push_back(leg);
  }
  share_rows(legs);
  if (count == 0) {  // Legs of one joint have no match, but carry the body.
    for (const Vec3 top : hind_leg_tops(analysis)) {
      sum += top;
      ++count;
    }
  }
  const std::size_t hips = idx(analysis.hips);
  if (count > 0)
    pelvis_in_hips =
        rotate(conjugate(reference.rotations[hips]), sum / static_cast<float>(count) - reference.positions[hips]);
}

float RetargetBody::leg_height() const {
  const std::vector<Vec3> tops = hind_leg_tops(analysis);
  float sum = 0;
  for (const Vec3 top : tops) sum += height(top) - standing();
  return tops.empty() ? 0.0F : sum / static_cast<float>(tops.size());
}

void RetargetBody::find_surface(const Extents& extents) {
  surface.assign(extents.size(), {});
  for (std::size_t j = 0; j < extents.size(); ++j) {
    if (extents[j].empty()) continue;
    Vec3 sum{};
    for (const Vec3 p : extents[j]) sum += p / static_cast<float>(extents[j].size());
    surface[j] = rotate(reference.rotations[j], sum);
  }
}

Vec3 RetargetBody::pelvis(const anatomy::ModelPose& pose) const {
  const std::size_t hips = idx(analysis.hips);
  return pose.positions[hips] + rotate(pose.rotations[hips], pelvis_in_hips);
}

float RetargetBody::standing() const {
  float sum = 0;
  int count = 0;
  for (const BodyLeg& leg : legs) {
    if (leg.row != 0) continue;
    sum += leg.standing();
    ++count;
  }
  return count > 0 ? sum / static_cast<float>(count) : static_cast<float>(analysis.ground_height);
}

void RetargetBody::stand_in(const PoseView& pose) {
  const float before = standing();
  anatomy::ModelPose stands;
  anatomy::compute_model_pose(skeleton, pose, stands);
  for (BodyLeg& leg : legs) {
    leg.standing_ankle = height(stands.positions[idx(leg.joints->back())]);
    if (leg.ball != kNoJoint) leg.standing_ball = height(stands.positions[idx(leg.ball)]);
  }
  share_rows(legs);
  ground += standing() - before;  // As far below the feet as in the reference pose.
}

void RetargetBody::find_standing(const Motion& motion, const Stands& stands) {
  const float before = standing();
  find_feet(motion, stands);
  ground += standing() - before;  // As far below the feet as in the reference pose.
}

void RetargetBody::find_feet(const Motion& motion, const Stands& stands) {
  bool any = false;
  constexpr float kNever = std::numeric_limits<float>::max();
  std::vector<BodyLeg> found = legs;
  for (BodyLeg& leg : found) {
    // Where the body also stands upright, its standing feet tell the ground; else any contact does.
    constexpr std::ptrdiff_t kFew = 3;
    std::vector<std::uint8_t> touching = upright_frames(motion, analysis, leg.joints->back(), leg.length);
    const std::vector<std::uint8_t>& contacts = stands.of(leg.foot);
    for (std::size_t f = 0; f < touching.size(); ++f) touching[f] = touching[f] != 0 && contacts[f] != 0 ? 1 : 0;
    if (std::ranges::count(touching, 1) < kFew) touching = contacts;
    const auto standing = [&](int joint) {
      if (joint == kNoJoint) return 0.0F;
      return anatomy::standing_height(model_positions(motion, {&joint, 1}), touching, analysis.up, kNever);
    };
    leg.standing_ankle = standing(leg.joints->back());
    leg.standing_ball = standing(leg.ball);
    any = any || leg.standing_ankle < kNever;
  }
  if (!any) return;
  const auto is_found = [](const BodyLeg& leg) { return leg.standing_ankle < kNever && leg.standing_ball < kNever; };
  share_rows(found);
  // For a body that walks on its toes, a standing reference pose gives the relative heights of front and hind feet
  // better than a clip of runs. The clip only gives the height of its ground. Added T-poses of people do not show the
  // orientation of soles.
  if (legs[0].on_toes && reference_quality(analysis) > kStands) {
    std::vector<float> grounds;
    for (std::size_t i = 0; i < legs.size(); ++i)
      if (is_found(found[i])) grounds.push_back(found[i].standing() - legs[i].standing());
    std::ranges::sort(grounds);
    const float higher = grounds.empty() ? 0.0F : grounds[(grounds.size() - 1) / 2];
    for (BodyLeg& leg : legs) {
      leg.standing_ankle += higher;
      leg.standing_ball += higher;
    }
    return;
  }
  for (std::size_t i = 0; i < legs.size(); ++i)
    if (is_found(found[i])) legs[i] = found[i];
}

double length_ratio(const RetargetBody& source, const RetargetBody& target) {
  const auto total = [](const RetargetBody& body) {
    double sum = 0;
    for (const BodyLeg& leg : body.legs) sum += leg.length;
    return sum;
  };
  double a = total(source), b = total(target);
  // Legs without a knee are not compared: as high as both stand on them.
  if (!(a > 0 && b > 0)) {
    a = source.leg_height();
    b = target.leg_height();
  }
  // Toys without legs: as high as both are.
  if (!(a > 0 && b > 0)) {
    const auto size = [](const RetargetBody& body) { return body.analysis.height_m / body.analysis.metres_per_unit; };
    a = size(source);
    b = size(target);
  }
  if (!(a > 0 && b > 0)) {
    a = chain_length(source, source.analysis.spine);
    b = chain_length(target, target.analysis.spine);
  }
  return a > 0 && b > 0 ? b / a : 1.0;
}

float row_ratio(const RetargetBody& source, const RetargetBody& target, int row) {
  float a = 0, b = 0;
  for (std::size_t i = 0; i < source.legs.size(); ++i) {
    if (source.legs[i].row != row) continue;
    a += source.legs[i].length;
    b += target.legs[i].length;
  }
  return a > 0 && b > 0 ? b / a : static_cast<float>(length_ratio(source, target));
}

float height_ratio(const BodyMatch& match, const RetargetBody& source, const RetargetBody& target, int row) {
  constexpr float kMost = 1.5F;  // Against the ratio of lengths; more is not a stance.
  const float lengths = row_ratio(source, target, row);
  if (!match.keeps_stance) return lengths;
  float a = 0, b = 0;
  for (std::size_t i = 0; i < source.legs.size(); ++i) {
    const BodyLeg &from = source.legs[i], &to = target.legs[i];
    if (from.row != row) continue;
    a += source.height(source.at(from.joints->front()) - source.at(from.sole()));
    b += target.height(target.at(to.joints->front()) - target.at(to.sole()));
  }
  if (!(a > 0 && b > 0)) return lengths;
  // A stance is known to some per cent: of a clip it is an average of steps.
  const bool from_clip = source.analysis.reference_clip >= 0 || target.analysis.reference_clip >= 0;
  const float unsure = from_clip ? 0.08F : 0.0F;
  const float higher = b / a / lengths;
  return lengths *
         std::clamp(higher > 1 ? std::max(1.0F, higher - unsure) : std::min(1.0F, higher + unsure), 1 / kMost, kMost);
}

}  // namespace zoe::retarget_detail
