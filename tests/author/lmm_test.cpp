// SPDX-License-Identifier: MIT
// What learned motion matching is trained on.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/index.h"

#include "author/fake_networks.h"
#include "author/lmm/label_points.h"
#include "author/lmm/lmm_data.h"
#include "control/walkers.h"

namespace zoe::author {
namespace {

using control::MotionDatabase;
using features::BlockKind;

dataset::Group group_of(const zoe::test::Walkers& walkers) {
  dataset::Group group{.skeleton = walkers.skeleton, .layout = walkers.layout};
  for (const DatabaseSource& source : walkers.sources()) group.rows.push_back(source.rows);
  return group;
}

TEST(LearnedMatchingData, HasEveryFrameOfTheDatabase) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  const Frames x = features_of(database);
  const Frames y = gather_poses(group_of(walkers)).value();
  ASSERT_EQ(x.count(), database.num_frames());
  ASSERT_EQ(y.count(), database.num_frames());
  EXPECT_EQ(x.width, database.num_dims());
  std::vector<float> row(idx(x.width));
  for (const int f : {0, 57, database.num_frames() - 1}) {
    database.features(f, row);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), x.of(f).begin()));
  }
}

TEST(LearnedMatchingData, TheChainNamesParentsThatAreDecoded) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(1);
  const std::string setting = chain_setting(walkers.layout, walkers.skeleton).value();
  ASSERT_TRUE(setting.starts_with("model.chain="));
  std::vector<int> chain;
  std::istringstream words(setting.substr(12));
  for (std::string word; std::getline(words, word, ',');) chain.push_back(std::stoi(word));
  const std::vector<int>& joints = walkers.layout.channel_joints(BlockKind::kOutput)[1];
  ASSERT_EQ(chain.size(), joints.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    ASSERT_LE(chain[i], static_cast<int>(i)) << "parents come first";
    if (chain[i] == 0) continue;
    int up = walkers.skeleton->parent(joints[i]);
    while (up != kNoJoint && up != joints[idx(chain[i] - 1)]) up = walkers.skeleton->parent(up);
    EXPECT_NE(up, kNoJoint) << "an ancestor";
  }
  EXPECT_EQ(chain[0], 0) << "the hips are placed";
  EXPECT_GT(*std::max_element(chain.begin(), chain.end()), 0);
}

TEST(LearnedMatchingData, OtherSchemasHaveNoChain) {
  const auto schema = features::Schema::parse(find_type("mann").value()->schema).value();
  const zoe::test::Walkers walkers = zoe::test::make_walkers(1);
  const auto layout = features::Layout::compile(schema, *walkers.skeleton, walkers.analysis).value();
  EXPECT_FALSE(chain_setting(layout, walkers.skeleton));
}

TEST(LearnedMatchingData, StatesAreFeaturesAndThenCodes) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  const Frames x = features_of(database), y = gather_poses(group_of(walkers)).value();
  // Its code is the first numbers of the frame before.
  const nn::NetworkPtr encoder = nn::Network::compile(test::copied("y", 2 * y.width, "z", test::kCode)).value();
  const Frames states = find_states(*encoder, database, x, y).value();
  ASSERT_EQ(states.width, x.width + test::kCode);
  ASSERT_EQ(states.count(), database.num_frames());
  for (const int f : {1, 100, 300}) {
    EXPECT_TRUE(std::equal(x.of(f).begin(), x.of(f).end(), states.of(f).begin()));
    for (int c = 0; c < test::kCode; ++c) EXPECT_FLOAT_EQ(states.of(f)[idx(x.width + c)], y.of(f - 1)[idx(c)]);
  }
  // A clip's first frame has none before it: as it goes on, backwards. It does not look into the other clip.
  const int first = database.begin_of(1);
  for (int c = 0; c < test::kCode; ++c) {
    EXPECT_NEAR(states.of(first)[idx(x.width + c)], 2 * y.of(first)[idx(c)] - y.of(first + 1)[idx(c)], 1e-5F);
  }
  const nn::NetworkPtr wrong = nn::Network::compile(test::copied("y", y.width, "z", test::kCode)).value();
  EXPECT_FALSE(find_states(*wrong, database, x, y));
}

TEST(LearnedMatchingData, QueriesHaveTheNearestFramesState) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  const Frames x = features_of(database);
  Frames states{x.width + 1, {}};
  for (int f = 0; f < x.count(); ++f) {
    states.values.insert(states.values.end(), x.of(f).begin(), x.of(f).end());
    states.values.push_back(static_cast<float>(f));
  }
  const Queries queries = make_queries(database, x, states);
  ASSERT_EQ(queries.x.count(), 20'000) << "at least so many";
  ASSERT_EQ(queries.states.count(), queries.x.count());
  for (int i = 0; i < 200; ++i) {
    const int nearest = database.index().find({.features = queries.x.of(i)}).frame;
    EXPECT_EQ(queries.states.of(i).back(), static_cast<float>(nearest));
  }
  // The same every time, on any number of threads.
  EXPECT_EQ(make_queries(database, x, states).x.values, queries.x.values);
  double apart = 0;
  for (int i = 0; i < 100; ++i) apart += std::abs(queries.x.of(2 * i)[0] - queries.x.of(2 * i + 1)[0]);
  EXPECT_GT(apart, 1);
}

TEST(LearnedMatchingData, StylesHavePointsByTheirPoses) {
  zoe::test::Walkers walkers = zoe::test::make_walkers(
      8, "[labels]\nstyles = [\"calm\", \"still\", \"fast\"]\n[condition]\nchannels = [\"style\"]\n");
  // Walks, walks, stands and runs; the last four have no label, but one more walk.
  std::vector<std::vector<features::LabelTrack>> labels(8);
  for (const int i : {0, 1, 4}) labels[idx(i)] = {{"calm", 1, {}}};
  labels[2] = {{"still", 1, {}}};
  labels[3] = {{"fast", 1, {}}};
  walkers.label(labels);
  const MotionDatabase database = walkers.database();
  const Frames plain = features_of(database), y = gather_poses(group_of(walkers)).value();
  const control::StylePoints points = label_points(database, y);
  ASSERT_EQ(points.num_labels(), 3U);
  const auto apart = [&](std::size_t a, std::size_t b) {
    double square = 0;
    for (std::size_t d = 0; d < idx(points.dims); ++d)
      square += std::pow(points.points[a * idx(points.dims) + d] - points.points[b * idx(points.dims) + d], 2.0);
    return std::sqrt(square);
  };
  double square = 0;
  for (const float value : points.points) square += value * value;
  EXPECT_NEAR(square / 3, 1, 1e-4);
  EXPECT_GT(apart(1, 2), apart(0, 2)) << "a walk is between standing and running";
  const Frames x = with_style_vectors(database, plain, points);
  EXPECT_EQ(x.width, plain.width + points.dims);
  EXPECT_EQ(x.of(database.begin_of(2))[idx(plain.width)], points.points[idx(points.dims)]);
  EXPECT_EQ(x.of(database.begin_of(5))[idx(plain.width)], 0) << "no label";

  // Each query finds a frame of its style, whose state gets the query's vector.
  Frames states{x.width + 1, {}};
  for (int f = 0; f < x.count(); ++f) {
    states.values.insert(states.values.end(), x.of(f).begin(), x.of(f).end());
    states.values.push_back(static_cast<float>(f));
  }
  const Queries queries = make_queries(database, x, states);
  int exact = 0;
  for (int i = 0; i < 300; ++i) {
    const auto query = queries.x.of(i).subspan(idx(plain.width)), state = queries.states.of(i);
    EXPECT_TRUE(std::equal(query.begin(), query.end(), state.begin() + plain.width));
    const auto found = x.of(static_cast<int>(state.back())).subspan(idx(plain.width));
    exact += std::equal(query.begin(), query.end(), found.begin()) ? 1 : 0;
  }
  EXPECT_GT(exact, 120) << "half of the queries have the vector of a frame";
  EXPECT_LT(exact, 260) << "others are between two";
}

TEST(LearnedMatchingData, SettingsMayBeForOneNetwork) {
  const std::vector<std::string> all{"train.steps=5", "stepper:train.steps=9", "model.name=a:b"};
  EXPECT_TRUE(check_parts(all));
  EXPECT_EQ(settings_for(all, "stepper"),
            (std::vector<std::string>{"train.steps=5", "train.steps=9", "model.name=a:b"}));
  EXPECT_EQ(settings_for(all, "projector"), (std::vector<std::string>{"train.steps=5", "model.name=a:b"}));
  const auto refused = check_parts({"steper:train.steps=9"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "stepper"));
}

}  // namespace
}  // namespace zoe::author
