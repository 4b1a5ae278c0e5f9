// SPDX-License-Identifier: MIT
// Part of Zoetrope. "Did you mean": the known word nearest to a mistyped one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zoe {

// Insertions, deletions, substitutions and swaps of neighbours that turn one into the other, ignoring ASCII case.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word nearest to `word`; nullopt when none is near enough to be what was meant. A known word that ends in
// ".word" (a forgotten table name, "rate" for "train.rate") is near. Ties go to the earlier one.
std::optional<std::string> suggest(std::string_view word, std::span<const std::string> known);

// "; did you mean 'train.rate'?" to append to an error message, or "" when there is nothing to suggest.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace zoe
