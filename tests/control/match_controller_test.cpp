// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"
#include "zoe/control/crowd.h"
#include "zoe/control/lmm.h"
#include "zoe/control/load.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/control/sources.h"
#include "zoe/control/types.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/courses.h"
#include "zoe/math/finite.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"

#include "control/match/feature_space.h"
#include "control/oracle.h"
#include "control/walkers.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::control {
namespace {

std::vector<features::ClipRows> rows_of(const test::Walkers& walkers) {
  std::vector<features::ClipRows> rows;
  for (const author::DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
  return rows;
}

ControllerPtr make_controller(const test::Walkers& walkers, const MatchOptions& options = {}) {
  const Body body = author::make_body(walkers.layout, walkers.skeleton, rows_of(walkers)).value();
  return make_motion_matching(std::make_shared<const MotionDatabase>(walkers.database()), body, options).value();
}

// Walks along every course, stands and runs; shared by the tests.
const test::Walkers& walkers() {
  static const test::Walkers made = test::make_walkers(16, "", "", 240);
  return made;
}

float planar(Vec3 v) { return std::hypot(v.x, v.z); }

struct Ride {
  std::vector<PlanarRoot> roots;
  float largest_step_m = 0, largest_turn_rad = 0;
  double slide_mps = 0;  // Mean of joints while they are in contact.
  bool sound = true;
};

Ride ride(const Controller& controller, IntentSource& source, double seconds) {
  const auto state = controller.make_state();
  std::vector<Affine> models(idx(controller.skeleton()->num_joints()));
  std::vector<Vec3> before(controller.contact_joints().size());
  std::vector<float> touched(before.size(), 0);
  Ride out;
  double slide = 0, contacts = 0;
  for (int f = 0; f < static_cast<int>(seconds * 60); ++f) {
    const PlanarRoot last = state->root();
    controller.tick(*state, source.next(last, 1.0 / 60), 1.0 / 60);
    out.roots.push_back(state->root());
    out.largest_step_m = std::max(out.largest_step_m, planar(state->root().position - last.position));
    out.largest_turn_rad =
        std::max(out.largest_turn_rad, std::abs(wrapped(state->root().facing_rad - last.facing_rad)));
    out.sound = out.sound && all_finite(state->pose().translations) && all_unit(state->pose().rotations, 1e-3F);
    compute_model_from_joint(*controller.skeleton(), state->pose(), models);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3 place = models[idx(controller.contact_joints()[i])].t;
      if (touched[i] > 0.5F && state->contacts()[i] > 0.5F) {
        slide += static_cast<double>(planar(place - before[i]) * 60);
        ++contacts;
      }
      before[i] = place;
      touched[i] = state->contacts()[i];
    }
  }
  out.slide_mps = slide / std::max(contacts, 1.0);
  out.sound = out.sound && state->num_recoveries() == 0;
  return out;
}

TEST(MotionMatching, FollowsACircleStopsAndTurns) {
  const ControllerPtr controller = make_controller(walkers());
  EXPECT_STREQ(controller->type(), "mm");
  const auto circle = eval::make_course("circle", 1.0F).value();
  const Ride round = ride(*controller, *circle, 20);
  ASSERT_TRUE(round.sound);
  double error = 0, way = 0;
  for (std::size_t f = 120; f < round.roots.size(); ++f) {
    const Path& path = *circle->path();
    error += static_cast<double>(
        distance(path.at(path.nearest(round.roots[f].position, 0, path.length_m())), round.roots[f].position));
    way += static_cast<double>(planar(round.roots[f].position - round.roots[f - 1].position));
  }
  EXPECT_LT(error / static_cast<double>(round.roots.size() - 120), 0.10);
  EXPECT_GT(way, 12);
  // Never teleports: no step faster than 5 m/s, no turn faster than two rounds a second.
  EXPECT_LT(round.largest_step_m, 5.0F / 60);
  EXPECT_LT(round.largest_turn_rad, 12.6F / 60);

  const auto script = parse_script("0 move 0 1.2\n4 stand\n8 move 1.2 0\n").value();
  const Ride turns = ride(*controller, *script, 12);
  ASSERT_TRUE(turns.sound);
  EXPECT_GT(turns.roots[239].position.z, 3.0F);
  const float crept = planar(turns.roots[479].position - turns.roots[320].position);
  EXPECT_LT(crept, 0.1F);  // It stands from 1.3 s after being told.
  EXPECT_NEAR(wrapped(turns.roots.back().facing_rad - 1.5708F), 0, 0.4F);
}

TEST(MotionMatching, LockedFeetSlideLess) {
  const auto circle = eval::make_course("circle", 1.0F).value(), again = eval::make_course("circle", 1.0F).value();
  const double locked = ride(*make_controller(walkers()), *circle, 10).slide_mps;
  const double free = ride(*make_controller(walkers(), {.lock_feet = false}), *again, 10).slide_mps;
  EXPECT_LT(locked, 0.5 * free);
  EXPECT_LT(locked, 0.10);
}

// The soft locks of networks: in reversals a foot that is given back steps instead of catching up over the ground.
TEST(MotionMatching, SoftLocksSlideLessInReversals) {
  const auto slide = [](const LockOptions& locks) {
    const auto script =
        parse_script("0 move 0 1.2\n2 move 0 -1.2\n4 move 0 1.2\n6 move 0 -1.2\n8 move 1.2 0\n10 move -1.2 0\n")
            .value();
    const Ride out = ride(*make_controller(walkers(), {.locks = locks}), *script, 12);
    EXPECT_TRUE(out.sound);
    return out.slide_mps;
  };
  EXPECT_LT(slide(gentle_locks()), 0.7 * slide({}));
}

TEST(MotionMatching, TicksNeverAllocate) {
  for (const auto blend : {MatchOptions::Blend::kInertialize, MatchOptions::Blend::kDeadBlend}) {
    const ControllerPtr controller = make_controller(walkers(), {.blend = blend});
    const auto state = controller->make_state();
    controller->tick(*state, Intent::stand(), 1.0 / 60);
    const auto sticks = random_sticks(3);
    const test::AllocationMeter meter;
    // A third of the sticks stand, and a stand searches nothing.
    for (int f = 0; f < 1200; ++f) controller->tick(*state, sticks->next(state->root(), 1.0 / 60), 1.0 / 60);
    EXPECT_EQ(meter.allocations(), 0U);
    EXPECT_GT(match_report(*state).num_switches, 5);
    EXPECT_GE(match_report(*state).num_searches, 100);
  }
}

void expect_harmless(const Controller& controller) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto state = controller.make_state({.root = {{3, 0, -2}, 1}});
  int ticks = 0;
  for (const double fps : {1.0, 7.0, 60.0, 1000.0, 0.0, -1.0}) {
    for (const Vec3 stick :
         {Vec3{kNan, 0, 1}, Vec3{1e30F, 0, -1e30F}, Vec3{0, kNan, 12}, Vec3{-1, 0, 0}, Vec3{0, 0, 0}}) {
      for (int i = 0; i < (fps > 100 ? 300 : 20); ++i, ++ticks) {
        controller.tick(*state, Intent::move(stick, i % 2 == 0 ? stick.x : 0.0F), fps > 0 ? 1 / fps : fps);
        ASSERT_TRUE(all_finite(state->pose().translations)) << ticks;
        ASSERT_TRUE(all_unit(state->pose().rotations, 1e-3F)) << ticks;
        // Upright: joint 0 of the walkers carries the hips.
        ASSERT_GT(state->pose().translations[0].y, 0.5F) << ticks;
      }
    }
  }
  EXPECT_EQ(state->num_recoveries(), 0);
}

TEST(MotionMatching, BadSticksAndFrameRatesAreHarmless) { expect_harmless(*make_controller(walkers())); }

TEST(MotionMatching, TheSameEveryTimeAloneOrInACrowd) {
  const ControllerPtr controller = make_controller(walkers());
  const std::vector<PlanarRoot> places(5);
  Crowd crowd(controller, places);
  ThreadPool pool(1);
  const auto alone = controller->make_state();
  for (int f = 0; f < 200; ++f) {
    const Intent wish = Intent::move({std::sin(0.02F * static_cast<float>(f)), 0, 1});
    const std::vector<Intent> wishes(places.size(), wish);
    crowd.tick(wishes, 1.0 / 60, pool);
    controller->tick(*alone, wish, 1.0 / 60);
  }
  for (int i = 0; i < crowd.size(); ++i) EXPECT_EQ(crowd.state(i).hash(), alone->hash());
}

TEST(MotionMatching, QuadrupedsHaveFourFeet) {
  const test::Walkers dogs = test::make_walkers(8, "", "", 240, BodyFamily::kQuadruped);
  const MotionDatabase database = dogs.database();
  EXPECT_EQ(database.num_dims(), 39);
  const ControllerPtr controller = make_controller(dogs);
  const auto straight = eval::make_course("straight", 1.0F).value();
  const Ride out = ride(*controller, *straight, 6);
  EXPECT_TRUE(out.sound);
  EXPECT_GT(planar(out.roots.back().position), 2.0F);
}

// Every third clip is proud, every third sad, the others are nothing.
test::Walkers proud_and_sad_walkers() {
  test::Walkers styled =
      test::make_walkers(12, "[labels]\nstyles = [\"proud\", \"sad\"]\n[condition]\nchannels = [\"style\"]\n", "", 240);
  std::vector<std::vector<features::LabelTrack>> labels(12);
  for (std::size_t i = 0; i < 12; ++i)
    if (i % 3 < 2) labels[i] = {{i % 3 == 0 ? "proud" : "sad", 1, {}}};
  styled.label(labels);
  return styled;
}

TEST(MotionMatching, PlaysTheStyleThatIsWishedFor) {
  const test::Walkers styled = proud_and_sad_walkers();
  const MotionDatabase database = styled.database();
  EXPECT_EQ(database.num_dims(), 27);  // Labels are no features.
  for (const char* usual : {"", "sad"}) {
    const ControllerPtr controller = make_controller(styled, {.usual_style = usual});
    ASSERT_EQ(controller->styles().size(), 2U);
    const auto state = controller->make_state();
    for (const int wish : {-1, 0, 1, -1, 0}) {
      Intent intent = Intent::move({0, 0, 1});
      if (wish >= 0) intent.styles[idx(wish)] = 1;
      const int expected = wish >= 0 ? wish : usual[0] != 0 ? 1 : 2;
      for (int f = 0; f < 90; ++f) {
        controller->tick(*state, intent, 1.0 / 60);
        ASSERT_EQ(database.clip_of(match_report(*state).frame) % 3, expected) << wish << " " << f;
      }
    }
  }
}

// Frames are played, not blended: of a mix the style with the largest weight, of a small weight the usual one.
TEST(MotionMatching, PlaysTheHeaviestStyleOfAMix) {
  const test::Walkers styled = proud_and_sad_walkers();
  const MotionDatabase database = styled.database();
  const ControllerPtr controller = make_controller(styled, {});
  struct Case {
    float proud, sad;
    int expected;  // 2: no style.
  };
  for (const Case& c : {Case{0.5F, 0.5F, 0}, {0.4F, 0.6F, 1}, {0.4F, 0.45F, 1}, {0.2F, 0, 2}, {1.5F, -0.5F, 0}}) {
    const auto state = controller->make_state();
    Intent intent = Intent::move({0, 0, 1});
    intent.styles[0] = c.proud;
    intent.styles[1] = c.sad;
    for (int f = 0; f < 60; ++f) controller->tick(*state, intent, 1.0 / 60);
    EXPECT_EQ(database.clip_of(match_report(*state).frame) % 3, c.expected) << c.proud << " " << c.sad;
  }
}

TEST(MotionMatching, ComesBackFromItsRunFolder) {
  const auto folder = test::temporary_dir("match_run");
  const Body body = author::make_body(walkers().layout, walkers().skeleton, rows_of(walkers())).value();
  ASSERT_TRUE(save_body(folder / "body.safetensors", body));
  ASSERT_TRUE(walkers().database().save(folder / "database.safetensors", "CC0"));
  NeuralOptions from_config;
  from_config.locks = gentle_locks();
  ASSERT_TRUE(save_controller_config(
      folder, {.type = "mm", .network = "", .database = "database.safetensors", .neural = from_config}));
  const auto loaded = load_controller(folder);
  ASSERT_TRUE(loaded) << loaded.error().format();
  const ControllerPtr made = make_controller(
      walkers(),
      {.trajectory = from_config.trajectory, .correction = from_config.correction, .locks = from_config.locks});
  const auto a = made->make_state(), b = (*loaded)->make_state();
  for (int f = 0; f < 120; ++f) {
    made->tick(*a, Intent::move({0.5F, 0, 1}), 1.0 / 60);
    (*loaded)->tick(*b, Intent::move({0.5F, 0, 1}), 1.0 / 60);
  }
  EXPECT_EQ(a->hash(), b->hash());
  std::filesystem::remove(folder / "database.safetensors");
  const auto missing = load_controller(folder);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().format().find("database.safetensors"), std::string::npos);
}

const test::Oracle& oracle() {
  static const test::Oracle made = test::make_oracle(walkers(), walkers().database());
  return made;
}

LearnedMatchingParts learned_parts(const MatchOptions& options = {}) {
  return {.body = author::make_body(walkers().layout, walkers().skeleton, rows_of(walkers())).value(),
          .layout = walkers().layout,
          .normalisation = walkers().database().normalisation(),
          .decompressor = nn::Network::compile(oracle().decompressor).value(),
          .stepper = nn::Network::compile(oracle().stepper).value(),
          .projector = nn::Network::compile(oracle().projector).value(),
          .options = options};
}

TEST(LearnedMatching, WithNetworksThatKnowAllItIsMotionMatching) {
  const MotionDatabase database = walkers().database();
  const MatchOptions options{.lock_feet = false};
  const ControllerPtr controller = make_learned_matching(learned_parts(options)).value();
  EXPECT_STREQ(controller->type(), "lmm");
  const auto state = controller->make_state();
  const auto sticks = random_sticks(5);
  Pose wanted = make_pose(*walkers().skeleton);
  std::vector<float> features(idx(database.num_dims()));
  std::int64_t switches = 0;
  int since = 0, since_stand = 0, compared = 0;
  for (int f = 0; f < 2400; ++f) {
    const Intent intent = sticks->next(state->root(), 1.0 / 60);
    controller->tick(*state, intent, 1.0 / 60);
    since_stand = length(intent.velocity_at(0)) > 0 ? since_stand + 1 : 0;
    const LearnedMatchReport report = learned_match_report(*state);
    const int frame = static_cast<int>(report.state.back());
    database.features(frame, features);
    for (std::size_t c = 0; c < features.size(); ++c) ASSERT_EQ(report.state[c], features[c]);
    since = report.num_switches == switches ? since + 1 : 0;
    switches = report.num_switches;
    if (since < 25 || since_stand < 90) continue;  // A switch is over after 0.35 s, a stand after a step or two.
    database.pose(frame, wanted);
    for (int j = 1; j < walkers().skeleton->num_joints(); ++j)
      ASSERT_GT(std::abs(dot(wanted.rotations[idx(j)], state->pose().rotations[idx(j)])), 0.9999F);
    ++compared;
  }
  EXPECT_GT(switches, 10);
  EXPECT_GT(compared, 50);
  const auto circle = eval::make_course("circle", 1.0F).value();
  const Ride round = ride(*make_learned_matching(learned_parts()).value(), *circle, 12);
  ASSERT_TRUE(round.sound);
  EXPECT_LT(round.largest_step_m, 5.0F / 60);
  EXPECT_LT(round.slide_mps, 0.15);
  for (std::size_t f = 120; f < round.roots.size(); ++f) {
    const Path& path = *circle->path();
    const float off =
        distance(path.at(path.nearest(round.roots[f].position, 0, path.length_m())), round.roots[f].position);
    ASSERT_LT(off, 0.5F);
  }
}

// What is asked for a clip's own way is the clip's own row, and the way read from it is its own.
TEST(LearnedMatching, FeaturesOfAReplayedClipAreItsRows) {
  const MotionDatabase database = walkers().database();
  const FeatureSpace space(database.layout(), database.normalisation());
  auto ahead = features::ControlSeries::standing(space.times_ahead(), {});
  std::vector<float> row(idx(database.num_dims())), found(row), scratch(row);
  float worst = 0;
  for (int f = 0; f + 61 < 240; ++f) {
    for (int i = 0; i < ahead.times.count; ++i)
      ahead.roots[idx(i)] = database.root(f + static_cast<int>(std::lround(ahead.times.at(i) * 60)));
    database.features(f, row);
    space.ask(row, database.root(f), ahead, found, scratch);
    for (std::size_t c = 0; c < row.size(); ++c) worst = std::max(worst, std::abs(row[c] - found[c]));
    const RootDelta real = delta_between(database.root(f), database.root(f + 20));
    const PlayedWay way = space.way_of(row).value();
    ASSERT_NEAR(way.time_s, 1.0F / 3, 1e-6F);
    ASSERT_LT(distance(way.delta.translation, real.translation), 1e-4F);
    ASSERT_NEAR(wrapped(way.delta.turn_rad - real.turn_rad), 0, 1e-4F);
  }
  EXPECT_LT(worst, 1e-3F);
}

TEST(LearnedMatching, ACrowdGoesAsEachAloneAndNothingAllocates) {
  const ControllerPtr controller = make_learned_matching(learned_parts()).value();
  const std::vector<PlanarRoot> places(70);
  Crowd crowd(controller, places);
  std::vector<std::unique_ptr<ControllerState>> alone;
  for (const PlanarRoot& place : places) alone.push_back(controller->make_state({.root = place}));
  ThreadPool none(0);
  std::vector<Intent> wishes(places.size());
  for (int f = 0; f < 60; ++f) {
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      const float angle = 0.3F * static_cast<float>(i) + (f < 30 ? 0.0F : 2.0F);
      wishes[i] = Intent::move({std::sin(angle), 0, std::cos(angle)});
    }
    const test::AllocationMeter meter;
    crowd.tick(wishes, 1.0 / 60, none);
    controller->tick(*alone[0], wishes[0], 1.0 / 60);
    EXPECT_EQ(meter.allocations(), 0U);
    for (std::size_t i = 1; i < alone.size(); ++i) controller->tick(*alone[i], wishes[i], 1.0 / 60);
  }
  // Networks round differently in batches: of frames that are equally near another one may win.
  int apart = 0;
  for (int i = 0; i < crowd.size(); ++i)
    if (distance(crowd.state(i).root().position, alone[idx(i)]->root().position) > 1e-4F) ++apart;
  EXPECT_LE(apart, 3);
  const auto again = controller->make_state();
  for (int f = 0; f < 60; ++f) controller->tick(*again, Intent::move({0, 0, 1}), 1.0 / 60);
  const PlanarRoot root = again->root();
  const std::vector<Quat> rotations(again->pose().rotations.begin(), again->pose().rotations.end());
  controller->place(*again, {});
  controller->reset(*again);
  for (int f = 0; f < 60; ++f) controller->tick(*again, Intent::move({0, 0, 1}), 1.0 / 60);
  EXPECT_EQ(again->root().position, root.position);
  EXPECT_TRUE(std::equal(rotations.begin(), rotations.end(), again->pose().rotations.begin()));
}

TEST(LearnedMatching, BadSticksAndFrameRatesAreHarmless) {
  expect_harmless(*make_learned_matching(learned_parts()).value());
}

TEST(LearnedMatching, ComesBackFromItsRunFolderAndNamesWhatIsMissing) {
  const auto folder = test::temporary_dir("lmm_run");
  const LearnedMatchingParts parts = learned_parts();
  ASSERT_TRUE(save_body(folder / "body.safetensors", parts.body));
  ASSERT_TRUE(nn::write_graph(folder / kDecompressorFile, oracle().decompressor));
  ASSERT_TRUE(nn::write_graph(folder / kStepperFile, oracle().stepper));
  ASSERT_TRUE(nn::write_graph(folder / kProjectorFile, oracle().projector));
  features::Normalisation normalisation;
  normalisation.blocks[0] = parts.normalisation;
  const std::size_t outputs = parts.layout.size(features::BlockKind::kOutput);
  normalisation.blocks[1] = {std::vector<float>(outputs, 0.0F), std::vector<float>(outputs, 1.0F)};
  ASSERT_TRUE(features::save_normalisation(folder / kFeaturesFile, parts.layout, normalisation));
  ASSERT_TRUE(save_controller_config(folder, {.type = "lmm", .network = kDecompressorFile}));
  const auto loaded = load_controller(folder);
  ASSERT_TRUE(loaded) << loaded.error().format();
  const auto state = (*loaded)->make_state();
  for (int f = 0; f < 180; ++f) (*loaded)->tick(*state, Intent::move({0, 0, 1}), 1.0 / 60);
  EXPECT_GT(state->root().position.z, 1.5F);
  for (const char* part : {kFeaturesFile, kProjectorFile, kStepperFile, kDecompressorFile}) {
    std::filesystem::remove(folder / part);
    const auto missing = load_controller(folder);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().format().find(part), std::string::npos) << missing.error().format();
  }
}

TEST(LearnedMatching, RefusesWhatDoesNotFitTogether) {
  const test::Walkers dogs = test::make_walkers(2, "", "", 240, BodyFamily::kQuadruped);
  LearnedMatchingParts other = learned_parts();
  other.body = author::make_body(dogs.layout, dogs.skeleton, rows_of(dogs)).value();
  EXPECT_FALSE(make_learned_matching(other));
  LearnedMatchingParts swapped = learned_parts();
  std::swap(swapped.stepper, swapped.decompressor);
  const auto refused = make_learned_matching(swapped);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("stepper"), std::string::npos);
}

}  // namespace
}  // namespace zoe::control
