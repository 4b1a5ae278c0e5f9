// SPDX-License-Identifier: MIT
#include "control/stand.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/math/portable_quat.h"

#include "control/space_move.h"

namespace zoe::control {
namespace {

// A model has this time to stop by itself. A stick that passes its centre is no stand.
constexpr float kStop_s = 0.1F;
// A turn on the spot is the model's, until the facing is this near, or for this time.
constexpr float kNearFacing_rad = 0.35F, kTurn_s = 3;
// A desired facing farther than this from that of the stand is a turn.
constexpr float kTurn_rad = 0.6F;
// Feet follow a turn of at most this angle at a time, so that hips never twist by more.
constexpr float kTwist_rad = 0.4F;
constexpr float kPositionHalfLife_s = 0.09F, kFacingHalfLife_s = 0.15F;
constexpr float kSettle_s = 0.4F, kLeave_s = 0.3F;
// Feet are kept from sliding for this time after a stand.
constexpr float kWatched_s = 1;
// The root stops above feet that stand already, within this distance, in leg lengths.
constexpr float kOverFeet = 0.12F;
constexpr float kMostSpeed_mps = 8, kMostTurn_rad_s = 4;
// Breathing: rate, pitch of the chest, rise of the hips in leg lengths, and the time in which it begins.
constexpr float kBreath_hz = 0.25F, kBreath_rad = 0.012F, kBreathRise = 0.003F, kBreathBegins_s = 2;

bool is_above(const Skeleton& skeleton, int joint, int below) {
  for (; below != kNoJoint; below = skeleton.parent(below)) {
    if (below == joint) return true;
  }
  return false;
}

// The joint where the trunk branches into neck and arms (or forelegs): of the joints with at least three children the
// one with the most joints below it, without joint 0 and those inside of legs.
int find_chest(const StandBody& body) {
  const Skeleton& skeleton = body.skeleton;
  const int n = skeleton.num_joints();
  std::vector<int> children(idx(n)), below(idx(n), 1);
  for (int j = n - 1; j > 0; --j) {
    if (skeleton.parent(j) == kNoJoint) continue;
    ++children[idx(skeleton.parent(j))];
    below[idx(skeleton.parent(j))] += below[idx(j)];
  }
  int best = kNoJoint;
  for (int j = 1; j < n; ++j) {
    const bool in_leg =
        std::any_of(body.legs.begin(), body.legs.end(), [&](const Leg& leg) { return is_above(skeleton, leg.hip, j); });
    const bool over_all =
        std::all_of(body.legs.begin(), body.legs.end(), [&](const Leg& leg) { return is_above(skeleton, j, leg.hip); });
    if (children[idx(j)] < 3 || in_leg || over_all) continue;
    if (best == kNoJoint || below[idx(j)] > below[idx(best)]) best = j;
  }
  return best;
}

// The only child of the first joint, where no other joint is at the top.
int only_child(const Skeleton& skeleton) {
  int child = kNoJoint;
  for (int j = 1; j < skeleton.num_joints(); ++j) {
    if (skeleton.parent(j) > 0) continue;
    if (skeleton.parent(j) == kNoJoint || child != kNoJoint) return kNoJoint;
    child = j;
  }
  return child;
}

bool wants_stand(const Intent& intent, float least_mps) {
  constexpr float kSoon_s = 0.2F;
  if (length(intent.velocity_at(0)) >= least_mps || length(intent.velocity_at(kSoon_s)) >= least_mps) return false;
  return std::all_of(intent.actions.begin(), intent.actions.end(), [](float weight) { return weight <= 0; });
}

Vec3 clamped(Vec3 v, float most) {
  const float far = length(v);
  return far > most ? v * (most / far) : v;
}

}  // namespace

Pose planted(const StandBody& body, Pose pose) {
  const std::vector<float> contacts(body.legs.size(), 1.0F);
  FootLockState state = make_foot_lock_state(body.legs.size());
  FootLockJob{.skeleton = &body.skeleton,
              .legs = body.legs,
              .ankle_contacts = contacts,
              .ball_contacts = contacts,
              .soften = 0.97F,
              .pose = ik_pose(pose),
              .state = &state}
      .run();
  return pose;
}

Stand::Stand(const StandBody& body, Pose pose)
    : pose_(std::move(pose)),
      scratch_(pose_),
      carried_(only_child(body.skeleton)),
      chest_(find_chest(body)),
      feet_(body, pose_),
      blend_(body.skeleton.num_joints()) {
  if (chest_ != kNoJoint) {
    Quat above;
    for (int j = body.skeleton.parent(chest_); j != kNoJoint; j = body.skeleton.parent(j))
      above = pose_.rotations[idx(j)] * above;
    chest_axis_ = rotate(conjugate(above), Vec3{1, 0, 0});
  }
  clear();
}

void Stand::clear() noexcept {
  phase_ = Phase::kFresh;
  turns_ = false;
  stop_s_ = held_s_ = breath_turns_ = asked_facing_rad_ = 0;
  position_ = {};
  facing_rad_ = {};
  goal_ = {};
  feet_.clear();
  const PoseView still = pose_.view();
  blend_.start({still, still, still, still, 1}, 1);
}

Stand::Next Stand::next(const StandBody& body, const Intent& intent, float least_mps, CharacterFrame& latest,
                        CharacterFrame& earlier) noexcept {
  const bool still = wants_stand(intent, least_mps);
  const std::optional<float> facing = intent.facing_at(0);
  if (phase_ == Phase::kHeld) {
    const float off = facing ? wrapped(*facing - goal_.facing_rad) : 0.0F;
    if (!still || (!turns_ && std::abs(off) > kTurn_rad)) return Next::kLeave;
    if (facing) asked_facing_rad_ = goal_.facing_rad + off;
    if (std::abs(off) < kNearFacing_rad) turns_ = false;
    return Next::kHold;
  }
  const bool is_fresh = phase_ == Phase::kFresh;
  if (is_fresh) phase_ = Phase::kModel;
  if (!still) {
    stop_s_ = 0;
    return Next::kModel;
  }
  stop_s_ += body.dt_s;
  const float off = facing ? wrapped(*facing - latest.root.facing_rad) : 0.0F;
  if (std::abs(off) > kNearFacing_rad && stop_s_ < kTurn_s) return Next::kModel;
  turns_ = std::abs(off) > kNearFacing_rad;
  if (is_fresh) {
    begin_at_once(body, latest);
    return Next::kHold;
  }
  const float moved_m = length(latest.root.position - earlier.root.position);
  if (stop_s_ < kStop_s && moved_m > least_mps * body.dt_s) return Next::kModel;
  begin(body, facing, latest, earlier);
  return Next::kHold;
}

void Stand::begin_at_once(const StandBody& body, CharacterFrame& latest) noexcept {
  phase_ = Phase::kHeld;
  held_s_ = breath_turns_ = 0;
  position_ = {latest.root.position, {}};
  facing_rad_ = {latest.root.facing_rad, 0};
  goal_ = latest.root;
  asked_facing_rad_ = goal_.facing_rad;
  feet_.place(goal_);
  const PoseView still = pose_.view();
  blend_.start({still, still, still, still, body.dt_s}, body.dt_s);
  show(body, latest);
}

void Stand::begin(const StandBody& body, std::optional<float> facing_rad, const CharacterFrame& latest,
                  CharacterFrame& earlier) noexcept {
  phase_ = Phase::kHeld;
  held_s_ = breath_turns_ = 0;
  const float rate = 1 / body.dt_s;
  position_ = {latest.root.position, clamped((latest.root.position - earlier.root.position) * rate, kMostSpeed_mps)};
  facing_rad_ = {latest.root.facing_rad, std::clamp((latest.root.facing_rad - earlier.root.facing_rad) * rate,
                                                    -kMostTurn_rad_s, kMostTurn_rad_s)};
  // A critically damped spring that begins with this velocity comes to rest there without overshoot.
  goal_.position = position_.value + position_.velocity * (2 / spring_rate(kPositionHalfLife_s));
  const float turn = std::clamp(facing_rad_.velocity * (2 / spring_rate(kFacingHalfLife_s)), -kTwist_rad, kTwist_rad);
  asked_facing_rad_ = facing_rad_.value + (facing_rad ? wrapped(*facing_rad - facing_rad_.value) : turn);
  goal_.facing_rad = facing_rad_.value + std::clamp(asked_facing_rad_ - facing_rad_.value, -kTwist_rad, kTwist_rad);
  feet_.take(body, latest, earlier);
  // Along its way, and not so near that the spring would overshoot, nor so far that it would run.
  const Vec3 over_feet = clamped(feet_.planted_offset(goal_), kOverFeet * body.leg_length_m);
  const float speed_mps = length(position_.velocity), stop_m = speed_mps / spring_rate(kPositionHalfLife_s);
  const Vec3 ahead = speed_mps > 1e-3F ? position_.velocity / speed_mps : Vec3{};
  const float most_m = std::max(0.3F * stop_m, 0.3F * kOverFeet * body.leg_length_m);
  goal_.position += ahead * std::clamp(dot(over_feet, ahead), -0.7F * stop_m, most_m);
  copy_pose(latest.pose.view(), span_of(scratch_));
  to_root_space(body.skeleton, latest.root, scratch_);
  to_root_space(body.skeleton, earlier.root, earlier.pose);
  blend_.start({scratch_.view(), earlier.pose.view(), pose_.view(), pose_.view(), body.dt_s}, kSettle_s);
}

void Stand::hold(const StandBody& body, CharacterFrame& now) noexcept {
  position_ = advance(position_, goal_.position, kPositionHalfLife_s, body.dt_s);
  facing_rad_ = advance(facing_rad_, goal_.facing_rad, kFacingHalfLife_s, body.dt_s);
  held_s_ = std::min(held_s_ + body.dt_s, kBreathBegins_s);
  breath_turns_ += kBreath_hz * body.dt_s;
  breath_turns_ -= std::floor(breath_turns_);
  const bool settled = feet_.advance(body, goal_);
  const float left = asked_facing_rad_ - goal_.facing_rad;
  if (settled && left != 0) goal_.facing_rad += std::clamp(left, -kTwist_rad, kTwist_rad);
  show(body, now);
}

void Stand::show(const StandBody& body, CharacterFrame& now) noexcept {
  now.root = {position_.value, facing_rad_.value};
  copy_pose(pose_.view(), span_of(now.pose));
  const float begun = held_s_ / kBreathBegins_s;
  const float breath = begun * begun * (3 - 2 * begun) * portable_sin(2 * std::numbers::pi_v<float> * breath_turns_);
  if (chest_ != kNoJoint) {
    Quat& chest = now.pose.rotations[idx(chest_)];
    chest = normalized(portable_from_axis_angle(chest_axis_, -kBreath_rad * breath) * chest);
  }
  now.pose.translations[0].y += kBreathRise * body.leg_length_m * breath;
  blend_.apply(body.dt_s, now.pose.translations, now.pose.rotations);
  from_root_space(body.skeleton, now.root, now.pose);
  std::fill(now.contacts.begin(), now.contacts.end(), 1.0F);
  feet_.apply(body, now);
}

void Stand::leave(const StandBody& body, CharacterFrame& latest) noexcept {
  phase_ = Phase::kLeaving;
  stop_s_ = held_s_ = 0;
  feet_.move_space(latest.root);
  feet_.begin_release();
  to_root_space(body.skeleton, latest.root, latest.pose);
  latest.root = {};
  copy_pose(latest.pose.view(), span_of(scratch_));
}

float Stand::share() const noexcept {
  if (phase_ == Phase::kModel) return 0;
  if (phase_ == Phase::kFresh) return 1;
  return phase_ == Phase::kHeld ? std::min(held_s_ / kSettle_s, 1.0F) : std::max(1 - held_s_ / kLeave_s, 0.0F);
}

void Stand::blend_out(const StandBody& body, CharacterFrame& now) noexcept {
  to_root_space(body.skeleton, now.root, now.pose);
  // In the step of leave(): the model may begin in any pose.
  if (held_s_ == 0)
    blend_.start({scratch_.view(), scratch_.view(), now.pose.view(), now.pose.view(), body.dt_s}, kLeave_s);
  blend_.apply(body.dt_s, now.pose.translations, now.pose.rotations);
  from_root_space(body.skeleton, now.root, now.pose);
  held_s_ = std::min(held_s_ + body.dt_s, kBreathBegins_s);
  if (feet_.release(body, now) && held_s_ >= kWatched_s) phase_ = Phase::kModel;
}

void Stand::carry(CharacterFrame& now) const noexcept {
  Vec3& top = now.pose.translations[0];
  if (carried_ == kNoJoint || top.x != 0 || top.z != 0) return;
  Quat& turn = now.pose.rotations[0];
  Vec3& below = now.pose.translations[idx(carried_)];
  Quat& below_turn = now.pose.rotations[idx(carried_)];
  const Vec3 position = top + rotate(turn, below);
  const Quat rotation = turn * below_turn;
  top = {now.root.position.x, top.y, now.root.position.z};
  turn = rotation_of(now.root) * turn;
  below = rotate(conjugate(turn), position - top);
  below_turn = normalized(conjugate(turn) * rotation);
}

void Stand::move_space(const PlanarRoot& offset) noexcept {
  position_.value -= offset.position;
  facing_rad_.value -= offset.facing_rad;
  control::move_space(offset, goal_);
  asked_facing_rad_ -= offset.facing_rad;
  feet_.move_space({offset.position, 0});
}

void Stand::describe(StateArchive& archive) {
  archive.choice(phase_, Phase::kLeaving);
  archive.flag(turns_);
  archive.finite(stop_s_);
  archive.number(held_s_, 0, kBreathBegins_s);
  archive.number(breath_turns_, 0, 1);
  archive.finite(position_);
  archive.finite(facing_rad_);
  archive.finite(goal_);
  archive.finite(asked_facing_rad_);
  feet_.describe(archive);
  blend_.describe(archive);
}

}  // namespace zoe::control
