// SPDX-License-Identifier: MIT
#include "zoe/features/action_words.h"

#include <algorithm>
#include <array>

#include "zoe/anatomy/names.h"
#include "zoe/core/index.h"

namespace zoe::features {
namespace {

constexpr std::array<std::string_view, 48> kActions{
    "idle", "walk",   "run",   "jump",  "attack", "die",  "hit",   "eat",   "fly",      "swim",  "turn",  "crouch",
    "sit",  "lie",    "stand", "dance", "climb",  "fall", "throw", "wave",  "kick",     "punch", "shoot", "block",
    "roll", "work",   "carry", "crawl", "fight",  "rise", "limp",  "sneak", "stairs",   "sport", "cheer", "cast",
    "nod",  "refuse", "pick",  "push",  "strafe", "back", "left",  "right", "interact", "sword", "happy", "sad"};

struct Synonym {
  std::string_view word, action;
};
// Other words of clips' names and of everyday speech. Forms in -s, -ing and -ed are found without being here.
constexpr Synonym kSynonyms[] = {
    {"idling", "idle"},    {"rest", "idle"},        {"breathe", "idle"}, {"breathing", "idle"},  {"wait", "idle"},
    {"move", "walk"},      {"locomotion", "walk"},  {"stroll", "walk"},  {"trot", "walk"},       {"crabwalk", "walk"},
    {"gallop", "run"},     {"sprint", "run"},       {"jog", "run"},      {"dash", "run"},        {"canter", "run"},
    {"hop", "jump"},       {"leap", "jump"},        {"bite", "attack"},  {"headbutt", "attack"}, {"claw", "attack"},
    {"sting", "attack"},   {"melee", "attack"},     {"stab", "attack"},  {"slash", "attack"},    {"slice", "attack"},
    {"chop", "attack"},    {"swipe", "attack"},     {"death", "die"},    {"dead", "die"},        {"dying", "die"},
    {"defeat", "die"},     {"react", "hit"},        {"hurt", "hit"},     {"damage", "hit"},      {"hitreact", "hit"},
    {"peck", "eat"},       {"feed", "eat"},         {"graze", "eat"},    {"drink", "eat"},       {"glide", "fly"},
    {"flap", "fly"},       {"hover", "fly"},        {"flight", "fly"},   {"slither", "walk"},    {"duck", "crouch"},
    {"laying", "lie"},     {"lay", "lie"},          {"sleep", "lie"},    {"getup", "rise"},      {"spawn", "rise"},
    {"gun", "shoot"},      {"aim", "shoot"},        {"bow", "shoot"},    {"ranged", "shoot"},    {"parry", "block"},
    {"dodge", "roll"},     {"hammer", "work"},      {"dig", "work"},     {"saw", "work"},        {"fish", "work"},
    {"box", "fight"},      {"combat", "fight"},     {"injured", "limp"}, {"stealth", "sneak"},   {"spell", "cast"},
    {"spellcast", "cast"}, {"yes", "nod"},          {"no", "refuse"},    {"pickup", "pick"},     {"backwards", "back"},
    {"backward", "back"},  {"use", "interact"},     {"clap", "cheer"},   {"victory", "cheer"},   {"celebrate", "cheer"},
    {"ball", "sport"},     {"basketball", "sport"}, {"soccer", "sport"}, {"golf", "sport"},      {"angry", "fight"},
    {"stair", "stairs"},   {"upstairs", "stairs"},  {"running", "run"},  {"swimming", "swim"},   {"sitting", "sit"},
    {"wheelchair", "sit"}, {"lying", "lie"},        {"died", "die"},     {"fell", "fall"},       {"ran", "run"},
    {"shot", "shoot"}};

int exact(std::string_view word) {
  for (const Synonym& synonym : kSynonyms)
    if (synonym.word == word) word = synonym.action;
  const auto* found = std::find(kActions.begin(), kActions.end(), word);
  return found == kActions.end() ? -1 : static_cast<int>(found - kActions.begin());
}

// Also "walks", "walking", "moved", "jumping": without -s, -es, -ing, -ed, and with the e that these replace.
int action_of(const std::string& word) {
  if (const int action = exact(word); action >= 0) return action;
  for (const std::string_view ending : {"s", "es", "ing", "ed"}) {
    if (word.size() < ending.size() + 2 || !word.ends_with(ending)) continue;
    const std::string stem = word.substr(0, word.size() - ending.size());
    if (const int action = exact(stem); action >= 0) return action;
    if (const int action = exact(stem + "e"); action >= 0) return action;
  }
  return -1;
}

// Says that a body travels, not how: "wheelchair_move" is no walk, "move_left" is.
bool is_general(const std::string& word) { return word.starts_with("mov") || word == "locomotion"; }

bool is_direction(int action) {
  const std::string_view word = kActions[idx(action)];
  return word == "back" || word == "left" || word == "right";
}

}  // namespace

std::span<const std::string_view> action_vocabulary() { return kActions; }

ReadWords read_action_words(std::string_view text) {
  ReadWords read;
  const std::vector<std::string> words = anatomy::tokenise(text);
  const bool is_stated = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const int action = action_of(word);
    return action >= 0 && !is_general(word) && !is_direction(action);
  });
  for (const std::string& word : words) {
    const int action = action_of(word);
    if (action >= 0 && is_stated && is_general(word)) continue;
    if (action >= 0) {
      if (std::find(read.actions.begin(), read.actions.end(), action) == read.actions.end())
        read.actions.push_back(action);
    } else if (word.size() > 2 && (word[0] < '0' || word[0] > '9')) {
      read.not_used.push_back(word);
    }
  }
  return read;
}

std::vector<float> action_bag(std::span<const int> actions) {
  std::vector<float> bag(kActions.size(), 0.0F);
  for (const int action : actions) bag[idx(action)] = 1;
  return bag;
}

}  // namespace zoe::features
