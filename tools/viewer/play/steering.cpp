// SPDX-License-Identifier: MIT
#include "play/steering.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/trajectory.h"

namespace zoe::viewer {
namespace {

using scene::InputEvent;
using scene::Key;

constexpr float kTurn_rad_s = 2.4F;
constexpr float kStickRests = 0.15F;  // The dead zone of control::from_sticks().

// Gamepads as GLFW orders them; buttons count from 8.
constexpr int kPadRun = 8 + 0, kPadLook = 8 + 4;               // A, left bumper.
constexpr int kMoveX = 0, kMoveY = 1, kLookX = 2, kLookY = 3;  // Down is positive.
constexpr int kLeftTrigger = 4, kRightTrigger = 5;             // -1 at rest.

int code(Key key) { return static_cast<int>(key); }

void append_press(SteerCommand command, std::vector<InputEvent>& events) {
  const auto button = static_cast<std::uint16_t>(command);
  events.push_back({InputEvent::Kind::kButton, button, 1, 0});
  events.push_back({InputEvent::Kind::kButton, button, 0, 0});
}

control::Sticks sticks_of(const scene::Input& input) {
  const auto either = [&](char letter, Key arrow) { return input.key(letter) || input.key(code(arrow)); };
  const bool run = input.key(code(Key::kShift)) || input.button(kPadRun) || input.axis(kRightTrigger) > 0.3F;
  control::Sticks sticks = control::from_keys(either('W', Key::kUp), either('A', Key::kLeft), either('S', Key::kDown),
                                              either('D', Key::kRight), run);
  sticks.walk = input.key('C') || input.axis(kLeftTrigger) > 0.3F;
  if (sticks.move_x == 0 && sticks.move_y == 0) {
    sticks.move_x = input.axis(kMoveX);
    sticks.move_y = -input.axis(kMoveY);
  }
  if (input.button(kPadLook)) {
    sticks.look_x = input.axis(kLookX);
    sticks.look_y = -input.axis(kLookY);
  }
  return sticks;
}

void choose(int label, std::array<float, control::kMaxLabels>& labels) {
  if (label >= 0 && label < control::kMaxLabels) labels[static_cast<std::size_t>(label)] = 1;
}

}  // namespace

void append_goal(Vec3 place, std::vector<InputEvent>& events) {
  events.push_back(scene::axis_event(kGoalAxes, place.x));
  events.push_back(scene::axis_event(kGoalAxes + 1, place.z));
  append_press(SteerCommand::kGoal, events);
}

void append_reset(std::vector<InputEvent>& events) { append_press(SteerCommand::kReset, events); }

void append_choice(SteerCommand command, int choice, std::vector<InputEvent>& events) {
  const int axis = command == SteerCommand::kStyle ? kStyleAxis : kActionAxis;
  events.push_back(scene::axis_event(axis, static_cast<float>(choice)));
  append_press(command, events);
}

void append_mix(const control::StyleMix& mix, std::vector<InputEvent>& events) {
  for (int i = 0; i < control::kMaxLabels; ++i)
    events.push_back(scene::axis_event(kMixAxes + i, mix[static_cast<std::size_t>(i)]));
  append_press(SteerCommand::kMix, events);
}

// A file of recorded input may contain anything.
void Steering::set_styles(const control::StyleMix& mix) {
  for (std::size_t i = 0; i < mix.size(); ++i)
    styles_[i] = std::isnan(mix[i]) ? 0 : std::clamp(mix[i], control::kLeastStyle, control::kMostStyle);
}

int Steering::style() const {
  int found = -1;
  for (std::size_t i = 0; i < styles_.size(); ++i) {
    if (styles_[i] == 0) continue;
    if (styles_[i] != 1 || found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

void Steering::take_commands(const scene::Input& input) {
  const auto given = [&](SteerCommand command) { return input.button_pressed(static_cast<int>(command)); };
  // A file of recorded input may contain anything.
  const auto choice = [&](int axis) {
    const float value = input.axis(axis);
    return value >= 0 && value < static_cast<float>(control::kMaxLabels) ? static_cast<int>(value) : -1;
  };
  if (given(SteerCommand::kGoal)) goal_ = Vec3{input.axis(kGoalAxes), 0, input.axis(kGoalAxes + 1)};
  if (given(SteerCommand::kStyle)) {
    styles_ = {};
    choose(choice(kStyleAxis), styles_);
  }
  if (given(SteerCommand::kMix)) {
    control::StyleMix mix;
    for (int i = 0; i < control::kMaxLabels; ++i) mix[static_cast<std::size_t>(i)] = input.axis(kMixAxes + i);
    set_styles(mix);
  }
  if (given(SteerCommand::kAction)) action_ = choice(kActionAxis);
  resets_ = given(SteerCommand::kReset) || input.key_pressed(code(Key::kBackspace));
  if (resets_) goal_.reset();
}

void Steering::step(const scene::Input& input, const PlanarRoot& root, double step_s,
                    const control::MotionRange& range) {
  take_commands(input);
  const control::Sticks sticks = sticks_of(input);
  const bool moves = std::hypot(sticks.move_x, sticks.move_y) > kStickRests;
  if (moves) goal_.reset();

  // Alt keeps the present facing. Q and E turn it.
  const float turn = static_cast<float>(input.key('Q')) - static_cast<float>(input.key('E'));
  if (turn != 0 || input.key(code(Key::kAlt))) {
    if (!facing_rad_) facing_rad_ = root.facing_rad;
    facing_rad_ = control::wrapped(*facing_rad_ + turn * kTurn_rad_s * static_cast<float>(step_s));
  } else {
    facing_rad_.reset();
  }
  const bool looks = std::hypot(sticks.look_x, sticks.look_y) > kStickRests;
  by_hand_ = moves || looks || facing_rad_.has_value() || goal_.has_value();
  hand_ = control::from_sticks(sticks, input.axis(kCameraAxis), range);
}

control::Intent Steering::intent(const control::Intent* led) const {
  control::Intent intent = !by_hand_ && led != nullptr ? *led : hand_;
  if (facing_rad_) intent.wanted[0].facing_rad = facing_rad_;
  if (goal_) intent.goal = control::WantedPlace{*goal_, {}};
  if (std::any_of(styles_.begin(), styles_.end(), [](float weight) { return weight != 0; })) intent.styles = styles_;
  choose(action_, intent.actions);
  return intent;
}

}  // namespace zoe::viewer
