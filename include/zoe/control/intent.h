// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a player, a path or a program wants of a character. The same for every controller.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "zoe/motion/root.h"

namespace zoe::control {

// Gait of the whole body. kAuto: by the desired speed.
enum class Gait : std::uint8_t { kAuto, kStand, kWalk, kJog, kRun, kCrouch };
const char* to_string(Gait gait);

// The desired motion at one moment, `time_s` from now. World space, Y up; the velocity's y is not used.
struct WantedMotion {
  float time_s = 0;
  Vec3 velocity_mps;
  std::optional<float> facing_rad;  // Angle about +Y from +Z. Empty: along the velocity.
};

// The position to arrive at, world space.
struct WantedPlace {
  Vec3 position;
  std::optional<float> facing_rad;
};

constexpr int kMaxWanted = 8;   // Moments per intent.
constexpr int kMaxLabels = 16;  // Styles, and actions, per model.

// A plain value of fixed size. It can be copied, compared, recorded and sent directly.
struct Intent {
  // By rising time, the first at 0. Values are interpolated in between and constant after the last. A stick fills only
  // the first, which then holds for all the future.
  std::array<WantedMotion, kMaxWanted> wanted;
  int num_wanted = 1;
  Gait gait = Gait::kAuto;
  // In the model's own order of labels (Controller::styles(), actions()). All zero: not set.
  std::array<float, kMaxLabels> styles{};
  std::array<float, kMaxLabels> actions{};
  std::optional<WantedPlace> goal;

  static Intent stand() { return {}; }
  static Intent move(Vec3 velocity_mps, std::optional<float> facing_rad = {});

  Vec3 velocity_at(float time_s) const;
  // Empty where no facing is set and the velocity there is below 5 cm/s: the character keeps its facing.
  std::optional<float> facing_at(float time_s) const;
};

struct IntentLimits {
  float max_speed_mps = 12;     // A sprinter's speed.
  float max_distance_m = 1e5F;  // Distance of a goal from the origin: the limit of single precision.
};

// Makes any intent safe for a controller. Numbers that are not finite become "not set", speeds are clamped to the
// limit, times are made to rise, angles are wrapped.
Intent sanitised(const Intent& intent, const IntentLimits& limits = {});

// The intent in a space whose origin is at `place` of the intent's own space.
Intent seen_from(const PlanarRoot& place, const Intent& intent);

// An angle in [-pi, pi].
float wrapped(float angle_rad);

}  // namespace zoe::control
