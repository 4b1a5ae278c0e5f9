// SPDX-License-Identifier: MIT
#include "control/stand_feet.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"
#include "zoe/math/spring.h"

#include "control/state_parts.h"

namespace zoe::control {
namespace {

constexpr float kStep_s = 0.26F;
// A foot is planted where it is no higher than this above its contact height, in leg lengths.
constexpr float kFlat = 0.025F;
// A planted foot steps where it is farther from its place than this, in leg lengths, or turned by more.
constexpr float kOff = 0.055F, kTurned_rad = 0.26F;
// Farther than this it does not wait for other feet.
constexpr float kFarOff = 0.35F;
// A foot that is let go steps at the latest when the model has it so far away.
constexpr float kPulled = 0.2F;
// A foot slides that is lower than this above its contact height, in leg lengths, and faster.
constexpr float kLow = 0.015F, kSlide_mps = 0.2F;
// Height of a step's arc: a part that grows with the way, within limits, in leg lengths.
constexpr float kLeastLift = 0.07F, kMostLift = 0.12F, kLiftAWay = 0.2F;
// A step moves over the ground between these parts of its time. Before and after it only lifts and sinks.
constexpr float kMovesFrom = 0.2F, kMovesUntil = 0.8F;
constexpr float kFlatHalfLife_s = 0.04F;

float planar_distance(Vec3 a, Vec3 b) { return portable_hypot(a.x - b.x, a.z - b.z); }
float smooth(float t) { return t * t * (3 - 2 * t); }

// Cubic from `from` with a velocity (per unit of t) to rest at `to`.
Vec3 hermite(Vec3 from, Vec3 velocity, Vec3 to, float t) {
  return lerp(from, to, smooth(t)) + velocity * (t * (1 - t) * (1 - t));
}

Vec3 placed(const PlanarRoot& root, Vec3 point) { return root.position + rotate(rotation_of(root), point); }

float contact_of(const StandBody& body, const CharacterFrame& frame, int joint) {
  for (std::size_t i = 0; i < body.contact_joints.size(); ++i) {
    if (body.contact_joints[i] == joint) return frame.contacts[i];
  }
  return 0;
}
void set_contact(const StandBody& body, CharacterFrame& frame, int joint, float contact) {
  for (std::size_t i = 0; i < body.contact_joints.size(); ++i) {
    if (body.contact_joints[i] == joint) frame.contacts[i] = contact;
  }
}

void move_point(const PlanarRoot& root, FootPointState& point) {
  point.locked = seen_from(root, point.locked);
  point.output = seen_from(root, point.output);
}

}  // namespace

Vec3 joint_position(const Skeleton& skeleton, const Pose& pose, int joint) noexcept {
  Vec3 position;
  for (; joint != kNoJoint; joint = skeleton.parent(joint)) {
    position = pose.translations[idx(joint)] + rotate(pose.rotations[idx(joint)], position);
  }
  return position;
}

Vec3 seen_from(const PlanarRoot& root, Vec3 point) noexcept {
  return rotate(conjugate(rotation_of(root)), point - root.position);
}

void to_root_space(const Skeleton& skeleton, const PlanarRoot& root, Pose& pose) noexcept {
  const Quat turn = conjugate(rotation_of(root));
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    if (skeleton.parent(static_cast<int>(j)) != kNoJoint) continue;
    pose.translations[j] = rotate(turn, pose.translations[j] - root.position);
    pose.rotations[j] = normalized(turn * pose.rotations[j]);
  }
}

void from_root_space(const Skeleton& skeleton, const PlanarRoot& root, Pose& pose) noexcept {
  const Quat turn = rotation_of(root);
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    if (skeleton.parent(static_cast<int>(j)) != kNoJoint) continue;
    pose.translations[j] = root.position + rotate(turn, pose.translations[j]);
    pose.rotations[j] = normalized(turn * pose.rotations[j]);
  }
}

StandFeet::StandFeet(const StandBody& body, const Pose& pose)
    : feet_(body.legs.size()),
      places_(body.legs.size()),
      lock_(make_foot_lock_state(body.legs.size())),
      held_(body.legs.size(), 1.0F) {
  for (std::size_t l = 0; l < body.legs.size(); ++l) {
    const Leg& leg = body.legs[l];
    const Vec3 ankle = joint_position(body.skeleton, pose, leg.ankle);
    const bool has_ball = leg.ball != kNoJoint;
    places_[l] = {ankle, has_ball ? joint_position(body.skeleton, pose, leg.ball) : ankle, has_ball, leg.ankle_height_m,
                  has_ball ? leg.ball_height_m : leg.ankle_height_m};
  }
  clear();
}

void StandFeet::clear() noexcept {
  std::fill(feet_.begin(), feet_.end(), Foot{});
  std::fill(lock_.feet.begin(), lock_.feet.end(), FootLockState::Foot{});
  lock_.hip_drop_m = 0;
  lock_.started = false;
}

void StandFeet::place(const PlanarRoot& root) noexcept {
  clear();
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    feet_[l].ankle.now = placed(root, places_[l].ankle);
    feet_[l].ball.now = placed(root, places_[l].ball);
  }
}

void StandFeet::take(const StandBody& body, const CharacterFrame& latest, const CharacterFrame& earlier) noexcept {
  clear();
  lock_.started = true;
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    const Leg& leg = body.legs[l];
    Foot& foot = feet_[l];
    const auto look = [&](int joint, Point& point) {
      point.now = joint_position(body.skeleton, latest.pose, joint);
      point.velocity_mps = (point.now - joint_position(body.skeleton, earlier.pose, joint)) / body.dt_s;
    };
    look(leg.ankle, foot.ankle);
    look(places_[l].has_ball ? leg.ball : leg.ankle, foot.ball);
    lock_.feet[l].ankle.output = foot.ankle.now;
    lock_.feet[l].ball.output = foot.ball.now;
    const float flat_m = kFlat * body.leg_length_m;
    const float ankle_up = foot.ankle.now.y - places_[l].ankle_m, ball_up = foot.ball.now.y - places_[l].ball_m;
    const bool touches = contact_of(body, latest, leg.ankle) >= 0.5F || contact_of(body, latest, leg.ball) >= 0.5F;
    if (touches && ankle_up < flat_m && ball_up < flat_m) continue;
    begin_step(body, l, foot.ankle.now, !touches);
  }
}

Vec3 StandFeet::planted_offset(const PlanarRoot& root) const noexcept {
  Vec3 sum;
  float count = 0;
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    if (feet_[l].step < 1) continue;
    sum += feet_[l].ankle.now - placed(root, places_[l].ankle);
    count += 1;
  }
  sum.y = 0;
  return count > 0 ? sum / count : Vec3{};
}

void StandFeet::begin_step(const StandBody& body, std::size_t l, Vec3 target, bool in_the_air) noexcept {
  Foot& foot = feet_[l];
  foot.step = 0;
  const float up_m = std::max(foot.ankle.now.y - places_[l].ankle_m, 0.0F);
  const float lift = kLeastLift + kLiftAWay * planar_distance(foot.ankle.now, target) / body.leg_length_m;
  foot.lift_m = std::max(std::min(lift, kMostLift) * body.leg_length_m - up_m, 0.5F * kLeastLift * body.leg_length_m);
  for (Point* point : {&foot.ankle, &foot.ball}) {
    point->from = point->now;
    if (!in_the_air) point->velocity_mps = {};
    point->velocity_mps.y = std::max(point->velocity_mps.y, 0.0F);  // A falling foot would drag over the ground.
  }
}

void StandFeet::move_step(const StandBody& body, std::size_t l, const PlanarRoot& root) noexcept {
  Foot& foot = feet_[l];
  const Place& place = places_[l];
  foot.step = std::min(foot.step + body.dt_s / kStep_s, 1.0F);
  const bool flies = dot(foot.ankle.velocity_mps, foot.ankle.velocity_mps) > 0;
  const float from = flies ? 0 : kMovesFrom;
  const float moved = std::clamp((foot.step - from) / (kMovesUntil - from), 0.0F, 1.0F);
  const float sine = portable_sin(std::numbers::pi_v<float> * foot.step);
  const auto move = [&](Point& point, Vec3 spot, float height_m) {
    Vec3 to = placed(root, spot);
    to.y = height_m;
    const Vec3 over = hermite(point.from, point.velocity_mps * (kStep_s * kMovesUntil), to, moved);
    const Vec3 up = hermite(point.from, point.velocity_mps * kStep_s, to, foot.step);
    point.now = {over.x, std::max(up.y + foot.lift_m * sine * sine, height_m), over.z};
    if (foot.step >= 1) point.velocity_mps = {};
  };
  move(foot.ankle, place.ankle, place.ankle_m);
  move(foot.ball, place.ball, place.ball_m);
}

bool StandFeet::is_off(const StandBody& body, std::size_t l, const PlanarRoot& root, float& off_m) const noexcept {
  const Foot& foot = feet_[l];
  const Vec3 ankle = placed(root, places_[l].ankle), ball = placed(root, places_[l].ball);
  off_m = planar_distance(foot.ankle.now, ankle);
  const Vec3 is = foot.ball.now - foot.ankle.now, should = ball - ankle;
  const float cosine = is.x * should.x + is.z * should.z, sine = is.x * should.z - is.z * should.x;
  const bool is_turned = places_[l].has_ball && std::abs(portable_atan2(sine, cosine)) > kTurned_rad;
  return is_turned || off_m > kOff * body.leg_length_m;
}

bool StandFeet::advance(const StandBody& body, const PlanarRoot& root) noexcept {
  std::size_t num_stepping = 0;
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    if (feet_[l].step < 1) {
      move_step(body, l, root);
      ++num_stepping;
      continue;
    }
    // Planted feet come to lie flat.
    for (auto [point, height_m] : {std::pair{&feet_[l].ankle, places_[l].ankle_m}, {&feet_[l].ball, places_[l].ball_m}})
      point->now.y = approach(point->now.y, height_m, kFlatHalfLife_s, body.dt_s);
  }
  // The farthest first. Half of the feet stay on the ground.
  const std::size_t most = std::max<std::size_t>(feet_.size() / 2, 1);
  for (std::size_t round = 0; round < feet_.size(); ++round) {
    std::size_t worst = feet_.size();
    float worst_m = -1;
    for (std::size_t l = 0; l < feet_.size(); ++l) {
      float off_m = 0;
      if (feet_[l].step < 1 || !is_off(body, l, root, off_m) || off_m <= worst_m) continue;
      worst = l;
      worst_m = off_m;
    }
    if (worst == feet_.size() || (num_stepping >= most && worst_m < kFarOff * body.leg_length_m)) break;
    begin_step(body, worst, placed(root, places_[worst].ankle), false);
    ++num_stepping;
  }
  return num_stepping == 0;
}

void StandFeet::bend_legs(const StandBody& body, CharacterFrame& now) noexcept {
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    const auto hold = [](FootPointState& point, Vec3 at) {
      point.locked = at;
      point.blend = 1;
      point.holds = true;
      point.torn = false;
    };
    hold(lock_.feet[l].ankle, feet_[l].ankle.now);
    hold(lock_.feet[l].ball, feet_[l].ball.now);
  }
  FootLockJob{.skeleton = &body.skeleton,
              .legs = body.legs,
              .ankle_contacts = held_,
              .ball_contacts = held_,
              .dt_s = body.dt_s,
              .tear_m = 1e9F,
              .soften = 0.97F,
              .pose = ik_pose(now.pose),
              .state = &lock_}
      .run();
}

void StandFeet::apply(const StandBody& body, CharacterFrame& now) noexcept {
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    const float contact = feet_[l].step < 1 ? 0.0F : 1.0F;
    set_contact(body, now, body.legs[l].ankle, contact);
    set_contact(body, now, body.legs[l].ball, contact);
  }
  bend_legs(body, now);
}

void StandFeet::begin_release() noexcept {
  for (Foot& foot : feet_) {
    foot.free = 0;
    foot.ankle.from = foot.ankle.now;
    foot.ball.from = foot.ball.now;
  }
}

bool StandFeet::release(const StandBody& body, CharacterFrame& now) noexcept {
  bool all_free = true;
  std::size_t num_stepping = 0;
  for (const Foot& foot : feet_) num_stepping += foot.free > 0 && foot.free < 1 ? 1 : 0;
  for (std::size_t l = 0; l < feet_.size(); ++l) {
    const Leg& leg = body.legs[l];
    Foot& foot = feet_[l];
    const Place& place = places_[l];
    const Vec3 ankle = joint_position(body.skeleton, now.pose, leg.ankle);
    const Vec3 ball = place.has_ball ? joint_position(body.skeleton, now.pose, leg.ball) : ankle;
    const bool touches = contact_of(body, now, leg.ankle) >= 0.5F || contact_of(body, now, leg.ball) >= 0.5F;
    if (foot.free >= 1 && slides(body, l, ankle, ball)) {
      foot.free = 0;
      foot.ankle.from = foot.ankle.now;
      foot.ball.from = foot.ball.now;
    }
    const float off = planar_distance(foot.ankle.from, ankle) / body.leg_length_m;
    const bool lets_go = !touches || off > (num_stepping > 0 ? kFarOff : kPulled) || slides(body, l, ankle, ball);
    if (foot.free > 0 || lets_go) foot.free = std::min(foot.free + body.dt_s / kStep_s, 1.0F);
    const float moved = smooth(std::clamp((foot.free - kMovesFrom) / (kMovesUntil - kMovesFrom), 0.0F, 1.0F));
    const float sine = portable_sin(std::numbers::pi_v<float> * foot.free);
    const float lift_m = kLeastLift * body.leg_length_m * sine * sine;
    const auto move = [&](Point& point, Vec3 to, float height_m) {
      point.now = lerp(point.from, to, moved);
      if (foot.free < 1) point.now.y = std::max(point.now.y, height_m + lift_m);
    };
    move(foot.ankle, ankle, place.ankle_m);
    move(foot.ball, ball, place.ball_m);
    all_free = all_free && foot.free >= 1;
  }
  if (!all_free) bend_legs(body, now);
  return all_free;
}

bool StandFeet::slides(const StandBody& body, std::size_t l, Vec3 ankle, Vec3 ball) const noexcept {
  const Foot& foot = feet_[l];
  const Place& place = places_[l];
  const float low_m = kLow * body.leg_length_m;
  const auto is_low = [&](Vec3 a, Vec3 b) { return a.y < place.ankle_m + low_m && b.y < place.ball_m + low_m; };
  const float moved_m = std::min(planar_distance(foot.ankle.now, ankle), planar_distance(foot.ball.now, ball));
  return is_low(ankle, ball) && is_low(foot.ankle.now, foot.ball.now) && moved_m > kSlide_mps * body.dt_s;
}

void StandFeet::move_space(const PlanarRoot& root) noexcept {
  const Quat turn = conjugate(rotation_of(root));
  for (Foot& foot : feet_) {
    for (Point* point : {&foot.ankle, &foot.ball}) {
      point->now = seen_from(root, point->now);
      point->from = seen_from(root, point->from);
      point->velocity_mps = rotate(turn, point->velocity_mps);
    }
  }
  for (FootLockState::Foot& foot : lock_.feet) {
    move_point(root, foot.ankle);
    move_point(root, foot.ball);
  }
}

void StandFeet::describe(StateArchive& archive) {
  static_assert(sizeof(Foot) == 21 * sizeof(float), "only floats, and every one of them");
  archive.finite(std::span(feet_));
  control::describe(archive, lock_);
}

}  // namespace zoe::control
