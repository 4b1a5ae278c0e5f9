// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The analysis of every rigged file of the shared data against truth.tsv,
// a table written from looking at the files; with their names, and with names replaced by J0, J1,
// ….
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

struct Truth {
  std::string file, family, forward;
  double metres_per_unit = 1;
  std::vector<std::set<std::string>> feet;  // Each: the joints of one foot, any of which is right.
  std::vector<std::pair<std::string, std::string>> pairs;
  std::set<std::string>
      known_misses;  // "names:forward", "scrambled:feet", …: listed in the table with the reason.
};

std::vector<Truth> read_truth() {
  std::ifstream file(
      std::string(std::getenv("ZOE_SOURCE_DIR") ? std::getenv("ZOE_SOURCE_DIR") : ".") +
      "/tests/anatomy/truth.tsv");
  std::vector<Truth> table;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() < 6) {
      ADD_FAILURE() << "bad line in truth.tsv: " << line;
      continue;
    }
    Truth truth{columns[0], columns[1], columns[2], std::stod(columns[3]), {}, {}, {}};
    if (columns[4] != "-") {
      for (const std::string& foot : split(columns[4], ',')) {
        const auto names = split(foot, '|');
        truth.feet.emplace_back(names.begin(), names.end());
      }
    }
    if (columns[5] != "-") {
      for (const std::string& pair : split(columns[5], ',')) {
        const auto names = split(pair, '=');
        truth.pairs.emplace_back(names.at(0), names.at(1));
      }
    }
    if (columns.size() > 6) {
      for (const std::string& miss : split(columns[6], ',')) truth.known_misses.insert(miss);
    }
    table.push_back(std::move(truth));
  }
  return table;
}

struct Score {
  int right = 0, total = 0;
  void add(bool ok) { ok ? (++right, ++total) : ++total; }
  double share() const { return total == 0 ? 1.0 : static_cast<double>(right) / total; }
};

struct Scores {
  Score feet, pairs, family, forward, scale;
};

SkeletonPtr scrambled(const Skeleton& skeleton) {
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].name = "J" + std::to_string(j);
  return Skeleton::create(std::move(joints)).value();
}

Vec3 direction(const std::string& word) {
  const float sign = word[0] == '-' ? -1.0F : 1.0F;
  return word[1] == 'x' ? Vec3{sign, 0, 0} : word[1] == 'y' ? Vec3{0, sign, 0} : Vec3{0, 0, sign};
}

// Facing of a clip's frame has no fixed axis: the table then gives "left=right" joints, forward =
// left × up.
Vec3 true_forward(const Truth& truth, const Skeleton& names, const SkeletonAnalysis& analysis) {
  if (truth.forward.find('=') == std::string::npos) return direction(truth.forward);
  const auto joints = split(truth.forward, '=');
  const auto at = [&](const std::string& name) {
    return analysis.reference_positions[static_cast<std::size_t>(names.find(name))];
  };
  return normalized(cross(at(joints[0]) - at(joints[1]), analysis.up));
}

void check(const Truth& truth, const io::Asset& asset, bool with_names, Scores& scores) {
  const Skeleton& names = *asset.character->skeleton;
  Character character = *asset.character;
  std::vector<Motion> clips = asset.clips;
  if (!with_names) {
    character.skeleton = scrambled(names);
    for (Motion& clip : clips) clip.skeleton = character.skeleton;
  }
  AnalysisOptions options;
  if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;  // The reader has applied it.
  const SkeletonAnalysis result = analyse(*character.skeleton, clips, &character, options);

  const std::string mode = with_names ? "names" : "scrambled";
  const auto judge = [&](const char* what, bool ok, Score& score, const std::string& detail) {
    score.add(ok);
    if (ok) return;
    const bool known = truth.known_misses.contains(mode + ":" + what);
    std::printf("miss%s %s %s %s: %s\n", known ? " (known)" : "", mode.c_str(), truth.file.c_str(),
                what, detail.c_str());
    EXPECT_TRUE(known) << truth.file << ": " << what << ": " << detail;
  };
  std::set<std::string> found_feet;
  for (const int foot : result.feet) found_feet.insert(names.name(foot));
  std::string all_feet;
  for (const std::string& foot : found_feet) all_feet += foot + " ";
  for (const auto& foot : truth.feet) {
    const bool ok = std::any_of(foot.begin(), foot.end(),
                                [&](const std::string& name) { return found_feet.contains(name); });
    judge("feet", ok, scores.feet, *foot.begin() + " not among " + all_feet);
  }
  // A foot too many is as wrong as one too few.
  for (std::size_t extra = truth.feet.size(); extra < result.feet.size(); ++extra) {
    judge("feet", false, scores.feet, "too many: " + all_feet);
  }
  for (const auto& [left, right] : truth.pairs) {
    ASSERT_NE(names.find(left), kNoJoint) << truth.file << ": " << left;
    ASSERT_NE(names.find(right), kNoJoint) << truth.file << ": " << right;
    const bool ok =
        std::any_of(result.pairs.begin(), result.pairs.end(), [&](const JointPair& pair) {
          return names.name(pair.left) == left && names.name(pair.right) == right;
        });
    judge("pairs", ok, scores.pairs, left + "=" + right);
  }
  judge("family", truth.family == to_string(result.family), scores.family,
        std::string("found ") + to_string(result.family));
  const Vec3 forward = true_forward(truth, names, result);
  judge("forward", dot(forward, result.forward) > 0.9F, scores.forward,
        std::to_string(result.forward.x) + " " + std::to_string(result.forward.y) + " " +
            std::to_string(result.forward.z));
  judge("scale", std::abs(result.metres_per_unit / truth.metres_per_unit - 1) < 0.1, scores.scale,
        std::to_string(result.metres_per_unit) + ", height " + std::to_string(result.height_m));
}

void run(const std::filesystem::path& data, bool with_names, Scores& scores) {
  const std::vector<Truth> table = read_truth();
  ASSERT_GE(table.size(), 40U);
  for (const Truth& truth : table) {
    const Result<io::Asset> asset = io::read_asset(data / truth.file);
    ASSERT_TRUE(asset) << asset.error().format();
    check(truth, *asset, with_names, scores);
  }
  for (const auto& [what, score] : {std::pair{"feet", scores.feet},
                                    {"pairs", scores.pairs},
                                    {"family", scores.family},
                                    {"forward", scores.forward},
                                    {"scale", scores.scale}}) {
    std::printf("%s %s: %d of %d\n", with_names ? "names" : "scrambled", what, score.right,
                score.total);
  }
}

TEST(AnatomyTruth, RightWithNames) {
  ZOE_NEED_DATA(data);
  Scores scores;
  run(data, true, scores);
}

// Every clip of the motion capture sets against the row of its set's rig: what is found must not
// hang on the clip.
TEST(AnatomyTruth, EveryClipOfTheMotionSets) {
  ZOE_NEED_DATA(data);
  Scores with_names, scrambled_names;
  for (const Truth& truth : read_truth()) {
    if (!truth.file.ends_with(".bvh") || truth.file.starts_with("characters")) continue;
    for (const auto& entry :
         std::filesystem::directory_iterator((data / truth.file).parent_path())) {
      if (entry.path().extension() != ".bvh") continue;
      Truth clip = truth;
      clip.file = std::filesystem::relative(entry.path(), data).generic_string();
      clip.known_misses.insert({"scrambled:feet", "scrambled:pairs", "scrambled:family",
                                "scrambled:forward", "scrambled:scale"});
      const Result<io::Asset> asset = io::read_asset(entry.path());
      ASSERT_TRUE(asset) << asset.error().format();
      check(clip, *asset, true, with_names);
      check(clip, *asset, false, scrambled_names);
    }
  }
  std::printf("clips: scrambled feet %d of %d, pairs %d of %d\n", scrambled_names.feet.right,
              scrambled_names.feet.total, scrambled_names.pairs.right, scrambled_names.pairs.total);
  EXPECT_GE(with_names.family.total, 100);
  EXPECT_GE(scrambled_names.feet.share(), 0.9);
  EXPECT_GE(scrambled_names.pairs.share(), 0.9);
}

TEST(AnatomyTruth, NineInTenFeetAndPairsWithNamesScrambled) {
  ZOE_NEED_DATA(data);
  Scores scores;
  run(data, false, scores);
  EXPECT_GE(scores.feet.share(), 0.9);
  EXPECT_GE(scores.pairs.share(), 0.9);
}

}  // namespace
}  // namespace zoe
