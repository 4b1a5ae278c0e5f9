// SPDX-License-Identifier: MIT
#include "train/step_files.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace zoe::train {
namespace {

constexpr std::string_view kPrefix = "step_", kSuffix = ".safetensors";

}  // namespace

std::filesystem::path step_file(const std::filesystem::path& folder, std::int64_t step) {
  return folder / fmt::format("{}{:08d}{}", kPrefix, step, kSuffix);
}

std::vector<std::int64_t> steps_in(const std::filesystem::path& folder) {
  std::vector<std::int64_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
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

}  // namespace zoe::train
