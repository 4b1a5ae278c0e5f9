// SPDX-License-Identifier: MIT
#include "zoe/retarget/live_retarget.h"

#include <algorithm>
#include <optional>

#include "zoe/anatomy/hip_drop.h"
#include "zoe/anatomy/leg_rig.h"
#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"

#include "retarget/extents.h"
#include "retarget/feet.h"
#include "retarget/flex.h"
#include "retarget/pair.h"
#include "retarget/skin.h"
#include "retarget/transfer.h"

namespace zoe {

using namespace retarget_detail;  // NOLINT: the parts of retargeting.

namespace {

// From this fraction of its length on a leg straightens with a growing resistance: at full stretch the direction of a
// knee is undefined.
constexpr float kSoftenFrom = 0.995F;
// Sine of a bend below which a knee's own axis is unreliable. The reference pose's axis is used instead.
constexpr float kClearBend = 0.1F;
constexpr float kMostReach = 0.995F, kMostHipDrop = 0.25F;  // Fractions of a leg's length.

struct LiveLeg {
  TwoBoneIkSettings ik;  // mid_axis: of the reference pose, in the knee's frame.
  int source_ankle = kNoJoint;
  float source_standing = 0, target_standing = 0;  // Height of the ankle along `up` when the foot is in contact.
  float height_ratio = 1;                          // Ratio of heights above the contact height.
  float reach = 0;                                 // Largest length of the stretched leg.
  std::optional<FlexLeg> flex;                     // Of a leg that folds in its own way.
  bool keeps_foot = false;                         // Its foot turns as the source's.
};

// In the knee's frame; zero where the leg is straight.
Vec3 bend_axis(const anatomy::ModelPose& pose, int hip, int knee, int ankle) {
  const Vec3 upper = normalized(pose.positions[idx(knee)] - pose.positions[idx(hip)]);
  const Vec3 lower = normalized(pose.positions[idx(ankle)] - pose.positions[idx(knee)]);
  const Vec3 axis = cross(upper, lower);
  if (!(length(axis) > kClearBend)) return {};
  return rotate(conjugate(pose.rotations[idx(knee)]), normalized(axis));
}

// Lowers the joint that travels in the one frame, and what it carries in `placed`, along `up`. model: [joints],
// scratch.
void lower_body(Motion& frame, anatomy::ModelPose& placed, std::vector<Affine>& model, const RetargetBody& body,
                float drop) {
  if (!(drop > 0)) return;
  const Skeleton& skeleton = *frame.skeleton;
  const Vec3 move = body.analysis.up * -drop;
  const int parent = skeleton.parent(body.travel);
  Vec3 local = move;
  if (parent != kNoJoint) {
    compute_model_from_joint(skeleton, frame.frame(0), model);
    local = inverse(model[idx(parent)]).apply_vector(move);
  }
  frame.translations[idx(body.travel)] += local;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    int above = j;
    while (above != kNoJoint && above != body.travel) above = skeleton.parent(above);
    if (above == body.travel) placed.positions[idx(j)] += move;
  }
}

LiveLeg live_leg(const LimbMatch& match, const BodyLeg& source, const BodyLeg& target, const RetargetBody& from,
                 const RetargetBody& to) {
  LiveLeg leg;
  const std::size_t hinge = anatomy::hinge_of(match.target, to.reference.positions);
  leg.ik = {.start_joint = match.target[hinge - 1],
            .mid_joint = match.target[hinge],
            .end_joint = match.target.back(),
            .soften = kSoftenFrom};
  leg.ik.mid_axis = bend_axis(to.reference, leg.ik.start_joint, leg.ik.mid_joint, leg.ik.end_joint);
  if (length(leg.ik.mid_axis) == 0) {
    // Straight in the reference pose: bends like a human knee, about the axis that points to the left.
    leg.ik.mid_axis = rotate(conjugate(to.reference.rotations[idx(leg.ik.mid_joint)]),
                             rotate(body_frame(to.analysis), Vec3{1, 0, 0}));
  }
  leg.reach = kMostReach * (distance(to.at(leg.ik.start_joint), to.at(leg.ik.mid_joint)) +
                            distance(to.at(leg.ik.mid_joint), to.at(leg.ik.end_joint)));
  if (match.flexes) {
    leg.flex.emplace(to, match.target, match.row == 0);
    leg.ik.start_joint = match.target.front();
    leg.keeps_foot = match.on_toes;
    leg.reach = kMostReach * leg.flex->length();
  }
  leg.source_ankle = match.source.back();
  leg.source_standing = source.standing_ankle;
  leg.target_standing = target.standing_ankle;
  leg.height_ratio = row_ratio(from, to, match.row);
  return leg;
}

}  // namespace

struct LiveRetarget::Parts {
  SkeletonPtr source, target;
  SkeletonAnalysis source_analysis, target_analysis;
  Pose source_pose, target_pose;
  BodyMatch match;
  RetargetBody from, to;
  std::vector<DetachedFoot> detached;
  std::vector<LiveLeg> legs;

  Parts(const SkeletonPtr& source_skeleton, const SkeletonAnalysis& of_source, Pose source_reference,
        const SkeletonPtr& target_skeleton, const SkeletonAnalysis& of_target, Pose target_reference, BodyMatch matched)
      : source(source_skeleton),
        target(target_skeleton),
        source_analysis(of_source),
        target_analysis(of_target),
        source_pose(std::move(source_reference)),
        target_pose(std::move(target_reference)),
        match(std::move(matched)),
        from(*source, source_analysis, source_pose.view(), match, End::kSource),
        to(*target, target_analysis, target_pose.view(), match, End::kTarget),
        detached(find_detached_feet(to, match)) {}
};

struct LiveRetargetScratch::Parts {
  anatomy::ModelPose source, placed;
  Motion frame;               // One frame of the target.
  std::vector<Vec3> goals;    // [legs] Goals of the ankles.
  std::vector<Affine> model;  // [target joints]
  std::vector<Vec3> bones;    // [target joints] Offsets that give the placed positions without any scale.
  Transfer transfer;
};

LiveRetargetScratch::LiveRetargetScratch() = default;
LiveRetargetScratch::~LiveRetargetScratch() = default;
LiveRetargetScratch::LiveRetargetScratch(LiveRetargetScratch&&) noexcept = default;
LiveRetargetScratch& LiveRetargetScratch::operator=(LiveRetargetScratch&&) noexcept = default;
LiveRetarget::LiveRetarget(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
LiveRetarget::LiveRetarget(LiveRetarget&&) noexcept = default;
LiveRetarget& LiveRetarget::operator=(LiveRetarget&&) noexcept = default;
LiveRetarget::~LiveRetarget() = default;

Result<LiveRetarget> LiveRetarget::make(const SkeletonPtr& source, const SkeletonAnalysis& source_analysis,
                                        const SkeletonPtr& target, const SkeletonAnalysis& target_analysis,
                                        const RetargetOptions& options) {
  ZOE_CHECK(source && target, "LiveRetarget needs two skeletons");
  ZOE_TRY_ASSIGN(Pose source_pose, checked_reference(*source, source_analysis, options.source_reference, "the source"));
  ZOE_TRY_ASSIGN(Pose target_pose, checked_reference(*target, target_analysis, options.target_reference, "the target"));
  ZOE_TRY_ASSIGN(BodyMatch match, matched_bodies(*source, source_analysis, *target, target_analysis, options.map));
  auto parts = std::make_unique<Parts>(source, source_analysis, std::move(source_pose), target, target_analysis,
                                       std::move(target_pose), std::move(match));
  if (options.target_character != nullptr) {
    parts->to.find_surface(extents_of(*options.target_character));
    parts->to.travel = travel_joint(*target, target_analysis.hips, weighted_joints(*options.target_character));
    const std::vector<DetachedFoot> loose = find_loose_parts(parts->to, *options.target_character, parts->detached);
    parts->detached.insert(parts->detached.end(), loose.begin(), loose.end());
  }
  if (options.source_standing) parts->from.stand_in(options.source_standing->view());
  for (std::size_t l = 0; options.ik && l < parts->match.legs.size(); ++l) {
    parts->legs.push_back(
        live_leg(parts->match.legs[l], parts->from.legs[l], parts->to.legs[l], parts->from, parts->to));
  }
  return LiveRetarget(std::move(parts));
}

double LiveRetarget::scale() const { return length_ratio(parts_->from, parts_->to); }

LiveRetargetScratch LiveRetarget::make_scratch() const {
  const Parts& p = *parts_;
  const bool with_scales = std::ranges::any_of(p.target_pose.scales, [](Vec3 s) { return !(s == Vec3{1, 1, 1}); });
  LiveRetargetScratch scratch;
  scratch.parts_.reset(new LiveRetargetScratch::Parts{{},
                                                      {},
                                                      make_motion(p.target, "live", 30, 1, with_scales),
                                                      std::vector<Vec3>(p.legs.size()),
                                                      std::vector<Affine>(p.target_pose.rotations.size()),
                                                      std::vector<Vec3>(p.target_pose.rotations.size()),
                                                      Transfer(p.match, p.from, p.to, p.target_pose)});
  // Sizes all memory of run().
  Pose out = make_pose(*p.target);
  run(p.source_pose.view(), scratch, out);
  return scratch;
}

void LiveRetarget::run(const PoseView& source, LiveRetargetScratch& scratch, Pose& target) const {
  const Parts& p = *parts_;
  ZOE_CHECK(scratch.parts_ != nullptr, "LiveRetarget::run() needs a scratch of make_scratch()");
  LiveRetargetScratch::Parts& s = *scratch.parts_;
  anatomy::compute_model_pose(*p.source, source, s.source);
  s.transfer.run(s.source, s.frame, 0, s.placed);
  float drop = 0, most = 0;
  for (std::size_t l = 0; l < p.legs.size(); ++l) {
    const LiveLeg& leg = p.legs[l];
    const Vec3 ankle = s.source.positions[idx(leg.source_ankle)];
    const float height = leg.target_standing + (p.from.height(ankle) - leg.source_standing) * leg.height_ratio;
    s.goals[l] = rotate(s.transfer.target_from_source(), p.from.level(ankle)) * s.transfer.scale() +
                 p.target_analysis.up * height;
    drop = std::max(drop, anatomy::needed_drop(s.placed.positions[idx(leg.ik.start_joint)], s.goals[l],
                                               p.target_analysis.up, leg.reach));
    most = std::max(most, kMostHipDrop * leg.reach);
  }
  lower_body(s.frame, s.placed, s.model, p.to, std::min(drop, most));
  for (int j = 0; j < p.target->num_joints(); ++j) {
    const int parent = p.target->parent(j);
    const Vec3 at = s.placed.positions[idx(j)];
    s.bones[idx(j)] = parent == kNoJoint
                          ? at
                          : rotate(conjugate(s.placed.rotations[idx(parent)]), at - s.placed.positions[idx(parent)]);
  }
  for (std::size_t l = 0; l < p.legs.size(); ++l) {
    const LiveLeg& leg = p.legs[l];
    if (leg.flex) {
      const int end = leg.ik.end_joint;
      const std::optional<Quat> foot = leg.keeps_foot ? std::optional(s.placed.rotations[idx(end)]) : std::nullopt;
      leg.flex->reach(s.frame.rotations, s.placed.positions[idx(leg.ik.start_joint)], s.goals[l], foot, 0);
      continue;
    }
    TwoBoneIkJob job{.skeleton = p.target.get(), .settings = leg.ik, .pose = {s.bones, s.frame.rotations}};
    const Vec3 bend = bend_axis(s.placed, leg.ik.start_joint, leg.ik.mid_joint, leg.ik.end_joint);
    if (length(bend) > 0) job.settings.mid_axis = bend;
    job.target_model = s.goals[l];
    job.run();
    // The foot keeps its direction in the model.
    const int foot = leg.ik.end_joint;
    const Quat parent = anatomy::model_rotation(*p.target, s.frame.frame(0), p.target->parent(foot));
    s.frame.rotations[idx(foot)] = normalized(conjugate(parent) * s.placed.rotations[idx(foot)]);
  }
  if (!p.detached.empty()) attach_feet(s.frame, p.to, p.detached, s.model);
  copy_pose(s.frame.frame(0), span_of(target));
  if (s.frame.scales.empty()) std::ranges::fill(target.scales, Vec3{1, 1, 1});
}

}  // namespace zoe
