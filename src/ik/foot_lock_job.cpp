// SPDX-License-Identifier: MIT
#include "zoe/ik/foot_lock_job.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/math/portable.h"
#include "zoe/math/portable_quat.h"
#include "zoe/math/smooth_step.h"
#include "zoe/math/spring.h"

#include "ik/leg_pose.h"

namespace zoe {
namespace {

using ik_detail::below;
using ik_detail::FootTargets;
using ik_detail::Frame;
using ik_detail::kMaxLegs;
using ik_detail::LegPose;
using ik_detail::LimbFrames;

float standing_height(const FootLockJob& job, Vec3 p, float height) {
  if (job.placed != nullptr) {
    const float ground_m = job.placed->height(p.x, p.z);
    return (std::isfinite(ground_m) ? ground_m : 0.0F) + height;
  }
  return (job.ground != nullptr ? job.ground->height(p.x, p.z) : 0.0F) + height;
}

constexpr float kFarLock_m = 0.03F, kFarBlend_s = 0.12F;

// How far a foot that lands over a trench is moved along itself, until ankle and ball have ground below. Zero where
// they have, or where there is none in reach.
Vec3 shift_to_ground(const FootLockJob& job, const Leg& leg, Vec3 ankle, Vec3 ball) {
  constexpr float kHole_m = 0.12F, kStep_m = 0.02F, kFarthest_m = 0.3F;
  const auto carried = [&](Vec3 p, float height) { return p.y - standing_height(job, p, height) < kHole_m; };
  const auto both = [&](Vec3 shift) {
    return carried(ankle + shift, leg.ankle_height_m) && carried(ball + shift, leg.ball_height_m);
  };
  if (both({})) return {};
  const Vec3 along = normalized(Vec3{ball.x - ankle.x, 0, ball.z - ankle.z}, Vec3{});
  for (float far_m = kStep_m; far_m <= kFarthest_m; far_m += kStep_m) {
    for (const float side : {1.0F, -1.0F}) {
      // One step more, so that it does not stand on the edge.
      if (both(along * (side * far_m))) return along * (side * (far_m + kStep_m));
    }
  }
  return {};
}

// The ball of a held foot is let go while it points elsewhere than the pose's by at least this much.
constexpr float kTwisted_m = 0.1F;

// The pose has turned, or moved on, over a foot whose ball is let go now: ankle and ball leave together, in a step. An
// ankle that is held alone would have the toes sweep over the ground.
bool is_twisted(const FootLockJob& job, const FootLockState::Foot& foot, Vec3 ball, float ball_contact) {
  if (!(job.soft_s > 0) || !foot.ankle.holds || !foot.ball.holds) return false;
  const Vec3 away = ball - foot.ball.locked;
  const float far_m = portable_hypot(away.x, away.z);
  return far_m > kTwisted_m && (ball_contact < 0.5F || far_m > job.tear_m);
}

bool begins(const FootPointState& point, float contact) { return contact >= 0.5F && !point.holds && !point.torn; }

// Advances one point's lock by a frame and returns the target of the point. `animated`: its position in the pose.
// shift: from there to where it can stand, for a lock that begins.
Vec3 update_point(const FootLockJob& job, FootPointState& point, Vec3 animated, float contact, float height,
                  Vec3 shift) {
  const bool started = job.state->started;
  const bool touches = contact >= 0.5F;
  // A soft lock that was torn and has been given back, in a contact that goes on, begins again where the foot is by
  // now: small steps. Else the foot would glide until its contact ends.
  if (!touches || (job.soft_s > 0 && point.blend == 0)) point.torn = false;
  if (begins(point, contact)) {
    // Locks at the displayed position of the foot, so that the lock itself causes no sideways motion.
    point.locked = (started ? Vec3{point.output.x, 0, point.output.z} : animated) + shift;
    point.locked.y = standing_height(job, point.locked, height);
    point.holds = true;
  }
  if (job.placed != nullptr && point.blend > 0 && (point.holds || job.soft_s <= 0))
    point.locked.y = standing_height(job, point.locked, height);
  const Vec3 away = animated - point.locked;
  if (point.holds && portable_hypot(away.x, away.z) > job.tear_m) point.torn = true;
  if (!touches || point.torn) {
    if (point.holds && job.soft_s > 0) point.locked -= animated;
    point.holds = false;
  }

  // A lock beside the foot is reached over some frames.
  const Vec3 to_lock = point.locked - point.output;
  const bool is_far = job.placed != nullptr && started && portable_hypot(to_lock.x, to_lock.z) > kFarLock_m;
  const float in_s = is_far ? std::max(job.blend_in_s, kFarBlend_s) : job.blend_in_s;
  const float time = point.holds ? in_s : job.blend_out_s, step = time > 0 ? job.dt_s / time : 1.0F;
  point.blend = std::clamp(point.blend + (point.holds ? step : -step), 0.0F, 1.0F);
  if (!started) point.blend = point.holds ? 1.0F : 0.0F;  // The first frame has nothing to blend from.
  const float weight = smooth_step(point.blend);
  Vec3 target =
      point.holds || job.soft_s <= 0 ? lerp(animated, point.locked, weight) : animated + point.locked * weight;
  if (job.soft_s > 0 && started) {
    Vec3 behind = approach(point.output, target, job.soft_s, job.dt_s);
    if (job.placed != nullptr) behind.y = target.y;  // The space of the last output was at another height.
    target = lerp(target, behind, point.holds ? 1.0F : weight);
  }
  target.y = std::max(target.y, standing_height(job, target, height));
  return target;
}

// The point at `bone` metres from `fixed` in the direction of `wanted`, tilted up where it would be below the ground.
Vec3 at_bone_length(const FootLockJob& job, Vec3 fixed, Vec3 wanted, Vec3 fallback, float bone, float height) {
  const Vec3 direction = normalized(wanted - fixed, normalized(fallback));
  const float aside = portable_hypot(direction.x, direction.z);
  const Vec3 flat = aside > 1e-6F ? Vec3{direction.x / aside, 0, direction.z / aside} : Vec3{};
  Vec3 point = fixed + direction * bone;
  // Tilting moves the point over other ground. A few rounds converge on slopes.
  for (int round = 0; round < 4; ++round) {
    const float rise = std::min(standing_height(job, point, height) - fixed.y, bone);
    if (point.y >= fixed.y + rise) break;
    point = fixed + flat * std::sqrt(std::max(bone * bone - rise * rise, 0.0F)) + Vec3{0, rise, 0};
  }
  return point;
}

// A held foot turns no faster than feet do. Where pose and lock point in opposite directions, the straight path between
// them passes through the point of rotation, and the foot would flip over in a frame. Moves `free` about `fixed`.
Vec3 slow_turn(const FootLockJob& job, Vec3 fixed, Vec3 free, Vec3 direction_before) {
  constexpr float kFastest_rad_s = 15;
  const Vec3 before = normalized(direction_before, Vec3{}), now = normalized(free - fixed, Vec3{});
  const float angle = portable_acos(std::clamp(dot(before, now), -1.0F, 1.0F)), most = kFastest_rad_s * job.dt_s;
  if (!job.state->started || !(angle > most) || dot(before, before) < 0.5F || dot(now, now) < 0.5F) return free;
  const Vec3 axis = normalized(cross(before, now), Vec3{0, 1, 0});
  return fixed + rotate(portable_from_rotation_vector(axis * most), before) * distance(free, fixed);
}

// Targets of ankle and ball of one leg. The bone between them keeps its length: the ankle yields to a held ball.
FootTargets update_leg(const FootLockJob& job, std::size_t index, const Frame& world_from_model,
                       const LimbFrames& limb) {
  const Leg& leg = job.legs[index];
  FootLockState::Foot& foot = job.state->feet[index];
  const Vec3 ankle = world_from_model.apply(limb.end.position);
  const bool has_ball = leg.ball != kNoJoint;
  const Vec3 ball =
      has_ball ? world_from_model.apply(below(*job.skeleton, job.pose, limb.end, leg.ankle, leg.ball).position) : ankle;
  const bool lands = job.placed != nullptr && job.state->started && has_ball && !foot.ankle.holds && !foot.ball.holds &&
                     (begins(foot.ankle, job.ankle_contacts[index]) || begins(foot.ball, job.ball_contacts[index]));
  const Vec3 shift = lands ? shift_to_ground(job, leg, foot.ankle.output, foot.ball.output) : Vec3{};
  FootTargets targets;
  if (has_ball && is_twisted(job, foot, ball, job.ball_contacts[index])) foot.ankle.torn = true;
  targets.ankle = update_point(job, foot.ankle, ankle, job.ankle_contacts[index], leg.ankle_height_m, shift);
  if (!has_ball) return targets;
  targets.ball = update_point(job, foot.ball, ball, job.ball_contacts[index], leg.ball_height_m, shift);
  // Heel up, ball locked: the ankle follows the ball as in the pose.
  const float only_ball = smooth_step(foot.ball.blend) * (1 - smooth_step(foot.ankle.blend));
  targets.ankle = lerp(targets.ankle, targets.ball + (ankle - ball), only_ball);
  targets.ankle.y = std::max(targets.ankle.y, standing_height(job, targets.ankle, leg.ankle_height_m));
  const float bone = distance(ankle, ball);
  const Vec3 foot_before = foot.ball.output - foot.ankle.output;
  if (foot.ball.blend > foot.ankle.blend) {
    targets.ankle = slow_turn(job, targets.ball, targets.ankle, -foot_before);
    targets.ankle = at_bone_length(job, targets.ball, targets.ankle, ankle - ball, bone, leg.ankle_height_m);
  } else {
    if (foot.ankle.blend > 0) targets.ball = slow_turn(job, targets.ankle, targets.ball, foot_before);
    targets.ball = at_bone_length(job, targets.ankle, targets.ball, ball - ankle, bone, leg.ball_height_m);
  }
  return targets;
}

}  // namespace

FootLockState make_foot_lock_state(std::size_t num_legs) {
  FootLockState state;
  state.feet.resize(num_legs);
  return state;
}

const char* FootLockJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  if (state == nullptr) return "state is missing";
  if (legs.size() > kMaxLegs) return "legs: more than 64";
  if (state->feet.size() != legs.size()) return "state was made for another number of legs";
  if (ankle_contacts.size() != legs.size()) return "ankle_contacts does not have one entry a leg";
  if (ball_contacts.size() != legs.size()) return "ball_contacts does not have one entry a leg";
  if (const char* why = ik_detail::check_legs(*skeleton, legs)) return why;
  if (!(dt_s >= 0)) return "dt_s is negative";
  if (!(max_reach > 0 && max_reach <= 1)) return "max_reach is not within (0, 1]";
  if (!(max_hip_drop_m >= 0)) return "max_hip_drop_m is negative";
  if (!(soften > 0 && soften <= 1)) return "soften is not within (0, 1]";
  return nullptr;
}

bool FootLockJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const Frame world_from_model{world_from_model_rotation, world_from_model_translation};
  const Frame model_from_world{conjugate(world_from_model.rotation),
                               rotate(conjugate(world_from_model.rotation), -world_from_model.position)};

  // 1. Targets of feet, from contacts and locks.
  std::array<FootTargets, kMaxLegs> targets;
  float drop = 0;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const LegPose leg{skeleton, &legs[i], pose};
    const LimbFrames limb = leg.limb();
    targets[i] = update_leg(*this, i, world_from_model, limb);
    const Vec3 hip = world_from_model.apply(limb.start.position);
    drop = std::max(drop, leg.needed_drop(hip, targets[i].ankle, max_reach));
  }

  // 2. Lowers the hips until all legs reach.
  drop = std::min(drop, max_hip_drop_m);
  state->hip_drop_m = state->started ? approach(state->hip_drop_m, drop, hip_half_life_s, dt_s) : drop;
  if (!pose.translations.empty()) {
    pose.translations[0] += rotate(model_from_world.rotation, Vec3{0, -state->hip_drop_m, 0});
  }

  // 3. Legs to their targets, feet along the ground.
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Leg& leg = legs[i];
    const LegPose bent{skeleton, &leg, pose};
    LimbFrames limb = bent.limb();
    const Quat foot = limb.end.rotation;
    const Vec3 pole = bent.knee_pole(limb);
    const auto reach = [&](Vec3 ankle_world) {
      bent.reach(limb, model_from_world.apply(ankle_world), pole, soften);
      limb = bent.limb(limb.base);
      return world_from_model.apply(limb.end.position);
    };
    Vec3 ankle = reach(targets[i].ankle);
    // A leg that is too short stops before its target, maybe inside a hill.
    if (ankle.y < standing_height(*this, ankle, leg.ankle_height_m)) {
      ankle.y = standing_height(*this, ankle, leg.ankle_height_m);
      ankle = reach(ankle);
    }
    // Otherwise the foot would turn with the shank: it keeps its rotation in the world.
    pose.rotations[static_cast<std::size_t>(leg.ankle)] = normalized(conjugate(limb.above_end.rotation) * foot);
    state->feet[i].ankle.output = ankle;
    if (leg.ball == kNoJoint) continue;
    const auto ankle_frame = [&] { return limb.above_end * ik_detail::local_frame(pose, leg.ankle); };
    const Vec3 ball = targets[i].ball;
    bent.aim_foot(ankle_frame(), model_from_world.apply(at_bone_length(*this, ankle, ball, ball - targets[i].ankle,
                                                                       bent.foot_length(), leg.ball_height_m)));
    state->feet[i].ball.output =
        world_from_model.apply(below(*skeleton, pose, ankle_frame(), leg.ankle, leg.ball).position);
  }
  state->started = true;
  return true;
}

}  // namespace zoe
