// SPDX-License-Identifier: MIT
// Traits by seed. A class decides outfit, hats and weapons; a species decides skin, build and what its head can wear.
#include "zoe/sprite/identity/traits.h"

#include <array>
#include <initializer_list>

#include "zoe/core/random.h"

namespace zoe::sprite::identity {
namespace {

constexpr std::array kSkins{NamedColor{"pale", {246, 214, 190}}, NamedColor{"tan", {226, 172, 128}},
                            NamedColor{"brown", {164, 108, 72}}, NamedColor{"dark", {112, 70, 48}}};
constexpr std::array kGreens{NamedColor{"green", {112, 172, 72}}, NamedColor{"olive", {150, 158, 70}},
                             NamedColor{"teal", {74, 160, 140}}};
constexpr std::array kFiends{NamedColor{"red", {204, 62, 58}}, NamedColor{"purple", {142, 84, 180}},
                             NamedColor{"blue", {76, 110, 196}}};
constexpr std::array kFurs{NamedColor{"orange", {226, 138, 60}}, NamedColor{"grey", {140, 142, 152}},
                           NamedColor{"white", {236, 230, 222}}, NamedColor{"brown", {146, 98, 62}},
                           NamedColor{"black", {64, 60, 72}}};
constexpr std::array kBones{NamedColor{"white", {232, 224, 204}}, NamedColor{"grey", {178, 178, 172}}};
constexpr std::array kRotten{NamedColor{"green", {142, 168, 118}}, NamedColor{"grey", {146, 158, 160}}};
constexpr std::array kSpirits{NamedColor{"white", {226, 236, 246}}, NamedColor{"blue", {150, 196, 240}},
                              NamedColor{"green", {160, 232, 190}}, NamedColor{"purple", {196, 168, 236}}};
constexpr std::array kPlates{NamedColor{"grey", {150, 160, 172}}, NamedColor{"orange", {214, 128, 56}},
                             NamedColor{"blue", {86, 134, 190}}, NamedColor{"yellow", {222, 182, 60}}};
constexpr std::array kFungi{NamedColor{"white", {238, 224, 200}}, NamedColor{"tan", {220, 184, 140}}};
constexpr std::array kHairs{NamedColor{"black", {52, 46, 58}},    NamedColor{"brown", {108, 66, 40}},
                            NamedColor{"blond", {232, 190, 92}},  NamedColor{"red", {190, 74, 40}},
                            NamedColor{"white", {228, 226, 230}}, NamedColor{"blue", {70, 116, 206}},
                            NamedColor{"pink", {236, 128, 168}},  NamedColor{"green", {74, 158, 92}}};
constexpr std::array kCloths{
    NamedColor{"red", {196, 52, 52}},     NamedColor{"blue", {56, 96, 190}},    NamedColor{"green", {62, 138, 74}},
    NamedColor{"purple", {122, 66, 168}}, NamedColor{"orange", {222, 124, 44}}, NamedColor{"yellow", {226, 188, 60}},
    NamedColor{"teal", {44, 146, 150}},   NamedColor{"brown", {130, 88, 56}},   NamedColor{"black", {58, 56, 70}},
    NamedColor{"white", {226, 224, 218}}, NamedColor{"pink", {224, 110, 152}}};
constexpr std::array kMetals{NamedColor{"steel", {172, 182, 196}}, NamedColor{"golden", {232, 184, 74}},
                             NamedColor{"dark", {86, 90, 108}}, NamedColor{"bronze", {186, 124, 76}}};

template <typename Items>
const auto& pick(const Items& items, Random& random) {
  return items[random.below(std::size(items))];
}
template <typename T>
T pick(std::initializer_list<T> items, Random& random) {
  return items.begin()[random.below(items.size())];
}
bool chance(Random& random, float share) { return random.uniform() < share; }

bool is_animal(Species s) {
  return s == Species::kCat || s == Species::kFox || s == Species::kRabbit || s == Species::kBear;
}
bool has_hair(Species s) {
  return s == Species::kHuman || s == Species::kElf || s == Species::kDwarf || s == Species::kOrc ||
         s == Species::kDemon || s == Species::kZombie;
}
// Heads on which helmets and hats do not fit.
bool bare_headed(Species s) {
  return s == Species::kMushroom || s == Species::kPumpkin || s == Species::kRabbit || s == Species::kMinotaur;
}

NamedColor skin_of(Species species, Random& random) {
  switch (species) {
    case Species::kOrc:
    case Species::kGoblin:
    case Species::kFrog:
    case Species::kLizard:
    case Species::kCyclops:
      return pick(kGreens, random);
    case Species::kDemon:
      return pick(kFiends, random);
    case Species::kSkeleton:
      return pick(kBones, random);
    case Species::kZombie:
      return pick(kRotten, random);
    case Species::kCat:
    case Species::kRabbit:
      return pick(kFurs, random);
    case Species::kFox:
      return kFurs[chance(random, 0.7F) ? 0U : 2U];
    case Species::kBear:
    case Species::kMinotaur:
      return kFurs[chance(random, 0.7F) ? 3U : 4U];
    case Species::kGhost:
      return pick(kSpirits, random);
    case Species::kRobot:
      return pick(kPlates, random);
    case Species::kPumpkin:
      return {"orange", {232, 128, 40}};
    case Species::kMushroom:
      return pick(kFungi, random);
    default:
      return pick(kSkins, random);
  }
}

Build build_of(Species species, Random& random) {
  switch (species) {
    case Species::kDwarf:
      return pick({Build::kStout, Build::kStout, Build::kChibi}, random);
    case Species::kGoblin:
      return pick({Build::kChibi, Build::kSmall, Build::kFat}, random);
    case Species::kOrc:
      return pick({Build::kMuscular, Build::kGiant, Build::kFat, Build::kSmall}, random);
    case Species::kMinotaur:
    case Species::kCyclops:
      return pick({Build::kGiant, Build::kMuscular, Build::kGiant, Build::kChibi}, random);
    case Species::kElf:
      return pick({Build::kSlim, Build::kNormal, Build::kChibi, Build::kSmall}, random);
    case Species::kBear:
      return pick({Build::kFat, Build::kStout, Build::kChibi, Build::kGiant}, random);
    case Species::kMushroom:
    case Species::kPumpkin:
    case Species::kRabbit:
    case Species::kGhost:
      return pick({Build::kChibi, Build::kSmall}, random);
    default:
      return pick({Build::kChibi, Build::kChibi, Build::kSmall, Build::kSmall, Build::kNormal, Build::kSlim,
                   Build::kStout, Build::kMuscular, Build::kFat},
                  random);
  }
}

void dress(Traits& t, Random& random) {
  switch (t.job) {
    case Job::kKnight:
      t.outfit = Outfit::kArmor;
      t.hat = pick({Hat::kHelmet, Hat::kFullHelm, Hat::kHornedHelm, Hat::kNone}, random);
      t.weapon = pick({Weapon::kSword, Weapon::kGreatsword, Weapon::kMace, Weapon::kSpear}, random);
      t.shield = chance(random, 0.5F);
      t.cape = chance(random, 0.5F);
      break;
    case Job::kBarbarian:
      t.outfit = t.feminine ? Outfit::kVest : Outfit::kBareChest;
      t.hat = pick({Hat::kNone, Hat::kNone, Hat::kHornedHelm}, random);
      t.weapon = pick({Weapon::kAxe, Weapon::kHammer, Weapon::kGreatsword}, random);
      break;
    case Job::kWizard:
      t.outfit = Outfit::kRobe;
      t.hat = pick({Hat::kPointed, Hat::kPointed, Hat::kHood}, random);
      t.weapon = pick({Weapon::kStaff, Weapon::kStaff, Weapon::kWand}, random);
      t.cape = chance(random, 0.25F);
      break;
    case Job::kRanger:
      t.outfit = Outfit::kTunic;
      t.hat = pick({Hat::kHood, Hat::kFeathered, Hat::kNone}, random);
      t.weapon = pick({Weapon::kBow, Weapon::kBow, Weapon::kSpear}, random);
      t.cape = chance(random, 0.4F);
      break;
    case Job::kRogue:
      t.outfit = pick({Outfit::kVest, Outfit::kTunic}, random);
      t.hat = pick({Hat::kHood, Hat::kMask, Hat::kBandana}, random);
      t.weapon = Weapon::kDagger;
      t.scarf = chance(random, 0.5F);
      break;
    case Job::kPriest:
      t.outfit = Outfit::kRobe;
      t.hat = pick({Hat::kNone, Hat::kHood}, random);
      t.weapon = pick({Weapon::kMace, Weapon::kStaff}, random);
      break;
    case Job::kPirate:
      t.outfit = Outfit::kCoat;
      t.hat = pick({Hat::kTricorne, Hat::kBandana}, random);
      t.weapon = pick({Weapon::kSword, Weapon::kDagger}, random);
      break;
    case Job::kNinja:
      t.outfit = Outfit::kVest;
      t.hat = Hat::kMask;
      t.weapon = pick({Weapon::kSword, Weapon::kDagger}, random);
      t.scarf = chance(random, 0.7F);
      break;
    case Job::kKing:
      t.outfit = t.feminine ? Outfit::kDress : Outfit::kRobe;
      t.hat = Hat::kCrown;
      t.weapon = pick({Weapon::kMace, Weapon::kSword, Weapon::kNone}, random);
      t.cape = chance(random, 0.8F);
      break;
    case Job::kVillager:
      t.outfit = t.feminine ? Outfit::kDress : pick({Outfit::kTunic, Outfit::kVest}, random);
      t.hat = pick({Hat::kStraw, Hat::kNone}, random);
      t.weapon = pick({Weapon::kPitchfork, Weapon::kNone, Weapon::kAxe}, random);
      break;
    case Job::kCook:
      t.outfit = Outfit::kCoat;
      t.hat = Hat::kCook;
      t.weapon = pick({Weapon::kPan, Weapon::kDagger}, random);
      break;
    case Job::kAdventurer:
      t.outfit = pick({Outfit::kTunic, Outfit::kVest, Outfit::kCoat}, random);
      t.hat = pick({Hat::kNone, Hat::kNone, Hat::kFeathered, Hat::kBandana}, random);
      t.weapon = pick({Weapon::kSword, Weapon::kSpear, Weapon::kAxe}, random);
      t.shield = t.weapon != Weapon::kSpear && chance(random, 0.3F);
      t.scarf = chance(random, 0.3F);
      break;
  }
}

}  // namespace

Traits draw_traits(std::uint64_t seed) {
  Random random = Random(seed).split(0x1de7);
  Traits t;
  t.seed = seed;
  // Humans are the most frequent: half of the fantasy population.
  constexpr int kNumSpecies = 20, kNumJobs = 12;
  t.species = chance(random, 0.28F) ? Species::kHuman : static_cast<Species>(random.below(kNumSpecies));
  t.job = static_cast<Job>(random.below(kNumJobs));
  t.feminine = chance(random, 0.45F);
  t.build = build_of(t.species, random);
  t.skin = skin_of(t.species, random);
  t.hair_color = pick(kHairs, random);
  t.cloth = pick(kCloths, random);
  do t.cloth2 = pick(kCloths, random);
  while (t.cloth2.color == t.cloth.color || t.cloth.color == t.skin.color);
  t.metal = pick(kMetals, random);
  if (t.job == Job::kNinja) t.cloth = kCloths[chance(random, 0.6F) ? 8U : random.below(kCloths.size())];
  if (t.job == Job::kCook) t.cloth = kCloths[9];
  if (t.species == Species::kDemon || t.species == Species::kSkeleton) t.eyes = 3;
  t.eyes = static_cast<int>(random.below(4));
  t.detail = static_cast<int>(random.below(4));
  dress(t, random);
  t.hair =
      has_hair(t.species)
          ? (t.feminine
                 ? pick({Hair::kBob, Hair::kLong, Hair::kPonytail, Hair::kBun, Hair::kTwinTails, Hair::kShort}, random)
                 : pick({Hair::kShort, Hair::kSpiky, Hair::kSpiky, Hair::kShort, Hair::kMohawk, Hair::kPonytail,
                         Hair::kNone, Hair::kLong},
                        random))
          : Hair::kNone;
  t.beard = !t.feminine && (t.species == Species::kDwarf ||
                            (has_hair(t.species) && t.species != Species::kDemon && chance(random, 0.3F)));
  if (bare_headed(t.species)) t.hat = t.hat == Hat::kCrown ? Hat::kCrown : Hat::kNone;
  if (t.species == Species::kMushroom || t.species == Species::kPumpkin) t.hat = Hat::kNone;
  if ((t.species == Species::kDemon || is_animal(t.species)) && (t.hat == Hat::kFullHelm || t.hat == Hat::kHornedHelm))
    t.hat = Hat::kNone;
  if (t.species == Species::kGhost) {
    t.weapon = Weapon::kNone;  // Ghosts have no arms.
    t.shield = t.cape = false;
    t.outfit = Outfit::kRobe;
  }
  return t;
}

}  // namespace zoe::sprite::identity
