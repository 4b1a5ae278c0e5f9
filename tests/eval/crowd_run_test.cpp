// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_run.h"

#include <gtest/gtest.h>

#include "zoe/eval/crowd_recording.h"
#include "zoe/io/npz_file.h"

#include "control/toy_controller.h"
#include "support/data.h"

namespace zoe::eval {
namespace {

using control::Crowd;
using control::Intent;
using control::test::ToyController;

// Two characters two metres apart on the x axis, a third far away.
Crowd make_crowd(bool walls = false) {
  auto controller = std::make_shared<ToyController>();
  controller->walls = walls;
  const PlanarRoot starts[] = {{{-1, 0, 0}, 0}, {{1, 0, 0}, 0}, {{50, 0, 0}, 0}};
  return {controller, starts, {.radius_m = 0.25F}};
}

// The first two towards each other at 1 m/s, the third stands.
void meet(const Crowd&, std::span<Intent> intents) {
  intents[0] = Intent::move({1, 0, 0});
  intents[1] = Intent::move({-1, 0, 0});
  intents[2] = Intent::stand();
}

TEST(CrowdRun, CountsOverlapsOfPairs) {
  Crowd crowd = make_crowd();
  const auto report = run_crowd(crowd, meet, {.seconds = 3, .fps = 60});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->num_ticks, 180);
  EXPECT_GT(report->ticks_s, 0);
  EXPECT_EQ(report->most_overlaps, 1);
  // Discs of 0.5 m together pass through each other at 2 m/s: a metre of way.
  EXPECT_NEAR(report->overlap_s, 0.5, 0.05);
  EXPECT_GT(report->deepest_m, 0.4F);
  EXPECT_EQ(report->num_recoveries, 0);
  EXPECT_EQ(report->stuck_s, 0);
}

TEST(CrowdRun, CountsWhoIsStuck) {
  Crowd crowd = make_crowd(true);  // Nobody moves, two of three try.
  const auto report = run_crowd(crowd, meet, {.seconds = 4, .fps = 60});
  ASSERT_TRUE(report);
  EXPECT_GT(report->stuck_s, 3);
  EXPECT_LT(report->stuck_s, 8);
}

TEST(CrowdRun, ObserversSeeMomentsAtTheirOwnRate) {
  for (const double fps : {60.0, 24.0, 20.0}) {
    Crowd crowd = make_crowd();
    std::vector<double> times_s;
    int ticks = 0;
    const auto report = run_crowd(crowd, meet, {.seconds = 2, .fps = fps, .looks_fps = 30},
                                  {.look = [&](const Crowd&, double time_s) -> Result<void> {
                                     times_s.push_back(time_s);
                                     return {};
                                   },
                                   .ticked = [&] { ++ticks; }});
    ASSERT_TRUE(report);
    EXPECT_EQ(ticks, report->num_ticks);
    EXPECT_EQ(times_s.front(), 0);
    EXPECT_EQ(times_s.size(), static_cast<std::size_t>(2 * std::min(fps, 30.0)));
  }
  Crowd crowd = make_crowd();
  const auto failed = run_crowd(crowd, meet, {}, {.look = [](const Crowd&, double) -> Result<void> {
                                  return Error{ErrorCode::kIo, "the disk is full", {}};
                                }});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "the disk is full");
}

TEST(CrowdRun, BodiesAreDrawnWithinTheirRanges) {
  const auto bodies = draw_proportions(200, {0.8F, 1.2F}, {0.9F, 1.1F}, 7);
  ASSERT_EQ(bodies.size(), 200u);
  float least = 9, most = 0;
  for (const control::Proportions& body : bodies) {
    least = std::min(least, body.upper);
    most = std::max(most, body.upper);
    EXPECT_GE(body.legs / body.upper, 0.9F - 1e-5F);
    EXPECT_LE(body.legs / body.upper, 1.1F + 1e-5F);
  }
  EXPECT_GE(least, 0.8F);
  EXPECT_LT(least, 0.82F);
  EXPECT_LE(most, 1.2F);
  EXPECT_GT(most, 1.18F);
  const auto again = draw_proportions(200, {0.8F, 1.2F}, {0.9F, 1.1F}, 7);
  EXPECT_EQ(again[50].legs, bodies[50].legs);
  EXPECT_NE(draw_proportions(200, {0.8F, 1.2F}, {0.9F, 1.1F}, 8)[50].legs, bodies[50].legs);
}

TEST(CrowdRecording, HoldsWhatEverybodyDid) {
  Crowd crowd = make_crowd();
  CrowdRecording recording(crowd, 60);
  ASSERT_TRUE(run_crowd(crowd, meet, {.seconds = 0.5, .fps = 60, .looks_fps = 60},
                        {.look = [&](const Crowd& now, double) -> Result<void> {
                          recording.add(now);
                          return {};
                        }}));
  EXPECT_EQ(recording.num_frames(), 30u);
  const auto motion = recording.joined();
  ASSERT_TRUE(motion) << motion.error().format();
  EXPECT_EQ(motion->num_joints(), 6);
  EXPECT_EQ(motion->num_frames, 30);
  EXPECT_EQ(motion->skeleton->name(2), "1:hips");
  EXPECT_EQ(motion->skeleton->parent(3), 2);
  EXPECT_EQ(motion->skeleton->parent(2), kNoJoint);
  EXPECT_EQ(motion->frame(0).translations[4], (Vec3{50, 1, 0}));
  EXPECT_GT(motion->frame(29).translations[0].x, -0.9F);
  EXPECT_EQ(recording_bytes(crowd, 30), 30.0 * 3 * 2 * 28);

  const std::filesystem::path file = test::temporary_dir("crowd_recording") / "crowd.npz";
  ASSERT_TRUE(recording.write_npz(file));
  const auto arrays = io::Npz::open(file);
  ASSERT_TRUE(arrays) << arrays.error().format();
}

}  // namespace
}  // namespace zoe::eval
