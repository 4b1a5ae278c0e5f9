// SPDX-License-Identifier: MIT
#include "zoe/control/prop_user.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/control/body_height.h"
#include "zoe/control/deed_facts.h"
#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

// Bodies come to a point before the anchor, and the goal leads them from there.
constexpr float kApproach = 0.45F, kRoom = 0.26F;  // Of the body's height; the second from a seat's edge.
constexpr int kRefused = 3;                        // A stage that no deed leaves.
constexpr float kOpened_rad = 1.2F, kMostOpen_rad = 1.5F;
constexpr float kCentring_s = 0.15F;  // Half-life: a box moves to the middle between the hands.
constexpr float kFall_mps = 1.5F;
constexpr float kBack = 0.18F;  // Of the body's height: the step back from a box that was put down.
constexpr float kThere_m = 0.12F, kMostBack_s = 3;
// A body that walks through pushes the leaf on.
constexpr float kUnlatched_rad = 0.1F, kPush_rad = 0.02F, kFastestPush_rad_s = 3, kPushed_rad = 2;
// A box that was put down gives way to legs; one in the hands too, where arms are too short to keep it before them.
constexpr float kHeldGives_m = 0.02F, kPush_m = 0.005F, kFastestBox_mps = 2, kBoxTouches_m = 0.01F;
// A door that was let go is passed: it is open, or it gives way.
constexpr float kLetGo_s = 0.4F, kPassable_rad = 0.95F, kGivesWay_rad = 0.3F;
constexpr float kUpAgain_s = 2.3F;
constexpr float kStarts_m = 1, kStarts_mps = 0.3F;
// A body that sits down beside its seat gets up, steps away from it and comes again; the last time it stays.
constexpr float kOnSeat_m = 0.05F, kBefore = 0.4F, kAside_m = 0.2F;
constexpr int kMostMisses = 2;
constexpr float kSeated_s = 2, kThrough_m = 0.4F, kExit = 0.75F;

Vec3 ahead(float facing_rad) { return {std::sin(facing_rad), 0, std::cos(facing_rad)}; }
Vec3 turned(Vec3 v, float angle_rad) { return rotate(from_axis_angle(Vec3{0, 1, 0}, angle_rad), v); }
float flat_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

// Middle of the palms, and the facing that has the first at its left.
PlanarRoot between(Vec3 left, Vec3 right) {
  const Vec3 across = left - right;
  return {(left + right) * 0.5F, std::atan2(-across.z, across.x)};
}

}  // namespace

const char* name_of_task(Deed deed) { return deed == Deed::kCarry ? "carry" : kDeedNames[idx(static_cast<int>(deed))]; }

Hands hands_of(const Skeleton& skeleton, int left, int right) {
  Hands hands;
  for (std::size_t side = 0; side < 2; ++side) {
    const int hand = side == 0 ? left : right;
    if (hand < 0 || hand >= skeleton.num_joints()) return {};
    hands.joints[side] = hand;
    const Affine& wrist = skeleton.rest_model()[idx(hand)];
    Vec3 tip = wrist.t;
    for (int j = hand + 1; j < skeleton.num_joints(); ++j) {
      int parent = j;
      while (parent > hand) parent = skeleton.parent(parent);
      if (parent != hand) continue;
      const Vec3 at = skeleton.rest_model()[idx(j)].t;
      if (distance(at, wrist.t) > distance(tip, wrist.t)) tip = at;
    }
    hands.palms[side] = inverse(wrist).apply_point(lerp(wrist.t, tip, 0.4F));
  }
  return hands;
}

PropUser::PropUser(const Controller& controller, std::vector<Prop> props, PropTask task, Hands hands,
                   const DeedFacts* facts)
    : props_(std::move(props)), task_(task), hands_(hands), models_(idx(controller.skeleton()->num_joints())) {
  ZOE_CHECK(task.deed == Deed::kWalk || task.prop < props_.size(), "a task has a prop");
  height_m_ = std::max(body_height_m(controller), 0.1F);
  if (task.deed == Deed::kWalk) {
    goal_ = {Deed::kIdle, task.destination};
  } else {
    goal_ = {task.deed == Deed::kCarry ? Deed::kLift : task.deed, anchor_of(props_[task.prop])};
    if (facts != nullptr) {
      note_ = beyond_ = beyond_data(*facts, props_[task.prop]);
      if (facts->hips < controller.skeleton()->num_joints()) hips_ = facts->hips;
      seated_m_ = facts->seated_m;
    }
  }
}

void PropUser::leave(GoalPlace place) {
  done_ = false;
  stage_ = 2;
  set_goal({Deed::kIdle, place});
}

void PropUser::plan(const Controller& controller, const PlanarRoot& root) {
  Vec3 to = goal_.place.position;
  to.y = 0;
  const float sign = goal_.deed == Deed::kSit ? 1.0F : goal_.deed == Deed::kIdle ? 0.0F : -1.0F;
  float before_m = kApproach * height_m_;
  if (goal_.deed == Deed::kSit) before_m = std::max(before_m, props_[task_.prop].seat_half_depth_m + kRoom * height_m_);
  to += ahead(goal_.place.facing_rad) * (sign * before_m);
  // Bodies cut corners and arms swing: more room where there is some. What is held or used is no obstacle; a door that
  // was opened is one, and a seat where a path leads to its front.
  std::vector<Prop> obstacles;
  for (std::size_t i = 0; i < props_.size(); ++i)
    if (task_.deed == Deed::kWalk || i != task_.prop ||
        (task_.deed == Deed::kOpen && stage_ == 1 && props_[i].open_rad >= kPassable_rad))
      obstacles.push_back(props_[i]);
  PathPlan found;
  const auto search = [&] {
    for (const float share : {0.4F, 0.32F, 0.26F, 0.2F, 0.15F}) {
      found = plan_path(root.position, to, obstacles, {.radius_m = share * height_m_, .height_m = 1.1F * height_m_});
      if (found.reaches && found.note.empty()) return true;
    }
    return false;
  };
  // A seat is walked around, to its front.
  const bool around_seat = goal_.deed == Deed::kSit;
  if (around_seat) obstacles.push_back(props_[task_.prop]);
  if (!search() && around_seat && !found.reaches) {
    found.note += "; the front of the seat is not free: the character does not sit down";
    found.points = {root.position};
    to = root.position;
    goal_ = {Deed::kIdle, {root.position, goal_.place.facing_rad}};
    stage_ = kRefused;
  }
  note_ = beyond_ + (beyond_.empty() || found.note.empty() ? "" : "; ") + found.note;
  // The path ends beside a wall, so the goal that leads from there on must not be inside of it.
  if (goal_.deed == Deed::kIdle && !found.reaches && !found.points.empty()) {
    goal_.place.position.x = found.points.back().x;
    goal_.place.position.z = found.points.back().z;
    to = found.points.back();
  }
  const float pace = controller.motion_range().pace_mps;
  source_ = follow_plan(found, {to, goal_.place.facing_rad}, {.speed_mps = pace});
}

void PropUser::choose_seat_goal(const Controller& controller, const ControllerState& state) {
  const DeedProgress now = state.deed().value_or(DeedProgress{});
  const PlanarRoot root = state.root();
  if (stage_ == 2) {
    done_ = now.deed == Deed::kIdle && flat_distance(root.position, goal_.place.position) < kThrough_m;
    return;
  }
  if (stage_ == kRefused) return;
  const Prop& seat = props_[task_.prop];
  if (stage_ == 1) {  // Up again, and a step away from the seat that was missed.
    const bool is_up = now.deed == Deed::kIdle || now.deed == Deed::kWalk;
    if (!is_up || flat_distance(root.position, goal_.place.position) > kAside_m) return;
    stage_ = 0;
    set_goal({Deed::kSit, anchor_of(seat)});
    return;
  }
  if (done_ || now.deed != Deed::kSit || now.deed_s < kSeated_s) return;
  bool is_seated = true;
  if (hips_ != kNoJoint) {
    compute_model_from_joint(*controller.skeleton(), state.pose(), models_);
    const Vec3 above = prop_from_world(seat, models_[idx(hips_)].t) - seat.seat_m;
    is_seated =
        std::abs(above.y - seated_m_) < kOnSeat_m &&
        std::max(std::abs(above.x) - seat.seat_half_width_m, std::abs(above.z) - seat.seat_half_depth_m) < kOnSeat_m;
  }
  if (is_seated || num_missed_ == kMostMisses) {
    if (!is_seated) note_ += "; the character did not come to sit on it";
    done_ = true;
    return;
  }
  ++num_missed_;
  stage_ = 1;
  beyond_ += fmt::format("{}the seat was missed: the character gets up and comes again", beyond_.empty() ? "" : "; ");
  const Vec3 before = world_from_prop(seat, seat.seat_m + Vec3{0, 0, seat.seat_half_depth_m + kBefore * height_m_});
  set_goal({Deed::kIdle, {{before.x, 0, before.z}, seat.facing_rad}});
}

void PropUser::choose_goal(const Controller& controller, const ControllerState& state, float dt_s) {
  const DeedProgress now = state.deed().value_or(DeedProgress{});
  const PlanarRoot root = state.root();
  const auto idles = [&] { return now.deed == Deed::kIdle || now.deed == Deed::kWalk; };
  switch (task_.deed) {
    case Deed::kSit:
      return choose_seat_goal(controller, state);
    case Deed::kCarry:
      if (stage_ == 0 && now.deed == Deed::kCarry && held_once_) {
        stage_ = 1;
        set_goal({Deed::kPutDown, task_.destination});
      }
      // In the data the goal changes as the body is up again.
      if (stage_ == 1 && !holds_ && (idles() || (now.deed == Deed::kPutDown && now.deed_s > kUpAgain_s))) {
        // A step back: arms that hang would be in the box.
        stage_ = 2;
        set_goal({Deed::kIdle, {root.position - ahead(root.facing_rad) * (kBack * height_m_), root.facing_rad}});
      } else if (stage_ == 2) {
        const bool is_there = idles() && flat_distance(root.position, goal_.place.position) < kThere_m;
        done_ = done_ || is_there || (back_s_ += dt_s) > kMostBack_s;
      }
      return;
    case Deed::kOpen:
      let_go_s_ = held_once_ && !holds_ ? let_go_s_ + dt_s : 0;
      if (stage_ == 0 && (props_[task_.prop].open_rad > kOpened_rad ||
                          (let_go_s_ > kLetGo_s && props_[task_.prop].open_rad > kGivesWay_rad))) {
        stage_ = 1;
        const Prop& door = props_[task_.prop];
        if (door.open_rad < kPassable_rad)
          beyond_ +=
              fmt::format("{}the hand let go of the door early: the body pushes it open", beyond_.empty() ? "" : "; ");
        // Nearer to the free side than to the leaf.
        const Vec3 exit = world_from_prop(door, {kExit * door.handle_m.x, 0, 0.8F * height_m_ + door.handle_m.x});
        set_goal({Deed::kIdle, {exit, door.facing_rad}});
      }
      if (stage_ == 1) done_ = flat_distance(root.position, goal_.place.position) < kThrough_m;
      return;
    default:
      done_ = idles() && flat_distance(root.position, goal_.place.position) < kThrough_m;
  }
}

void PropUser::let_fall(Prop& box, float dt_s) const {
  float floor_m = 0;
  for (const Prop& prop : props_) {
    if (&prop == &box || floor_distance(prop, box.position.x, box.position.z, 0, 3) > 0) continue;
    const float top = world_bounds_of(prop).max.y;
    if (top <= box.position.y + 0.1F) floor_m = std::max(floor_m, top);
  }
  const float step = kFall_mps * dt_s;
  box.position.y += std::clamp(floor_m - box.position.y, -step, step);
}

bool PropUser::is_hand(const Skeleton& skeleton, int joint) const {
  for (; joint != kNoJoint; joint = skeleton.parent(joint))
    if (joint == hands_.joints[0] || joint == hands_.joints[1]) return true;
  return false;
}

void PropUser::push_box(const Skeleton& skeleton, Prop& box, PlanarRoot root, float most_m) const {
  const auto depth = [&](const Prop& at) {
    float deepest = -1;
    for (int j = 0; j < skeleton.num_joints(); ++j)
      if (const int parent = skeleton.parent(j); parent != kNoJoint && !is_hand(skeleton, j))
        deepest =
            std::max(deepest, depth_of_capsule(at, models_[idx(parent)].t, models_[idx(j)].t, kFlesh * height_m_));
    return deepest;
  };
  Vec3 away = box.position - root.position;
  away.y = 0;
  away = normalized(away, ahead(root.facing_rad));
  float now = depth(box);
  for (float far_m = 0; now > kBoxTouches_m && far_m < most_m; far_m += kPush_m) {
    Prop next = box;
    next.position += away * kPush_m;
    const float after = depth(next);
    if (after >= now) break;
    box = next;
    now = after;
  }
}

void PropUser::push_door(const Skeleton& skeleton, Prop& door, float dt_s) const {
  if (door.open_rad < kUnlatched_rad) return;
  const auto depth = [&](const Prop& at, bool hands) {
    float deepest = -1;
    for (int j = 0; j < skeleton.num_joints(); ++j)
      if (const int parent = skeleton.parent(j); parent != kNoJoint && (hands || !is_hand(skeleton, j)))
        deepest =
            std::max(deepest, depth_of_capsule(at, models_[idx(parent)].t, models_[idx(j)].t, kFlesh * height_m_));
    return deepest;
  };
  // In small steps, as long as that helps: a body behind the leaf is not pushed. Free hands push too; a hand in the
  // middle of the leaf, which would stop the push, does not keep the rest of the body from it.
  float turned = 0;
  for (const bool hands : {true, false}) {
    if (hands && holds_) continue;
    float now = depth(door, hands);
    for (; now > 0 && turned < kFastestPush_rad_s * dt_s; turned += kPush_rad) {
      Prop next = door;
      next.open_rad += kPush_rad;
      const float after = depth(next, hands);
      if (next.open_rad > kPushed_rad || after >= now) break;
      door = next;
      now = after;
    }
  }
}

void PropUser::move_props(const Skeleton& skeleton, const ControllerState& state, bool holds, float dt_s) {
  if (task_.deed != Deed::kCarry && task_.deed != Deed::kOpen) return;
  Prop& prop = props_[task_.prop];
  if (hands_.joints[0] == kNoJoint) return;
  compute_model_from_joint(skeleton, state.pose(), models_);
  const auto palm = [&](std::size_t side) { return models_[idx(hands_.joints[side])].apply_point(hands_.palms[side]); };
  if (prop.type == PropType::kDoor) {
    holds_ = holds;
    held_once_ = held_once_ || holds;
    push_door(skeleton, prop, dt_s);
    if (!holds) return;
    const Vec3 handle = handle_of(prop);
    const Vec3 nearer = distance(palm(0), handle) < distance(palm(1), handle) ? palm(0) : palm(1);
    const Vec3 own = prop_from_world(prop, nearer);
    const float angle = std::atan2(own.z, own.x) - std::atan2(prop.handle_m.z, prop.handle_m.x);
    prop.open_rad = std::clamp(wrapped(angle), prop.open_rad, std::max(prop.open_rad, kMostOpen_rad));
    return;
  }
  const PlanarRoot middle = between(palm(0), palm(1));
  if (holds && !holds_) {
    // Hands that are not at the box hold nothing.
    const float reach = 0.12F * height_m_ + length(bounds_of(prop).half_size());
    if (distance(middle.position, world_bounds_of(prop).center()) > reach) return let_fall(prop, dt_s);
    box_in_hands_ = {turned(prop.position - middle.position, -middle.facing_rad),
                     wrapped(prop.facing_rad - middle.facing_rad)};
    held_once_ = true;
  }
  holds_ = holds;
  if (!holds) {
    let_fall(prop, dt_s);
    if (held_once_) push_box(skeleton, prop, state.root(), kFastestBox_mps * dt_s);
    return;
  }
  box_in_hands_.position.x = approach(box_in_hands_.position.x, 0.0F, kCentring_s, dt_s);
  box_in_hands_.facing_rad = approach(box_in_hands_.facing_rad, 0.0F, kCentring_s, dt_s);
  prop.position = middle.position + turned(box_in_hands_.position, middle.facing_rad);
  prop.facing_rad = middle.facing_rad + box_in_hands_.facing_rad;
  push_box(skeleton, prop, state.root(), kHeldGives_m);
}

void PropUser::tick(const Controller& controller, ControllerState& state, double dt_s) {
  if (!source_) plan(controller, state.root());
  Intent intent = source_->next(state.root(), dt_s);
  // A goal without a velocity would lead straight to it. A path that begins with a turn leads along its own direction:
  // the body turns as it starts.
  if (const auto facing = intent.facing_at(0); facing && intent.velocity_at(0) == Vec3{} &&
                                               flat_distance(state.root().position, goal_.place.position) > kStarts_m)
    intent.wanted[0].velocity_mps = ahead(*facing) * kStarts_mps;
  intent.goal = WantedPlace{goal_.place.position, goal_.place.facing_rad};
  intent.actions = {};
  // An idle goal that is reached is a stand, which the base class has; all else needs the model.
  if (!(done_ && goal_.deed == Deed::kIdle)) intent.actions[idx(static_cast<int>(goal_.deed))] = 1;
  state.set_props(props_);
  controller.tick(state, intent, dt_s);
  const DeedProgress now = state.deed().value_or(DeedProgress{});
  move_props(*controller.skeleton(), state, now.holds, static_cast<float>(dt_s));
  choose_goal(controller, state, static_cast<float>(dt_s));
}

}  // namespace zoe::control
