// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/kinds.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/control/sources.h"
#include "zoe/math/finite.h"

#include "control/walkers.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::control {
namespace {

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

std::vector<features::ClipRows> rows_of(const test::Walkers& walkers) {
  std::vector<features::ClipRows> rows;
  for (const DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
  return rows;
}

ControllerPtr make_controller(const test::Walkers& walkers, const MatchOptions& options = {}) {
  const Body body = make_body(walkers.layout, walkers.skeleton, rows_of(walkers)).value();
  return make_motion_matching(std::make_shared<const MotionDatabase>(walkers.database()), body,
                              options)
      .value();
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
    out.largest_step_m =
        std::max(out.largest_step_m, planar(state->root().position - last.position));
    out.largest_turn_rad = std::max(out.largest_turn_rad,
                                    std::abs(wrapped(state->root().facing_rad - last.facing_rad)));
    out.sound = out.sound && all_finite(state->pose().translations) &&
                all_unit(state->pose().rotations, 1e-3F);
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
  EXPECT_STREQ(controller->kind(), "mm");
  const auto circle = make_course("circle", 1.0F).value();
  const Ride round = ride(*controller, *circle, 20);
  ASSERT_TRUE(round.sound);
  double error = 0, way = 0;
  for (std::size_t f = 120; f < round.roots.size(); ++f) {
    const Path& path = *circle->path();
    error += static_cast<double>(
        distance(path.at(path.nearest(round.roots[f].position, 0, path.length_m())),
                 round.roots[f].position));
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
  const auto circle = make_course("circle", 1.0F).value(),
             again = make_course("circle", 1.0F).value();
  const double locked = ride(*make_controller(walkers()), *circle, 10).slide_mps;
  const double free = ride(*make_controller(walkers(), {.lock_feet = false}), *again, 10).slide_mps;
  EXPECT_LT(locked, 0.5 * free);
  EXPECT_LT(locked, 0.10);
}

TEST(MotionMatching, TicksNeverAllocate) {
  for (const auto blend : {MatchOptions::Blend::kInertialize, MatchOptions::Blend::kDeadBlend}) {
    const ControllerPtr controller = make_controller(walkers(), {.blend = blend});
    const auto state = controller->make_state();
    controller->tick(*state, Intent::stand(), 1.0 / 60);
    const auto sticks = random_sticks(3);
    const test::AllocationMeter meter;
    for (int f = 0; f < 600; ++f)
      controller->tick(*state, sticks->next(state->root(), 1.0 / 60), 1.0 / 60);
    EXPECT_EQ(meter.allocations(), 0U);
    EXPECT_GT(match_report(*state).num_switches, 5);
    EXPECT_GE(match_report(*state).num_searches, 100);
  }
}

TEST(MotionMatching, BadSticksAndFrameRatesAreHarmless) {
  const ControllerPtr controller = make_controller(walkers());
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto state = controller->make_state({{3, 0, -2}, 1});
  int ticks = 0;
  for (const double fps : {1.0, 7.0, 60.0, 1000.0, 0.0, -1.0}) {
    for (const Vec3 stick : {Vec3{kNan, 0, 1}, Vec3{1e30F, 0, -1e30F}, Vec3{0, kNan, 12},
                             Vec3{-1, 0, 0}, Vec3{0, 0, 0}}) {
      for (int i = 0; i < (fps > 100 ? 300 : 20); ++i, ++ticks) {
        controller->tick(*state, Intent::move(stick, i % 2 == 0 ? stick.x : 0.0F),
                         fps > 0 ? 1 / fps : fps);
        ASSERT_TRUE(all_finite(state->pose().translations)) << ticks;
        ASSERT_TRUE(all_unit(state->pose().rotations, 1e-3F)) << ticks;
        // Upright: joint 0 of the walkers carries the hips.
        ASSERT_GT(state->pose().translations[0].y, 0.5F) << ticks;
      }
    }
  }
  EXPECT_EQ(state->num_recoveries(), 0);
}

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
  const auto straight = make_course("straight", 1.0F).value();
  const Ride out = ride(*controller, *straight, 6);
  EXPECT_TRUE(out.sound);
  EXPECT_GT(planar(out.roots.back().position), 2.0F);
}

TEST(MotionMatching, ComesBackFromItsRunFolder) {
  const auto folder = test::temporary_dir("match_run");
  const Body body = make_body(walkers().layout, walkers().skeleton, rows_of(walkers())).value();
  ASSERT_TRUE(save_body(folder / "body.safetensors", body));
  ASSERT_TRUE(walkers().database().save(folder / "database.safetensors", "CC0"));
  ASSERT_TRUE(save_controller_config(
      folder, {.kind = "mm", .network = "", .database = "database.safetensors"}));
  const auto loaded = load_controller(folder);
  ASSERT_TRUE(loaded) << loaded.error().format();
  const NeuralOptions from_config;
  const ControllerPtr made = make_controller(
      walkers(), {.trajectory = from_config.trajectory, .correction = from_config.correction});
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

}  // namespace
}  // namespace zoe::control
