// SPDX-License-Identifier: MIT
#include "zoe/control/deeds.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/intent.h"
#include "zoe/core/check.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

// Near: what a body does there depends on how long it is there. It leaves later than it enters.
constexpr float kNear_m = 0.75F, kNear_rad = 0.5F, kLeave_m = 1.0F, kLeave_rad = 0.9F;
// Farther goals look alike. The path leads to them; it ends where the goal itself leads.
constexpr float kSeen_m = 2, kWayEnds_m = 1, kWayFades_m = 0.5F;
constexpr float kSameGoal_m = 0.05F, kSameGoal_rad = 0.1F;

float apart_m(Vec3 a, Vec3 b) { return portable_hypot(a.x - b.x, a.z - b.z); }

// Hats at even times: the sum is 1.
void write_clock(float time_s, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0F);
  const float at = std::clamp(time_s / DeedClocks::kMost_s, 0.0F, 1.0F) * static_cast<float>(kClockWidth - 1);
  const int i = std::min(static_cast<int>(at), kClockWidth - 2);
  const float share = at - static_cast<float>(i);
  out[static_cast<std::size_t>(i)] = 1 - share;
  out[static_cast<std::size_t>(i + 1)] = share;
}

}  // namespace

std::optional<Deed> find_deed(std::string_view name) {
  for (std::size_t i = 0; i < kDeedNames.size(); ++i)
    if (name == kDeedNames[i]) return static_cast<Deed>(i);
  return {};
}

GoalPlace anchor_of(const Prop& prop) noexcept {
  Vec3 own;
  if (prop.type == PropType::kSeat) own = prop.seat_m;
  if (prop.type == PropType::kDoor) own = {prop.handle_m.x, prop.handle_m.y, 0};
  return {world_from_prop(prop, own), prop.facing_rad};
}

const Prop* used_prop(std::span<const Prop> props, const DeedGoal& goal, const PlanarRoot& root) noexcept {
  PropType type = PropType::kObstacle;
  if (goal.deed == Deed::kSit) type = PropType::kSeat;
  if (goal.deed == Deed::kLift || goal.deed == Deed::kCarry || goal.deed == Deed::kPutDown) type = PropType::kBox;
  if (goal.deed == Deed::kOpen) type = PropType::kDoor;
  if (type == PropType::kObstacle) return nullptr;
  const bool carried = goal.deed == Deed::kCarry || goal.deed == Deed::kPutDown;
  const Vec3 at = carried ? root.position : goal.place.position;
  const Prop* best = nullptr;
  float least = 1e30F;
  for (const Prop& prop : props) {
    if (prop.type != type) continue;
    const float far = apart_m(anchor_of(prop).position, at);
    if (far < least) best = &prop, least = far;
  }
  return best;
}

bool same_goal(const DeedGoal& a, const DeedGoal& b) noexcept {
  return a.deed == b.deed && distance(a.place.position, b.place.position) < kSameGoal_m &&
         std::abs(wrapped(a.place.facing_rad - b.place.facing_rad)) < kSameGoal_rad;
}

void DeedClocks::advance(float dt_s) noexcept {
  for (float* clock : {&deed_s, &goal_s, &near_s}) *clock = std::min(*clock + dt_s, kMost_s);
}

void DeedClocks::see(const PlanarRoot& root, const DeedGoal& goal) noexcept {
  const float far = apart_m(root.position, goal.place.position),
              off = std::abs(wrapped(root.facing_rad - goal.place.facing_rad));
  near = near ? far < kLeave_m && off < kLeave_rad : far < kNear_m && off < kNear_rad;
  if (!near) near_s = 0;
}

DeedSenses::DeedSenses() : around_(CylinderOptions{}), used_(4) {
  ZOE_CHECK(around_.size() == kSurroundingsWidth && used_.size() == kInteractionWidth, "sensors have other sizes");
}

void DeedSenses::write_state(const DeedMoment& moment, std::span<float> out) noexcept {
  ZOE_CHECK(out.size() == kDeedStateWidth, "the state of a deed has another size");
  std::fill(out.begin(), out.end(), 0.0F);
  out[static_cast<std::size_t>(moment.deed)] = 1;
  out[kNumDeeds + static_cast<std::size_t>(moment.goal.deed)] = 1;
  std::size_t at = 2 * kNumDeeds;
  for (const float clock : {moment.clocks.deed_s, moment.clocks.goal_s, moment.clocks.near_s}) {
    write_clock(clock, out.subspan(at, kClockWidth));
    at += kClockWidth;
  }
  GoalPlace seen = moment.goal.place;
  Vec3 to = seen.position - moment.root.position;
  to.y = 0;
  const float far = portable_hypot(to.x, to.z);
  const float way = std::clamp((far - kWayEnds_m) / kWayFades_m, 0.0F, 1.0F);
  const float s = portable_sin(moment.root.facing_rad), c = portable_cos(moment.root.facing_rad);
  out[at++] = way * (c * moment.way.x - s * moment.way.z);
  out[at++] = way * (c * moment.way.z + s * moment.way.x);
  // A goal far away is seen nearer, and along the path, which may lead around something.
  if (far > kWayEnds_m) {
    const Vec3 direct = to / far, along = direct + (moment.way - direct) * (moment.way == Vec3{} ? 0.0F : way);
    const Vec3 seen_along = normalized(along, direct) * std::min(far, kSeen_m);
    seen.position = {moment.root.position.x + seen_along.x, seen.position.y, moment.root.position.z + seen_along.z};
  }
  const GoalCode code = encode_goal(moment.root, seen);
  std::copy(code.values.begin(), code.values.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
  out[at + kGoalWidth] = std::clamp(moment.goal.place.position.y, -0.5F, 2.5F);
}

void DeedSenses::write_surroundings(std::span<const Prop> props, const PlanarRoot& root,
                                    std::span<float> out) const noexcept {
  around_.sense(props, root, out);
}

void DeedSenses::write_interaction(const Prop* used, const PlanarRoot& root, std::span<float> out) const noexcept {
  if (used == nullptr) {
    std::fill(out.begin(), out.end(), 0.0F);
    return;
  }
  used_.sense(*used, root, out);
}

}  // namespace zoe::control
