// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character that uses a prop: the goals of a task one after the other, the path to them, and the
// props that its hands move. For controllers that know deeds (type nsm).
//
//   PropUser user(*controller, {chair}, {.deed = Deed::kSit});
//   const auto state = controller->make_state();
//   while (…) user.tick(*controller, *state, dt_s);   // user.props() are where they are now.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/control/deed_facts.h"
#include "zoe/control/plan_path.h"

namespace zoe::control {

struct PropTask {
  // kSit: sits down and stays. kCarry: lifts a box and puts it down at `destination`. kOpen: opens a door and walks
  // through. kWalk: walks to `destination`, around props.
  Deed deed = Deed::kSit;
  std::size_t prop = 0;   // The one that is used.
  GoalPlace destination;  // On the floor, or on what the box shall stand on.
};
const char* name_of_task(Deed deed);

// Joints that hold things, and the palm in the space of each.
struct Hands {
  std::array<int, 2> joints{kNoJoint, kNoJoint};  // Left, right.
  std::array<Vec3, 2> palms{};
};
// Palms are four tenths of the way from the wrist to the tip of the fingers. Joints that do not exist give no hands.
Hands hands_of(const Skeleton& skeleton, int left, int right);

class PropUser {
 public:
  // Allocates. The controller must know deeds, and the prop of the task must exist (checked). facts: note() names what
  // of the prop is beyond the data.
  PropUser(const Controller& controller, std::vector<Prop> props, PropTask task, Hands hands = {},
           const DeedFacts* facts = nullptr);

  // A tick of the character, and of the props in its hands.
  void tick(const Controller& controller, ControllerState& state, double dt_s);
  // Of a character that sits: it gets up and goes there.
  void leave(GoalPlace place);

  std::span<const Prop> props() const { return props_; }
  const DeedGoal& goal() const { return goal_; }
  bool holds() const { return holds_; }
  // Deeds are done: seated, the box put down, the door passed, arrived.
  bool done() const { return done_; }
  // What was changed in the path, and what the character was not trained for; for people. Empty: nothing.
  const std::string& note() const { return note_; }

 private:
  void set_goal(DeedGoal goal) { goal_ = goal, source_.reset(); }
  void plan(const Controller& controller, const PlanarRoot& root);
  void choose_goal(const Controller& controller, const ControllerState& state, float dt_s);
  void choose_seat_goal(const Controller& controller, const ControllerState& state);
  void move_props(const Skeleton& skeleton, const ControllerState& state, bool holds, float dt_s);
  // A leaf gives way to the body that touches it.
  void push_door(const Skeleton& skeleton, Prop& door, float dt_s) const;
  // A box gives way to the body, by at most this.
  void push_box(const Skeleton& skeleton, Prop& box, PlanarRoot root, float most_m) const;
  bool is_hand(const Skeleton& skeleton, int joint) const;
  void let_fall(Prop& box, float dt_s) const;

  std::vector<Prop> props_;
  PropTask task_;
  Hands hands_;
  float height_m_ = 1.7F;
  DeedGoal goal_;
  int stage_ = 0;
  std::unique_ptr<IntentSource> source_;
  std::vector<Affine> models_;
  bool holds_ = false, held_once_ = false, done_ = false;
  PlanarRoot box_in_hands_;
  float back_s_ = 0;    // Since the box was put down.
  float let_go_s_ = 0;  // Of a door, since its handle was held.
  int hips_ = kNoJoint;
  float seated_m_ = 0;
  int num_missed_ = 0;  // Seats that the body sat down beside.
  std::string beyond_, note_;
};

}  // namespace zoe::control
