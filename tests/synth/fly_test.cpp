// SPDX-License-Identifier: MIT
// Wings beat in flight, hold in a glide, and lie against the body on the ground.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/synth/clip.h"

namespace zoe::synth {
namespace {

struct Beat {
  float lift = 0;         // Of a wing's tip against its shoulder: highest less lowest, in half spans.
  float widest = 0;       // Of the tip from the body's middle, in half spans, at the widest.
  int strokes = 0;        // How often it comes down through the shoulder's height.
  Vec3 first, last;       // The root's place.
  float lowest_m = 1e9F;  // Joint of all.
};

Beat beat_of(const Body& body, const Clip& clip) {
  Beat beat;
  const Wing& wing = body.wings[0];
  const auto tip = static_cast<std::size_t>(wing.fingers.front() + 1);  // Its end follows it.
  std::vector<Affine> model(static_cast<std::size_t>(body.skeleton->num_joints()));
  float low = 1e9F, high = -1e9F, before = 0;
  const float half = 0.5F * body.wing_span_m;
  for (int f = 0; f < clip.motion.num_frames; ++f) {
    compute_model_from_joint(*body.skeleton, clip.motion.frame(f), model);
    const Vec3 away = model[tip].t - model[static_cast<std::size_t>(wing.upper)].t;
    low = std::min(low, away.y), high = std::max(high, away.y);
    const Vec3 side = normalized(model[static_cast<std::size_t>(wing.upper)].t -
                                 model[static_cast<std::size_t>(body.wings[1].upper)].t);
    beat.widest = std::max(beat.widest, dot(away, side) / half);
    beat.strokes += f > 0 && before > 0 && away.y <= 0 ? 1 : 0;
    before = away.y;
    for (const Affine& m : model) beat.lowest_m = std::min(beat.lowest_m, m.t.y);
    (f == 0 ? beat.first : beat.last) = model[static_cast<std::size_t>(body.root)].t;
  }
  beat.lift = (high - low) / half;
  return beat;
}

TEST(Fly, WingsBeatAsOftenAsTheBodyAsks) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Body body = make_body(family, Random(seed), {.mesh = false});
      const auto clip = make_clip(body, {.gait = Gait::kFly, .seconds = 4, .fps = 120}, Random(seed));
      ASSERT_TRUE(clip);
      const Beat beat = beat_of(body, *clip);
      EXPECT_GT(beat.lift, 0.7F) << body.species;
      EXPECT_GT(beat.widest, 0.6F) << body.species;
      EXPECT_GT(beat.lowest_m, 0) << body.species;
      // Heavier and smaller-winged beats faster: Pennycuick 1996, with flesh at 0.7 of water's
      // density.
      const float mass = 0.7F * body.mass_kg();
      const float expected = std::pow(mass, 0.375F) * std::sqrt(9.81F) * std::pow(body.wing_span_m, -23.0F / 24) *
                             std::pow(body.wing_area_m2, -1.0F / 3) * std::pow(1.2F, -0.375F);
      EXPECT_NEAR(static_cast<float>(beat.strokes) / 4, std::min(9.0F, expected), 0.06F * expected + 0.3F)
          << body.species;
      EXPECT_GT(clip->speed_m_s, 2) << body.species;
    }
  }
}

TEST(Fly, GlidesHoldTheirWingsAndSink) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    const Body body = make_body(family, Random(3), {.mesh = false});
    const auto clip = make_clip(body, {.gait = Gait::kGlide, .seconds = 3, .fps = 60}, Random(1));
    ASSERT_TRUE(clip);
    const Beat beat = beat_of(body, *clip);
    EXPECT_LT(beat.lift, 0.25F);
    EXPECT_LT(beat.last.y, beat.first.y);
    EXPECT_GT(beat.lowest_m, 0);
  }
}

TEST(Fly, HoveringStays) {
  const Body body = make_body(BodyFamily::kBird, Random(3), {.mesh = false});
  const auto clip = make_clip(body, {.gait = Gait::kHover, .seconds = 3, .fps = 60}, Random(1));
  ASSERT_TRUE(clip);
  const Beat beat = beat_of(body, *clip);
  EXPECT_LT(distance(beat.first, beat.last), 0.3F * body.wing_span_m);
  EXPECT_GT(beat.strokes, 5);
}

TEST(Fly, WingsAreFoldedOnTheGround) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Body body = make_body(family, Random(seed), {.mesh = false});
      const auto clip = make_clip(body, {.gait = Gait::kWalk, .seconds = 2, .fps = 60}, Random(seed));
      ASSERT_TRUE(clip);
      const Beat beat = beat_of(body, *clip);
      EXPECT_LT(beat.widest, 0.25F) << body.species;
      EXPECT_GT(beat.lowest_m, -0.02F * body.leg_length_m) << body.species;
    }
  }
}

// From shoulder to tip a folded wing follows the trunk, also where the trunk is raised.
TEST(Wings, FoldedTheyLieAlongTheTrunk) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Body body = make_body(family, Random(seed), {.mesh = false});
      const auto clip = make_clip(body, {.gait = Gait::kIdle, .seconds = 1}, Random(1));
      ASSERT_TRUE(clip);
      std::vector<Affine> model(static_cast<std::size_t>(body.skeleton->num_joints()));
      compute_model_from_joint(*body.skeleton, clip->motion.frame(0), model);
      const auto at = [&](int joint) { return model[static_cast<std::size_t>(joint)].t; };
      const Vec3 trunk = normalized(at(body.root) - at(body.chest));
      for (const Wing& wing : body.wings) {
        const Vec3 along = normalized(at(wing.fingers.front() + 1) - at(wing.upper));
        EXPECT_GT(dot(along, trunk), 0.9F) << to_string(family) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace zoe::synth
