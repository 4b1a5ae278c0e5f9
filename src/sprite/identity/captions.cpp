// SPDX-License-Identifier: MIT
#include "zoe/sprite/identity/captions.h"

#include <algorithm>
#include <array>

#include "zoe/sprite/identity/identity.h"

namespace zoe::sprite::identity {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kGerunds{{
    {"idle", "standing idle"}, {"walk", "walking"},         {"run", "running"},      {"sneak", "sneaking"},
    {"jump", "jumping"},       {"fall", "falling"},         {"crouch", "crouching"}, {"dodge", "dodging"},
    {"slash", "slashing"},     {"chop", "chopping"},        {"stab", "stabbing"},    {"punch", "punching"},
    {"kick", "kicking"},       {"cast", "casting a spell"}, {"shoot", "shooting"},   {"throw", "throwing"},
    {"block", "blocking"},     {"hit", "being hit"},        {"death", "dying"},      {"cheer", "cheering"},
    {"wave", "waving"},        {"dance", "dancing"},        {"bow", "bowing"},       {"talk", "talking"},
    {"sit", "sitting"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kViews{{{"s", "facing the viewer"},
                                                                               {"se", "facing front right"},
                                                                               {"e", "facing right"},
                                                                               {"ne", "facing back right"},
                                                                               {"n", "facing away"},
                                                                               {"nw", "facing back left"},
                                                                               {"w", "facing left"},
                                                                               {"sw", "facing front left"}}};

// All words of an enumeration of `count` values.
template <typename T>
std::vector<std::string> words_of(int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.emplace_back(to_string(static_cast<T>(i)));
  return words;
}

}  // namespace

std::string gerund(std::string_view action) {
  for (const auto& [word, form] : kGerunds) {
    if (word == action) return std::string(form);
  }
  return std::string(action);
}

std::string view_words(std::string_view direction) {
  for (const auto& [name, words] : kViews) {
    if (name == direction) return std::string(words);
  }
  return "facing " + std::string(direction);
}

std::vector<std::string> captions(const Traits& traits, std::string_view action, std::string_view direction,
                                  std::string_view style) {
  const std::string who = describe(traits), doing = gerund(action), view = view_words(direction);
  std::string name = traits.species == Species::kHuman ? "" : std::string(to_string(traits.species)) + " ";
  name += to_string(traits.job);
  return {"game character " + doing + " animation of " + who + ", " + view + ", " + std::string(style) + " style",
          who + ", " + doing, name + " " + doing};
}

std::vector<std::pair<std::string, std::vector<std::string>>> vocabulary() {
  std::vector<std::string> actions, views, colors;
  for (const std::string& word : action_words()) actions.push_back(gerund(word));
  for (const auto& [name, words] : kViews) views.emplace_back(words);
  // Colours are drawn from tables: what many seeds use is what there is.
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Traits traits = draw_traits(seed);
    for (const NamedColor& color : {traits.skin, traits.hair_color, traits.cloth, traits.cloth2, traits.metal}) {
      if (std::find(colors.begin(), colors.end(), color.word) == colors.end()) colors.emplace_back(color.word);
    }
  }
  std::sort(colors.begin(), colors.end());
  std::vector<std::string> jobs = words_of<Job>(12);
  jobs.emplace_back("queen");
  return {{"action", actions},
          {"species", words_of<Species>(20)},
          {"class", jobs},
          {"build", words_of<Build>(8)},
          {"color", colors},
          {"hair", words_of<Hair>(9)},
          {"hat", words_of<Hat>(13)},
          {"outfit", words_of<Outfit>(7)},
          {"weapon", words_of<Weapon>(13)},
          {"worn", {"beard", "cape", "scarf", "shield"}},
          {"view", views},
          {"style", {"lit", "toon", "ink", "silhouette", "flat", "pixel"}}};
}

}  // namespace zoe::sprite::identity
