// SPDX-License-Identifier: MIT
#include "zoe/ik/foot_placement_job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "zoe/math/portable.h"
#include "zoe/math/portable_quat.h"
#include "zoe/math/smooth_step.h"
#include "zoe/math/spring.h"

#include "ik/leg_pose.h"

namespace zoe {
namespace {

using ik_detail::FootTargets;
using ik_detail::kMaxLegs;
using ik_detail::LegPose;
using Foot = FootPlacementState::Foot;

constexpr float kFastest_mps = 15;  // Feet that seem to be faster were teleported.

// Ground that is higher above the pose's than a foot steps, or farther below it than a leg is long, is a wall or a pit:
// no foot can be there.
constexpr float kHighestStep = 0.6F;  // In leg lengths.
float within_reach(const FootPlacementJob& job, float leg_m, float height_m) {
  return std::clamp(height_m, job.pose_height_m - leg_m, job.pose_height_m + kHighestStep * leg_m);
}
// A ground of the caller's may fail: then the pose's own flat ground counts.
float height_at(const FootPlacementJob& job, float leg_m, Vec3 at) {
  const float height_m = job.ground.height(at.x, at.z);
  return std::isfinite(height_m) ? within_reach(job, leg_m, height_m) : job.pose_height_m;
}
Vec3 normal_at(const FootPlacementJob& job, Vec3 at) {
  const Vec3 normal = job.ground.normal(at.x, at.z);
  return is_finite(normal) && normal.y > 0 ? normal : Vec3{0, 1, 0};
}

// Rise of the ground per metre in the direction (x, z), within the limit of a foot's pitch.
float slope(const FootPlacementJob& job, Vec3 at, float x, float z) {
  const Vec3 n = normal_at(job, at);
  const float most = portable_sin(job.max_pitch_rad) / portable_cos(job.max_pitch_rad);
  return std::clamp(-(n.x * x + n.z * z) / std::max(n.y, 1e-3F), -most, most);
}

// Height of the ground that counts for a point: the highest one where the point will be soon. A spring lags behind a
// goal of constant speed by twice the inverse of its rate, so the first sample is that far ahead.
float ground_ahead(const FootPlacementJob& job, float leg_m, Vec3 now, Vec3 before, float swings) {
  Vec3 velocity = job.state->started && job.dt_s > 0 ? (now - before) / job.dt_s : Vec3{};
  velocity.y = 0;
  const float speed = length(velocity);
  if (!(speed > 1e-3F) || speed > kFastest_mps) return height_at(job, leg_m, now);
  const float first_s = 2 / spring_rate(job.ground_half_life_s), last_s = std::max(job.look_ahead_s * swings, first_s);
  constexpr int kSamples = 4;
  float highest = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < kSamples; ++i) {
    const float time_s = first_s + (last_s - first_s) * static_cast<float>(i) / (kSamples - 1);
    highest = std::max(highest, height_at(job, leg_m, now + velocity * time_s));
  }
  return highest;
}

// A foot rests on the higher one of the grounds below its two points, along the slope there. The lower point may hang
// over an edge.
void rest_on_higher(const FootPlacementJob& job, const FootTargets& flat, float& ankle_m, float& ball_m) {
  const float x = flat.ball.x - flat.ankle.x, z = flat.ball.z - flat.ankle.z, far = portable_hypot(x, z);
  if (!(far > 1e-5F)) return;
  if (ankle_m >= ball_m) {
    ball_m = std::max(ball_m, ankle_m + far * slope(job, flat.ankle, x / far, z / far));
  } else {
    ankle_m = std::max(ankle_m, ball_m - far * slope(job, flat.ball, x / far, z / far));
  }
}

void tilt_foot(const FootPlacementJob& job, Foot& foot, const FootTargets& flat, bool has_ball) {
  const Vec3 middle = has_ball ? (flat.ankle + flat.ball) * 0.5F : flat.ankle;
  Vec3 tilt = portable_to_rotation_vector(ik_detail::arc({0, 1, 0}, normal_at(job, middle)));
  const float angle = length(tilt);
  if (angle > job.max_pitch_rad) tilt = tilt * (job.max_pitch_rad / angle);
  if (job.share < 1) tilt = tilt * job.share;
  foot.tilt_rad = job.state->started ? approach(foot.tilt_rad, tilt, job.tilt_half_life_s, job.dt_s) : tilt;
}

// Follows the ground below a point. Returns the point at its height above the ground, never below the ground.
Vec3 raised(const FootPlacementJob& job, float leg_m, Vec3 point, float target_m, float standing_m,
            Spring<float>& ground) {
  ground =
      job.state->started ? advance(ground, target_m, job.ground_half_life_s, job.dt_s) : Spring<float>{target_m, 0};
  // In a fall the spring lags behind the pose: feet would be left in the air.
  if (const float near = within_reach(job, leg_m, ground.value); near != ground.value) ground = {near, 0};
  if (const float least = height_at(job, leg_m, point) + standing_m - point.y; ground.value < least) {
    ground = {least, std::max(ground.velocity, 0.0F)};
  }
  point.y += ground.value;
  return point;
}

// Keeps the length of the foot where it tilts, by a shift in the plane. The lower point, which may stand, stays in
// place: the other one moves, and the shift fades while the foot swings.
void keep_length(const FootPlacementJob& job, const LegPose& pose, const FootTargets& flat, Foot& foot,
                 FootTargets& targets) {
  const Leg& leg = *pose.leg;
  const float size_m = pose.length(), rise = targets.ball.y - targets.ankle.y, bone = pose.foot_length();
  const float x = flat.ball.x - flat.ankle.x, z = flat.ball.z - flat.ankle.z, far = portable_hypot(x, z);
  const float left = far - std::sqrt(std::max(bone * bone - rise * rise, 0.0F));
  const Vec3 excess = far > 1e-5F ? Vec3{x / far * left, 0, z / far * left} : Vec3{};
  const float ankle_up = flat.ankle.y - leg.ankle_height_m, ball_up = flat.ball.y - leg.ball_height_m;
  const float ball_holds = smooth_step(0.5F + 0.5F * (ankle_up - ball_up) / std::max(0.04F * size_m, 1e-6F));
  if (job.state->started) {
    foot.shift_m += (excess - foot.excess_m) * (ball_holds - 0.5F);
    const float swings = smooth_step((std::min(ankle_up, ball_up) / std::max(size_m, 1e-6F) - 0.02F) / 0.06F);
    foot.shift_m = approach(foot.shift_m, Vec3{}, job.shift_half_life_s, job.dt_s * swings);
  }
  foot.excess_m = excess;
  targets.ankle += foot.shift_m + excess * 0.5F;
  targets.ball += foot.shift_m - excess * 0.5F;
}

// Targets of one leg. Heights are above the ground of the pose.
FootTargets update_leg(const FootPlacementJob& job, std::size_t index, const LegPose& pose) {
  const Leg& leg = *pose.leg;
  Foot& foot = job.state->feet[index];
  const bool has_ball = leg.ball != kNoJoint;
  const FootTargets flat{pose.position(leg.ankle), has_ball ? pose.position(leg.ball) : Vec3{}};
  const float leg_m = pose.length();
  // A foot about to land looks less far ahead: it slows down.
  const float swings = smooth_step((flat.ankle.y - leg.ankle_height_m) / std::max(0.12F * leg_m, 1e-6F));
  float ankle_m = ground_ahead(job, leg_m, flat.ankle, foot.ankle, swings);
  float ball_m = has_ball ? ground_ahead(job, leg_m, flat.ball, foot.ball, swings) : 0.0F;
  if (has_ball) rest_on_higher(job, flat, ankle_m, ball_m);
  if (job.share < 1) {
    ankle_m = job.pose_height_m + (ankle_m - job.pose_height_m) * job.share;
    ball_m = job.pose_height_m + (ball_m - job.pose_height_m) * job.share;
  }
  FootTargets targets = flat;
  targets.ankle = raised(job, leg_m, flat.ankle, ankle_m, leg.ankle_height_m, foot.ankle_ground_m);
  if (has_ball) {
    targets.ball = raised(job, leg_m, flat.ball, ball_m, leg.ball_height_m, foot.ball_ground_m);
    keep_length(job, pose, flat, foot, targets);
  }
  tilt_foot(job, foot, flat, has_ball);
  foot.ankle = flat.ankle;
  foot.ball = flat.ball;
  targets.ankle.y -= job.pose_height_m;
  targets.ball.y -= job.pose_height_m;
  return targets;
}

// How far the hips must come down for this leg. A swinging foot need not reach its target.
float needed_drop(const FootPlacementJob& job, const LegPose& pose, const Foot& foot, Vec3 ankle_target) {
  const Leg& leg = *pose.leg;
  const float needed = pose.needed_drop(pose.position(leg.hip), ankle_target, job.max_reach), size_m = pose.length();
  float up = foot.ankle.y - leg.ankle_height_m;
  if (leg.ball != kNoJoint) up = std::min(up, foot.ball.y - leg.ball_height_m);
  return std::min(needed, job.max_hip_drop * size_m) * smooth_step(1 - up / std::max(0.1F * size_m, 1e-6F));
}

// Rotates the foot with the ground: about its length where a ball gives the pitch, freely where there is none.
void turn_foot(const FootPlacementJob& job, const LegPose& pose, const Foot& foot, Quat flat, Vec3 ball_target) {
  const Leg& leg = *pose.leg;
  const Quat above = pose.frame(job.skeleton->parent(leg.ankle)).rotation;
  Quat& local = job.pose.rotations[static_cast<std::size_t>(leg.ankle)];
  if (leg.ball == kNoJoint) {
    local = normalized(conjugate(above) * portable_from_rotation_vector(foot.tilt_rad) * flat);
    return;
  }
  local = normalized(conjugate(above) * flat);
  pose.aim_foot(ball_target);
  const Vec3 axis = normalized(pose.position(leg.ball) - pose.position(leg.ankle), Vec3{});
  // The tilt about the foot's direction in the plane, by a rotation about the foot, which points down.
  const float planar = portable_hypot(axis.x, axis.z), square = std::max(planar * planar, 0.25F);
  const float roll =
      std::clamp((foot.tilt_rad.x * axis.x + foot.tilt_rad.z * axis.z) / square, -job.max_roll_rad, job.max_roll_rad);
  const Quat turned = portable_from_rotation_vector(axis * roll) * pose.frame(leg.ankle).rotation;
  local = normalized(conjugate(above) * turned);
}

}  // namespace

FootPlacementState make_foot_placement_state(std::size_t num_legs) {
  FootPlacementState state;
  state.feet.resize(num_legs);
  return state;
}

const char* FootPlacementJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  if (state == nullptr) return "state is missing";
  if (legs.size() > kMaxLegs) return "legs: more than 64";
  if (state->feet.size() != legs.size()) return "state was made for another number of legs";
  if (const char* why = ik_detail::check_legs(*skeleton, legs)) return why;
  if (!(dt_s >= 0)) return "dt_s is negative";
  if (!(max_reach > 0 && max_reach <= 1)) return "max_reach is not within (0, 1]";
  if (!(max_hip_drop >= 0)) return "max_hip_drop is negative";
  if (!(max_pitch_rad >= 0 && max_pitch_rad < 1.5F)) return "max_pitch_rad is not within [0, 1.5)";
  return nullptr;
}

bool FootPlacementJob::run() const noexcept {
  if (validate() != nullptr) return false;
  // 1. Targets of feet, and how far the hips must come down for them.
  std::array<FootTargets, kMaxLegs> targets;
  float drop = 0;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const LegPose leg{skeleton, &legs[i], pose};
    targets[i] = update_leg(*this, i, leg);
    drop = std::max(drop, needed_drop(*this, leg, state->feet[i], targets[i].ankle));
  }
  // Down at once, else a standing foot would be pulled along; up again smoothly.
  const float risen = state->started ? approach(state->hip_drop_m, drop, hip_half_life_s, dt_s) : drop;
  state->hip_drop_m = std::max(risen, drop);
  pose.translations[0].y -= state->hip_drop_m;

  // 2. Legs to their targets, feet along the ground.
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const LegPose leg{skeleton, &legs[i], pose};
    // Without change the foot would turn with the shank.
    const Quat foot = leg.frame(legs[i].ankle).rotation;
    leg.reach(targets[i].ankle, leg.knee_pole(), 1);
    const Vec3 missing = leg.position(legs[i].ankle) - targets[i].ankle;
    turn_foot(*this, leg, state->feet[i], foot, targets[i].ball + missing);
  }
  state->started = true;
  return true;
}

}  // namespace zoe
