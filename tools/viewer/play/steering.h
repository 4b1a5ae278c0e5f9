// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Keys, sticks and panels as an intent. Driven by fixed steps and scene::Input, so that
// recorded input gives the same states in a window and without one.
#pragma once

#include <vector>

#include "zoe/control/sources.h"
#include "zoe/control/style_mix.h"
#include "zoe/scene/input.h"

namespace zoe::viewer {

// Commands of panels and pointer, as buttons of scene::Input above those of gamepads; values: axes.
enum class SteerCommand : std::uint16_t {
  kGoal = 24,    // Axes kGoalAxes: x, z, world metres.
  kReset = 25,   // Resets everything but the position.
  kStyle = 26,   // Axis kStyleAxis: which, or -1.
  kAction = 27,  // Axis kActionAxis: which, or -1.
  kMix = 28,     // Axes from kMixAxes: the weight of each style.
};
constexpr int kGoalAxes = 32, kStyleAxis = 34, kActionAxis = 35;
constexpr int kMixAxes = 40;     // One for each of control::kMaxLabels.
constexpr int kCameraAxis = 36;  // Direction of the camera, angle about +Y from +Z: forward is away from it.

// Appends the events of a command.
void append_goal(Vec3 place, std::vector<scene::InputEvent>& events);
void append_reset(std::vector<scene::InputEvent>& events);
void append_choice(SteerCommand command, int choice, std::vector<scene::InputEvent>& events);
void append_mix(const control::StyleMix& mix, std::vector<scene::InputEvent>& events);

class Steering {
 public:
  // One fixed step.
  void step(const scene::Input& input, const PlanarRoot& root, double step_s, const control::MotionRange& range = {});
  // Of that step. led: intent of a path, a script or a program, or null; it counts while there is no manual input.
  control::Intent intent(const control::Intent* led) const;

  bool resets() const { return resets_; }    // In this step.
  bool by_hand() const { return by_hand_; }  // Keys, sticks or a goal steer in this step.
  // Weights of the model's styles, kLeastStyle to kMostStyle. All zero: those of the path, script or program hold.
  const control::StyleMix& styles() const { return styles_; }
  void set_styles(const control::StyleMix& mix);
  int style() const;  // The only style of weight 1, if all others are 0; else -1.
  int action() const { return action_; }
  const std::optional<Vec3>& goal() const { return goal_; }

 private:
  void take_commands(const scene::Input& input);

  std::optional<Vec3> goal_;
  std::optional<float> facing_rad_;  // Set while Alt, Q or E is down.
  control::StyleMix styles_{};
  int action_ = -1;
  bool resets_ = false, by_hand_ = false;
  control::Intent hand_;  // Of keys and sticks.
};

}  // namespace zoe::viewer
