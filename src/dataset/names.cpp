// SPDX-License-Identifier: MIT
#include "dataset/names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "zoe/core/hash.h"

namespace zoe::dataset {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

}  // namespace

std::vector<std::string> words_of(std::string_view path) {
  std::vector<std::string> words(1);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80)
      words.back() += static_cast<char>(std::tolower(byte));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string actor_of(std::string_view relative_path) {
  const std::size_t slash = relative_path.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? "" : relative_path.substr(0, slash);
  const std::string_view stem = slash == std::string_view::npos ? relative_path : relative_path.substr(slash + 1);
  const std::vector<std::string> words = words_of(stem);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view title : {"subject", "actor", "person", "performer", "sub"}) {
      if (!words[i].starts_with(title)) continue;
      const std::string_view rest = std::string_view(words[i]).substr(title.size());
      if (all_digits(rest)) return words[i];
      if (rest.empty() && i + 1 < words.size() && all_digits(words[i + 1])) return words[i] + words[i + 1];
    }
  }
  if (words.size() == 2 && all_digits(words[0]) && all_digits(words[1])) return words[0];
  return std::string(folder.empty() ? stem : folder.substr(folder.rfind('/') + 1));
}

std::string species_of(std::string_view relative_path, bool is_one_of_several, std::string_view family) {
  if (family == "biped") return actor_of(relative_path);
  if (!is_one_of_several) return std::string(family);
  std::string species;
  for (const std::string& word : words_of(relative_path.substr(relative_path.rfind('/') + 1))) {
    std::string letters = word;
    std::erase_if(letters, is_digit);
    const bool general = letters == "animations" || letters == "animation" || letters == "animated" ||
                         letters == "model" || letters == "character" || letters == "rig" || letters == "art";
    if (!letters.empty() && !general) species += (species.empty() ? "" : " ") + letters;
  }
  return species.empty() ? std::string(family) : species;
}

std::vector<std::string> labels_of(std::string_view relative_path, std::span<const std::string> labels) {
  const std::vector<std::string> words = words_of(relative_path);
  std::vector<std::string> found;
  for (const std::string& label : labels) {
    const std::vector<std::string> wanted = words_of(label);
    if (wanted.empty() || std::find(found.begin(), found.end(), label) != found.end()) continue;
    if (std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end()) found.push_back(label);
  }
  return found;
}

Split split_of(const SplitOptions& options, std::string_view together) {
  const double u = hash_text(together, 0x73706c74).unit();  // A separate seed: independent of the bucket.
  if (u < options.test) return Split::kTest;
  return u < options.test + options.validation ? Split::kValidation : Split::kTrain;
}

int bucket_of(std::string_view source) {
  return static_cast<int>(hash_text(source, 0x62756b74).low % static_cast<std::uint64_t>(kNumBuckets));
}

}  // namespace zoe::dataset
