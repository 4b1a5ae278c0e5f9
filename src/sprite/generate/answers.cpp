// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/answers.h"

#include <algorithm>
#include <array>

#include "zoe/core/check.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/identity/identity.h"

namespace zoe::sprite {
namespace {

using identity::Outfit;
using identity::Species;

std::array<std::vector<std::string>, paint::kNumQuestions> make_words() {
  std::array<std::vector<std::string>, paint::kNumQuestions> words;
  words[paint::kAskAction] = identity::action_words();
  for (const auto& [category, list] : identity::vocabulary()) {
    if (category == "species") words[paint::kAskSpecies] = list;
    if (category == "color") words[paint::kAskColor] = words[paint::kAskSkin] = list;
    if (category == "outfit") words[paint::kAskOutfit] = list;
    if (category == "hat") words[paint::kAskHat] = list;
    if (category == "weapon") words[paint::kAskWeapon] = list;
    if (category == "class") words[paint::kAskClass].assign(list.begin(), list.begin() + 12);  // A queen is a king.
  }
  words[paint::kAskDrawn] = {"rendered", "drawn"};
  for (std::size_t q = 0; q < words.size(); ++q)
    ZOE_CHECK(words[q].size() == static_cast<std::size_t>(paint::kQuestions[q].num_answers),
              "the vocabulary has another number of words than the questions");
  return words;
}

std::int32_t number_of(std::size_t question, std::string_view word) {
  const std::vector<std::string>& words = answer_words(question);
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<std::int32_t>(found - words.begin());
}

}  // namespace

const std::vector<std::string>& answer_words(std::size_t question) {
  static const std::array<std::vector<std::string>, paint::kNumQuestions> words = make_words();
  return words[question];
}

paint::Answers answers_of(const identity::Traits& traits, std::string_view action) {
  paint::Answers answers = paint::kNoAnswers;
  answers[paint::kAskAction] = number_of(paint::kAskAction, action);
  answers[paint::kAskSpecies] = static_cast<std::int32_t>(traits.species);
  answers[paint::kAskClass] = static_cast<std::int32_t>(traits.job);
  if (traits.species != Species::kGhost && traits.outfit != Outfit::kBareChest)
    answers[paint::kAskColor] =
        number_of(paint::kAskColor, traits.outfit == Outfit::kArmor ? traits.metal.word : traits.cloth.word);
  const bool person =
      traits.species == Species::kHuman || traits.species == Species::kElf || traits.species == Species::kDwarf;
  if (!person) answers[paint::kAskSkin] = number_of(paint::kAskSkin, traits.skin.word);
  answers[paint::kAskDrawn] = 0;
  answers[paint::kAskOutfit] = static_cast<std::int32_t>(traits.outfit);
  answers[paint::kAskHat] = static_cast<std::int32_t>(traits.hat);
  answers[paint::kAskWeapon] = static_cast<std::int32_t>(traits.weapon);
  return answers;
}

}  // namespace zoe::sprite
