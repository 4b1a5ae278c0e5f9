// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of a rig that attacks, jumps, is hit, dies or idles by its plan (author/alive.h), for rigs
// whose motion a network does not know. Feet are planted, joints keep their limits, seeds vary everything.
//
//   const Alive crab = make_alive(io::read_asset("crab.glb").value()).value();
//   const Motion attack = planned_action(crab, PlannedAction::kAttack, {.seconds = 4, .seed = 7}).value();
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "zoe/author/alive.h"
#include "zoe/motion/motion.h"

namespace zoe::author {

enum class PlannedAction : std::uint8_t {
  kAttack,  // Strikes of what the body has: winding up, striking, recovering.
  kIdle,    // It stands, breathes and looks around.
  kJump,    // Crouches, flies and lands.
  kHit,     // Starts back from a blow, and recovers.
  kDie      // Falls, and lies.
};
// Of a word of the action vocabulary; none: it is not planned.
std::optional<PlannedAction> planned_action_of(std::string_view action);

struct PlannedActionOptions {
  double seconds = 4, fps = 30;
  std::uint64_t seed = 1;
};
// Metres, ground at y = 0, at the origin, facing +Z; on the skeleton of alive.body. Deaths happen once, other actions
// as often as there is time.
Result<Motion> planned_action(const Alive& alive, PlannedAction action, const PlannedActionOptions& options);

}  // namespace zoe::author
