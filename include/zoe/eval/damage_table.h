// SPDX-License-Identifier: MIT
// Part of Zoetrope. How sensitive a measure is: distances of motions from their own damaged copies, by size of the
// damage.
#pragma once

#include <array>
#include <filesystem>
#include <functional>

#include "zoe/eval/damage.h"
#include "zoe/eval/described_clips.h"

namespace zoe::eval {

constexpr std::array<double, 5> kDamageLevels{0.0625, 0.125, 0.25, 0.5, 1};

struct DamageRow {
  Damage damage = Damage::kJitter;
  std::array<double, kDamageLevels.size()> distances{};  // kReverse: all the same.
};

struct DamageTable {
  std::vector<DamageRow> rows;
  Spread floor;          // Random halves of the motions as they are.
  double undamaged = 0;  // The halves of the rows, as they are.
  std::size_t num_windows = 0;
  int num_clips = 0;
};

struct DamageTableOptions {
  double hop_s = 1;
  std::function<bool(const std::string& source)> accept;  // See DescribeOptions.
};

// Damaged copies of one half of the clips from the other half, as they are: a copy of a clip is never compared with
// the clip. Encoder: null for descriptions of windows.
Result<DamageTable> measure_damages(std::span<const std::filesystem::path> inputs, const MotionEncoder* encoder,
                                    const DamageTableOptions& options, Warnings& warnings);

std::string to_markdown(const DamageTable& table);

}  // namespace zoe::eval
