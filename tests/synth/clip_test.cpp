// SPDX-License-Identifier: MIT
// What clips promise: standing feet stand, joints keep their limits, flight is free fall, nothing
// flips or sinks.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/synth/draw.h"
#include "zoe/synth/measure.h"

namespace zoe::synth {
namespace {

std::string label(const Body& body, const Clip& clip) {
  return std::string(to_string(body.family)) + " " + to_string(clip.request.gait) + " " +
         to_string(clip.request.style) + " " + to_string(clip.request.course) + " on " +
         to_string(clip.request.terrain) + ", " + body.species;
}

void expect_plausible(const Body& body, const Clip& clip) {
  const Plausibility p = measure(body, clip);
  const std::string what = label(body, clip);
  ASSERT_TRUE(validate(clip.motion)) << what;
  EXPECT_LE(p.skate_m_s, 0.01F) << what;
  EXPECT_LE(p.limit_rad, 0.002F) << what << ": " << (p.limit_joint >= 0 ? body.skeleton->name(p.limit_joint) : "");
  EXPECT_LE(p.fall_error_m_s2, 1.5F) << what;
  EXPECT_LE(p.sunk_m, 0.05F * body.leg_length_m) << what;
  EXPECT_LE(p.turn_deg, 40) << what << ": " << (p.turn_joint >= 0 ? body.skeleton->name(p.turn_joint) : "");
}

TEST(Clip, EveryGaitOfEveryFamilyIsPlausible) {
  for (const BodyFamily family : families()) {
    for (int number = 0; number < 3; ++number) {
      const Body body = make_body(family, Random(31).split(static_cast<std::uint64_t>(number)), {.mesh = false});
      for (const Gait gait : gaits_of(family)) {
        const auto clip = make_clip(body, {.gait = gait, .seconds = 2, .fps = 120}, Random(5));
        ASSERT_TRUE(clip);
        expect_plausible(body, *clip);
      }
    }
  }
}

TEST(Clip, FeetStandBesideTrenchesAndOnOnePlatform) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const TerrainKind kind : {TerrainKind::kGaps, TerrainKind::kPlatforms}) {
      const Terrain terrain = make_terrain(kind, 0.9F, Random(seed));
      EXPECT_EQ(terrain.ground->height(0.1F, 0), 0) << "level at the start";
      bool any_edge = false;
      for (float z = -20; z < 20; z += 0.07F) {
        const float at = supported_z(terrain, z, 0.08F, 0.17F), height = terrain.ground->height(0, at);
        EXPECT_NEAR(at, z, 0.45F);
        EXPECT_GT(height, -0.2F) << "no foot in a trench";
        for (float along = at - 0.08F; along <= at + 0.17F; along += 0.01F)
          EXPECT_EQ(terrain.ground->height(0, along), height) << to_string(kind) << " " << z;
        any_edge = any_edge || at != z;
      }
      EXPECT_TRUE(any_edge);
    }
  }
}

TEST(Clip, EveryStyleCourseAndTerrainIsPlausible) {
  for (const BodyFamily family : families()) {
    const Body body = make_body(family, Random(8), {.mesh = false});
    for (const Gait gait : gaits_of(family)) {
      for (int style = 0; style < kNumStyles; ++style) {
        const auto courses = courses_of(family, gait);
        const Course course = courses[static_cast<std::size_t>(style) % courses.size()];
        auto terrain = static_cast<TerrainKind>((style + static_cast<int>(gait)) % kNumTerrainKinds);
        if (!can_use(family, gait, terrain)) terrain = static_cast<TerrainKind>((style + static_cast<int>(gait)) % 4);
        if (!can_use(family, gait, terrain)) terrain = TerrainKind::kFlat;
        const auto clip = make_clip(body,
                                    {.gait = gait,
                                     .style = static_cast<Style>(style),
                                     .course = course,
                                     .terrain = terrain,
                                     .seconds = 1.6,
                                     .fps = 120},
                                    Random(9));
        ASSERT_TRUE(clip);
        expect_plausible(body, *clip);
      }
    }
  }
}

TEST(Clip, WhateverIsDrawnIsPlausible) {
  DrawOptions options;
  options.mesh = false;
  options.terrains = {};  // All.
  options.seconds = 1.2;
  options.fps = 120;
  for (std::uint64_t i = 0; i < 12 * families().size(); ++i) {
    const auto drawn = draw_clip(options, 77, i);
    ASSERT_TRUE(drawn);
    expect_plausible(drawn->body, drawn->clip);
  }
}

TEST(Clip, WanderersWalkTrotTurnAndStand) {
  int still = 0, fast = 0;
  for (std::uint64_t number = 0; number < 4; ++number) {
    const BodyFamily family = number < 3 ? BodyFamily::kQuadruped : BodyFamily::kBiped;
    const Body body = make_body(family, Random(36).split(number), {.mesh = false});
    const auto clip =
        make_clip(body, {.gait = Gait::kWalk, .course = Course::kWander, .seconds = 20, .fps = 120}, Random(number));
    ASSERT_TRUE(clip);
    expect_plausible(body, *clip);
    if (family == BodyFamily::kBiped) continue;
    // How much of the hind foot's stride has passed when the forefoot of its side comes down: a quarter in a walk, a
    // half in a trot.
    const auto frames = static_cast<std::size_t>(clip->motion.num_frames);
    const auto touchdowns = [&](std::size_t leg) {
      std::vector<double> times;
      for (std::size_t f = 1; f < frames; ++f) {
        if (clip->contacts[f * 4 + leg] > clip->contacts[(f - 1) * 4 + leg]) times.push_back(static_cast<double>(f));
      }
      return times;
    };
    const std::vector<double> fore = touchdowns(0), hind = touchdowns(2);  // Left ones.
    int walking = 0, trotting = 0;
    for (std::size_t i = 0; i + 1 < hind.size(); ++i) {
      for (const double time : fore) {
        const double lag = (time - hind[i]) / (hind[i + 1] - hind[i]);
        walking += lag > 0.15 && lag < 0.32 ? 1 : 0;
        trotting += lag > 0.42 && lag < 0.6 ? 1 : 0;
      }
    }
    EXPECT_GT(walking, 2) << body.species;
    EXPECT_GT(trotting, 2) << body.species;
    // It stands for a while, and goes nearly as fast as a trot for a while.
    const float trot_m_s = std::sqrt(0.6F * 9.81F * body.leg_length_m);
    const auto joints = static_cast<std::size_t>(clip->motion.num_joints());
    for (std::size_t f = 60; f < frames; f += 60) {
      Vec3 way = clip->motion.translations[f * joints] - clip->motion.translations[(f - 60) * joints];
      way.y = 0;
      still += length(way) * 2 < 0.08F * trot_m_s ? 1 : 0;
      fast += length(way) * 2 > 0.6F * trot_m_s ? 1 : 0;
    }
  }
  EXPECT_GT(still, 3);
  EXPECT_GT(fast, 3);
}

TEST(Clip, RunsHaveFlightAndWalksHaveNot) {
  const Body body = make_body(BodyFamily::kBiped, Random(2), {.mesh = false});
  const auto walk = make_clip(body, {.gait = Gait::kWalk, .fps = 60}, Random(1)),
             run = make_clip(body, {.gait = Gait::kRun, .fps = 60}, Random(1));
  ASSERT_TRUE(walk && run);
  EXPECT_EQ(measure(body, *walk).num_fall_frames, 0);
  EXPECT_GT(measure(body, *run).num_fall_frames, 10);
  EXPECT_GT(run->speed_m_s, 1.5F * walk->speed_m_s);
}

TEST(Clip, MeasureSeesWhatIsBroken) {
  const Body body = make_body(BodyFamily::kBiped, Random(2), {.mesh = false});
  auto clip = make_clip(body, {.gait = Gait::kRun, .fps = 60}, Random(1));
  ASSERT_TRUE(clip);
  const auto joints = static_cast<std::size_t>(clip->motion.num_joints());
  Clip slides = *clip;
  for (int f = 0; f < slides.motion.num_frames; ++f)
    slides.motion.translations[static_cast<std::size_t>(f) * joints].z += 0.001F * static_cast<float>(f);
  EXPECT_NEAR(measure(body, slides).skate_m_s, 0.06F, 0.01F);
  Clip floats = *clip;
  for (int f = 0; f < floats.motion.num_frames; ++f)
    floats.motion.translations[static_cast<std::size_t>(f) * joints].y += 0.5F * 5 * static_cast<float>(f * f) / 3600;
  EXPECT_NEAR(measure(body, floats).fall_error_m_s2, 5, 1);
  Clip bent = *clip;
  bent.motion.rotations[static_cast<std::size_t>(body.legs[0].lower)] = from_axis_angle(Vec3{1, 0, 0}, -1.0F);
  const Plausibility knee = measure(body, bent);
  EXPECT_GT(knee.limit_rad, 0.8F);
  EXPECT_EQ(knee.limit_joint, body.legs[0].lower);
  EXPECT_GT(knee.turn_deg, 50);
}

TEST(Clip, SpeedFollowsTheSquareRootOfLegLength) {
  const Body small = make_body(BodyFamily::kQuadruped, Random(4), {.mesh = false}),
             large = make_body(BodyFamily::kQuadruped, Random(4), {.mesh = false, .size = 4});
  const auto a = make_clip(small, {.gait = Gait::kTrot}, Random(3)),
             b = make_clip(large, {.gait = Gait::kTrot}, Random(3));
  ASSERT_TRUE(a && b);
  EXPECT_NEAR(b->speed_m_s / a->speed_m_s, 2, 0.01);
  EXPECT_NEAR(a->froude, b->froude, 1e-3);
}

TEST(Clip, TurnsGoTheWayTheySay) {
  const Body body = make_body(BodyFamily::kBiped, Random(4), {.mesh = false});
  for (const auto& [course, sign] : {std::pair{Course::kTurnLeft, 1.0F}, {Course::kTurnRight, -1.0F}}) {
    const auto clip = make_clip(body, {.gait = Gait::kWalk, .course = course, .seconds = 4}, Random(3));
    ASSERT_TRUE(clip);
    const Vec3 end = clip->motion.frame(clip->motion.num_frames - 1).translations[0];  // Left is +x.
    EXPECT_GT(sign * end.x, 0.3F) << to_string(course);
  }
}

TEST(Clip, RefusesWhatCannotBe) {
  const Body body = make_body(BodyFamily::kBiped, Random(4), {.mesh = false});
  EXPECT_FALSE(make_clip(body, {.gait = Gait::kGallop}, Random(1)));
  EXPECT_FALSE(make_clip(body, {.seconds = 0}, Random(1)));
  EXPECT_FALSE(make_clip(body, {.fps = -1}, Random(1)));
  EXPECT_FALSE(make_clip(body, {.seconds = 1e9}, Random(1)));
}

}  // namespace
}  // namespace zoe::synth
