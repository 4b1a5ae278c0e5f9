// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "zoe/anatomy/analysis.h"
#include "zoe/anatomy/stance.h"
#include "zoe/core/index.h"

#include "anatomy/facing.h"
#include "anatomy/family.h"
#include "anatomy/make_body.h"
#include "anatomy/middle.h"
#include "anatomy/scale.h"

namespace zoe {
namespace {

using namespace anatomy;

// Head to ankle along the bones: the height of a body that only crouches in the clips.
double stretched_height(const Body& body, const SkeletonAnalysis& result) {
  if (result.family != BodyFamily::kBiped || result.feet.empty() || result.head == kNoJoint) return 0;
  double sum = 0;
  for (const int end : {result.head, result.feet.front()}) {
    for (int joint = end; joint != kNoJoint && joint != result.hips; joint = body.skeleton->parent(joint)) {
      sum += body.bone_length[idx(joint)];
    }
  }
  return sum;
}

// Summed distance to the left of the chain below a joint: more reliable than one joint near the middle.
double leftness(const Body& body, const Symmetry& symmetry, Vec3 left, int joint) {
  double sum = 0;
  while (joint != kNoJoint) {
    sum += dot(body.position(joint) - symmetry.point, left);
    joint = body.children_of(joint).empty() ? kNoJoint : body.children_of(joint).front();
  }
  return sum;
}

// Names decide the sides where they are clear; else the side of the plane.
void set_sides(const Body& body, const Symmetry& symmetry, Vec3 left, SkeletonAnalysis& result) {
  for (Limb& limb : result.limbs) {
    if (limb.side != Side::kCenter) continue;
    const int tip = limb.joints.back();
    limb.side = dot(body.position(tip) - symmetry.point, left) > 0 ? Side::kLeft : Side::kRight;
  }
  // Limbs whose ends cross the middle would get the wrong side joint by joint, so pairs follow the
  // chain above them.
  std::vector<Side> sides(idx(body.num_joints()), Side::kCenter);
  for (int j = 0; j < body.num_joints(); ++j) {
    const int other = symmetry.partner[idx(j)];
    if (other == kNoJoint) continue;
    const int parent = body.skeleton->parent(j);
    Side& side = sides[idx(j)];
    if (body.side(j) != Side::kCenter) {
      side = body.side(j);
    } else if (body.side(other) != Side::kCenter) {
      side = body.side(other) == Side::kLeft ? Side::kRight : Side::kLeft;
    } else if (parent != kNoJoint && sides[idx(parent)] != Side::kCenter &&
               symmetry.partner[idx(parent)] == body.skeleton->parent(other)) {
      side = sides[idx(parent)];
    } else {
      const double to_left = leftness(body, symmetry, left, j) - leftness(body, symmetry, left, other);
      side = to_left > 0 ? Side::kLeft : Side::kRight;
    }
    if (other > j) result.pairs.push_back(side == Side::kLeft ? JointPair{j, other} : JointPair{other, j});
  }
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const JointPair& a, const JointPair& b) { return a.left < b.left; });
}

SkeletonAnalysis analyse_in(Body& body, std::vector<PosedBody> poses, std::span<const Motion> clips,
                            const Character* character, const AnalysisOptions& options) {
  SkeletonAnalysis result;
  const auto note = [&](AnalysisField field, double confidence, EvidenceSource source) {
    result.evidence[static_cast<std::size_t>(field)] = {std::clamp(confidence, 0.0, 1.0), source};
  };
  constexpr auto kNames = EvidenceSource::kNames;
  constexpr auto kGeometry = EvidenceSource::kGeometry;

  const Symmetry symmetry = find_symmetry(body, std::move(poses));
  const double trust = std::min(1.0, 0.3 + symmetry.score);  // For everything that depends on the mirror plane.
  LimbFinding limbs = find_limbs(body, symmetry);
  const Facing facing = find_facing(body, symmetry, limbs.limbs, clips);
  const Middle middle = find_middle(body, symmetry, limbs.limbs, facing.forward);

  result.up = body.up;
  result.forward = facing.forward;
  result.reference_clip = body.clip;
  result.reference_frame = body.frame;
  result.reference_is_bind = body.is_bind;
  result.reference_positions = body.positions;
  result.root = body.root;
  result.hips = middle.hips;
  result.head = middle.head;
  result.spine = middle.spine;
  result.tail = middle.tail;
  result.limbs = std::move(limbs.limbs);
  set_sides(body, symmetry, cross(result.up, result.forward), result);
  result.feet = ends_of(body, symmetry, result.limbs, LimbKind::kLeg);
  result.hands = ends_of(body, symmetry, result.limbs, LimbKind::kArm);
  Extent extent = extent_of(body, character);
  result.family = family_of(body, result.limbs, middle, extent, result.forward);
  leave_out_arms(body, result.limbs, clips, extent);
  const bool captured = body.clip >= 0 && !body.skinned;
  if (captured) extent.high = std::max(extent.high, extent.low + stretched_height(body, result));
  const ScaleFinding scale = find_scale(result.family, extent.high - extent.low, options.stated_metres_per_unit);
  result.metres_per_unit = scale.metres_per_unit;
  result.height_m = (extent.high - extent.low) * scale.metres_per_unit;
  result.ground_height = captured ? body.clip_ground : extent.low;

  const EvidenceSource limbs_source = limbs.kinds_by_names ? kNames : kGeometry;
  // Shares that were right over all rigs of the shared data (tools/dev/measure_rigs.py).
  const bool nameless = std::ranges::all_of(body.names, [](const NameReading& n) { return n.role == Role::kUnknown; });
  const double by_names = limbs.contested ? 0.9 : 0.98;
  const double by_joints = nameless ? 0.6 + 0.35 * trust : 0.95;
  const double by_shape = limbs.by_flesh ? 0.95 : by_joints;
  const double limbs_confidence = limbs.kinds_by_names ? by_names : by_shape;
  note(AnalysisField::kFamily, limbs_confidence, limbs_source);
  note(AnalysisField::kUp, body.up_evidence.confidence, body.up_evidence.source);
  note(AnalysisField::kForward, facing.evidence.confidence, facing.evidence.source);
  note(AnalysisField::kMetresPerUnit, scale.evidence.confidence, scale.evidence.source);
  note(AnalysisField::kHeight, scale.evidence.confidence * (extent.of_mesh ? 1.0 : 0.8), kGeometry);
  note(AnalysisField::kRoot, 0.9, kGeometry);
  note(AnalysisField::kHips, middle.hips_by_names ? 0.95 : 0.6 * trust, middle.hips_by_names ? kNames : kGeometry);
  note(AnalysisField::kHead, middle.head_by_names ? 0.95 : 0.5 * trust, middle.head_by_names ? kNames : kGeometry);
  note(AnalysisField::kSpine, middle.head_by_names ? 0.9 : 0.5 * trust, middle.head_by_names ? kNames : kGeometry);
  note(AnalysisField::kLimbs, limbs_confidence, limbs_source);
  note(AnalysisField::kFeet, result.feet.empty() ? 0.0 : limbs_confidence, limbs_source);
  note(AnalysisField::kHands, result.hands.empty() ? 0.0 : limbs_confidence, limbs_source);
  note(AnalysisField::kTail, middle.tail_by_names ? 0.95 : 0.5 * trust, middle.tail_by_names ? kNames : kGeometry);
  const bool mostly_names = symmetry.num_by_names > symmetry.num_by_geometry;
  note(AnalysisField::kPairs, mostly_names ? 0.95 : 0.8 * trust, mostly_names ? kNames : kGeometry);
  if (captured) {
    note(AnalysisField::kGround, 0.3 + 0.6 * body.clip_ground_share, EvidenceSource::kMotion);
    note(AnalysisField::kReferencePose, 0.3 + 0.6 * symmetry.score, EvidenceSource::kMotion);
  } else {
    note(AnalysisField::kGround, extent.of_mesh ? 0.8 : 0.6, kGeometry);
    // A mesh was bound in its rest pose; bones alone may rest in any pose.
    note(AnalysisField::kReferencePose, body.skinned ? 0.95 : 0.3 + 0.5 * symmetry.score,
         body.skinned ? EvidenceSource::kStated : kGeometry);
  }
  return result;
}

// The frame in which a body on four legs or more stands best, where that is clearly better than the reference pose:
// known only once the legs are. A sitting or lying dog is as symmetric as a standing one.
std::optional<PosedBody> standing_pose(const Body& body, const SkeletonAnalysis& result,
                                       std::span<const Motion> clips) {
  constexpr std::size_t kFewestLegs = 4;
  constexpr int kMaxFrames = 240;
  constexpr double kBetter = 0.03;
  if (result.reference_clip < 0 || result.feet.size() < kFewestLegs) return std::nullopt;
  double best = stance_quality(result, result.reference_positions) + kBetter;
  std::optional<PosedBody> found;
  for_each_frame(body, clips, kMaxFrames, [&](PosedBody pose) {
    const double quality = stance_quality(result, pose.positions);
    if (quality <= best) return;
    best = quality;
    found = std::move(pose);
  });
  return found;
}

}  // namespace

SkeletonAnalysis analyse(const Skeleton& skeleton, std::span<const Motion> clips, const Character* character,
                         const AnalysisOptions& options) {
  if (!is_measurable(skeleton.rest_model())) return {};
  Body body = make_body(skeleton, clips, character, options);
  if (body.root == kNoJoint) return {};
  SkeletonAnalysis result = analyse_in(body, candidate_poses(body, clips), clips, character, options);
  if (auto pose = standing_pose(body, result, clips)) {
    SkeletonAnalysis standing = analyse_in(body, {std::move(*pose)}, clips, character, options);
    if (standing.family == result.family && standing.feet == result.feet) result = std::move(standing);
  }
  return result;
}

}  // namespace zoe
