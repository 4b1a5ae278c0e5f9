// SPDX-License-Identifier: MIT
// Part of Zoetrope. "Did you mean": the known word nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zoe {

// Number of insertions, deletions, substitutions and swaps of neighbours between the two, ignoring ASCII case.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word nearest to `word`; nullopt when none is near enough. A known word that ends in ".word" (a forgotten
// table name, "rate" for "train.rate") is near. Ties go to the earlier one.
std::optional<std::string> suggest(std::string_view word, std::span<const std::string> known);

// "; did you mean 'train.rate'?" to append to an error message, or "" without a suggestion.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace zoe
