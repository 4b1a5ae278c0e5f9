// SPDX-License-Identifier: MIT
// Rules of control at their borders: who counts as a neighbour, damaged levels, words too many, outputs that lack a
// part, actions of a database.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/command.h"
#include "zoe/control/crowd/avoidance.h"
#include "zoe/control/crowd/detail.h"
#include "zoe/control/sources.h"
#include "zoe/core/thread_pool.h"

#include "control/every_type.h"
#include "control/neural/output_map.h"

namespace zoe::control {
namespace {

Pedestrian person(Vec3 position, Vec3 velocity) {
  return {.disc = {position, velocity, 0.3F}, .wanted_mps = velocity, .max_speed_mps = 2};
}
Vec3 first_of(const std::vector<Pedestrian>& people, const AvoidanceOptions& options) {
  Avoidance avoidance(people.size(), options);
  std::vector<Vec3> velocities(people.size());
  ThreadPool pool(0);
  avoidance.run(people, velocities, pool);
  return velocities[0];
}

// Only the nearest count, in whatever order they come.
TEST(AvoidanceBorders, TheNearestNeighboursCount) {
  Random random(12);
  for (int round = 0; round < 40; ++round) {
    std::vector<Pedestrian> people{person({}, {random.uniform(-1, 1), 0, random.uniform(-1, 1)})};
    for (int i = 0; i < 9; ++i) {
      const float far = 0.8F + 0.45F * static_cast<float>(i) + random.uniform(0, 0.2F),
                  angle = random.uniform(0, 6.28F);
      const Vec3 at{far * std::sin(angle), 0, far * std::cos(angle)};
      people.push_back(person(at, at * (-random.uniform(0.2F, 1) / far)));
    }
    for (const int most : {1, 3, 9}) {
      std::vector<Pedestrian> near(people.begin(), people.begin() + 1 + most);
      const AvoidanceOptions options{.max_neighbours = most};
      const Vec3 expected = first_of(near, {.max_neighbours = 32});
      // The farthest first, then any order.
      std::vector<Pedestrian> mixed = people;
      std::reverse(mixed.begin() + 1, mixed.end());
      EXPECT_LT(distance(first_of(mixed, options), expected), 1e-5F) << round << " " << most;
      for (std::size_t i = mixed.size() - 1; i > 1; --i) std::swap(mixed[i], mixed[1 + random.below(i)]);
      EXPECT_LT(distance(first_of(mixed, options), expected), 1e-5F) << round << " " << most;
    }
    EXPECT_EQ(first_of(people, {.max_neighbours = 0}), people[0].wanted_mps);
    // Out of range: as if alone.
    EXPECT_EQ(first_of(people, {.range_m = 0.7F}), people[0].wanted_mps);
  }
}

TEST(AvoidanceBorders, OfTwoAtOnePlaceTheLaterOneSeesTheOtherToItsLeft) {
  const std::vector<Pedestrian> people{person({1, 0, 1}, {}), person({1, 0, 1}, {})};
  Avoidance avoidance(2, {.keep_right_rad = 0});
  std::vector<Vec3> velocities(2);
  ThreadPool pool(0);
  avoidance.run(people, velocities, pool);
  EXPECT_LT(velocities[1].x, -0.1F);
  EXPECT_GT(velocities[0].z, 0.1F);
}

TEST(DetailBorders, LevelsOutOfRangeAreRefused) {
  DetailLevels levels(2);
  StateArchive measure = StateArchive::measuring();
  levels.describe(measure);
  ASSERT_EQ(measure.num_bytes(), 4U);
  for (std::size_t at = 0; at < 4; ++at) {
    for (int value = 0; value < 6; ++value) {
      std::vector<std::byte> bytes(4, std::byte{1});
      bytes[at] = static_cast<std::byte>(value);
      StateArchive check = StateArchive::checking(bytes);
      levels.describe(check);
      EXPECT_EQ(check.problem() == nullptr, value >= 1 && value <= 3) << at << " " << value;
    }
  }
}

TEST(CommandBorders, NoMoreNumbersThanACommandTakes) {
  const auto applied = [](std::string_view line) {
    Intent intent;
    const CommandWords words = split_command(line);
    return apply_command({words.words, words.count}, {}, intent).empty();
  };
  EXPECT_TRUE(applied("ahead 1 0 1 90"));
  EXPECT_FALSE(applied("ahead 1 0 1 90 7"));
  EXPECT_FALSE(applied("go 1 2 3 4 5"));
  EXPECT_FALSE(applied("move 1 2 3"));
  EXPECT_FALSE(applied("stand 1"));
  EXPECT_FALSE(applied("gait"));
  EXPECT_FALSE(applied("face 1 2"));
  EXPECT_FALSE(applied("face velocity now"));
  EXPECT_TRUE(applied("face velocity"));
}

TEST(PathBorders, ShortSearchesAndSamePlaces) {
  const Path path = Path::create({{0, 0, 0}, {0, 0, 3}}).value();
  EXPECT_NEAR(path.nearest({0, 0, 0.0004F}, 0, 0.0005F), 0.0005F, 1e-7F) << "also where all is near";
  EXPECT_NEAR(path.nearest({0, 5, 0.0004F}, 0, 0.0005F), 0.0005F, 1e-7F);
  EXPECT_EQ(path.nearest({0, 0, 9}, 1, 1), 1);
  EXPECT_NEAR(path.nearest({0, 0, 1.234F}, 0, 3), 1.234F, 0.0101F) << "steps of two centimetres";
  EXPECT_FLOAT_EQ(Path::create({{0, 0, 0}, {0, 0, 0.00011F}}).value().length_m(), 0.00011F);
  EXPECT_FALSE(Path::create({{0, 0, 0}, {0, 0, 0.00009F}}));
}

TEST(LabelledSourceBorders, OnlyLabelsThatAre) {
  class Nothing final : public IntentSource {
   public:
    Intent next(const PlanarRoot& /*root*/, double /*dt_s*/) override { return intent; }
    Intent intent;
  };
  const auto labelled = [](int style, int action, const Intent& intent = {}) {
    auto source = std::make_unique<Nothing>();
    source->intent = intent;
    return with_labels(std::move(source), style, action)->next({}, 0.1);
  };
  const auto sum = [](const std::array<float, kMaxLabels>& labels) {
    float total = 0;
    for (const float weight : labels) total += weight;
    return total;
  };
  EXPECT_EQ(labelled(2, -1).styles[2], 1);
  EXPECT_EQ(sum(labelled(2, -1).styles), 1);
  EXPECT_EQ(sum(labelled(2, -1).actions), 0);
  EXPECT_EQ(labelled(-1, kMaxLabels - 1).actions[kMaxLabels - 1], 1);
  EXPECT_EQ(sum(labelled(kMaxLabels, kMaxLabels).styles), 0);
  EXPECT_EQ(sum(labelled(0, 0).styles), 1);
  Intent own;
  own.styles[1] = 0.25F;
  EXPECT_EQ(labelled(2, 2, own).styles[2], 0) << "the source's own";
  EXPECT_EQ(labelled(2, 2, own).actions[2], 1);
  std::array<float, kMaxLabels> weights{};
  weights.fill(0.5F);
  const std::vector<std::string> names{"a", "b"};
  EXPECT_TRUE(set_label(names, "b", "style", 0.75F, weights));
  EXPECT_EQ(weights[1], 0.75F);
  EXPECT_EQ(weights[0], 0.5F);
  EXPECT_TRUE(set_label(names, "none", "style", 1, weights));
  EXPECT_EQ(sum(weights), 0);
  EXPECT_FALSE(set_label(names, "c", "style", 1, weights));
  EXPECT_NE(find_label({}, "c", "style").error().message.find("has no styles"), std::string::npos);
  EXPECT_NE(find_label(names, "c", "style").error().message.find("there are: a, b"), std::string::npos);
}

features::Layout output_layout(const std::string& channels) {
  static const Motion motion = test::walking(synth::Course::kWeave, 2);
  static const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  const auto schema = features::Schema::parse("fps = 30.0\n[output]\nchannels = [" + channels + "]\n");
  EXPECT_TRUE(schema) << schema.error().message;
  return features::Layout::compile(*schema, *motion.skeleton, analysis).value();
}

TEST(OutputMapBorders, AWayNeedsPositionsAndDirections) {
  const auto ways = [](const std::string& channels) { return OutputMap(output_layout(channels)).way_times().count; };
  EXPECT_EQ(ways("\"root parts=position,direction times=0:1:5\""), 5);
  EXPECT_EQ(ways("\"root parts=position,direction,velocity times=0:1:4\""), 4);
  EXPECT_EQ(ways("\"root.position times=0:1:5\""), 0);
  EXPECT_EQ(ways("\"root.direction times=0:1:5\""), 0);
  EXPECT_EQ(ways("\"root.velocity times=0:1:5\""), 0);
  EXPECT_EQ(ways("\"root parts=position,direction\""), 0) << "one moment is no way";
  EXPECT_EQ(ways("\"root parts=position,direction space=goal times=0:1:5\""), 0) << "not from the root";
  EXPECT_EQ(ways("\"root parts=position,direction times=0:1:5\", \"root parts=position,direction times=0:1:3\""), 5);
  // Phases: both signals, of equal times and widths, in pairs of numbers.
  const auto phases = [](const std::string& channels) {
    return OutputMap(output_layout(channels)).phases().num_channels;
  };
  EXPECT_EQ(phases("\"signal name=phase width=6 times=0:1:3\", \"signal name=rhythm width=6 times=0:1:3\""), 3);
  EXPECT_EQ(phases("\"signal name=phase width=6 times=0:1:3\""), 0);
  EXPECT_EQ(phases("\"signal name=rhythm width=6 times=0:1:3\""), 0);
  EXPECT_EQ(phases("\"signal name=phase width=6 times=0:1:3\", \"signal name=rhythm width=4 times=0:1:3\""), 0);
  EXPECT_EQ(phases("\"signal name=phase width=6 times=0:1:3\", \"signal name=rhythm width=6 times=0:1:2\""), 0);
  EXPECT_EQ(phases("\"signal name=phase width=3 times=0:1:3\", \"signal name=rhythm width=3 times=0:1:3\""), 0);
  // Fed back: phases of feet and signals of one moment.
  const OutputMap fed(output_layout(
      "\"contact\", \"phase.local\", \"signal name=wind width=3\", \"signal name=far width=2 times=0:1:2\""));
  ASSERT_EQ(fed.feedback().size(), 2U);
  EXPECT_EQ(fed.feedback()[0].group, features::Group::kPhaseLocal);
  EXPECT_EQ(fed.feedback()[0].column, 2);
  EXPECT_EQ(fed.feedback()[1].name, "wind");
  EXPECT_EQ(fed.feedback()[1].width, 3);
  EXPECT_EQ(fed.feedback()[1].column, fed.feedback()[0].column + fed.feedback()[0].width);
}

// Clips of two actions and of none, each with the style or without.
TEST(MatchLabels, StylesAndActionsChooseTogether) {
  zoe::test::Walkers walkers = zoe::test::make_walkers(6,
                                                       "[labels]\nstyles = [\"proud\"]\nactions = [\"sit\", "
                                                       "\"wave\"]\n[condition]\nchannels = [\"style\", \"action\"]\n",
                                                       "", 100);
  std::vector<std::vector<features::LabelTrack>> labels(6);
  for (std::size_t i = 0; i < 6; ++i) {
    if (i % 2 == 1) labels[i].push_back({"proud", 1, {}});
    if (i / 2 < 2) labels[i].push_back({i / 2 == 0 ? "sit" : "wave", 1, {}});
  }
  walkers.label(labels);
  const auto database = std::make_shared<const MotionDatabase>(walkers.database());
  EXPECT_EQ(std::vector<std::string>(database->tag_names().begin(), database->tag_names().end()),
            (std::vector<std::string>{"proud", "sit", "wave"}));
  const ControllerPtr controller = make_motion_matching(database, test::body_of(walkers), {}).value();
  const auto state = controller->make_state();
  for (const int style : {0, 1}) {
    for (const int action : {2, 0, 1}) {
      Intent intent = Intent::move({0, 0, 1});
      if (style == 1) intent.styles[0] = 0.5F;  // From one half on.
      if (action < 2) intent.actions[static_cast<std::size_t>(action)] = 1;
      if (style == 0) intent.styles[0] = 0.49F;
      for (int f = 0; f < 30; ++f) {
        controller->tick(*state, intent, 1.0 / 60);
        ASSERT_EQ(database->clip_of(match_report(*state).frame), 2 * action + style) << f;
      }
    }
  }
  for (const char* usual : {"sit", "wave"}) {
    MatchOptions options;
    options.usual_action = usual;
    options.usual_style = "proud";
    const ControllerPtr other = make_motion_matching(database, test::body_of(walkers), options).value();
    const auto again = other->make_state();
    EXPECT_EQ(database->clip_of(match_report(*again).frame), usual[0] == 's' ? 1 : 3) << "from the start";
  }
}

}  // namespace
}  // namespace zoe::control
