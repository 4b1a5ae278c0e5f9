// SPDX-License-Identifier: MIT
#include "zoe/style/quadruped.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

#include "style/mood.h"

namespace zoe::style {
namespace {

Error no_quadruped(const std::string& what) {
  return {ErrorCode::kUnsupported, "style needs the body of a person or of a four-legged animal: " + what +
                                       " (`zoe info --analysis` prints what was found)"};
}

bool is_above(const Skeleton& skeleton, int above, int joint) {
  while (joint != kNoJoint && joint != above) joint = skeleton.parent(joint);
  return joint == above;
}

float elevation(Vec3 line) {
  const float size = length(line);
  return size > 1e-6F ? std::asin(std::clamp(line.y / size, -1.0F, 1.0F)) : 0.0F;
}

// Horizontal unit vector to the left of where the body looks: from the hips to the base of the neck.
Vec3 leftward(const QuadrupedBody& body, const anatomy::ModelPose& pose) {
  const Vec3 ahead = pose.positions[idx(body.neck[0])] - pose.positions[idx(body.trunk)];
  const Vec3 flat{ahead.x, 0, ahead.z};
  const Vec3 forward = length(flat) > 1e-6F ? normalized(flat) : body.forward;
  return {forward.z, 0, -forward.x};  // Up × forward.
}

// From `middle` to q and `factor` times as far.
Quat farther(Quat middle, Quat q, float factor) {
  const Vec3 turn = to_rotation_vector(normalized(conjugate(middle) * nearest_to(middle, q)));
  return normalized(middle * from_rotation_vector(turn * factor));
}

void swing_about_mean(Motion& motion, int joint, float factor) {
  const std::size_t joints = idx(motion.num_joints());
  Quat sum{0, 0, 0, 0};
  const auto at = [&](int f) -> Quat& { return motion.rotations[idx(f) * joints + idx(joint)]; };
  for (int f = 0; f < motion.num_frames; ++f) {
    const Quat q = nearest_to(at(0), at(f));
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  const Quat middle = normalized(sum);
  for (int f = 0; f < motion.num_frames; ++f) at(f) = farther(middle, at(f), factor);
}

// Bends a chain about an axis of the model, each joint by its part of the angle.
void bend_chain(const Skeleton& skeleton, const std::vector<int>& chain, Vec3 axis, float angle_rad,
                std::span<Quat> rotations, const anatomy::ModelPose& before) {
  if (chain.empty() || angle_rad == 0) return;
  const Quat part = from_axis_angle(axis, angle_rad / static_cast<float>(chain.size()));
  Quat turn;  // Of all joints so far, model space.
  for (const int joint : chain) {
    const int parent = skeleton.parent(joint);
    // The parent has turned by `turn`: the joint adds one part, as seen from its parent.
    const Quat above = parent == kNoJoint ? turn : turn * before.rotations[idx(parent)];
    turn = normalized(part * turn);
    rotations[idx(joint)] = nearest_to(rotations[idx(joint)],
                                       normalized(conjugate(normalized(above)) * turn * before.rotations[idx(joint)]));
  }
}

}  // namespace

Result<QuadrupedBody> QuadrupedBody::create(SkeletonPtr skeleton, const SkeletonAnalysis& analysis) {
  if (analysis.family != BodyFamily::kQuadruped)
    return no_quadruped(std::string("this one is of the family ") + to_string(analysis.family));
  if (std::abs(analysis.up.y) < 0.9F) return no_quadruped("it does not stand along +Y");
  QuadrupedBody body;
  body.trunk = analysis.hips != kNoJoint ? analysis.hips : analysis.root;
  body.legs = anatomy::find_leg_rigs(*skeleton, analysis);
  body.forward = analysis.forward;
  if (body.trunk == kNoJoint || analysis.head == kNoJoint) return no_quadruped("its hips or its head were not found");
  if (body.legs.size() != 4) return no_quadruped("it has no four legs with knees");
  std::vector<int> roots;
  for (const anatomy::LegRig& leg : body.legs) roots.push_back(analysis.limbs[idx(leg.limb)].joints[0]);
  for (int joint = analysis.head; joint != kNoJoint; joint = skeleton->parent(joint)) {
    if (std::ranges::any_of(roots, [&](int root) { return is_above(*skeleton, joint, root); })) break;
    body.neck.insert(body.neck.begin(), joint);
  }
  if (body.neck.empty()) return no_quadruped("its legs are on its head");
  for (const int joint : analysis.tail)  // End sites do not turn.
    if (skeleton->kind(joint) != JointKind::kEndSite) body.tail.push_back(joint);
  float sum = 0;
  const auto& at = analysis.reference_positions;
  for (const anatomy::LegRig& leg : body.legs)
    sum += distance(at[idx(leg.hip)], at[idx(leg.knee)]) + distance(at[idx(leg.knee)], at[idx(leg.ankle)]);
  body.leg_length = sum / 4;
  if (!(body.leg_length > 1e-6F) || !std::isfinite(body.leg_length)) return no_quadruped("its legs have no length");
  body.skeleton = std::move(skeleton);
  return body;
}

QuadrupedStyle quadruped_style(const ProceduralStyle& style) {
  QuadrupedStyle out;
  out.neck_down = style.head_pitch + 0.6F * style.spine_pitch;
  out.tail_up = -1.2F * out.neck_down - 0.4F * style.crouch;
  out.crouch = 1.5F * style.crouch;
  out.sway = 0.6F * style.sway;
  out.swing = style.arm_swing;
  out.tremble = style.tremble;
  return out;
}

QuadrupedStyle scaled(const QuadrupedStyle& style, float strength) {
  QuadrupedStyle out = style;
  for (float* value : {&out.neck_down, &out.tail_up, &out.crouch, &out.sway, &out.tremble}) *value *= strength;
  out.swing = std::max(0.0F, 1 + (style.swing - 1) * strength);
  return out;
}

QuadrupedPosture posture_of(const Motion& motion, const QuadrupedBody& body) {
  QuadrupedPosture out;
  anatomy::ModelPose pose;
  std::vector<float> ankles;
  double square = 0, height = 0;
  const auto n = static_cast<float>(motion.num_frames);
  for (int f = 0; f < motion.num_frames; ++f) {
    anatomy::compute_model_pose(*body.skeleton, motion.frame(f), pose);
    const auto at = [&](int joint) { return pose.positions[idx(joint)]; };
    const int base = body.neck.size() > 1 ? body.neck[0] : body.skeleton->parent(body.neck[0]);
    const float neck = elevation(at(body.neck.back()) - at(base));
    out.neck_rad += neck / n;
    square += neck * neck / n;
    if (body.tail.size() > 1) out.tail_rad += elevation(at(body.tail.back()) - at(body.tail[0])) / n;
    height += at(body.trunk).y / n;
    float lowest = at(body.legs[0].ankle).y;
    for (const anatomy::LegRig& leg : body.legs) lowest = std::min(lowest, at(leg.ankle).y);
    ankles.push_back(lowest);
  }
  std::ranges::nth_element(ankles, ankles.begin() + static_cast<std::ptrdiff_t>(ankles.size() / 10));
  out.height = (static_cast<float>(height) - ankles[ankles.size() / 10]) / body.leg_length;
  out.neck_swing = static_cast<float>(std::sqrt(std::max(0.0, square - out.neck_rad * out.neck_rad)));
  return out;
}

QuadrupedStyle style_between(const QuadrupedPosture& from, const QuadrupedPosture& to) {
  QuadrupedStyle out;
  out.neck_down = from.neck_rad - to.neck_rad;
  out.tail_up = to.tail_rad - from.tail_rad;
  out.crouch = std::clamp(from.height - to.height, -0.1F, 0.35F);  // Legs reach no higher than they are long.
  if (from.neck_swing > 0.01F) out.swing = std::clamp(to.neck_swing / from.neck_swing, 0.3F, 2.0F);
  return out;
}

Motion perform_quadruped(const QuadrupedStyle& style, const Motion& motion, const QuadrupedBody& body,
                         const SkeletonAnalysis& analysis, std::uint64_t seed) {
  constexpr float kPerformers = 0.25F, kMoments = 0.2F, kSlowest_hz = 0.12F, kTremble_hz = 4.5F;
  Random random(seed);
  QuadrupedStyle own = style;
  if (seed > 0)
    for (float* value : {&own.neck_down, &own.tail_up, &own.crouch, &own.sway})
      *value *= 1 + kPerformers * std::clamp(static_cast<float>(random.normal()), -2.0F, 2.0F);
  const Mood mood(random.split(2), kSlowest_hz), tremble(random.split(3), kTremble_hz);
  const Skeleton& skeleton = *body.skeleton;
  const std::size_t joints = idx(motion.num_joints());
  const Result<Contacts> contacts = find_foot_contacts(motion, analysis);
  Motion out = motion;
  std::vector<std::vector<Vec3>> ankles(body.legs.size());
  if (own.swing != 1) {
    for (const int joint : body.neck) swing_about_mean(out, joint, own.swing);
    for (const int joint : body.tail) swing_about_mean(out, joint, own.swing);
  }
  // The head keeps its angle to the neck.
  const std::vector<int> carries_head(body.neck.begin(), body.neck.end() - (body.neck.size() > 1 ? 1 : 0));
  anatomy::ModelPose source, pose;
  const auto rate = static_cast<float>(1 - std::exp2(-1 / (motion.fps * 0.15)));
  float side = 0;
  for (int f = 0; f < motion.num_frames; ++f) {
    anatomy::compute_model_pose(skeleton, motion.frame(f), source);
    for (std::size_t i = 0; i < body.legs.size(); ++i) ankles[i].push_back(source.positions[idx(body.legs[i].ankle)]);
    anatomy::compute_model_pose(skeleton, out.frame(f), pose);
    const std::span<Quat> rotations = std::span(out.rotations).subspan(idx(f) * joints, joints);
    const float time_s = static_cast<float>(f / motion.fps), strength = 1 + (seed > 0 ? kMoments * mood.at(time_s) : 0);
    const Vec3 left = leftward(body, source);
    float carried = 0;  // -1: the right side carries, 1: the left one.
    if (contacts)
      for (std::size_t i = 0; i < analysis.feet.size() && i < analysis.limbs.size(); ++i)
        if (contacts->at(f, static_cast<int>(i)))
          carried += analysis.limbs[i].side == Side::kLeft ? 0.5F : analysis.limbs[i].side == Side::kRight ? -0.5F : 0;
    side += rate * (std::clamp(carried, -1.0F, 1.0F) - side);
    bend_chain(skeleton, carries_head, left, strength * own.neck_down + own.tremble * tremble.at(time_s), rotations,
               pose);
    bend_chain(skeleton, body.tail, left, strength * own.tail_up, rotations, pose);
    const Vec3 forward{-left.z, 0, left.x};
    bend_chain(skeleton, {body.trunk}, forward, -strength * own.sway * side, rotations, pose);
    const int parent = skeleton.parent(body.trunk);
    const Vec3 down{0, -strength * own.crouch * body.leg_length, 0};
    out.translations[idx(f) * joints + idx(body.trunk)] +=
        parent == kNoJoint ? down : rotate(conjugate(pose.rotations[idx(parent)]), down);
  }
  anatomy::reach_ankles(out, body.legs, ankles);
  make_continuous(out);
  return out;
}

}  // namespace zoe::style
