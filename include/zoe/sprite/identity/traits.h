// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a procedural game character is: species, class, build, colours, hair, hat, outfit, weapon. The
// words of captions are the words of these tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/sprite/look.h"

namespace zoe::sprite::identity {

// A colour with the word that captions use.
struct NamedColor {
  const char* word;
  Rgb color;
};

enum class Build : std::uint8_t { kChibi, kSmall, kNormal, kSlim, kStout, kFat, kMuscular, kGiant };
enum class Species : std::uint8_t {
  kHuman,
  kElf,
  kDwarf,
  kOrc,
  kGoblin,
  kDemon,
  kSkeleton,
  kZombie,
  kCat,
  kFox,
  kRabbit,
  kBear,
  kFrog,
  kLizard,
  kGhost,
  kRobot,
  kPumpkin,
  kMushroom,
  kCyclops,
  kMinotaur
};
enum class Job : std::uint8_t {
  kKnight,
  kBarbarian,
  kWizard,
  kRanger,
  kRogue,
  kPriest,
  kPirate,
  kNinja,
  kKing,
  kVillager,
  kAdventurer,
  kCook
};
enum class Hair : std::uint8_t { kNone, kShort, kSpiky, kBob, kLong, kPonytail, kMohawk, kBun, kTwinTails };
enum class Hat : std::uint8_t {
  kNone,
  kPointed,
  kHood,
  kHelmet,
  kFullHelm,
  kHornedHelm,
  kCrown,
  kBandana,
  kStraw,
  kTricorne,
  kFeathered,
  kCook,
  kMask
};
enum class Outfit : std::uint8_t { kTunic, kRobe, kArmor, kBareChest, kCoat, kDress, kVest };
enum class Weapon : std::uint8_t {
  kNone,
  kSword,
  kGreatsword,
  kAxe,
  kDagger,
  kMace,
  kHammer,
  kSpear,
  kStaff,
  kWand,
  kBow,
  kPitchfork,
  kPan
};

struct Traits {
  std::uint64_t seed = 0;
  Species species = Species::kHuman;
  Job job = Job::kAdventurer;
  Build build = Build::kNormal;
  Hair hair = Hair::kShort;
  Hat hat = Hat::kNone;
  Outfit outfit = Outfit::kTunic;
  Weapon weapon = Weapon::kNone;
  bool shield = false, cape = false, beard = false, scarf = false, feminine = false;
  int eyes = 0;    // Shape of the eyes, 0 to 3.
  int detail = 0;  // Variant of the outfit, 0 to 3.
  NamedColor skin{"tan", {}}, hair_color{"brown", {}}, cloth{"red", {}}, cloth2{"white", {}}, metal{"steel", {}};
};

// Words of captions: "goblin", "wizard", "fat", "pointed hat", "axe".
const char* to_string(Species value);
const char* to_string(Job value);
const char* to_string(Build value);
const char* to_string(Hair value);
const char* to_string(Hat value);
const char* to_string(Outfit value);
const char* to_string(Weapon value);

// The same traits for a seed on every machine.
Traits draw_traits(std::uint64_t seed);

// "a fat green goblin wizard with a purple robe, a pointed hat and a staff".
std::string describe(const Traits& traits);

}  // namespace zoe::sprite::identity
