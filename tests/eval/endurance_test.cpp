// SPDX-License-Identifier: MIT
// Real clips as courses, and minutes of random sticks.
#include "zoe/eval/endurance.h"

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/eval/held_out.h"

#include "control/toy_controller.h"
#include "control/walkers.h"

namespace zoe::eval {
namespace {

using control::test::ToyController;

control::Body toy_body() {
  control::Body body;
  body.skeleton = control::test::toy_skeleton();
  body.start = make_pose(*body.skeleton);
  return body;
}

// A walk that bends and looks aside: what no path of ours asks for.
std::vector<PlanarRoot> bent_walk(int frames) {
  std::vector<PlanarRoot> roots;
  PlanarRoot root;
  for (int f = 0; f < frames; ++f) {
    const float t = static_cast<float>(f) / 30, way = 0.6F * std::sin(t);
    root.position += Vec3{std::sin(way), 0, std::cos(way)} * (1.2F / 30);
    root.facing_rad = way + 0.5F;
    roots.push_back(root);
  }
  return roots;
}

TEST(FollowRoots, ABodyThatObeysIsWhereTheClipIs) {
  const ToyController controller(30);
  const std::vector<PlanarRoot> roots = bent_walk(240);
  const auto source = follow_roots(roots, 30);
  EXPECT_FALSE(source->done());
  const Recording run = record(controller, *source, {.seconds = 8, .fps = 30, .place = roots[0]});
  EXPECT_TRUE(source->done());
  for (std::size_t f = 60; f < roots.size(); ++f) {
    ASSERT_LT(distance(run.roots[f].position, roots[f].position), 0.15F) << f;
    ASSERT_LT(std::abs(control::wrapped(run.roots[f].facing_rad - roots[f].facing_rad)), 0.2F) << f;
  }
  // At its end it stays, and asks for nothing.
  const control::Intent rest = source->next(roots.back(), 1.0 / 30);
  EXPECT_LT(length(rest.velocity_at(0.5F)), 1e-3F);
}

TEST(Endurance, SeesFreezesRestartsAndFalls) {
  const control::Body body = toy_body();
  ToyController good(30);
  const Endurance fine = run_sticks(good, body, {.minutes = 2});
  EXPECT_TRUE(fine.finite);
  EXPECT_EQ(fine.restarts, 0);
  EXPECT_LT(fine.longest_freeze_s, 0.3);
  EXPECT_NEAR(fine.lowest_top_share, 1, 1e-3);
  EXPECT_NEAR(fine.height_drift_cm, 0, 1);
  EXPECT_GT(fine.worst_root_mps, 0.5);
  EXPECT_LT(fine.worst_root_mps, 1.25 * body.motion_range.pace_mps + 0.1);

  ToyController stone(30);
  stone.walls = true;
  const Endurance frozen = run_sticks(stone, body, {.minutes = 1});
  EXPECT_GT(frozen.longest_freeze_s, 2);
  EXPECT_GT(frozen.stuck_s, 10);

  ToyController broken(30);
  broken.poison_at_step = 100;
  EXPECT_EQ(run_sticks(broken, body, {.minutes = 1}).restarts, 1);

  control::Body tall = body;  // A body that once was twice as tall has fallen.
  tall.start.translations[0].y = 2;
  EXPECT_NEAR(run_sticks(good, tall, {.minutes = 0.2}).lowest_top_share, 0.5, 0.01);
}

TEST(Endurance, MotionMatchingLastsTwoMinutes) {
  const test::Walkers walkers = test::make_walkers(8);
  auto database = std::make_shared<const control::MotionDatabase>(walkers.database());
  std::vector<features::ClipRows> rows;
  for (const author::DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
  const control::Body body = author::make_body(walkers.layout, walkers.skeleton, rows).value();
  const auto controller = control::make_motion_matching(database, body, {}).value();
  const Endurance run = run_sticks(*controller, body, {.minutes = 2, .seed = 3});
  EXPECT_TRUE(run.finite);
  EXPECT_EQ(run.restarts, 0);
  EXPECT_LT(run.longest_freeze_s, 1);
  EXPECT_GT(run.lowest_top_share, 0.7);
  EXPECT_LT(run.worst_root_mps, 8);
  EXPECT_LT(std::abs(run.height_drift_cm), 5);
}

TEST(Tables, HoldEveryPartAndKeepNamesHarmless) {
  Evaluation one;
  one.subject = "a<b";
  one.type = "mann";
  one.metrics = {{"path_error_cm", {4, 1, {}}}, {"foot_skate_cm_s", {10, 2, 20.0}}};
  one.held_out = {"test", 3, 21, {{"facing_error_deg", {5, 1, 0.0}}}};
  one.endurance = Endurance{.minutes = 10};
  const std::string text = to_markdown({&one, 1});
  EXPECT_NE(text.find("| foot_skate_cm_s | 10 ± 2 | 20 |"), std::string::npos) << text;
  EXPECT_NE(text.find("Held-out mocap, 3 clips (test), 21 s"), std::string::npos) << text;
  EXPECT_NE(text.find("| restarts | 0 |"), std::string::npos) << text;
  const std::string svg = to_svg({&one, 1});
  EXPECT_EQ(svg.rfind("<svg xmlns", 0), 0U);
  EXPECT_NE(svg.find("a&lt;b (mann)"), std::string::npos);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
  EXPECT_NE(svg.find("held-out facing_error_deg"), std::string::npos);
  EXPECT_NE(to_json({&one, 1}).find("\"held_out\""), std::string::npos);
}

}  // namespace
}  // namespace zoe::eval
