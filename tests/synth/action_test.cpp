// SPDX-License-Identifier: MIT
// Jumps leave the ground and come down where they say; attacks reach for something.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/synth/measure.h"

namespace zoe::synth {
namespace {

std::vector<Affine> model_at(const Body& body, const Clip& clip, int frame) {
  std::vector<Affine> model(static_cast<std::size_t>(body.skeleton->num_joints()));
  compute_model_from_joint(*body.skeleton, clip.motion.frame(frame), model);
  return model;
}

bool has(BodyFamily family, Gait gait) {
  const auto gaits = gaits_of(family);
  return std::find(gaits.begin(), gaits.end(), gait) != gaits.end();
}

// Highest and lowest of the mass centre, relative to the first frame's.
struct Heave {
  float up = 0, down = 0;
};
Heave heave_of(const Body& body, const Clip& clip) {
  Heave heave;
  const float start = centre_of_mass(body, model_at(body, clip, 0)).y;
  for (int f = 0; f < clip.motion.num_frames; ++f) {
    const float y = centre_of_mass(body, model_at(body, clip, f)).y - start;
    heave.up = std::max(heave.up, y), heave.down = std::min(heave.down, y);
  }
  return heave;
}

TEST(Action, JumpsCrouchFlyAndLand) {
  for (const BodyFamily family : families()) {
    if (!has(family, Gait::kJump)) continue;
    const Body body = make_body(family, Random(3), {.mesh = false});
    const auto clip = make_clip(body, {.gait = Gait::kJump, .seconds = 3, .fps = 120}, Random(4));
    ASSERT_TRUE(clip);
    const Heave heave = heave_of(body, *clip);
    EXPECT_GT(heave.up, 0.1F * body.leg_length_m) << to_string(family);
    EXPECT_LT(heave.down, -0.1F * body.leg_length_m) << to_string(family) << ": no anticipation";
    EXPECT_GT(measure(body, *clip).num_fall_frames, 10) << to_string(family);
    // Height and time in the air belong together: h = g t² / 8 for a flight of t.
    int longest = 0, run = 0;
    for (const std::uint8_t up : clip->airborne) run = up ? run + 1 : 0, longest = std::max(longest, run);
    const float flight_s = static_cast<float>(longest) / 120, rise = 9.81F * flight_s * flight_s / 8;
    EXPECT_NEAR(heave.up, rise, 0.12F * body.leg_length_m + 0.15F * rise) << to_string(family);
  }
}

// How far a joint gets ahead of where it is in the first frame, and behind.
std::pair<float, float> reach_of(const Body& body, const Clip& clip, int joint) {
  const float start = model_at(body, clip, 0)[static_cast<std::size_t>(joint)].t.z;
  float ahead = 0, behind = 0;
  for (int f = 0; f < clip.motion.num_frames; ++f) {
    const float z = model_at(body, clip, f)[static_cast<std::size_t>(joint)].t.z - start;
    ahead = std::max(ahead, z), behind = std::min(behind, z);
  }
  return {ahead, behind};
}

TEST(Action, AttacksGoForwardAfterGoingBack) {
  for (const BodyFamily family : families()) {
    if (!has(family, Gait::kAttack) || family == BodyFamily::kFish) continue;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Body body = make_body(family, Random(seed), {.mesh = false});
      const auto clip = make_clip(body, {.gait = Gait::kAttack, .seconds = 3, .fps = 60}, Random(4));
      ASSERT_TRUE(clip);
      int weapon = body.sting ? body.tail.back() : body.head;
      float size = body.leg_length_m;
      if (family == BodyFamily::kBiped) weapon = body.arms[0].hand;
      if (family == BodyFamily::kSnake) size = 0.4F * body.body_length_m;
      const auto [ahead, behind] = reach_of(body, *clip, weapon);
      EXPECT_GT(ahead, 0.12F * size) << to_string(family) << seed << " " << body.species;
      if (family == BodyFamily::kBiped) continue;
      EXPECT_LT(behind, -0.02F * size) << to_string(family) << seed << " " << body.species;
    }
  }
}

TEST(Action, BitesOpenTheJaw) {
  for (const BodyFamily family : {BodyFamily::kSnake, BodyFamily::kFish}) {
    Body body = make_body(family, Random(1), {.mesh = false});
    ASSERT_NE(body.jaw, kNoJoint);
    const auto clip = make_clip(body, {.gait = Gait::kAttack, .seconds = 3, .fps = 60}, Random(4));
    ASSERT_TRUE(clip);
    float widest = 0;
    for (int f = 0; f < clip->motion.num_frames; ++f)
      widest =
          std::max(widest, angle_between(Quat{}, clip->motion.frame(f).rotations[static_cast<std::size_t>(body.jaw)]));
    EXPECT_GT(widest, 0.4F) << to_string(family);
  }
}

}  // namespace
}  // namespace zoe::synth
