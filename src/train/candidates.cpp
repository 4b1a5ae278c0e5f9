// SPDX-License-Identifier: MIT
#include "train/candidates.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace zoe::train {
namespace {

constexpr std::string_view kPrefix = "step_", kSuffix = ".safetensors";

}  // namespace

Candidates::Candidates(std::filesystem::path folder, std::int64_t most, std::int64_t every)
    : folder_(std::move(folder)), most_(most), every_(std::max<std::int64_t>(every, 1)) {
  if (most_ == 0) return;
  // A run that is continued has thinned them already: the newest is at the last spacing.
  const std::vector<std::int64_t> found = steps();
  while (!found.empty() && found.back() > most_ * every_) every_ *= 2;
}

std::filesystem::path Candidates::path(std::int64_t step) const {
  return folder_ / fmt::format("{}{:08d}{}", kPrefix, step, kSuffix);
}

std::vector<std::int64_t> Candidates::steps() const {
  std::vector<std::int64_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    std::int64_t step = 0;
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto read = std::from_chars(name.data() + kPrefix.size(), end, step);
    if (read.ec == std::errc() && read.ptr == end) found.push_back(step);
  }
  std::ranges::sort(found);
  return found;
}

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
