// SPDX-License-Identifier: MIT
#include "zoe/eval/damage_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/hash.h"
#include "zoe/core/index.h"

namespace zoe::eval {
namespace {

// Of a clip, the same for all of its versions.
bool is_in_first_half(const CodeSet& set, std::size_t row) { return set.clips[row] % 2 == 0; }

GaussianFit fit_half(const CodeSet& set, bool first) {
  std::vector<float> rows;
  const std::size_t width = idx(set.width);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (is_in_first_half(set, i) == first)
      rows.insert(rows.end(), set.codes.begin() + static_cast<std::ptrdiff_t>(i * width),
                  set.codes.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  return fit_gaussian(rows, set.width);
}

}  // namespace

Result<DamageTable> measure_damages(std::span<const std::filesystem::path> inputs, const MotionEncoder* encoder,
                                    const DamageTableOptions& options, Warnings& warnings) {
  DescribeOptions describe;
  describe.accept = options.accept;
  describe.describe = [&options](const Motion& clip, const SkeletonAnalysis& body,
                                 const std::string& source) -> Result<std::vector<MotionWindows>> {
    const WindowOptions windows{.hop_s = options.hop_s};
    std::vector<MotionWindows> versions;
    ZOE_TRY_ASSIGN(MotionWindows clean, describe_windows(clip, body, windows));
    versions.push_back(std::move(clean));
    if (versions.front().size() == 0) return versions;
    for (const Damage damage : damages()) {
      for (const double level : kDamageLevels) {
        const Motion worse = damaged(clip, body, damage, level, hash_text(source, 7).low);
        ZOE_TRY_ASSIGN(MotionWindows described, describe_windows(worse, body, windows));
        versions.push_back(std::move(described));
      }
    }
    return versions;
  };
  ZOE_TRY_ASSIGN(const std::vector<DescribedClip> clips, describe_clips(inputs, describe, warnings));
  const CodeSet real = encode_clips(clips, encoder);
  ZOE_TRY_ASSIGN(const FrechetReport floor, compare_sets(real, real));
  DamageTable out;
  out.floor = floor.floor;
  out.num_windows = real.size();
  out.num_clips = static_cast<int>(clips.size());
  const GaussianFit first = fit_half(real, true), second = fit_half(real, false);
  out.undamaged = frechet_distance(first, second);
  std::size_t version = 0;
  for (const Damage damage : damages()) {
    DamageRow row{damage, {}};
    for (double& distance : row.distances) {
      const CodeSet worse = encode_clips(clips, encoder, ++version);
      distance =
          0.5 * (frechet_distance(fit_half(worse, true), second) + frechet_distance(fit_half(worse, false), first));
    }
    out.rows.push_back(row);
  }
  return out;
}

std::string to_markdown(const DamageTable& table) {
  std::string out = "| damage | 0 |";
  for (const double level : kDamageLevels) out += fmt::format(" {:g} |", level);
  out += "\n|---|---|";
  for (std::size_t i = 0; i < kDamageLevels.size(); ++i) out += "---|";
  out += "\n";
  for (const DamageRow& row : table.rows) {
    out += fmt::format("| {} | {:.2f} |", to_string(row.damage), table.undamaged);
    for (const double distance : row.distances) out += fmt::format(" {:.2f} |", distance);
    out += "\n";
  }
  out += fmt::format("\n{} clips, {} windows; floor {:.2f} ± {:.2f}\n", table.num_clips, table.num_windows,
                     table.floor.mean, table.floor.deviation);
  return out;
}

}  // namespace zoe::eval
