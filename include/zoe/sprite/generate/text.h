// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character and its actions from a sentence: "a fat green goblin with an axe, walking". The
// vocabulary is that of captions (identity/captions.h) and a few synonyms; other words are named, not guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite {

struct TextRequest {
  identity::Traits traits;
  std::vector<std::string> actions;  // Words of identity::action_words(), in the order of the text.
  std::string direction, style;      // "e", "pixel"; empty: not stated.
  std::string who;                   // What the text states about the character, in words of captions.
  std::vector<std::string> unknown;  // Words of the text that mean nothing here.
  std::vector<std::string> refused;  // What was asked for and cannot be: "ghosts hold no weapons".
};

// The rest of the character is that of a seed: the first from `seed` on that has most of what is asked for.
// Fails on a text without one known word.
Result<TextRequest> parse_text(std::string_view text, std::uint64_t seed);

}  // namespace zoe::sprite
