// SPDX-License-Identifier: MIT
// Sources of intents by their formulas, settings key by key, and what a network's output is read as.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/control/config.h"
#include "zoe/control/lmm.h"
#include "zoe/control/sources.h"
#include "zoe/core/index.h"
#include "zoe/features/decode.h"

#include "control/every_type.h"
#include "control/neural/output_map.h"
#include "support/data.h"

namespace zoe::control {
namespace {

Path corner() { return Path::create({{0, 0, 0}, {0, 0, 3}, {4, 0, 3}}).value(); }

TEST(PathSourceReference, LooksAheadAlongThePathAndLeadsBackToIt) {
  const PathOptions options{.speed_mps = 1.2F, .lead_s = 0.25F, .return_half_life_s = 0.5F};
  const auto source = follow(corner(), options);
  const Path path = corner();
  // Along the first leg, 0.3 m beside it; later shortly before the end.
  float way_m = 0;
  for (const Vec3 at :
       {Vec3{0.3F, 2, 0.6F}, Vec3{0.3F, 0, 1.4F}, Vec3{-0.2F, 0, 2.2F}, Vec3{0.1F, 0, 2.9F}, Vec3{0.9F, 0, 3.3F},
        Vec3{1.8F, 0, 3}, Vec3{2.6F, 0, 2.9F}, Vec3{3.4F, 0, 3}, Vec3{3.9F, 0, 3}}) {
    const Intent intent = source->next({at, 0}, 1.0 / 60);
    way_m = path.nearest(at, way_m, way_m + 1);
    way_m = std::min(way_m, 7.0F);
    Vec3 back = path.at(way_m) - at;
    back.y = 0;
    ASSERT_EQ(intent.num_wanted, kMaxWanted);
    for (int i = 0; i < kMaxWanted; ++i) {
      const float ahead_s = 0.15F * static_cast<float>(i), there = way_m + 1.2F * (ahead_s + 0.25F);
      const Vec3 direction = there < 3 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
      const float rate = std::numbers::ln2_v<float> / 0.5F;
      const Vec3 along = there >= 7 ? Vec3{} : direction * 1.2F;
      const WantedMotion& wanted = intent.wanted[idx(i)];
      EXPECT_NEAR(wanted.time_s, ahead_s, 1e-6F);
      EXPECT_LT(distance(wanted.velocity_mps, along + back * (rate * std::exp(-rate * ahead_s))), 1e-4F) << i;
      EXPECT_NEAR(*wanted.facing_rad, std::atan2(direction.x, direction.z), 1e-5F) << i;
    }
    EXPECT_FALSE(source->done());
  }
  // Never backward, and not over a shortcut of more than a metre.
  const Intent back = source->next({{2, 0, 3}, 0}, 1.0 / 60);
  EXPECT_GT(back.wanted[0].velocity_mps.x, 1.2F) << "it waits at 3.9 m and leads there";
  source->next({{3.94F, 0, 3}, 0}, 1.0 / 60);
  EXPECT_FALSE(source->done());
  source->next({{3.97F, 0, 3}, 0}, 1.0 / 60);
  EXPECT_TRUE(source->done());
  ASSERT_NE(source->path(), nullptr);
  EXPECT_FLOAT_EQ(source->path()->length_m(), 7);
}

TEST(PathSourceReference, WalksAndStandsByTurns) {
  const auto source = follow(corner(), {.speed_mps = 1, .on_s = 1, .off_s = 0.5F});
  for (int tick = 1; tick <= 60; ++tick) {
    const Intent intent = source->next({{0.2F, 0, 0}, 0}, 0.1);
    const float time_s = 0.1F * static_cast<float>(tick);
    for (const int i : {0, 3}) {
      const float phase = std::fmod(time_s + 0.15F * static_cast<float>(i), 1.5F);
      if (std::abs(phase - 1) < 0.01F || phase < 0.01F || phase > 1.49F) continue;  // Rounding decides there.
      EXPECT_EQ(length(intent.wanted[idx(i)].velocity_mps) > 0, phase < 1) << tick << " " << i;
    }
  }
  // A closed path never ends.
  const auto ring = follow(Path::create({{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}, true).value(), {.speed_mps = 1});
  float way_m = 0;
  const Path path = Path::create({{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}, true).value();
  for (int i = 0; i < 100; ++i) {
    way_m += 0.1F;
    EXPECT_GT(length(ring->next({path.at(way_m), 0}, 0.1).wanted[0].velocity_mps), 0.9F);
    EXPECT_FALSE(ring->done());
  }
}

TEST(StickReference, StrengthRisesFromTheDeadZone) {
  const MotionRange range{.walk_mps = 0.7F, .run_mps = 4};  // A stick of 0.8 m/s.
  const auto speed = [&](const Sticks& sticks) { return length(from_sticks(sticks, 0.3F, range).velocity_at(0)); };
  EXPECT_EQ(speed({.move_y = 0.15F}), 0);
  EXPECT_NEAR(speed({.move_y = 0.575F}), 0.4F, 1e-5F);
  EXPECT_NEAR(speed({.move_x = 0.345F, .move_y = 0.46F}), 0.4F, 1e-5F);
  EXPECT_NEAR(speed({.move_x = -1, .move_y = 1}), 0.8F, 1e-5F);
  EXPECT_NEAR(speed({.move_y = 1, .walk = true}), 0.4F, 1e-5F);
  EXPECT_NEAR(speed({.move_y = 1, .run = true}), 1.6F, 1e-5F);
  EXPECT_EQ(from_sticks({.run = true}, 0).gait, Gait::kRun);
  EXPECT_EQ(from_sticks({}, 0).gait, Gait::kAuto);
  const Vec3 v = from_sticks({.move_x = 0.6F, .move_y = 0.8F}, 0.3F, range).velocity_at(0);
  const float angle = 0.3F - std::atan2(0.6F, 0.8F);  // To the right: a smaller facing.
  EXPECT_NEAR(std::atan2(v.x, v.z), angle, 1e-5F);
  EXPECT_NEAR(*from_sticks({.look_x = 0.6F, .look_y = -0.8F}, 0.3F).wanted[0].facing_rad,
              std::remainder(0.3F - std::atan2(0.6F, -0.8F), 6.2831853F), 1e-5F);
  EXPECT_FALSE(from_sticks({.look_x = 0.1F}, 0).wanted[0].facing_rad.has_value());
  const Sticks back_left = from_keys(false, true, true, false, true);
  EXPECT_EQ(back_left.move_x, -1);
  EXPECT_EQ(back_left.move_y, -1);
  EXPECT_TRUE(back_left.run);
  EXPECT_EQ(from_keys(true, true, true, true, false).move_x, 0);
  EXPECT_EQ(from_keys(true, true, true, true, false).move_y, 0);
}

TEST(StickReference, RandomSticksJumpAndRestAThirdOfTheTime) {
  const auto source = random_sticks(5, 2);
  Vec3 last{-9, 0, 0};
  int held = 0, jumps = 0, rests = 0, shortest = 1000, longest = 0;
  Vec3 mean;
  for (int tick = 0; tick < 60000; ++tick) {
    const Vec3 v = source->next({}, 0.02).velocity_at(0);
    ++held;
    if (v == last) continue;
    const float speed = length(v);
    if (jumps > 0 && length(last) > 0 && speed > 0) {  // Two rests in a row look like one.
      shortest = std::min(shortest, held);
      longest = std::max(longest, held);
    }
    EXPECT_TRUE(speed == 0 || (speed >= 0.8F - 1e-4F && speed <= 2 + 1e-4F)) << speed;
    rests += speed == 0 ? 1 : 0;
    mean += v;
    ++jumps;
    held = 0;
    last = v;
  }
  // 1.5 s on average; those seen are 2/3 moving and 2/9 of first rests.
  EXPECT_NEAR(jumps, 1200 / 1.5 * 0.89, 50);
  EXPECT_NEAR(static_cast<double>(rests) / jumps, 0.22 / 0.89, 0.05);
  EXPECT_NEAR(shortest, 26, 2);
  EXPECT_NEAR(longest, 125, 3);
  EXPECT_LT(length(mean) / static_cast<float>(jumps), 0.15F) << "no direction is favoured";
}

TEST(ControllerConfigReference, EveryKeyComesBackAndHasItsRange) {
  const auto folder = zoe::test::temporary_dir("config_keys");
  ControllerConfig config;
  config.type = "pfnn";
  config.body = "b.safetensors";
  config.network = "n.safetensors";
  config.database = "d.safetensors";
  config.licence = "CC BY 4.0";
  NeuralOptions& o = config.neural;
  o.trajectory = {0.11F, 0.12F, 1.3F};
  o.own_way_now = 0.14F;
  o.own_way_far = 0.15F;
  o.predictions_hz = 16;
  o.follow = 0.17F;
  o.phase_stability = 0.18F;
  o.label_half_life_s = 0.19F;
  o.correction = {0.21F, 0.22F, 0.23F};
  o.lock_feet = false;
  o.usual_style = "old";
  o.usual_action = "wave";
  ASSERT_TRUE(save_controller_config(folder, config));
  const ControllerConfig back = load_controller_config(folder).value();
  EXPECT_EQ(back.type, "pfnn");
  EXPECT_EQ(back.body, "b.safetensors");
  EXPECT_EQ(back.network, "n.safetensors");
  EXPECT_EQ(back.database, "d.safetensors");
  EXPECT_EQ(back.licence, "CC BY 4.0");
  const NeuralOptions& p = back.neural;
  EXPECT_NEAR(p.trajectory.velocity_half_life_s, 0.11F, 1e-6F);
  EXPECT_NEAR(p.trajectory.facing_half_life_s, 0.12F, 1e-6F);
  EXPECT_NEAR(p.trajectory.max_turn_speed_rad_s, 1.3F, 1e-6F);
  EXPECT_NEAR(p.own_way_now, 0.14F, 1e-6F);
  EXPECT_NEAR(p.own_way_far, 0.15F, 1e-6F);
  EXPECT_NEAR(p.predictions_hz, 16, 1e-6F);
  EXPECT_NEAR(p.follow, 0.17F, 1e-6F);
  EXPECT_NEAR(p.phase_stability, 0.18F, 1e-6F);
  EXPECT_NEAR(p.label_half_life_s, 0.19F, 1e-6F);
  EXPECT_NEAR(p.correction.position_half_life_s, 0.21F, 1e-6F);
  EXPECT_NEAR(p.correction.facing_half_life_s, 0.22F, 1e-6F);
  EXPECT_NEAR(p.correction.share, 0.23F, 1e-6F);
  EXPECT_FALSE(p.lock_feet);
  EXPECT_EQ(p.usual_style, "old");
  EXPECT_EQ(p.usual_action, "wave");
  const auto reads = [](const std::string& line) { return parse_controller_config(line, "c.toml").has_value(); };
  EXPECT_TRUE(reads("kind = \"mm\"\n"));
  EXPECT_TRUE(reads("[trajectory]\nvelocity_half_life_s = 0\n"));
  EXPECT_FALSE(reads("[trajectory]\nvelocity_half_life_s = -0.01\n"));
  EXPECT_TRUE(reads("[sequence]\npredictions_hz = 999\n"));
  EXPECT_FALSE(reads("[sequence]\npredictions_hz = 1000\n"));
  EXPECT_TRUE(reads("[pose]\nfollow = 1\n"));
  EXPECT_TRUE(reads("[pose]\nfollow = 0.1\n"));
  EXPECT_FALSE(reads("[pose]\nfollow = 1.01\n"));
  EXPECT_FALSE(reads("[pose]\nfollow = 0.09\n"));
}

// The way that a network predicts, at a root that is turned: positions, facings and velocities of the clip itself.
TEST(OutputMapReference, ReadsWaysAndFeedback) {
  const test::Walker walker = test::make_walker("mann");
  const features::Layout& layout = walker.layout;
  const OutputMap map(layout);
  std::vector<float> y(layout.size(features::BlockKind::kOutput));
  const features::Sample sample{0, 60, 0};
  ASSERT_TRUE(
      (features::GatherJob{.layout = &layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = y}.run()));
  const auto row_at = [&](int k) { return walker.rows.data() + idx(k * layout.frame_width()); };
  features::ControlSeries way = features::ControlSeries::standing(map.way_times(), {});
  const float* now = row_at(61);
  const PlanarRoot root{{now[features::row::kX], 0, now[features::row::kZ]}, now[features::row::kFacing]};
  // The same output at another root is the same way, moved there.
  const PlanarRoot elsewhere{{4, 0, -7}, root.facing_rad + 1.3F};
  features::ControlSeries moved = way;
  map.read_way(y, root, way);
  map.read_way(y, elsewhere, moved);
  float fastest = 0;
  for (int i = 0; i < way.times.count; ++i) {
    const float* ahead = row_at(61 + 5 * i);
    const Vec3 velocity{ahead[features::row::kVelocityX], 0, ahead[features::row::kVelocityZ]};
    EXPECT_LT(distance(way.velocities[idx(i)], velocity), 1e-3F) << i;
    fastest = std::max(fastest, length(velocity));
    const RootDelta delta = delta_between(root, way.roots[idx(i)]);
    const PlanarRoot there = moved_by(elsewhere, delta);
    EXPECT_LT(distance(there.position, moved.roots[idx(i)].position), 1e-4F) << i;
    EXPECT_NEAR(std::remainder(there.facing_rad - moved.roots[idx(i)].facing_rad, 6.2831853F), 0, 1e-4F) << i;
    EXPECT_NEAR(length(moved.velocities[idx(i)]), length(velocity), 1e-3F) << i;
  }
  EXPECT_GT(fastest, 0.3F);
  EXPECT_TRUE(map.feedback().empty());
  EXPECT_EQ(map.phases().times.count, 0);
  const test::Walker feet = test::make_walker("lmp");
  const OutputMap local(feet.layout);
  ASSERT_EQ(local.feedback().size(), 1U);
  EXPECT_EQ(local.feedback()[0].group, features::Group::kPhaseLocal);
  const test::Walker deep = test::make_walker("deepphase");
  const OutputMap phases(deep.layout);
  EXPECT_TRUE(phases.feedback().empty()) << "phases are advanced, not fed back";
  EXPECT_EQ(phases.phases().num_channels, 5);
  EXPECT_GT(phases.phases().times.count, 1);
}

// Networks that always say the same step: the root creeps below 0.05 m/s not at all, above 0.12 m/s as it is said.
TEST(LearnedMatchingReference, SmallStepsOfTheRootFade) {
  static const zoe::test::Walkers walkers = zoe::test::make_walkers(2, "", "", 100);
  const MotionDatabase database = walkers.database();
  const features::Layout& layout = walkers.layout;
  const auto dims = idx(database.num_dims());
  const std::size_t outputs = layout.size(features::BlockKind::kOutput);
  std::vector<float> y(outputs);
  const features::ClipRows rows = walkers.sources()[0].rows;
  const features::Sample sample{0, 30, 0};
  ASSERT_TRUE(
      (features::GatherJob{.layout = &layout, .clips = {&rows, 1}, .samples = {&sample, 1}, .output = y}.run()));
  const features::Decoder decoder = features::Decoder::create(layout, walkers.skeleton).value();
  int column = -1;
  const auto& channels = layout.schema().block(features::BlockKind::kOutput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (channels[c].group == features::Group::kRootDelta)
      column = layout.columns(features::BlockKind::kOutput)[c].begin;
  ASSERT_GE(column, 0);
  float* delta = y.data() + column;  // x, turn, z.
  const auto calibrate = [&](int at) {
    std::fill_n(delta, 3, 0.0F);
    delta[at] = 1;
    const RootDelta step = decoder.root_step(y);
    delta[at] = 0;
    return at == 1 ? step.turn_rad : length(step.translation);
  };
  const float per_metre = 1 / calibrate(2), per_radian = 1 / calibrate(1);
  const auto constant = [](std::size_t in, const char* from, const char* to, const std::vector<float>& out) {
    nn::GraphBuilder b;
    const std::vector<float> zeros(in * out.size());
    b.output(to, b.linear(b.input(from, static_cast<int>(in)), "all", {out.size(), in}, zeros, out));
    return nn::Network::compile(std::move(b).build().value()).value();
  };
  const std::vector<float> state(dims + 1);
  // The root's speed along and its turn, after one tick, for a said speed and turn.
  const auto ticked = [&](float speed_mps, float turn_rad_s) {
    delta[2] = speed_mps / 60 * per_metre;
    delta[1] = turn_rad_s / 60 * per_radian;
    MatchOptions options;
    options.stretch = options.bend_rad_s = options.correction.share = 0;
    options.transition_cost = 1e9F;
    const ControllerPtr controller = make_learned_matching({.body = test::body_of(walkers),
                                                            .layout = layout,
                                                            .normalisation = database.normalisation(),
                                                            .decompressor = constant(dims + 1, "s", "y", y),
                                                            .stepper = constant(dims + 1, "s", "s", state),
                                                            .projector = constant(dims, "x", "s", state),
                                                            .options = options})
                                         .value();
    const auto character = controller->make_state();
    controller->tick(*character, Intent::move({0, 0, 1}), 1.0 / 60);
    return std::pair{length(character->root().position) * 60, character->root().facing_rad * 60};
  };
  EXPECT_NEAR(ticked(0.049F, 0).first, 0, 1e-4F);
  EXPECT_NEAR(ticked(0.085F, 0).first, 0.085F / 2, 1e-3F) << "half way between the two speeds";
  EXPECT_NEAR(ticked(0.121F, 0).first, 0.121F, 1e-3F);
  EXPECT_NEAR(ticked(1, 0).first, 1, 1e-2F);
  EXPECT_NEAR(ticked(0, 0.049F).second, 0, 1e-4F);
  EXPECT_NEAR(ticked(0, -0.1F).second, -0.05F, 1e-3F);
  EXPECT_NEAR(ticked(0, 0.151F).second, 0.151F, 1e-3F);
  EXPECT_NEAR(ticked(0.085F, 0.02F).second, 0.01F, 1e-3F) << "who walks may turn slowly";
  EXPECT_NEAR(ticked(1, 0.02F).second, 0.02F, 1e-3F);
}

}  // namespace
}  // namespace zoe::control
