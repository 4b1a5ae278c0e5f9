// SPDX-License-Identifier: MIT
// The part of a NeuralState that uses props: what it sees of them, where its root goes, and what meets them.
#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/control/step_constants.h"
#include "zoe/ik/two_bone_ik_job.h"

#include "control/neural/neural_model.h"
#include "control/stand_feet.h"

namespace zoe::control {
namespace {

// A foot whose body was pulled away from it takes a step of this height.
constexpr float kTornLift_m = 0.06F;

// Near the goal of a deed the root follows the prediction from the goal's side, by a tenth of its own motion as
// everywhere. A body that rests beside a position is shifted slowly; any is turned slowly.
constexpr RootCorrection kGoalCorrection{0.1F, 0.1F, 0.1F};
// Props between these heights stop roots.
constexpr float kStepsOver_m = 0.1F, kTrunk_m = 1.2F;
constexpr float kRests_mps = 0.25F, kGoalTurn_rad_s = 2;

void lift_contacts(const BodyLeg& leg, CharacterFrame& now) {
  for (const int place : {leg.ankle_contact, leg.ball_contact})
    if (place >= 0) now.contacts[static_cast<std::size_t>(place)] = 0;
}

// The part of a vector across a direction, on the floor; all of it where there is no direction.
Vec3 across(Vec3 v, Vec3 direction) {
  direction.y = 0;
  const float square = dot(direction, direction);
  return square > 1e-6F ? v - direction * (dot(v, direction) / square) : v;
}

}  // namespace

void NeuralState::look_at_props(const NeuralModel& model, const Intent& intent, std::span<float> x) noexcept {
  std::array<Prop, kMaxProps> seen;
  const std::size_t count = props_now(seen);
  const IntendedGoal goal = goal_of(intent, point_.root);
  deeds_.set_goal(goal, point_.root, used_prop(std::span(seen).first(count), goal.goal, point_.root),
                  model.reach.before_seat_m);
  Vec3 way = way_of(intent);
  if (goal.given && way == Vec3{}) {
    // The path begins with a turn, or no path leads there any more and the goal is not reached.
    const std::optional<float> facing = intent.facing_at(0);
    Vec3 to = goal.goal.place.position - point_.root.position;
    to.y = 0;
    if (facing) to = rotate(rotation_of(PlanarRoot{{}, *facing}), Vec3{0, 0, 1});
    if (length(to) > 1e-3F) way = normalized(to);
  }
  way = deeds_.beside(way, point_.root);
  deeds_.write(model.deeds, *model.senses, std::span(seen).first(count), point_.root, way, x);
}

void NeuralState::move_beside_path(const NeuralModel& model, const Intent& intent, const PlanarRoot& moved,
                                   Vec3 velocity, float turn_speed) noexcept {
  const NeuralOptions& options = model.parts.options;
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  const float speed_mps = length(velocity);
  // The path gives a direction, the network the speed. So the root is led across its motion only.
  Intent at_own_speed = intent;
  for (WantedMotion& wanted : at_own_speed.wanted)
    wanted.velocity_mps = normalized(wanted.velocity_mps, Vec3{}) * speed_mps;
  led_.root.position = moved.position + across(led_.root.position - moved.position, velocity);
  point_.root = lead(led_, at_own_speed, moved, speed_mps, turn_speed, dt_s, options.trajectory, options.correction);
  point_.root.position = moved.position + across(point_.root.position - moved.position, velocity);
  point_.velocity_mps = velocity;
  point_.turn_speed_rad_s = turn_speed;
  point_.acceleration_mps2 = {};
}

bool NeuralState::move_to_goal(const NeuralModel& model, const RootDelta& delta, std::span<const float> next) noexcept {
  const float share = deeds_.share(point_.root);
  if (share <= 0) return false;
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  PlanarRoot moved = moved_by(point_.root, delta);
  if (deeds_.is_seated()) {
    const Vec3 forward = rotate(rotation_of(PlanarRoot{{}, deeds_.goal().place.facing_rad}), Vec3{0, 0, 1});
    moved.position -= forward * std::max(dot(moved.position - point_.root.position, forward), 0.0F);
  }
  const Vec3 velocity = (moved.position - point_.root.position) / dt_s;
  const float turn_speed = delta.turn_rad / dt_s;
  // A body that comes to rest beside a position goes there: no prediction is needed.
  const DeedGoal& goal = deeds_.goal();
  const Deed deed = deeds_.progress().deed;
  const bool puts = goal.deed == Deed::kPutDown && deed == Deed::kCarry;
  const bool to_use = puts || goal.deed == Deed::kSit || goal.deed == Deed::kLift || goal.deed == Deed::kOpen;
  const bool rests = length(velocity) < kRests_mps &&
                     (goal.deed == Deed::kIdle ||
                      (to_use && (puts || deed == Deed::kIdle || deed == Deed::kWalk || deed == Deed::kSit)));
  PlanarRoot end{goal.place.position, goal.place.facing_rad};
  // A body before a seat or a box comes to its middle line, and near to the seat.
  if (to_use) end.position = moved.position + deeds_.to_place(moved);
  end.position.y = moved.position.y;
  PlanarRoot target = blended(moved, rests ? end : deeds_.from_goal(next, moved), share);
  target.position = deeds_.before_seat(target.position);
  delta_ = delta;
  point_.root = corrected(moved, target, std::max(length(velocity), rests ? kShifted_mps : 0.0F),
                          std::max(std::abs(turn_speed), kGoalTurn_rad_s), dt_s, kGoalCorrection);
  point_.velocity_mps = velocity;
  point_.turn_speed_rad_s = turn_speed;
  point_.acceleration_mps2 = {};
  led_ = point_;
  return true;
}

PropReach::Moment NeuralState::reach_moment(const NeuralModel& model, std::span<const Prop> seen) const noexcept {
  const DeedProgress progress = deeds_.progress();
  return {*model.parts.body.skeleton,
          model.reach,
          seen,
          used_prop(seen, deeds_.goal(), point_.root),
          progress.deed,
          deeds_.goal(),
          progress.deed_s,
          progress.holds,
          point_.root,
          static_cast<float>(1 / model.layout.fps())};
}

void NeuralState::meet_props(const NeuralModel& model, CharacterFrame& now, bool hands) noexcept {
  std::array<Prop, kMaxProps> seen;
  const PropReach::Moment moment = reach_moment(model, std::span(seen).first(props_now(seen)));
  if (hands) {
    reach_.move_hands(moment, now.pose);
    return;
  }
  reach_.move_hips(moment, now.pose);
  prop_legs_.land_beside(moment, now.pose);
}

void NeuralState::stop_at_props(const PlanarRoot& before) noexcept {
  std::array<Prop, kMaxProps> seen;
  const std::span<const Prop> props = std::span(seen).first(props_now(seen));
  const Prop* used = used_prop(props, deeds_.goal(), point_.root);
  const DeedProgress progress = deeds_.progress();
  Vec3& now = point_.root.position;
  for (const Prop& prop : props) {
    const float stops_m = root_stops_m(prop, used, progress, reach_.grips());
    if (stops_m == 0) continue;
    const auto far = [&](Vec3 at) { return floor_distance(prop, at.x, at.z, kStepsOver_m, kTrunk_m); };
    const float least_m = std::min(stops_m, far(before.position)), now_m = far(now);
    if (now_m >= least_m) continue;
    constexpr float kStep_m = 2e-3F;
    const Vec3 away{far(now + Vec3{kStep_m, 0, 0}) - now_m, 0, far(now + Vec3{0, 0, kStep_m}) - now_m};
    now += normalized(away, Vec3{}) * (least_m - now_m);
  }
}

void NeuralState::step_torn_feet(const NeuralModel& model, CharacterFrame& now) noexcept {
  const std::vector<BodyLeg>& legs = model.parts.body.legs;
  const Skeleton& skeleton = *model.parts.body.skeleton;
  std::array<Prop, kMaxProps> seen;
  const PropReach::Moment moment = reach_moment(model, std::span(seen).first(props_now(seen)));
  for (std::size_t l = 0; l < legs.size(); ++l) {
    FootPointState &ankle = feet_.feet[l].ankle, &ball = feet_.feet[l].ball;
    if ((ankle.holds || ball.holds) && prop_legs_.is_inside(moment, l, now.pose)) ankle.torn = ball.torn = true;
  }
  for (std::size_t l = 0; l < legs.size(); ++l) {
    const FootPointState &ankle = feet_.feet[l].ankle, &ball = feet_.feet[l].ball;
    const float blend = std::max(ankle.torn ? ankle.blend : 0.0F, ball.torn ? ball.blend : 0.0F);
    if (blend <= 0) continue;
    lift_contacts(legs[l], now);
    const Leg& leg = legs[l].leg;
    const float lift_m = kTornLift_m * 4 * blend * (1 - blend);
    TwoBoneIkJob{.skeleton = &skeleton,
                 .settings = {.start_joint = leg.hip,
                              .mid_joint = leg.knee,
                              .end_joint = leg.ankle,
                              .mid_axis = leg.knee_axis,
                              .soften = 0.99F},
                 .target_model = joint_position(skeleton, now.pose, leg.ankle) + Vec3{0, lift_m, 0},
                 .pole_model = {},
                 .pose = ik_pose(now.pose)}
        .run();
  }
  const std::uint32_t moved = prop_legs_.keep_out(moment, now.pose);
  for (std::size_t l = 0; l < legs.size(); ++l)
    if ((moved >> l & 1U) != 0) lift_contacts(legs[l], now);
}

}  // namespace zoe::control
