// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Families, limbs and the meaning of their confidence on every shared rig, against
// rigs.tsv; with names, and with names replaced by J0, J1, ….
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <fnmatch.h>
#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/anatomy/stance.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

struct Row {
  std::string pattern, family, legs;
};

std::vector<Row> read_rows() {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  std::ifstream file(std::string(source ? source : ".") + "/tests/anatomy/rigs.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream stream(line);
    Row row;
    std::getline(stream, row.pattern, '\t');
    std::getline(stream, row.family, '\t');
    std::getline(stream, row.legs, '\t');
    rows.push_back(row);
  }
  return rows;
}

bool is_one_of(const std::string& answers, const std::string& answer) {
  return ("|" + answers + "|").find("|" + answer + "|") != std::string::npos;
}

struct Tally {
  int rigs = 0, families = 0, legs = 0;
  std::map<int, std::array<double, 3>> bins;  // Of confidence: number, summed confidence, right.
  double calibration_error() const {
    double sum = 0;
    for (const auto& [bin, one] : bins) sum += std::abs(one[1] - one[2]);
    return sum / rigs;
  }
};

void judge(const SkeletonAnalysis& body, const Row& row, const std::string& file, Tally& tally) {
  const bool family = is_one_of(row.family, to_string(body.family));
  const bool legs = is_one_of(row.legs, std::to_string(body.feet.size()));
  if (!family || !legs)
    std::printf("miss %s: %s with %zu legs\n", file.c_str(), to_string(body.family), body.feet.size());
  ++tally.rigs;
  tally.families += family ? 1 : 0;
  tally.legs += legs ? 1 : 0;
  const double confidence = body.of(AnalysisField::kFamily).confidence;
  auto& bin = tally.bins[std::min(9, static_cast<int>(confidence * 10))];
  bin[0] += 1;
  bin[1] += confidence;
  bin[2] += family ? 1 : 0;
}

Tally run(const std::filesystem::path& data, bool use_names) {
  const std::vector<Row> rows = read_rows();
  Tally tally;
  for (const char* top : {"assets/characters", "assets/creatures", "characters", "creatures",
                          "quadruped/dog_ai4animationpy", "biped/ozz_pab"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".glb" && extension != ".gltf" && extension != ".fbx") continue;
      const std::string file = std::filesystem::relative(entry.path(), data).generic_string();
      const Result<io::Asset> asset = io::read_asset(entry.path());
      if (!asset || !asset->character) continue;  // Refused for reasons of its own.
      AnalysisOptions options;
      options.use_names = use_names;
      if (asset->source.unit_known) options.stated_metres_per_unit = 1.0;
      const SkeletonAnalysis body = analyse(*asset->character->skeleton, asset->clips, asset->character.get(), options);
      if (body.root == kNoJoint) continue;  // A mesh without joints.
      const auto row = std::ranges::find_if(
          rows, [&](const Row& one) { return fnmatch(one.pattern.c_str(), file.c_str(), 0) == 0; });
      if (row == rows.end()) {
        ADD_FAILURE() << file << " is not in rigs.tsv";
        continue;
      }
      judge(body, *row, file, tally);
    }
  }
  std::printf("%s: %d rigs, families %d, legs %d, expected calibration error %.3f\n", use_names ? "names" : "no names",
              tally.rigs, tally.families, tally.legs, tally.calibration_error());
  for (const auto& [bin, one] : tally.bins)
    std::printf("  confidence %.1f: %3.0f rigs, stated %.3f, right %.3f\n", bin / 10.0, one[0], one[1] / one[0],
                one[2] / one[0]);
  return tally;
}

TEST(Rigs, FamiliesLegsAndConfidence) {
  ZOE_NEED_DATA(data);
  const Tally tally = run(data, true);
  EXPECT_GE(tally.rigs, 100);
  EXPECT_GE(tally.families, 0.95 * tally.rigs);
  EXPECT_GE(tally.legs, 0.95 * tally.rigs);
  EXPECT_LE(tally.calibration_error(), 0.05);
}

TEST(Rigs, WithoutNamesTheSurfaceTells) {
  ZOE_NEED_DATA(data);
  const Tally tally = run(data, false);
  EXPECT_GE(tally.families, 0.93 * tally.rigs);
  EXPECT_GE(tally.legs, 0.95 * tally.rigs);
  EXPECT_LE(tally.calibration_error(), 0.05);
}

TEST(Rigs, SolesTellTheFacingWhereSidesAreNamedAsTheViewerSeesThem) {
  ZOE_NEED_DATA(data);
  for (const char* file : {"quaternius_skeleton/Skeleton.fbx", "quaternius_knight/KnightCharacter.glb",
                           "quaternius_men_women/Male_Casual.fbx"}) {
    const io::Asset asset = io::read_asset(data / "assets/characters" / file).value();
    for (const bool with_clips : {true, false}) {
      const std::span<const Motion> clips =
          with_clips ? std::span<const Motion>(asset.clips) : std::span<const Motion>();
      EXPECT_GT(analyse(*asset.character->skeleton, clips, asset.character.get()).forward.z, 0.9F) << file;
    }
  }
}

TEST(Stance, AClipOfADogThatMostlySitsOrLiesIsLookedAtWhereItStands) {
  ZOE_NEED_DATA(data);
  for (const char* name : {"010", "025", "045"}) {
    SCOPED_TRACE(name);
    const io::Asset asset =
        io::read_asset(data / "quadruped/dog_mann_bvh" / ("D1_" + std::string(name) + "_KAN01_001.bvh")).value();
    const Skeleton& skeleton = *asset.character->skeleton;
    const SkeletonAnalysis body = analyse(skeleton, asset.clips);
    EXPECT_GT(anatomy::stance_quality(body, body.reference_positions), 0.45);
    ASSERT_EQ(body.feet.size(), 4U);
    for (const int foot : body.feet) EXPECT_EQ(skeleton.name(foot).find("_End"), std::string::npos);
  }
}

}  // namespace
}  // namespace zoe
