// SPDX-License-Identifier: MIT
#include "certify/self_test.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/author/retarget_source.h"
#include "zoe/certify/sabotage.h"
#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"

namespace zoe::cli {
namespace {

using certify::Check;

constexpr std::array kWays{Check::kFootSlide, Check::kPenetration, Check::kFloating,    Check::kKneeFlip,
                           Check::kElbowFlip, Check::kTwist,       Check::kSideSwap,    Check::kJitter,
                           Check::kSpike,     Check::kLoopSeam,    Check::kBoneStretch, Check::kScale,
                           Check::kUp,        Check::kFacing,      Check::kWeights};

// In metres, as a file that states its unit.
io::Asset in_metres(io::Asset asset, double metres_per_unit) {
  if (asset.source.unit_known) return asset;
  const SpaceChange change{.scale = metres_per_unit};
  auto character = std::make_shared<Character>(convert_space(*asset.character, change));
  for (Motion& clip : asset.clips) clip = convert_space(clip, change, character->skeleton);
  asset.character = std::move(character);
  asset.source.unit_known = true;
  asset.source.metres_per_unit = 1;
  return asset;
}

io::Asset with_clip(const io::Asset& asset, Motion clip) {
  io::Asset out{asset.character, {}, asset.source, {}};
  if (clip.skeleton != asset.character->skeleton) {  // The sabotage is in the skeleton: without meshes.
    auto bare = std::make_shared<Character>();
    bare->skeleton = clip.skeleton;
    out.character = bare;
  }
  out.clips.push_back(std::move(clip));
  return out;
}

std::vector<certify::Finding> findings_of(const JudgedFile& judged) {
  std::vector<certify::Finding> all = judged.rig.findings;
  for (const JudgedClip& clip : judged.clips)
    all.insert(all.end(), clip.certificate.findings.begin(), clip.certificate.findings.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.value * b.limit > b.value * a.limit; });
  return all;
}

}  // namespace

Result<std::vector<SelfTestRow>> self_test(const std::filesystem::path& file, const CertifyRequest& request,
                                           std::uint64_t seed) {
  ZOE_TRY_ASSIGN(io::Asset read, io::read_asset(file));
  ZOE_TRY_ASSIGN(const author::AssetAnalysis first, author::analyse_asset(read, request.overrides));
  const io::Asset asset = in_metres(std::move(read), first.body.metres_per_unit);
  std::vector<SelfTestRow> rows;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, asset.clips.size()); ++i) {
    const io::Asset one = with_clip(asset, asset.clips[i]);
    ZOE_TRY_ASSIGN(const author::AssetAnalysis analysis, author::analyse_asset(one, request.overrides));
    ZOE_TRY_ASSIGN(const JudgedFile clean, judge_asset(one, request));
    const std::vector<certify::Finding> before = findings_of(clean);
    for (const Check way : kWays) {
      SelfTestRow row{.file = file.string(), .clip = asset.clips[i].name, .family = to_string(analysis.body.family)};
      row.way = way;
      for (const auto& finding : before) row.before.emplace_back(to_string(finding.check));
      io::Asset sabotaged;
      certify::Sabotaged done;
      CertifyRequest own = request;
      own.options.loop = way == Check::kLoopSeam;
      if (way == Check::kWeights) {
        if (i > 0) continue;
        std::optional<Character> character = certify::sabotage_weights(*asset.character, seed);
        if (!character) continue;
        sabotaged = one;
        sabotaged.character = std::make_shared<Character>(std::move(*character));
        done.last_frame = 1 << 30;
      } else {
        std::optional<certify::Sabotaged> made =
            certify::sabotage(one.clips[0], analysis.body, way, seed + rows.size());
        if (!made) continue;
        done = std::move(*made);
        sabotaged = with_clip(one, std::move(done.motion));
      }
      ZOE_TRY_ASSIGN(const JudgedFile judged, judge_asset(sabotaged, own));
      for (const certify::Finding& finding : findings_of(judged)) {
        const auto known = std::ranges::find(row.before, std::string(to_string(finding.check)));
        if (known != row.before.end() && finding.check != way) continue;
        const std::string name = to_string(finding.check);
        if (std::ranges::find(row.found, name) == row.found.end()) row.found.push_back(name);
        if (finding.check == way)
          row.placed |= finding.first_frame <= done.last_frame + 2 && finding.last_frame >= done.first_frame - 2;
      }
      const auto note = [&](const certify::Certificate& certificate) {
        if (const certify::Measure* measure = certificate.measure(way)) row.ratio = measure->value / measure->limit;
      };
      note(judged.rig);
      for (const JudgedClip& clip : judged.clips) note(clip.certificate);
      row.caught = !row.found.empty();
      row.named = row.caught && row.found.front() == to_string(way);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

nlohmann::ordered_json to_json(const SelfTestRow& row) {
  return {{"file", row.file},     {"clip", row.clip},   {"family", row.family}, {"way", to_string(row.way)},
          {"before", row.before}, {"found", row.found}, {"caught", row.caught}, {"named", row.named},
          {"placed", row.placed}, {"ratio", row.ratio}};
}

void print_table(const std::vector<SelfTestRow>& rows) {
  struct Counts {
    int all = 0, caught = 0, named = 0, placed = 0;
  };
  Counts total;
  fmt::print("{:<14}{:>7}{:>9}{:>9}{:>9}\n", "sabotage", "clips", "caught", "named", "placed");
  const auto line = [](const char* name, const Counts& c) {
    const auto percent = [&](int n) { return 100.0 * n / std::max(1, c.all); };
    fmt::print("{:<14}{:>7}{:>8.1f}%{:>8.1f}%{:>8.1f}%\n", name, c.all, percent(c.caught), percent(c.named),
               percent(c.placed));
  };
  for (const Check way : kWays) {
    Counts counts;
    for (const SelfTestRow& row : rows) {
      if (row.way != way) continue;
      for (Counts* c : {&counts, &total}) {
        ++c->all;
        c->caught += row.caught ? 1 : 0;
        c->named += row.named ? 1 : 0;
        c->placed += row.placed ? 1 : 0;
      }
    }
    if (counts.all > 0) line(to_string(way), counts);
  }
  line("all", total);
}

}  // namespace zoe::cli
