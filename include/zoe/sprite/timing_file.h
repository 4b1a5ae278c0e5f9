// SPDX-License-Identifier: MIT
// Part of Zoetrope. The timing of clips as a small TOML file: a table per clip.
//
//   [attack]
//   pace = "arcade"
//   drawings = 4
//   hold = 2.0
//   pins_s = [0.45]
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/sprite/timing.h"

namespace zoe::sprite {

struct NamedTiming {
  std::string clip;
  Timing timing;
};

// Replaces the values that the file states. Unknown clips and keys, and values out of range, are refused.
Result<void> read_timings(const std::filesystem::path& path, std::vector<NamedTiming>& timings);
Result<void> parse_timings(std::string_view toml, const std::string& name, std::vector<NamedTiming>& timings);
// All values, with comments.
std::string write_timings(const std::vector<NamedTiming>& timings);

}  // namespace zoe::sprite
