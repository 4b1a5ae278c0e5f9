// SPDX-License-Identifier: MIT
// Part of Zoetrope. The vocabulary of actions: words that condition generated motion, from names of clips and from
// what a person writes. Fixed, so that weights trained on one set of files understand the words of another.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoe::features {

// The actions, in the order of a condition's numbers.
std::span<const std::string_view> action_vocabulary();

struct ReadWords {
  std::vector<int> actions;           // Indices into the vocabulary, each once, in the order of the text.
  std::vector<std::string> not_used;  // Words that are no action, in lower case; short words and numbers excluded.
};
// "Armature|Walk_Forward", "the dog attacks twice": synonyms and forms of a word count for its action ("running" and
// "sprint": run).
ReadWords read_action_words(std::string_view text);

// [vocabulary] 1 for the actions of a text, else 0.
std::vector<float> action_bag(std::span<const int> actions);

}  // namespace zoe::features
