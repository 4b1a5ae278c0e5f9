// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The analysis of every rigged file of the shared data against truth.tsv
// and truth_parts.tsv, tables written from looking at the files; with their names, and with names
// replaced by J0, J1, ….
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

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
  double metres_per_unit = 1;               // 0: cannot be told.
  std::vector<std::set<std::string>> feet;  // Each: the joints of one foot, any of which is right.
  std::vector<std::pair<std::string, std::string>> pairs;
  std::set<std::string> known_misses;  // "names:forward", "scrambled:feet", …: listed in the table with the reason.
  // From truth_parts.tsv; "?": cannot be told.
  std::string up = "?", root = "?", hips = "?", head = "?", spine = "?", hands = "?", tail = "?", wings = "?";
};

std::ifstream open_table(const char* name) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return std::ifstream(std::string(source ? source : ".") + "/tests/anatomy/" + name);
}

void add_parts(std::vector<Truth>& table) {
  std::ifstream file = open_table("truth_parts.tsv");
  std::size_t num_rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> c = split(line, '\t');
    const auto truth = std::find_if(table.begin(), table.end(), [&](const Truth& t) { return t.file == c.at(0); });
    if (c.size() < 9 || truth == table.end()) {
      ADD_FAILURE() << "bad line in truth_parts.tsv: " << line;
      continue;
    }
    ++num_rows;
    std::string* fields[] = {&truth->up,    &truth->root,  &truth->hips, &truth->head,
                             &truth->spine, &truth->hands, &truth->tail, &truth->wings};
    for (std::size_t i = 0; i < 8; ++i) *fields[i] = c[i + 1];
    if (c.size() > 9) {
      for (const std::string& miss : split(c[9], ',')) truth->known_misses.insert(miss);
    }
  }
  EXPECT_EQ(num_rows, table.size()) << "every file of truth.tsv has a row in truth_parts.tsv";
}

std::vector<Truth> read_truth() {
  std::ifstream file = open_table("truth.tsv");
  std::vector<Truth> table;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() < 6) {
      ADD_FAILURE() << "bad line in truth.tsv: " << line;
      continue;
    }
    Truth truth{columns[0], columns[1], columns[2], columns[3] == "?" ? 0 : std::stod(columns[3])};
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
  add_parts(table);
  return table;
}

struct Score {
  int right = 0, total = 0;
  void add(bool ok) { ok ? (++right, ++total) : ++total; }
  double share() const { return total == 0 ? 1.0 : static_cast<double>(right) / total; }
};

struct Scores {
  std::map<std::string, Score> of;
  void print(const char* mode) const {
    for (const auto& [what, score] : of)
      std::printf("%-10s %-8s %4d of %4d  %5.1f %%\n", mode, what.c_str(), score.right, score.total,
                  100 * score.share());
  }
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

// "a|b,c?": each entry is found once by any of its joints, those with ? need not be; and there are
// no others.
bool matches(const std::string& pattern, const std::vector<std::string>& found) {
  if (pattern == "-") return found.empty();
  std::size_t used = 0;
  for (std::string entry : split(pattern, ',')) {
    const bool optional = entry.back() == '?';
    if (optional) entry.pop_back();
    const auto names = split(entry, '|');
    const auto count = std::count_if(found.begin(), found.end(), [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    if (count > 1 || (count == 0 && !optional)) return false;
    used += static_cast<std::size_t>(count);
  }
  return used == found.size();
}

using Judge = std::function<void(const char* what, bool ok, const std::string& detail)>;

std::vector<std::string> names_of(const Skeleton& names, const std::vector<int>& joints) {
  std::vector<std::string> found;
  for (const int joint : joints) {
    if (joint != kNoJoint) found.push_back(names.name(joint));
  }
  return found;
}

// Without names these are counted, not required file by file.
const std::set<std::string> kParts{"root", "hips", "head", "spine", "hands", "tail", "wings"};

void check_parts(const Truth& truth, const Skeleton& names, const SkeletonAnalysis& result, const Judge& judge) {
  std::vector<int> wings;
  for (const Limb& limb : result.limbs) {
    if (limb.kind != LimbKind::kWing) continue;
    // A shoulder above the wing belongs to it.
    const auto begins = [&](int joint) { return truth.wings.find(names.name(joint)) != std::string::npos; };
    const auto base = std::find_if(limb.joints.begin(), limb.joints.end(), begins);
    wings.push_back(base == limb.joints.end() ? limb.joints.front() : *base);
  }
  const std::tuple<const char*, const std::string&, std::vector<int>> parts[] = {
      {"root", truth.root, {result.root}},  {"hips", truth.hips, {result.hips}},  {"head", truth.head, {result.head}},
      {"spine", truth.spine, result.spine}, {"hands", truth.hands, result.hands}, {"tail", truth.tail, result.tail},
      {"wings", truth.wings, wings}};
  for (const auto& [what, pattern, joints] : parts) {
    if (pattern == "?") continue;
    const std::vector<std::string> found = names_of(names, joints);
    std::string detail = pattern + ", found";
    for (const std::string& name : found) detail += " " + name;
    judge(what, matches(pattern, found), detail);
  }
  if (truth.up != "?")
    judge("up", dot(direction(truth.up), result.up) > 0.99F, to_string(result.of(AnalysisField::kUp).source));
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
  options.up_is_known = asset.source.up_known;
  const SkeletonAnalysis result = analyse(*character.skeleton, clips, &character, options);

  const std::string mode = with_names ? "names" : "scrambled";
  const Judge judge = [&](const char* what, bool ok, const std::string& detail) {
    scores.of[what].add(ok);
    if (ok) return;
    const bool known = truth.known_misses.contains(mode + ":" + what) || truth.known_misses.contains(mode + ":all") ||
                       (!with_names && kParts.contains(what));
    std::printf("miss%s %s %s %s: %s\n", known ? " (known)" : "", mode.c_str(), truth.file.c_str(), what,
                detail.c_str());
    EXPECT_TRUE(known) << truth.file << ": " << what << ": " << detail;
  };
  std::set<std::string> found_feet;
  for (const int foot : result.feet) found_feet.insert(names.name(foot));
  std::string all_feet;
  for (const std::string& foot : found_feet) all_feet += foot + " ";
  for (const auto& foot : truth.feet) {
    const bool ok =
        std::any_of(foot.begin(), foot.end(), [&](const std::string& name) { return found_feet.contains(name); });
    judge("feet", ok, *foot.begin() + " not among " + all_feet);
  }
  // A foot too many is as wrong as one too few.
  for (std::size_t extra = truth.feet.size(); extra < result.feet.size(); ++extra) {
    judge("feet", false, "too many: " + all_feet);
  }
  for (const auto& [left, right] : truth.pairs) {
    ASSERT_NE(names.find(left), kNoJoint) << truth.file << ": " << left;
    ASSERT_NE(names.find(right), kNoJoint) << truth.file << ": " << right;
    const bool ok =
        std::any_of(result.pairs.begin(), result.pairs.end(), [&, l = left, r = right](const JointPair& pair) {
          return names.name(pair.left) == l && names.name(pair.right) == r;
        });
    judge("pairs", ok, left + "=" + right);
  }
  judge("family", truth.family == to_string(result.family), std::string("found ") + to_string(result.family));
  const Vec3 forward = true_forward(truth, names, result);
  judge("forward", dot(forward, result.forward) > 0.9F,
        std::to_string(result.forward.x) + " " + std::to_string(result.forward.y) + " " +
            std::to_string(result.forward.z));
  if (truth.metres_per_unit > 0) {
    judge("scale", std::abs(result.metres_per_unit / truth.metres_per_unit - 1) < 0.1,
          std::to_string(result.metres_per_unit) + ", height " + std::to_string(result.height_m));
  }
  check_parts(truth, names, result, judge);
}

void run(const std::filesystem::path& data, bool with_names, Scores& scores) {
  const std::vector<Truth> table = read_truth();
  ASSERT_GE(table.size(), 60U);
  for (const Truth& truth : table) {
    const Result<io::Asset> asset = io::read_asset(data / truth.file, {.bvh_up = 'y'});
    ASSERT_TRUE(asset) << asset.error().format();
    check(truth, *asset, with_names, scores);
  }
  scores.print(with_names ? "names" : "scrambled");
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
    if (!truth.file.ends_with(".bvh") || truth.file.starts_with("characters") || truth.file.starts_with("conformance"))
      continue;
    for (const auto& entry : std::filesystem::directory_iterator((data / truth.file).parent_path())) {
      if (entry.path().extension() != ".bvh") continue;
      Truth clip = truth;
      clip.file = std::filesystem::relative(entry.path(), data).generic_string();
      clip.known_misses.insert("scrambled:all");
      const Result<io::Asset> asset = io::read_asset(entry.path(), {.bvh_up = 'y'});
      ASSERT_TRUE(asset) << asset.error().format();
      check(clip, *asset, true, with_names);
      check(clip, *asset, false, scrambled_names);
    }
  }
  with_names.print("names");
  scrambled_names.print("scrambled");
  EXPECT_GE(with_names.of["family"].total, 100);
  EXPECT_GE(scrambled_names.of["feet"].share(), 0.9);
  EXPECT_GE(scrambled_names.of["pairs"].share(), 0.9);
}

TEST(AnatomyTruth, NineInTenFeetAndPairsWithNamesScrambled) {
  ZOE_NEED_DATA(data);
  Scores scores;
  run(data, false, scores);
  // Bars of what was measured, rounded down; feet and pairs are what is promised.
  for (const char* part : {"root", "up", "family", "forward", "scale"}) EXPECT_GE(scores.of[part].share(), 0.9) << part;
  for (const char* part : {"hips", "head", "spine", "hands", "tail", "wings"})
    EXPECT_GE(scores.of[part].share(), 0.75) << part;
  EXPECT_GE(scores.of["feet"].share(), 0.9);
  EXPECT_GE(scores.of["pairs"].share(), 0.9);
}

}  // namespace
}  // namespace zoe
