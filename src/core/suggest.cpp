// SPDX-License-Identifier: MIT
#include "zoe/core/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace zoe {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Longer words are cut: the cost is quadratic, and no key or verb is that long.
constexpr std::size_t kMaxLength = 256;

}  // namespace

// Optimal string alignment distance, with three rows of the dynamic programme.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxLength);
  b = b.substr(0, kMaxLength);
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string> suggest(std::string_view word, std::span<const std::string> known) {
  // A third of the letters may be wrong. A single letter is no evidence.
  const std::size_t allowed = word.size() < 2 ? 0 : std::max<std::size_t>(1, word.size() / 3);
  const std::string* best = nullptr;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : known) {
    const bool forgotten_table = candidate.size() > word.size() + 1 && candidate.ends_with(word) &&
                                 candidate[candidate.size() - word.size() - 1] == '.';
    const std::size_t distance = forgotten_table ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best != nullptr ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::optional<std::string> nearest = suggest(word, known);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : std::string();
}

}  // namespace zoe
