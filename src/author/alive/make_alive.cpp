// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/author/alive.h"
#include "zoe/author/retarget_source.h"
#include "zoe/core/index.h"
#include "zoe/motion/convert_space.h"
#include "zoe/retarget/reference_pose.h"

#include "author/alive/plan.h"

namespace zoe::author {
namespace {

using control::Locomotion;

bool has_skin(const Character& character) {
  for (const MeshInstance& instance : character.instances)
    if (instance.skin >= 0) return true;
  return false;
}

bool has_bones(const Skeleton& skeleton) {
  for (const JointDesc& joint : skeleton.joints())
    if (joint.kind == JointKind::kBone) return true;
  return false;
}

// The trunk of an upright body is above its hips; that of the others before them.
bool is_upright(const StandingRig& rig) {
  const SkeletonAnalysis& body = rig.analysis;
  std::size_t arms = 0, legs = 0;
  for (const Limb& limb : body.limbs) {
    arms += limb.kind == LimbKind::kArm ? 1 : 0;
    legs += limb.kind == LimbKind::kLeg ? 1 : 0;
  }
  if (body.family != BodyFamily::kBiped && (arms == 0 || legs > 0)) return false;
  const int top = body.head != kNoJoint ? body.head : body.spine.empty() ? kNoJoint : body.spine.back();
  const int hips = body.hips != kNoJoint ? body.hips : body.root;
  if (top == kNoJoint || hips == kNoJoint || top == hips) return true;
  const Vec3 line = rig.at(top) - rig.at(hips);
  return line.y > 0.75F * length(line);
}

bool has_wings(const SkeletonAnalysis& body) {
  return std::any_of(body.limbs.begin(), body.limbs.end(),
                     [](const Limb& limb) { return limb.kind == LimbKind::kWing; });
}

Locomotion locomotion_of(const SkeletonAnalysis& body, std::size_t num_legs, bool has_wave) {
  if (num_legs >= 2) return Locomotion::kLegs;
  if (body.family == BodyFamily::kFish) return Locomotion::kSwim;
  if (body.family == BodyFamily::kSnake && has_wave) return Locomotion::kCrawl;
  return has_wings(body) ? Locomotion::kFly : Locomotion::kHop;
}

// A body, its analysis and its reference pose, all in metres.
struct MetricBody {
  CharacterPtr character;
  SkeletonAnalysis analysis;
  Pose reference;
};
Result<MetricBody> metric_body(const io::Asset& asset, const std::string& overrides) {
  ZOE_TRY_ASSIGN(AssetAnalysis found, analyse_asset(asset, overrides));
  MetricBody out{asset.character, std::move(found.body), {}};
  // The reference is found in the file's own unit, in which its clips are.
  out.reference = reference_pose(*asset.character->skeleton, out.analysis, asset.clips, asset.character.get());
  const double scale = out.analysis.metres_per_unit;
  if (std::abs(scale - 1) <= 1e-9) return out;
  const SpaceChange change{.scale = scale};
  ZOE_TRY(validate(change));
  out.character = std::make_shared<const Character>(convert_space(*asset.character, change));
  out.analysis.metres_per_unit = 1;
  out.analysis.ground_height *= scale;
  for (Vec3& position : out.analysis.reference_positions) position = position * static_cast<float>(scale);
  for (Vec3& translation : out.reference.translations) translation = translation * static_cast<float>(scale);
  return out;
}

}  // namespace

Result<Alive> make_alive(const io::Asset& asset, const std::string& overrides, const AliveOptions& options) {
  const Error no_joints{ErrorCode::kInvalid,
                        "contains no joints to move: a mesh alone cannot be steered; rig it first, or name a file "
                        "with a skeleton",
                        {}};
  if (!asset.character || asset.character->skeleton->num_joints() == 0) return no_joints;
  io::Asset still{asset.character, {}, asset.source, {}};
  if (!has_skin(*asset.character)) still.clips = asset.clips;
  Alive alive;
  ZOE_TRY_ASSIGN(MetricBody metric, metric_body(still, overrides));
  // Nodes of meshes, cameras and lights are joints too; some rigs consist of such nodes alone.
  if (!has_bones(*asset.character->skeleton) && metric.analysis.limbs.empty()) return no_joints;
  alive.character = metric.character;
  alive.analysis = metric.analysis;
  StandingRig rig = make_standing_rig(alive.character, alive.analysis, std::move(metric.reference));
  const int trunk = find_trunk(rig);
  // A frame of a clip may be anywhere: the middle plane of the body becomes x = 0.
  Vec3 plane = rig.at(alive.analysis.hips != kNoJoint ? alive.analysis.hips : trunk);
  plane.y = 0;
  rig.move(-plane);
  rig.update();
  std::vector<PlannedLeg> legs = find_legs(rig, trunk, alive.notes);
  const bool flies = options.fly && has_wings(alive.analysis);
  if (legs.size() < 2 || flies) legs.clear();
  const bool upright = is_upright(rig);
  alive.plan.trunk = trunk;
  alive.plan.locomotion =
      flies ? Locomotion::kFly
            : locomotion_of(alive.analysis, legs.size(), alive.analysis.spine.size() + alive.analysis.tail.size() >= 3);
  rest_limbs(rig, upright, alive.plan.locomotion == Locomotion::kLegs);
  // The root is below the middle of the feet; without feet below the trunk.
  Vec3 middle = rig.at(trunk);
  if (!legs.empty()) {
    middle = {};
    for (const PlannedLeg& leg : legs) middle += leg.leg.home_m / static_cast<float>(legs.size());
  }
  middle.y = 0;
  if (alive.plan.locomotion == Locomotion::kSwim || alive.plan.locomotion == Locomotion::kFly)
    middle.y = -0.4F * static_cast<float>(alive.analysis.height_m);
  if (alive.plan.locomotion == Locomotion::kFly) {  // Wings that are down stay above the ground.
    for (const Affine& joint : rig.model) middle.y = std::min(middle.y, -0.9F * std::abs(joint.t.x));
  }
  rig.move(-middle);
  rig.update();
  for (PlannedLeg& leg : legs) leg.leg.home_m -= middle;
  set_pace(rig, upright, legs, alive.plan);
  for (const PlannedLeg& leg : legs) alive.plan.legs.push_back(leg.leg);
  alive.plan.parts = find_parts(rig, alive.plan.locomotion, trunk, legs, upright);
  alive.plan.limits = make_limits(rig, alive.plan);
  const control::GaitSettings& s = alive.plan.settings;
  alive.body.skeleton = rig.skeleton;
  alive.body.start = rig.pose;
  alive.body.motion_range = control::MotionRange::measured(s.walk_mps, s.run_mps, s.turn_rad_s);
  for (const control::GaitLeg& leg : alive.plan.legs)
    alive.body.contact_joints.push_back(leg.ball == kNoJoint ? leg.end : leg.ball);
  if (const char* defect = control::defect_of(alive.plan, *rig.skeleton))
    return Error{ErrorCode::kInvalid, fmt::format("no gait can be planned for this rig: {}", defect), {}};
  if (alive.plan.locomotion == Locomotion::kHop)
    alive.notes.push_back("no legs, wings or long body were found: it hops; `zoe info FILE --analysis` shows what was");
  return alive;
}

}  // namespace zoe::author
