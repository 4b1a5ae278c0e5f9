// SPDX-License-Identifier: MIT
// Part of Zoetrope. Weapons, shields and tools in a character's hands.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"

namespace zoe::sprite {

struct WeaponOptions {
  std::string joint;                   // Joint that carries it; empty: a hand slot, else the right hand.
  std::filesystem::path image_folder;  // Of the weapon's external textures.
  float scale = 1;                     // Units of the body per unit of the weapon.
};

// The character with the weapon's meshes on a joint. In slots ("handslot.r") the weapon has the slot's axes. In a hand
// the longest side of the weapon from its origin points forwards and up. Weapons longer than 1.5 bodies, or shorter
// than a tenth, are scaled to 0.6 bodies, with a warning. Fails on a weapon without meshes, on unknown joints, and on
// bodies without hands.
Result<CharacterPtr> with_weapon(const CharacterPtr& body, const SkeletonAnalysis& analysis, const Character& weapon,
                                 const WeaponOptions& options, Warnings& warnings);

}  // namespace zoe::sprite
