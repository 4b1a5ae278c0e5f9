// SPDX-License-Identifier: MIT
#include "zoe/eval/damage.h"

#include "zoe/motion/joint_tracks.h"

#include "eval/made_clips.h"

namespace zoe::eval::test {
namespace {

double mean_turn(const Motion& a, const Motion& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rotations.size(); ++i)
    sum += 2 * std::acos(std::min(1.0, std::abs(static_cast<double>(dot(a.rotations[i], b.rotations[i])))));
  return sum / static_cast<double>(a.rotations.size());
}

TEST(Damage, OfLevelZeroIsNone) {
  const MadeClip clip = make_clip(BodyFamily::kQuadruped, synth::Gait::kWalk);
  for (const Damage damage : damages()) {
    const Motion same = damaged(clip.motion, clip.body, damage, 0);
    EXPECT_EQ(same.rotations, clip.motion.rotations) << to_string(damage);
    EXPECT_EQ(same.translations, clip.motion.translations) << to_string(damage);
  }
}

TEST(Damage, GivesValidMotionsOfEveryFamilyAndTheSameForASeed) {
  for (const auto& [family, gait] :
       {std::pair{BodyFamily::kBiped, synth::Gait::kWalk}, std::pair{BodyFamily::kHexapod, synth::Gait::kTripod},
        std::pair{BodyFamily::kSnake, synth::Gait::kSlither}}) {
    const MadeClip clip = make_clip(family, gait);
    for (const Damage damage : damages()) {
      const Motion worse = damaged(clip.motion, clip.body, damage, 0.5, 3),
                   again = damaged(clip.motion, clip.body, damage, 0.5, 3);
      EXPECT_TRUE(validate(worse).has_value()) << to_string(damage);
      EXPECT_EQ(worse.rotations, again.rotations) << to_string(damage);
      EXPECT_TRUE(worse.num_frames != clip.motion.num_frames || worse.rotations != clip.motion.rotations ||
                  worse.translations != clip.motion.translations)
          << to_string(damage) << " of " << to_string(family);
    }
  }
}

TEST(Damage, JitterHasItsSize) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  // A vector of three normal numbers is 1.596 deviations long on average.
  const double degrees = mean_turn(clip.motion, damaged(clip.motion, clip.body, Damage::kJitter, 0.5)) * 180 / M_PI;
  EXPECT_NEAR(degrees, 2 * 1.596, 0.1);
}

TEST(Damage, SkateMovesTheGroundAlone) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const Motion skating = damaged(clip.motion, clip.body, Damage::kFootSkate, 1);
  EXPECT_EQ(skating.rotations, clip.motion.rotations);
  const int root[] = {0};
  const auto before = model_positions(clip.motion, root), after = model_positions(skating, root);
  float furthest = 0;
  for (std::size_t f = 0; f < before.size(); ++f) {
    EXPECT_EQ(before[f].y, after[f].y);
    furthest = std::max(furthest, length(before[f] - after[f]));
  }
  EXPECT_GT(furthest, 0.1F);
}

TEST(Damage, FreezeHoldsFrames) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const Motion frozen = damaged(clip.motion, clip.body, Damage::kFreeze, 1);
  int held = 0;
  for (int f = 1; f < frozen.num_frames; ++f) {
    const auto now = frozen.frame(f).rotations, before = frozen.frame(f - 1).rotations;
    held += std::equal(now.begin(), now.end(), before.begin()) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held) / frozen.num_frames, 0.75, 0.12);
}

TEST(Damage, SlowIsLonger) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const Motion slow = damaged(clip.motion, clip.body, Damage::kSlow, 1);
  EXPECT_NEAR(slow.duration_s(), clip.motion.duration_s() / 0.3, 0.05);
  EXPECT_EQ(slow.fps, clip.motion.fps);
}

}  // namespace
}  // namespace zoe::eval::test
