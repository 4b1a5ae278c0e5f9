// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a character of the type nsm knows while it uses props: what it does, what it shall do and
// where, for how long, and what is around it. Training and run time share this code.
//
// A goal is an anchor of the prop, not a place of the body: the middle of a seat, the floor below a box's middle, the
// handle of a closed door. So a game needs no sizes of the body.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/control/sensors.h"

namespace zoe::control {

enum class Deed : std::uint8_t { kIdle, kWalk, kSit, kLift, kCarry, kPutDown, kOpen };
constexpr int kNumDeeds = 7;
constexpr std::array<const char*, kNumDeeds> kDeedNames{"idle", "walk", "sit", "lift", "carry", "put_down", "open"};
std::optional<Deed> find_deed(std::string_view name);

struct DeedGoal {
  Deed deed = Deed::kIdle;
  GoalPlace place;  // The height is that of the seat, the box's bottom, the handle.
};
// Where the anchor of a prop is.
GoalPlace anchor_of(const Prop& prop) noexcept;
// The prop that a goal is about: by its type, the nearest to the goal; a box that is carried: the nearest to the root.
// Null: none.
const Prop* used_prop(std::span<const Prop> props, const DeedGoal& goal, const PlanarRoot& root) noexcept;

// How long the body does what it does, has its goal, and is near it. Poses at rest do not say how long they last.
struct DeedClocks {
  float deed_s = kMost_s, goal_s = 0, near_s = 0;
  bool near = false;

  static constexpr float kMost_s = 3;
  void advance(float dt_s) noexcept;
  // The body does something else; the goal changed.
  void deed_changed() noexcept { deed_s = 0; }
  void goal_changed() noexcept { goal_s = near_s = 0, near = false; }
  // Every moment, after advance().
  void see(const PlanarRoot& root, const DeedGoal& goal) noexcept;
};
bool same_goal(const DeedGoal& a, const DeedGoal& b) noexcept;

// A moment, all in one space whose floor is at y = 0.
struct DeedMoment {
  PlanarRoot root;
  Deed deed = Deed::kIdle;
  DeedGoal goal;
  DeedClocks clocks;
  Vec3 way;  // Direction of the path ahead, of length 1; zero: none. Near the goal it is not used.
};

// Inputs, by their names in a schema.
constexpr std::string_view kDeedSignal = "deed_state", kSurroundingsSignal = "surroundings",
                           kInteractionSignal = "interaction";
constexpr int kClockWidth = 7, kGoalInputs = kGoalWidth + 1;
// Deed, goal's deed, three clocks, path; then the goal.
constexpr int kDeedGoalBegin = 2 * kNumDeeds + 3 * kClockWidth + 2, kDeedStateWidth = kDeedGoalBegin + kGoalInputs;
constexpr int kSurroundingsWidth = 256, kInteractionWidth = 256;
// The output for the next moment: the deed, 1 while hands hold the prop, and the root in the goal's space (x, z, sin,
// cos).
constexpr std::string_view kDeedNextSignal = "deed_next";
constexpr int kHeldColumn = kNumDeeds, kRootInGoalColumn = kNumDeeds + 1, kDeedNextWidth = kNumDeeds + 5;

class DeedSenses {
 public:
  DeedSenses();
  // None allocates. Sizes are those above.
  static void write_state(const DeedMoment& moment, std::span<float> out) noexcept;
  void write_surroundings(std::span<const Prop> props, const PlanarRoot& root, std::span<float> out) const noexcept;
  // Null: zeros.
  void write_interaction(const Prop* used, const PlanarRoot& root, std::span<float> out) const noexcept;

 private:
  CylinderSensor around_;
  CuboidSensor used_;
};

}  // namespace zoe::control
