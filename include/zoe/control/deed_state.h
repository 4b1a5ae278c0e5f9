// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a character of the type nsm does and wants, beside its pose: the part of a NeuralState that
// models with props have.
#pragma once

#include "zoe/control/controller.h"
#include "zoe/control/deed_facts.h"
#include "zoe/control/deeds.h"
#include "zoe/features/layout.h"

namespace zoe::control {

// Columns of a model with props; -1: none.
struct DeedColumns {
  int state = -1, surroundings = -1, interaction = -1;  // Of x.
  int next = -1;                                        // Of y.
  bool exist() const { return state >= 0; }
};
// Fails where a signal has another width than this version's.
Result<DeedColumns> find_deed_columns(const features::Layout& layout);

// The goal of an intent: its action and its position. Without a position a point ahead.
struct IntendedGoal {
  DeedGoal goal;
  bool given = false;
};
IntendedGoal goal_of(const Intent& intent, const PlanarRoot& root) noexcept;
// Direction of the desired motion, of length 1; zero: none.
Vec3 way_of(const Intent& intent) noexcept;

// The root in the goal's space (x, z, sin, cos) as networks predict it: positions end at this distance. So numbers are
// small, and errors of a network, which are shares of their spread, are centimetres.
constexpr float kRootInGoalReach_m = 0.8F;
void write_root_in_goal(const PlanarRoot& root, const GoalPlace& goal, std::span<float, 4> out) noexcept;

// Bodies that began to sit down this long ago touch the seat.
constexpr float kSitting_s = 1.1F;

class DeedState {
 public:
  void reset() noexcept { *this = {}; }
  // Before a step: the goal of this moment. before_seat_m: from where the body sits down, before the seat's edge.
  void set_goal(const IntendedGoal& goal, const PlanarRoot& root, const Prop* used = nullptr,
                float before_seat_m = kBeforeSeat_m) noexcept;
  // The inputs of the step. Props are in the model's space.
  void write(const DeedColumns& columns, const DeedSenses& senses, std::span<const Prop> props, const PlanarRoot& root,
             Vec3 way, std::span<float> x) const noexcept;
  // A path that begins behind the body, as the network sees it: at one side, as long as the turn lasts. Straight behind
  // is the mean of turns to the left and to the right, which is none.
  Vec3 beside(Vec3 way, const PlanarRoot& root) noexcept;
  // After a step: the deed of the next moment. grips: hands have what they reach for.
  void follow(std::span<const float> next, float dt_s, bool grips = true) noexcept;
  // A moment of a clip, for tests: the deed is known.
  void follow(Deed deed, float dt_s) noexcept;
  // The root from the goal's side, and its weight: 0 far away and without a goal.
  PlanarRoot from_goal(std::span<const float> next, const PlanarRoot& root) const noexcept;
  float share(const PlanarRoot& root) const noexcept;

  // From a root to the middle line of what is used, and to before a seat.
  Vec3 to_place(const PlanarRoot& root) const noexcept;

  // A position of the root that is not too near to the seat for shins to stand before it.
  Vec3 before_seat(Vec3 position) const noexcept;

  const DeedGoal& goal() const { return goal_; }
  // The seat bears the body: hips neither slide forward off it nor give way to feet.
  bool is_seated() const {
    return deed_ == Deed::kSit && goal_.deed == Deed::kSit && half_depth_m_ > 0 && clocks_.deed_s > kSitting_s;
  }
  // A box is held as long as it is carried.
  DeedProgress progress() const { return {deed_, goal_.deed, clocks_.deed_s, deed_ == Deed::kCarry || held_ > 0.5F}; }
  void describe(StateArchive& archive);
  void move_space(const PlanarRoot& offset) noexcept;

 private:
  bool in_place() const noexcept;
  bool is_free() const noexcept;

  Deed deed_ = Deed::kIdle;
  DeedGoal goal_;
  bool given_ = false, started_ = false;
  DeedClocks clocks_;
  float held_ = 0;
  // As of set_goal(): how far the goal is, and the last step.
  float away_m_ = 0, off_m_ = 0, step_m_ = 0, turned_rad_ = 0;
  PlanarRoot last_;
  float still_s_ = 0;                          // Near the goal.
  float half_depth_m_ = 0, half_width_m_ = 0;  // Of the used seat.
  float box_half_m_ = 0;                       // Half of the depth of the used box.
  float before_seat_m_ = kBeforeSeat_m;
  bool is_closed_ = false;  // The used door.
  float free_s_ = 0;        // Since the hand let go, while the deed is to open.
  float side_ = 0;          // Of a turn to what is behind: 1 or -1; 0: none.
  float rested_at_m_ = 0;   // From the goal, where it was given anew for the last time; 0: not yet.
};

}  // namespace zoe::control
