// SPDX-License-Identifier: MIT
#include "zoe/dataset/manifest.h"

#include "zoe/core/suggest.h"

namespace zoe::dataset {

const char* to_string(Split split) {
  constexpr std::array<const char*, kNumSplits> kWords{"train", "validation", "test"};
  return kWords[static_cast<std::size_t>(split)];
}

Result<Split> parse_split(std::string_view word) {
  for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest})
    if (word == to_string(split)) return split;
  const std::vector<std::string> known{"train", "validation", "test"};
  return Error{ErrorCode::kUsage, "no split '" + std::string(word) + "'" + did_you_mean(word, known), {}};
}

}  // namespace zoe::dataset
