// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a player, a path or a program wants of a character: the same for every
// controller.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "zoe/motion/root.h"

namespace zoe::control {

// Of the body as a whole. kAuto: by the wanted speed.
enum class Gait : std::uint8_t { kAuto, kStand, kWalk, kJog, kRun, kCrouch };
const char* to_string(Gait gait);

// What is wanted at one moment, `time_s` from now. World space, Y up; the velocity's y is not used.
struct WantedMotion {
  float time_s = 0;
  Vec3 velocity_mps;
  std::optional<float> facing_rad;  // Angle about +Y from +Z; nothing: along the velocity.
};

// Where the character is meant to arrive, world space.
struct WantedPlace {
  Vec3 position;
  std::optional<float> facing_rad;
};

constexpr int kMaxWanted = 8;   // Moments of an intent.
constexpr int kMaxLabels = 16;  // Styles, and actions, of a model.

// A plain value of fixed size: copied, compared, recorded and sent as it is.
struct Intent {
  // By rising time, the first at 0; between them wishes are interpolated, after the last they hold.
  // A stick fills only the first: then the wish holds for all the future.
  std::array<WantedMotion, kMaxWanted> wanted;
  int num_wanted = 1;
  Gait gait = Gait::kAuto;
  // By the model's own order of labels (Controller::styles(), actions()); all zero: no wish.
  std::array<float, kMaxLabels> styles{};
  std::array<float, kMaxLabels> actions{};
  std::optional<WantedPlace> goal;

  static Intent stand() { return {}; }
  static Intent move(Vec3 velocity_mps, std::optional<float> facing_rad = {});

  Vec3 velocity_at(float time_s) const;
  // Nothing where no facing is wanted and the velocity there is below 5 cm/s: keep the one you
  // have.
  std::optional<float> facing_at(float time_s) const;
};

struct IntentLimits {
  float max_speed_mps = 12;     // Of a sprinter.
  float max_distance_m = 1e5F;  // Of a goal from the origin: single precision ends there.
};

// Numbers that are not finite become "no wish", speeds are cut to the limit, times are made to
// rise, angles are wrapped. Anything goes in; what comes out a controller may trust.
Intent sanitised(const Intent& intent, const IntentLimits& limits = {});

// The intent as seen from a space whose origin stands at `place` of the intent's own.
Intent seen_from(const PlanarRoot& place, const Intent& intent);

// An angle in [-pi, pi].
float wrapped(float angle_rad);

}  // namespace zoe::control
