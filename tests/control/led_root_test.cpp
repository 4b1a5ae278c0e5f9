// SPDX-License-Identifier: MIT
// Roots that are led: trajectories, corrections and leads against their formulas; paths and proportions by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/control/command.h"
#include "zoe/control/proportions.h"
#include "zoe/control/sources.h"
#include "zoe/control/trajectory.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

TEST(TrajectoryReference, AccelerationIsTheSlopeOfTheVelocity) {
  const TrajectoryPoint now{{{1, 0, 2}, 0.3F}, {0.5F, 0, -1}, {2, 0, 1}, 0.4F};
  const Vec3 goal{1, 0, 1.5F};
  for (const float t : {0.05F, 0.2F, 0.6F}) {
    constexpr float kStep = 1e-3F;
    const TrajectoryPoint before = advance(now, goal, {}, t - kStep), at = advance(now, goal, {}, t),
                          after = advance(now, goal, {}, t + kStep);
    EXPECT_LT(distance((after.velocity_mps - before.velocity_mps) / (2 * kStep), at.acceleration_mps2), 0.02F) << t;
    EXPECT_LT(distance((after.root.position - before.root.position) / (2 * kStep), at.velocity_mps), 0.01F) << t;
  }
  // A spring of its own half-life for the facing; both are stated.
  const TrajectoryOptions options{.velocity_half_life_s = 0.4F, .facing_half_life_s = 0.1F};
  const TrajectoryPoint later = advance(now, goal, 1.0F, 0.15F, options);
  const Spring<float> facing = zoe::advance(Spring<float>{0.3F, 0.4F}, 1.0F, 0.1F, 0.15F);
  EXPECT_NEAR(later.root.facing_rad, facing.value, 1e-5F);
  EXPECT_NEAR(later.turn_speed_rad_s, facing.velocity, 1e-4F);
  const Spring<float> velocity = zoe::advance(Spring<float>{-1, 1}, 1.5F, 0.4F, 0.15F);
  EXPECT_NEAR(later.velocity_mps.z, velocity.value, 1e-4F);
  EXPECT_NEAR(later.acceleration_mps2.z, velocity.velocity, 1e-3F);
}

TEST(TrajectoryReference, TurnsAreCutInAngleAndSpeed) {
  const TrajectoryOptions options{.facing_half_life_s = 1e-3F, .max_turn_speed_rad_s = 2};
  TrajectoryPoint now;
  now.turn_speed_rad_s = 50;
  EXPECT_NEAR(advance(now, {}, 1.5F, 0.1F, options).root.facing_rad, 0.2F, 1e-5F);
  EXPECT_NEAR(advance({}, {}, -1.5F, 0.1F, options).root.facing_rad, -0.2F, 1e-5F);
  EXPECT_LE(std::abs(advance(now, {}, 1.5F, 1e-4F, options).turn_speed_rad_s), 2);
  // Past a half turn the other way is shorter.
  EXPECT_LT(advance({}, {}, 3.3F, 0.1F).root.facing_rad, 0);
  EXPECT_GT(advance({}, {}, 3.0F, 0.1F).root.facing_rad, 0);
}

TEST(TrajectoryReference, PredictionIsStepsOfATenthAtMost) {
  Intent intent;
  intent.num_wanted = 2;
  intent.wanted[0] = {0, {0, 0, 2}, {}};
  intent.wanted[1] = {0.5F, {2, 0, 0}, 1.0F};
  auto series = features::ControlSeries::standing({0, 0.75, 4}, {});
  TrajectoryPoint point;
  point.velocity_mps = {0.3F, 0, 1};
  predict(point, intent, series);
  double time_s = 0;
  for (int i = 0; i < 4; ++i) {
    while (series.times.at(i) - time_s > 1e-6) {
      const double step = std::min(0.1, series.times.at(i) - time_s);
      const auto middle = static_cast<float>(time_s + step / 2);
      point = advance(point, intent.velocity_at(middle), intent.facing_at(middle), static_cast<float>(step));
      time_s += step;
    }
    const auto k = static_cast<std::size_t>(i);
    EXPECT_LT(distance(series.roots[k].position, point.root.position), 1e-4F) << i;
    EXPECT_NEAR(series.roots[k].facing_rad, point.root.facing_rad, 1e-4F) << i;
    EXPECT_LT(distance(series.velocities[k], point.velocity_mps), 1e-4F) << i;
  }
}

TEST(RootCorrectionReference, HalfTheWayAHalfLifeAndNeverMoreThanItsShare) {
  const RootCorrection options{.position_half_life_s = 0.2F, .facing_half_life_s = 0.4F, .share = 0.25F};
  // Fast enough: 1 - 2^(-dt / half-life) of the way.
  const PlanarRoot fast = corrected({{1, 0, 1}, 0.5F}, {{1.04F, 0, 1.03F}, 0.6F}, 100, 100, 0.1F, options);
  EXPECT_NEAR(fast.position.x, 1 + 0.04F * (1 - std::exp2(-0.5F)), 1e-5F);
  EXPECT_NEAR(fast.position.z, 1 + 0.03F * (1 - std::exp2(-0.5F)), 1e-5F);
  EXPECT_NEAR(fast.facing_rad, 0.5F + 0.1F * (1 - std::exp2(-0.25F)), 1e-5F);
  // Slow: a quarter of its own way and turn.
  const PlanarRoot slow = corrected({}, {{3, 0, 4}, -2}, 0.8F, -0.6F, 0.1F, options);
  EXPECT_NEAR(length(slow.position), 0.25F * 0.8F * 0.1F, 1e-6F);
  EXPECT_NEAR(slow.position.x / slow.position.z, 0.75F, 1e-4F);
  EXPECT_NEAR(slow.facing_rad, -0.25F * 0.6F * 0.1F, 1e-6F);
  EXPECT_EQ(corrected({}, {{3, 0, 4}, 0}, -5, 0, 0.1F, options).position, Vec3{}) << "no speed below nothing";
  EXPECT_GT(corrected({{}, 3}, {{}, -3}, 0, 100, 0.1F, options).facing_rad, 3) << "the shorter way";
}

TEST(LeadReference, WaitsAtItsDistanceAndAngle) {
  const Intent intent = Intent::move({0, 0, 5}, 2.5F);
  TrajectoryPoint led;
  led.velocity_mps = {0, 0, 5};
  led.root.position = {0, 7, 0};
  const PlanarRoot body{{0, 1, 0}, 0};
  PlanarRoot out;
  for (int i = 0; i < 60; ++i)
    out = lead(led, intent, body, 0, 0, 1.0F / 60, {}, {}, {.max_distance_m = 0.3F, .max_turn_rad = 0.7F});
  EXPECT_EQ(out.position, body.position);
  EXPECT_NEAR(led.root.position.z, 0.3F, 1e-5F);
  EXPECT_EQ(led.root.position.y, 1) << "on the body's height";
  EXPECT_NEAR(led.root.facing_rad, 0.7F, 1e-5F);
  // Nearer than that it is left alone.
  led = {};
  led.root.position = {0.1F, 0, 0};
  lead(led, Intent{}, body, 0, 0, 1e-4F);
  EXPECT_NEAR(led.root.position.x, 0.1F, 1e-4F);
}

TEST(PathReference, PlacesDirectionsAndNearest) {
  const Path path = Path::create({{0, 0, 0}, {0, 0, 3}, {4, 0, 3}, {4, 0, 3.00005F}}).value();
  EXPECT_FLOAT_EQ(path.length_m(), 7) << "nearer than a tenth of a millimetre is the same place";
  EXPECT_EQ(path.at(-1), Vec3{});
  EXPECT_EQ(path.at(3), (Vec3{0, 0, 3}));
  EXPECT_EQ(path.direction_at(2.99F), (Vec3{0, 0, 1}));
  EXPECT_EQ(path.direction_at(3.01F), (Vec3{1, 0, 0}));
  EXPECT_EQ(path.direction_at(99), (Vec3{1, 0, 0}));
  EXPECT_NEAR(path.nearest({1, 5, 1}, 0, 7), 1, 0.021F) << "heights do not count";
  EXPECT_NEAR(path.nearest({1, 0, 2.5F}, 0, 7), 4, 0.021F);
  EXPECT_NEAR(path.nearest({0, 0, 0}, 2, 5), 2, 1e-5F);
  EXPECT_NEAR(path.nearest({9, 0, 3}, 2, 5), 5, 1e-5F);
  const Path ring = Path::create({{0, 0, 0}, {0, 0, 2}, {2, 0, 2}, {2, 0, 0}}, true).value();
  EXPECT_LT(distance(ring.at(-1), {1, 0, 0}), 1e-5F);
  EXPECT_LT(distance(ring.at(8 + 8 + 3), {1, 0, 2}), 1e-5F);
  EXPECT_NEAR(start_of(path).facing_rad, 0, 1e-6F);
  EXPECT_NEAR(start_of(Path::create({{1, 0, 1}, {3, 0, 1}}).value()).facing_rad, 1.5707963F, 1e-5F);
  EXPECT_FALSE(Path::create({}, true));
  EXPECT_FALSE(Path::create({{1, 0, 1}}, true));
}

TEST(ProportionsReference, LegsGoUpToWhereTheyBranch) {
  // root - pelvis - (left thigh - left foot - left toe, right thigh - right foot, spine - head)
  const SkeletonPtr s = Skeleton::create({{"root", kNoJoint, {}},
                                          {"pelvis", 0, {}},
                                          {"left_thigh", 1, {}},
                                          {"left_foot", 2, {}},
                                          {"left_toe", 3, {}},
                                          {"right_thigh", 1, {}},
                                          {"right_foot", 5, {}},
                                          {"spine", 1, {}},
                                          {"head", 7, {}}})
                            .value();
  const std::vector<int> feet{3, 6};
  EXPECT_EQ(joints_of_legs(*s, feet), (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(joints_of_legs(*s, {}), std::vector<std::uint8_t>(9, 1));
  const Proportions odd = sanitised(Proportions{.legs = NAN, .upper = 1e9F});
  EXPECT_EQ(odd.legs, 1);
  EXPECT_EQ(odd.upper, kMaxProportion);
  EXPECT_EQ(sanitised(Proportions{.legs = 0, .upper = 1.1F}).legs, kMinProportion);
  EXPECT_EQ(sanitised(Proportions{.legs = 0, .upper = 1.1F}).upper, 1.1F);
  const PlanarRoot large = scaled(PlanarRoot{{1, 0, 2}, 0.5F}, 3);
  EXPECT_EQ(large.position, (Vec3{3, 0, 6}));
  EXPECT_EQ(large.facing_rad, 0.5F);
  Intent intent = Intent::move({1, 0, 2});
  intent.goal = WantedPlace{{3, 0, 4}, {}};
  EXPECT_EQ(scaled(intent, 2).velocity_at(0), (Vec3{2, 0, 4}));
  EXPECT_EQ(scaled(intent, 2).goal->position, (Vec3{6, 0, 8}));
}

std::string applied(std::string_view line, Intent& intent) {
  const CommandWords words = split_command(line);
  static const std::vector<std::string> kStyles{"calm", "old"}, kActions{"wave"};
  return apply_command({words.words, words.count}, {kStyles, kActions}, intent);
}

TEST(CommandReference, EachSetsWhatItSays) {
  Intent intent;
  EXPECT_EQ(applied("move 1.5 -2", intent), "");
  EXPECT_EQ(intent.wanted[0].velocity_mps, (Vec3{1.5F, 0, -2}));
  EXPECT_EQ(applied("face 180", intent), "");
  EXPECT_NEAR(*intent.wanted[0].facing_rad, 3.1415927F, 1e-6F);
  EXPECT_EQ(applied("face velocity", intent), "");
  EXPECT_FALSE(intent.wanted[0].facing_rad.has_value());
  EXPECT_EQ(applied("go 3 4 90", intent), "");
  EXPECT_EQ(intent.goal->position, (Vec3{3, 0, 4}));
  EXPECT_NEAR(*intent.goal->facing_rad, 1.5707963F, 1e-6F);
  EXPECT_EQ(intent.wanted[0].velocity_mps, Vec3{}) << "a goal replaces the velocity";
  EXPECT_EQ(applied("go 3 4", intent), "");
  EXPECT_FALSE(intent.goal->facing_rad.has_value());
  EXPECT_EQ(applied("move 0 1", intent), "");
  EXPECT_FALSE(intent.goal.has_value()) << "and a velocity the goal";
  EXPECT_EQ(applied("go 1 1", intent), "");
  EXPECT_EQ(applied("stand", intent), "");
  EXPECT_FALSE(intent.goal.has_value());
  EXPECT_EQ(intent.wanted[0].velocity_mps, Vec3{});
  for (const auto& [word, gait] : {std::pair{"auto", Gait::kAuto},
                                   {"stand", Gait::kStand},
                                   {"walk", Gait::kWalk},
                                   {"jog", Gait::kJog},
                                   {"run", Gait::kRun},
                                   {"crouch", Gait::kCrouch}}) {
    EXPECT_EQ(applied(std::string("gait ") + word, intent), "");
    EXPECT_EQ(intent.gait, gait) << word;
  }
  EXPECT_EQ(applied("style calm 0.25", intent), "");
  EXPECT_EQ(applied("style old 0.5", intent), "");
  EXPECT_EQ(intent.styles[0], 0.25F) << "beside the other";
  EXPECT_EQ(intent.styles[1], 0.5F);
  EXPECT_EQ(applied("style old", intent), "");
  EXPECT_EQ(intent.styles[0], 0) << "and no other";
  EXPECT_EQ(intent.styles[1], 1);
  EXPECT_EQ(applied("style none", intent), "");
  EXPECT_EQ(intent.styles[1], 0);
  EXPECT_EQ(applied("action wave 1", intent), "");
  EXPECT_EQ(intent.actions[0], 1);
}

TEST(CommandReference, BordersOfNumbersAndCounts) {
  EXPECT_EQ(command_number("1000000"), 1e6);
  EXPECT_EQ(command_number("-1000000"), -1e6);
  EXPECT_FALSE(command_number("1000001"));
  EXPECT_FALSE(command_number("-1000001"));
  EXPECT_FALSE(command_number("inf"));
  EXPECT_FALSE(command_number("1x"));
  EXPECT_FALSE(command_number(""));
  Intent intent;
  for (const char* line : {"style old -0.01", "style old 1.01", "style old 1 1", "style", "go 1 2 3 4", "go 1",
                           "ahead 1 2", "ahead 0 1 1", "face", "gait walk run", "move 1 2 3 4 5", "jump"}) {
    EXPECT_NE(applied(line, intent), "") << line;
  }
  EXPECT_EQ(applied("style old 0", intent), "");
  EXPECT_EQ(applied("style old 1", intent), "");
  // Seven moments ahead, each later than the one before.
  for (int i = 1; i < kMaxWanted; ++i) {
    EXPECT_EQ(applied("ahead " + std::to_string(i) + " 1 2 " + std::to_string(10 * i), intent), "") << i;
    EXPECT_NE(applied("ahead " + std::to_string(i) + " 1 2", intent), "") << "not later";
    EXPECT_EQ(intent.num_wanted, i + 1);
    EXPECT_EQ(intent.wanted[static_cast<std::size_t>(i)].time_s, static_cast<float>(i));
  }
  EXPECT_EQ(applied("ahead 99 1 2", intent), "an intent has at most 7 moments ahead");
  const CommandWords six = split_command(" a,b\tc d e\r f # g"), seven = split_command("a b c d e f g");
  EXPECT_EQ(six.count, 6U);
  EXPECT_FALSE(six.too_many);
  EXPECT_EQ(six.words[5], "f");
  EXPECT_TRUE(seven.too_many);
  EXPECT_EQ(split_command("# only").count, 0U);
}

}  // namespace
}  // namespace zoe::control
