// SPDX-License-Identifier: MIT
#include "train/candidates.h"

#include <algorithm>

#include "train/step_files.h"

namespace zoe::train {

Candidates::Candidates(std::filesystem::path folder, std::int64_t most, std::int64_t every)
    : folder_(std::move(folder)), most_(most), every_(std::max<std::int64_t>(every, 1)) {
  if (most_ == 0) return;
  // A run that is continued has thinned them already: the newest is at the last spacing.
  const std::vector<std::int64_t> found = steps();
  while (!found.empty() && found.back() > most_ * every_) every_ *= 2;
}

std::filesystem::path Candidates::path(std::int64_t step) const { return step_file(folder_, step); }

std::vector<std::int64_t> Candidates::steps() const { return steps_in(folder_); }

void Candidates::thin() {
  std::vector<std::int64_t> found = steps();
  std::error_code ignored;
  while (static_cast<std::int64_t>(found.size()) > most_ && most_ > 0) {
    every_ *= 2;
    std::erase_if(found, [&](std::int64_t step) {
      if (step % every_ == 0) return false;
      std::filesystem::remove(path(step), ignored);
      return true;
    });
  }
}

}  // namespace zoe::train
