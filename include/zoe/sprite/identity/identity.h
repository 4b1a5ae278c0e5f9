// SPDX-License-Identifier: MIT
// Part of Zoetrope. Procedural game characters: a seed gives a skinned body with face, hair, outfit and weapon. All
// have the same skeleton (names and order of the joints), so that a motion of one plays on all.
//
//   const sprite::identity::Identity goblin = sprite::identity::make_identity(sprite::identity::draw_traits(17));
//   const Motion walk = *sprite::identity::make_action(goblin, "walk");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/motion/motion.h"
#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite::identity {

struct Identity {
  Traits traits;
  CharacterPtr character;  // Metres, y up, facing +z, standing on y = 0 with its arms stretched out.
  SkeletonAnalysis body;
  int num_weapon_instances = 0;             // Last instances of the character.
  bool floats = false;                      // Without legs: hovers over the ground.
  float hip_height = 0, arms_out_deg = 0;   // Metres; how far arms are held from the body.
  float head_radius = 0, trunk_radius = 0;  // Metres, of a body that lies.
};

Identity make_identity(const Traits& traits);

// Words of make_action(): "walk", "slash", "cast" …
const std::vector<std::string>& action_words();
// True for actions that end as they begin.
bool action_loops(std::string_view word);
// A hand-keyed game action on the identity's skeleton, 30 frames per second. Empty: unknown word.
std::optional<Motion> make_action(const Identity& identity, std::string_view word);
// A motion of another identity's skeleton on this one: rotations are copied, travel is scaled by the legs.
Motion transfer(const Motion& motion, const Identity& source, const Identity& target);

}  // namespace zoe::sprite::identity
