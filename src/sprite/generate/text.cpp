// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "zoe/paint/caption.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/identity/identity.h"

namespace zoe::sprite {
namespace {

using identity::Build;
using identity::Hair;
using identity::Hat;
using identity::Job;
using identity::NamedColor;
using identity::Outfit;
using identity::Species;
using identity::Traits;
using identity::Weapon;

enum class Meaning : std::uint8_t {
  kAction,
  kSpecies,
  kJob,
  kQueen,
  kBuild,
  kColor,
  kHair,
  kHat,
  kOutfit,
  kWeapon,
  kWorn,
  kView,
  kStyle,
  kGender,
  kNothing
};
struct Phrase {
  Meaning meaning;
  int value = 0;
  std::string word;  // Of actions, colours, views, styles.
};
using Phrases = std::map<std::string, Phrase, std::less<>>;

enum Worn { kBeard, kCape, kScarf, kShield };
constexpr std::size_t kLongestPhrase = 4;
constexpr int kSeedsTried = 4000;

// Colours by word, of each use: skin, hair, cloth, metal.
struct Colors {
  std::map<std::string, NamedColor, std::less<>> skin, hair, cloth, metal, any;
};
const Colors& color_tables() {
  static const Colors tables = [] {
    Colors all;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      const Traits t = identity::draw_traits(seed);
      all.skin.try_emplace(t.skin.word, t.skin);
      all.hair.try_emplace(t.hair_color.word, t.hair_color);
      all.cloth.try_emplace(t.cloth.word, t.cloth);
      all.metal.try_emplace(t.metal.word, t.metal);
    }
    for (const auto* table : {&all.cloth, &all.skin, &all.hair, &all.metal})
      for (const auto& [word, color] : *table) all.any.try_emplace(word, color);
    return all;
  }();
  return tables;
}

template <typename T>
void add_words(Phrases& phrases, Meaning meaning, int count) {
  for (int i = 0; i < count; ++i) phrases[identity::to_string(static_cast<T>(i))] = {meaning, i, {}};
}

const Phrases& all_phrases() {
  static const Phrases table = [] {
    Phrases p;
    add_words<Species>(p, Meaning::kSpecies, 20);
    add_words<Job>(p, Meaning::kJob, 12);
    add_words<Build>(p, Meaning::kBuild, 8);
    add_words<Hair>(p, Meaning::kHair, 9);
    add_words<Hat>(p, Meaning::kHat, 13);
    add_words<Outfit>(p, Meaning::kOutfit, 7);
    add_words<Weapon>(p, Meaning::kWeapon, 13);
    for (const auto& [word, color] : color_tables().any) p[word] = {Meaning::kColor, 0, word};
    for (const char* word : {"lit", "toon", "ink", "silhouette", "flat", "pixel"}) p[word] = {Meaning::kStyle, 0, word};
    for (const char* direction : {"s", "se", "e", "ne", "n", "nw", "w", "sw"})
      p[identity::view_words(direction)] = {Meaning::kView, 0, direction};
    for (const std::string& action : identity::action_words()) {
      const std::string form = identity::gerund(action);
      p[form] = {Meaning::kAction, 0, action};
      if (action != "bow") p.try_emplace(action, Phrase{Meaning::kAction, 0, action});  // A bow is a weapon.
      p.try_emplace(action + "s", Phrase{Meaning::kAction, 0, action});
    }
    const auto synonym = [&](const char* word, const char* of) { p.try_emplace(word, p.at(of)); };
    constexpr std::array<std::pair<const char*, const char*>, 44> kSynonyms{{
        {"attack", "slash"},   {"attacks", "slash"},     {"attacking", "slash"},    {"fighting", "slash"},
        {"swinging", "slash"}, {"casting", "cast"},      {"idle", "standing idle"}, {"standing", "standing idle"},
        {"dies", "dying"},     {"dead", "dying"},        {"jump", "jumping"},       {"sprinting", "running"},
        {"hurt", "being hit"}, {"bowing", "bowing"},     {"gray", "grey"},          {"blonde", "blond"},
        {"gold", "golden"},    {"violet", "purple"},     {"crimson", "red"},        {"thin", "slim"},
        {"skinny", "slim"},    {"big", "giant"},         {"huge", "giant"},         {"tall", "slim"},
        {"tiny", "small"},     {"little", "small"},      {"chubby", "fat"},         {"strong", "muscular"},
        {"mage", "wizard"},    {"witch", "wizard"},      {"sorcerer", "wizard"},    {"thief", "rogue"},
        {"archer", "ranger"},  {"warrior", "barbarian"}, {"farmer", "villager"},    {"chef", "cook"},
        {"cleric", "priest"},  {"hat", "feathered hat"}, {"club", "mace"},          {"pan", "frying pan"},
        {"armour", "armor"},   {"ginger", "red"},        {"unarmed", "no weapon"},  {"undead", "skeleton"},
    }};
    for (const auto& [word, of] : kSynonyms) synonym(word, of);
    p["queen"] = {Meaning::kQueen, 0, {}};
    p["beard"] = {Meaning::kWorn, kBeard, {}};
    p["bearded"] = {Meaning::kWorn, kBeard, {}};
    for (const char* word : {"cape", "cloak"}) p[word] = {Meaning::kWorn, kCape, {}};
    p["scarf"] = {Meaning::kWorn, kScarf, {}};
    p["shield"] = {Meaning::kWorn, kShield, {}};
    for (const char* word : {"man", "male", "boy"}) p[word] = {Meaning::kGender, 0, {}};
    for (const char* word : {"woman", "female", "girl"}) p[word] = {Meaning::kGender, 1, {}};
    for (const char* word :
         {"a",         "an",    "the",       "with",  "and",    "of",   "in",      "on",      "his",
          "her",       "its",   "their",     "is",    "who",    "that", "wearing", "holding", "carrying",
          "character", "game",  "animation", "style", "sprite", "art",  "very",    "to",      "which",
          "has",       "wears", "holds",     "spell", "body",   "hair", "skin",    "weapon"})
      p.try_emplace(word, Phrase{Meaning::kNothing, 0, {}});
    return p;
  }();
  return table;
}

// A phrase about the character in words of captions; empty for others.
std::string caption_words(const Phrase& phrase) {
  switch (phrase.meaning) {
    case Meaning::kSpecies:
      return identity::to_string(static_cast<Species>(phrase.value));
    case Meaning::kJob:
      return identity::to_string(static_cast<Job>(phrase.value));
    case Meaning::kQueen:
      return "queen";
    case Meaning::kBuild:
      return identity::to_string(static_cast<Build>(phrase.value));
    case Meaning::kColor:
      return phrase.word;
    case Meaning::kHair:
      return identity::to_string(static_cast<Hair>(phrase.value));
    case Meaning::kHat:
      return identity::to_string(static_cast<Hat>(phrase.value));
    case Meaning::kOutfit:
      return identity::to_string(static_cast<Outfit>(phrase.value));
    case Meaning::kWeapon:
      return identity::to_string(static_cast<Weapon>(phrase.value));
    case Meaning::kWorn:
      return std::array{"beard", "cape", "scarf", "shield"}[static_cast<std::size_t>(phrase.value)];
    default:
      return {};
  }
}

// What the text states. Colours belong to the next thing that has one.
struct Stated {
  std::optional<Species> species;
  std::optional<Job> job;
  std::optional<Build> build;
  std::optional<Hair> hair;
  std::optional<Hat> hat;
  std::optional<Outfit> outfit;
  std::optional<Weapon> weapon;
  std::optional<bool> feminine;
  std::array<bool, 4> worn{};
  std::string skin_color, hair_color, cloth_color, metal_color, second_color;
};

int agreement(const Stated& s, const Traits& t) {
  int points = 0;
  const auto add = [&](const auto& stated, const auto& value, int weight) {
    if (stated && *stated == value) points += weight;
  };
  add(s.species, t.species, 100);
  add(s.job, t.job, 50);
  add(s.build, t.build, 8);
  add(s.outfit, t.outfit, 8);
  add(s.hat, t.hat, 4);
  add(s.hair, t.hair, 4);
  add(s.weapon, t.weapon, 4);
  add(s.feminine, t.feminine, 10);
  // Nothing stated: a plain human.
  if (!s.species && t.species == Species::kHuman) points += 20;
  return points;
}

const NamedColor* find_color(const std::map<std::string, NamedColor, std::less<>>& table, const std::string& word) {
  if (word.empty()) return nullptr;
  if (const auto found = table.find(word); found != table.end()) return &found->second;
  const auto any = color_tables().any.find(word);
  return any == color_tables().any.end() ? nullptr : &any->second;
}

}  // namespace

Result<TextRequest> parse_text(std::string_view text, std::uint64_t seed) {
  const std::vector<std::string> words = paint::split_words(text);
  const Phrases& phrases = all_phrases();
  TextRequest out;
  Stated stated;
  std::string color;
  bool any = false;
  for (std::size_t i = 0; i < words.size();) {
    const Phrase* found = nullptr;
    std::size_t used = 1;
    for (std::size_t count = std::min(kLongestPhrase, words.size() - i); count >= 1 && found == nullptr; --count) {
      std::string joined = words[i];
      for (std::size_t k = 1; k < count; ++k) joined += " " + words[i + k];
      const auto entry = phrases.find(joined);
      if (entry == phrases.end()) continue;
      found = &entry->second;
      used = count;
    }
    if (found == nullptr) {
      out.unknown.push_back(words[i]);
      ++i;
      continue;
    }
    // "green skin", "red hair": words that only say what the colour is of.
    if (found->meaning == Meaning::kNothing && !color.empty() && (words[i] == "skin" || words[i] == "hair")) {
      (words[i] == "skin" ? stated.skin_color : stated.hair_color) = color;
      color.clear();
    }
    i += used;
    if (found->meaning == Meaning::kNothing) continue;
    any = true;
    const int value = found->value;
    if (const std::string said = caption_words(*found); !said.empty()) out.who += (out.who.empty() ? "" : " ") + said;
    const auto take = [&](std::string& to) {
      if (!color.empty()) to = color;
      color.clear();
    };
    switch (found->meaning) {
      case Meaning::kAction:
        if (std::find(out.actions.begin(), out.actions.end(), found->word) == out.actions.end())
          out.actions.push_back(found->word);
        break;
      case Meaning::kSpecies:
        stated.species = static_cast<Species>(value);
        take(stated.skin_color);
        break;
      case Meaning::kJob:
      case Meaning::kQueen:
        stated.job = found->meaning == Meaning::kQueen ? Job::kKing : static_cast<Job>(value);
        if (found->meaning == Meaning::kQueen) stated.feminine = true;
        take(stated.cloth_color);
        break;
      case Meaning::kBuild:
        stated.build = static_cast<Build>(value);
        break;
      case Meaning::kColor:
        color = found->word;
        break;
      case Meaning::kHair:
        stated.hair = static_cast<Hair>(value);
        take(stated.hair_color);
        break;
      case Meaning::kHat:
        stated.hat = static_cast<Hat>(value);
        take(stated.second_color);
        break;
      case Meaning::kOutfit:
        stated.outfit = static_cast<Outfit>(value);
        take(stated.outfit == Outfit::kArmor ? stated.metal_color : stated.cloth_color);
        break;
      case Meaning::kWeapon:
        stated.weapon = static_cast<Weapon>(value);
        take(stated.metal_color);
        break;
      case Meaning::kWorn:
        stated.worn[static_cast<std::size_t>(value)] = true;
        take(value == kBeard ? stated.hair_color : stated.second_color);
        break;
      case Meaning::kGender:
        stated.feminine = value == 1;
        take(stated.cloth_color);
        break;
      case Meaning::kView:
        out.direction = found->word;
        break;
      case Meaning::kStyle:
        out.style = found->word;
        break;
      case Meaning::kNothing:
        break;
    }
  }
  if (!any) {
    return Error{ErrorCode::kUsage,
                 "no word of the text is known: name a species, class, colour, weapon or action (`zoe sprite dataset "
                 "--vocabulary` lists them)",
                 {}};
  }
  if (!color.empty()) stated.cloth_color = color;

  int best = -1;
  for (int i = 0; i < kSeedsTried; ++i) {
    const Traits drawn = identity::draw_traits(seed + static_cast<std::uint64_t>(i));
    const int points = agreement(stated, drawn);
    if (points > best) {
      best = points;
      out.traits = drawn;
    }
  }
  Traits& t = out.traits;
  if (stated.species) t.species = *stated.species;
  if (stated.job) t.job = *stated.job;
  if (stated.build) t.build = *stated.build;
  if (stated.hair) t.hair = *stated.hair;
  if (stated.hat) t.hat = *stated.hat;
  if (stated.outfit) t.outfit = *stated.outfit;
  if (stated.feminine) t.feminine = *stated.feminine;
  t.beard = t.beard || stated.worn[kBeard];
  t.cape = t.cape || stated.worn[kCape];
  t.scarf = t.scarf || stated.worn[kScarf];
  const bool arms = t.species != Species::kGhost;
  if (arms) {
    if (stated.weapon) t.weapon = *stated.weapon;
    t.shield = t.shield || stated.worn[kShield];
  } else if ((stated.weapon && *stated.weapon != Weapon::kNone) || stated.worn[kShield]) {
    out.refused.emplace_back("ghosts have no arms, so they hold no weapon and no shield");
  }
  const Colors& tables = color_tables();
  // The skin of people is not dyed by "a red knight": that is the cloth.
  if (const NamedColor* c = find_color(tables.skin, stated.skin_color)) t.skin = *c;
  if (const NamedColor* c = find_color(tables.hair, stated.hair_color)) t.hair_color = *c;
  if (const NamedColor* c = find_color(tables.cloth, stated.cloth_color)) t.cloth = *c;
  if (const NamedColor* c = find_color(tables.cloth, stated.second_color)) t.cloth2 = *c;
  if (const NamedColor* c = find_color(tables.metal, stated.metal_color)) t.metal = *c;
  return out;
}

}  // namespace zoe::sprite
