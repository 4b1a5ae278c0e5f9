// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Actions found in clips against labels read by eye (segment_labels.tsv),
// and in clips made by hand.
#include "zoe/anatomy/segments.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

struct Label {
  int first = 0, last = 0;
  std::string actions;  // "run|jump": either.
  bool allows(const std::string& action) const {
    return ("|" + actions + "|").find("|" + action + "|") != std::string::npos;
  }
};

struct Row {
  std::string set, file;
  std::vector<Label> labels;
};

std::vector<Row> read_rows() {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  std::ifstream file(std::string(source ? source : ".") + "/tests/anatomy/segment_labels.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row& row = rows.emplace_back();
    words >> row.set >> row.file;
    for (std::string word; words >> word;) {
      Label label;
      char dash = 0, colon = 0;
      std::istringstream part(word);
      part >> label.first >> dash >> label.last >> colon >> label.actions;
      if (dash != '-' || colon != ':' || label.last < label.first) ADD_FAILURE() << row.file << ": " << word;
      row.labels.push_back(label);
    }
  }
  return rows;
}

struct Score {
  int right = 0, frames = 0;         // Of labelled frames.
  int labels_found = 0, labels = 0;  // Labels more than half of whose frames are right.
  void add(const Score& other) {
    right += other.right;
    frames += other.frames;
    labels_found += other.labels_found;
    labels += other.labels;
  }
  double share() const { return static_cast<double>(right) / std::max(1, frames); }
};

Score score_of(const Row& row, const std::vector<ActionSegment>& segments) {
  Score score;
  for (const Label& label : row.labels) {
    std::map<std::string, int> found;
    int right = 0;
    for (const ActionSegment& segment : segments) {
      const int overlap = std::min(segment.last_frame, label.last) - std::max(segment.first_frame, label.first) + 1;
      if (overlap <= 0) continue;
      found[to_string(segment.action)] += overlap;
      if (label.allows(to_string(segment.action))) right += overlap;
    }
    const int frames = label.last - label.first + 1;
    score.add({right, frames, 2 * right > frames, 1});
    if (right == frames) continue;
    std::printf("  %s %d-%d %s:", row.file.c_str(), label.first, label.last, label.actions.c_str());
    for (const auto& [action, count] : found) std::printf(" %s %d", action.c_str(), count);
    std::printf("\n");
  }
  return score;
}

std::vector<ActionSegment> segments_of(const io::Asset& asset) {
  AnalysisOptions options;
  if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
  const SkeletonAnalysis body = analyse(*asset.character->skeleton, asset.clips, asset.character.get(), options);
  return segment_actions(asset.clips.at(0), body).value();
}

TEST(Segments, AgreeWithLabels) {
  ZOE_NEED_DATA(data);
  std::map<std::string, Score> by_set;
  std::map<std::string, Score> by_action;
  for (const Row& row : read_rows()) {
    const auto asset = io::read_asset(data / row.file);
    ASSERT_TRUE(asset) << asset.error().format();
    const std::vector<ActionSegment> segments = segments_of(*asset);
    const Score score = score_of(row, segments);
    std::printf("%s %s: %d of %d frames (%.3f), %d of %d labels, %zu segments\n", row.set.c_str(), row.file.c_str(),
                score.right, score.frames, score.share(), score.labels_found, score.labels, segments.size());
    EXPECT_GE(score.share(), 0.85) << row.file;
    by_set[row.set].add(score);
  }
  for (const auto& [set, score] : by_set) {
    std::printf("%s: %d of %d frames (%.3f), %d of %d labels\n", set.c_str(), score.right, score.frames, score.share(),
                score.labels_found, score.labels);
  }
  EXPECT_GE(by_set["test"].labels, 50);
  EXPECT_GE(by_set["test"].share(), 0.95);
}

// A person on stiff legs that slides along a path: what feet do does not matter to these.
struct Body {
  SkeletonPtr skeleton;
  Body() {
    std::vector<JointDesc> joints;
    const auto add = [&](const char* name, int parent, Vec3 offset) {
      joints.push_back({name, parent, {offset, {}, {1, 1, 1}}, JointKind::kBone});
    };
    add("Hips", kNoJoint, {0, 0.95F, 0});
    add("Spine", 0, {0, 0.3F, 0});
    add("Head", 1, {0, 0.4F, 0});
    for (const float side : {1.0F, -1.0F}) {
      const int base = static_cast<int>(joints.size());
      const std::string word = side > 0 ? "Left" : "Right";
      add((word + "UpLeg").c_str(), 0, {0.1F * side, 0, 0});
      add((word + "Leg").c_str(), base, {0, -0.45F, 0.01F});
      add((word + "Foot").c_str(), base + 1, {0, -0.45F, -0.01F});
      add((word + "Toe").c_str(), base + 2, {0, -0.05F, 0.15F});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
  }
  Motion clip(int frames, const std::function<void(int, Vec3&, float&)>& place) const {
    Motion motion = make_motion(skeleton, "made", 30, frames, false);
    for (int f = 0; f < frames; ++f) {
      const std::size_t root = static_cast<std::size_t>(f) * static_cast<std::size_t>(skeleton->num_joints());
      float facing = 0;
      place(f, motion.translations[root], facing);
      motion.rotations[root] = from_axis_angle(Vec3{0, 1, 0}, facing);
    }
    return motion;
  }
};

TEST(Segments, StatisticsByHand) {
  const Body body;
  // Stands for 3 s, goes 6 m along z in 5 s, stands for 2 s, turns by 3 rad to the left in 2 s,
  // stands for 3 s.
  const Motion motion = body.clip(450, [](int f, Vec3& p, float& facing) {
    p.z = 1.2F / 30 * static_cast<float>(std::clamp(f - 90, 0, 150));
    facing = 1.5F / 30 * static_cast<float>(std::clamp(f - 300, 0, 60));
  });
  const auto segments = segment_actions(motion, analyse(*body.skeleton)).value();
  ASSERT_EQ(segments.size(), 5U);
  const Action actions[] = {Action::kIdle, Action::kWalk, Action::kIdle, Action::kTurn, Action::kIdle};
  const int begins[] = {0, 90, 240, 300, 360};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(segments[i].action, actions[i]);
    EXPECT_NEAR(segments[i].first_frame, begins[i], 12) << i;
    EXPECT_EQ(segments[i].first_frame, i == 0 ? 0 : segments[i - 1].last_frame + 1);
    EXPECT_GT(segments[i].confidence, 0.7);
    EXPECT_NEAR(segments[i].hip_height_m, 0.95, 1e-3);
    EXPECT_NEAR(segments[i].hip_height_share, 1, 1e-3);
  }
  EXPECT_EQ(segments.back().last_frame, 449);
  EXPECT_NEAR(segments[1].distance_m, 6, 0.3);
  EXPECT_NEAR(segments[1].max_speed_m_s, 1.2, 0.1);
  EXPECT_NEAR(segments[3].turn_rad, 3, 0.3);
  EXPECT_LT(std::abs(segments[1].turn_rad), 0.05);
}

TEST(Segments, FreeFallIsAJumpAndAGlanceIsNone) {
  const Body body;
  // Up and down under gravity for 0.6 s, from frame 60.
  const Motion jump = body.clip(150, [](int f, Vec3& p, float&) {
    const float t = static_cast<float>(f - 60) / 30;
    if (t > 0 && t < 0.6F) p.y += 4.905F * t * (0.6F - t);
  });
  const auto segments = segment_actions(jump, analyse(*body.skeleton)).value();
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[1].action, Action::kJump);
  EXPECT_NEAR(segments[1].first_frame, 60, 5);
  EXPECT_NEAR(segments[1].last_frame, 78, 5);
  // A step aside of 0.1 s is no part of its own.
  const Motion twitch = body.clip(150, [](int f, Vec3& p, float&) { p.x = f == 70 || f == 71 ? 0.05F : 0; });
  EXPECT_EQ(segment_actions(twitch, analyse(*body.skeleton)).value().size(), 1U);
}

TEST(Segments, OneFrameAndBodiesWithoutLegs) {
  const Body body;
  const auto one = segment_actions(body.clip(1, [](int, Vec3&, float&) {}), analyse(*body.skeleton)).value();
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].action, Action::kIdle);
  std::vector<JointDesc> snake;
  for (int j = 0; j < 14; ++j) {
    snake.push_back({"J" + std::to_string(j), j - 1, {}, JointKind::kBone});
    snake.back().rest_local.translation = {0, 0, j == 0 ? 0.0F : -0.1F};
  }
  const SkeletonPtr skeleton = Skeleton::create(snake).value();
  Motion motion = make_motion(skeleton, "slither", 30, 200, false);
  for (std::size_t f = 0; f < 200; ++f)
    motion.translations[f * 14].z = 0.03F * std::max(0.0F, static_cast<float>(f) - 100);
  const auto segments = segment_actions(motion, analyse(*skeleton)).value();
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].action, Action::kIdle);
  EXPECT_EQ(segments[1].action, Action::kMove);
}

// Always saying the same must not pass the scores above.
TEST(Segments, ScoresTellGoodFromBad) {
  const Row row{"", "", {{0, 49, "idle"}, {60, 99, "walk|run"}}};
  EXPECT_EQ(score_of(row, {{Action::kIdle, 0, 54}, {Action::kRun, 55, 99}}).share(), 1);
  EXPECT_NEAR(score_of(row, {{Action::kIdle, 0, 99}}).share(), 50.0 / 90, 1e-9);
  EXPECT_EQ(score_of(row, {{Action::kJump, 0, 99}}).labels_found, 0);
}

}  // namespace
}  // namespace zoe
