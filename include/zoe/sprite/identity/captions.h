// SPDX-License-Identifier: MIT
// Part of Zoetrope. Captions of clips, from what was drawn: no captioner, no guess.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite::identity {

// "walking" of "walk"; words of action_words(), else the word itself.
std::string gerund(std::string_view action);
// "facing right" of "e".
std::string view_words(std::string_view direction);

// Sentences with the same meaning, the longest first.
std::vector<std::string> captions(const Traits& traits, std::string_view action, std::string_view direction,
                                  std::string_view style);

// Every word that captions can have, by category: "action", "species", "class", "build", "color", …
std::vector<std::pair<std::string, std::vector<std::string>>> vocabulary();

}  // namespace zoe::sprite::identity
