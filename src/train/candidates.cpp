// SPDX-License-Identifier: MIT
#include "train/candidates.h"

#include <algorithm>

#include "train/step_files.h"

namespace zoe::train {

Candidates::Candidates(std::filesystem::path folder, std::int64_t most, std::int64_t every)
    : folder_(std::move(folder)), most_(most), every_(std::max<std::int64_t>(every, 1)) {}

std::filesystem::path Candidates::path(std::int64_t step) const { return step_file(folder_, step); }

std::vector<std::int64_t> Candidates::steps() const { return steps_in(folder_); }

std::int64_t Candidates::spacing(std::int64_t step) const {
  std::int64_t spacing = every_;
  while (step / spacing > most_) spacing *= 2;
  return spacing;
}

void Candidates::thin(std::int64_t step) const {
  if (most_ == 0) return;
  std::error_code ignored;
  for (const std::int64_t found : steps())
    if (found > step || found % spacing(step) != 0) std::filesystem::remove(path(found), ignored);
}

}  // namespace zoe::train
