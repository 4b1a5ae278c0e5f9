// SPDX-License-Identifier: MIT
// Traits in words: the vocabulary of captions.
#include <array>

#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite::identity {
namespace {

template <typename T, std::size_t N>
const char* word_of(const std::array<const char*, N>& words, T value) {
  return words[static_cast<std::size_t>(value)];
}

std::string with_article(const std::string& words) {
  const bool vowel = std::string_view("aeiou").find(words.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + words;
}

}  // namespace

const char* to_string(Species value) {
  constexpr std::array kWords{"human",  "elf",   "dwarf",   "orc",      "goblin",  "demon",   "skeleton",
                              "zombie", "cat",   "fox",     "rabbit",   "bear",    "frog",    "lizard",
                              "ghost",  "robot", "pumpkin", "mushroom", "cyclops", "minotaur"};
  return word_of(kWords, value);
}
const char* to_string(Job value) {
  constexpr std::array kWords{"knight", "barbarian", "wizard", "ranger",   "rogue",      "priest",
                              "pirate", "ninja",     "king",   "villager", "adventurer", "cook"};
  return word_of(kWords, value);
}
const char* to_string(Build value) {
  constexpr std::array kWords{"chibi", "small", "normal", "slim", "stout", "fat", "muscular", "giant"};
  return word_of(kWords, value);
}
const char* to_string(Hair value) {
  constexpr std::array kWords{"no hair",  "short hair", "spiky hair", "bobbed hair", "long hair",
                              "ponytail", "mohawk",     "hair bun",   "twin tails"};
  return word_of(kWords, value);
}
const char* to_string(Hat value) {
  constexpr std::array kWords{"no hat",        "pointed hat", "hood",    "helmet",    "full helm",
                              "horned helmet", "crown",       "bandana", "straw hat", "tricorne",
                              "feathered hat", "cook's hat",  "mask"};
  return word_of(kWords, value);
}
const char* to_string(Outfit value) {
  constexpr std::array kWords{"tunic", "robe", "armor", "bare chest", "coat", "dress", "vest"};
  return word_of(kWords, value);
}
const char* to_string(Weapon value) {
  constexpr std::array kWords{"no weapon", "sword", "greatsword", "axe", "dagger",    "mace",      "hammer",
                              "spear",     "staff", "wand",       "bow", "pitchfork", "frying pan"};
  return word_of(kWords, value);
}

std::string describe(const Traits& t) {
  std::string who;
  if (t.build != Build::kNormal) who += std::string(to_string(t.build)) + " ";
  const bool person = t.species == Species::kHuman || t.species == Species::kElf || t.species == Species::kDwarf;
  if (!person) who += std::string(t.skin.word) + " ";
  if (t.species != Species::kHuman) who += std::string(to_string(t.species)) + " ";
  who += t.job == Job::kKing && t.feminine ? "queen" : to_string(t.job);
  std::vector<std::string> worn;
  if (t.species != Species::kGhost) {
    worn.push_back(t.outfit == Outfit::kArmor ? std::string(t.metal.word) + " armor"
                   : t.outfit == Outfit::kBareChest
                       ? "a bare chest"
                       : with_article(std::string(t.cloth.word) + " " + to_string(t.outfit)));
  }
  if (t.hat != Hat::kNone) worn.push_back(with_article(to_string(t.hat)));
  const bool hidden = t.hat == Hat::kHood || t.hat == Hat::kFullHelm || t.hat == Hat::kMask;
  if (t.hair != Hair::kNone && !hidden) {
    const std::string hair = std::string(t.hair_color.word) + " " + to_string(t.hair);
    const bool counted = t.hair == Hair::kPonytail || t.hair == Hair::kMohawk || t.hair == Hair::kBun;
    worn.push_back(counted ? with_article(hair) : hair);
  }
  if (t.beard) worn.push_back("a beard");
  if (t.cape) worn.push_back("a cape");
  if (t.scarf) worn.push_back("a scarf");
  if (t.weapon != Weapon::kNone) worn.push_back(with_article(to_string(t.weapon)));
  if (t.shield) worn.push_back("a shield");
  std::string text = with_article(who);
  for (std::size_t i = 0; i < worn.size(); ++i)
    text += (i == 0 ? " with " : i + 1 == worn.size() ? " and " : ", ") + worn[i];
  return text;
}

}  // namespace zoe::sprite::identity
