// SPDX-License-Identifier: MIT
// Clips on ground that is not flat: bodies go up where the captions say so, and feet stay on it.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/synth/measure.h"

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::path_of;

Clip on_ground(const Body& body, TerrainKind kind, std::uint64_t seed, double seconds = 5) {
  return make_clip(body, {.gait = Gait::kWalk, .terrain = kind, .seconds = seconds, .fps = 60}, Random(seed)).value();
}
bool says(const Clip& clip, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (clip.captions.at(0).find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(GroundClips, UpIsUpAndDownIsDown) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    for (const TerrainKind kind : {TerrainKind::kSlope, TerrainKind::kStairs}) {
      int up = 0, down = 0;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Body body = body_of(family, 1);
        const Clip clip = on_ground(body, kind, seed);
        const std::vector<Vec3> path = path_of(clip.motion, body.root);
        const float rise = path.back().y - path.front().y;
        const bool says_up = says(clip, {" up ", "uphill", "upstairs"}),
                   says_down = says(clip, {" down ", "downhill", "downstairs"});
        ASSERT_NE(says_up, says_down) << clip.captions[0];
        EXPECT_GT(says_up ? rise : -rise, 0.05F * body.leg_length_m) << clip.captions[0];
        (says_up ? up : down) += 1;
      }
      EXPECT_GT(up, 0) << to_string(kind);
      EXPECT_GT(down, 0) << to_string(kind);
    }
  }
}

TEST(GroundClips, FeetStayOnRoughGroundAndDoNotSlide) {
  test::each_body(1, [](const Body& body, const std::string& what) {
    for (const TerrainKind kind : {TerrainKind::kRough, TerrainKind::kSlope, TerrainKind::kStairs}) {
      if (body.legs.empty() || !can_use(body.family, Gait::kWalk, kind)) continue;
      const Clip clip = on_ground(body, kind, 3, 3);
      ASSERT_EQ(clip.request.terrain, kind) << what;
      const Plausibility p = measure(body, clip);
      EXPECT_LE(p.skate_m_s, 0.01F) << what;
      EXPECT_LE(p.sunk_m, 0.05F * body.leg_length_m) << what;
      EXPECT_LE(p.limit_rad, 0.002F) << what;
    }
  });
}

// The same walk is slower where it is difficult.
TEST(GroundClips, DifficultGroundIsWalkedMoreSlowly) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const auto speed = [&](TerrainKind kind) { return on_ground(body, kind, 5).speed_m_s; };
  const float flat = speed(TerrainKind::kFlat);
  EXPECT_NEAR(speed(TerrainKind::kRough) / flat, 0.85, 0.02);
  EXPECT_NEAR(speed(TerrainKind::kSlope) / flat, 0.85, 0.02);
  EXPECT_NEAR(speed(TerrainKind::kStairs) / flat, 0.62, 0.02);
}

}  // namespace
}  // namespace zoe::synth
