// SPDX-License-Identifier: MIT
// Part of Zoetrope. The words of a character and its action as the answers that judges give (zoe/paint/questions.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoe/paint/questions.h"
#include "zoe/sprite/identity/traits.h"

namespace zoe::sprite {

// Words of a question's answers, in the order of their numbers.
const std::vector<std::string>& answer_words(std::size_t question);

// Of a rendered clip. An unknown action is -1, and so is what captions do not state: the clothes of ghosts and bare
// chests, the skin of people.
paint::Answers answers_of(const identity::Traits& traits, std::string_view action);

}  // namespace zoe::sprite
