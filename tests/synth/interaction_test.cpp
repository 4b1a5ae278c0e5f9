// SPDX-License-Identifier: MIT
// People and props: pelvis on the seat, palms on the box and the handle, nothing inside, feet that stand, labels.
#include "zoe/synth/interaction.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/synth/measure.h"

namespace zoe::synth {
namespace {

Body person(std::uint64_t seed) { return make_body(BodyFamily::kBiped, Random(seed), {.mesh = false}); }

void expect_good(const Body& body, const InteractionClip& clip, const std::string& what) {
  const InteractionQuality quality = measure(body, clip);
  ASSERT_TRUE(validate(clip.clip.motion)) << what;
  EXPECT_LE(quality.seat_m, 0.03F) << what;
  EXPECT_LE(quality.hands_m, 0.03F) << what;
  EXPECT_LE(quality.inside_m, 0.02F) << what << ": "
                                     << (quality.inside_joint >= 0 ? body.skeleton->name(quality.inside_joint) : "");
  EXPECT_LE(quality.skate_m_s, 0.02F) << what;
  const Plausibility plausible = measure(body, clip.clip);
  EXPECT_LE(plausible.limit_rad, 0.002F) << what;
  EXPECT_LE(plausible.turn_deg, 60) << what << ": " << plausible.turn_joint;
}

TEST(Interaction, DrawnDeedsMeetTheirProps) {
  for (const Deed deed : {Deed::kSit, Deed::kCarry, Deed::kOpen, Deed::kWalk}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Body body = person(40 + seed);
      if (deed == Deed::kSit && !body.tail.empty()) continue;
      const InteractionRequest request = draw_interaction(body, deed, 60, Random(7).split(seed));
      const auto clip = make_interaction(body, request, Random(3).split(seed));
      ASSERT_TRUE(clip) << to_string(deed) << " " << seed << ": " << clip.error().message;
      expect_good(body, *clip, std::string(to_string(deed)) + " " + std::to_string(seed));
    }
  }
}

TEST(Interaction, LabelsFollowTheDeed) {
  const Body body = person(1);
  const auto clip = make_interaction(body, draw_interaction(body, Deed::kSit, 30, Random(5)), Random(5));
  ASSERT_TRUE(clip);
  const auto frames = static_cast<std::size_t>(clip->clip.motion.num_frames);
  ASSERT_EQ(clip->deeds.size(), frames);
  ASSERT_EQ(clip->goals.size(), frames);
  ASSERT_EQ(clip->props.size(), frames * clip->num_props);
  EXPECT_EQ(clip->goals.front().deed, Deed::kSit);
  EXPECT_EQ(clip->goals.back().deed, Deed::kIdle);
  int changes = 0;
  bool walked = false, sat = false;
  for (std::size_t f = 1; f < frames; ++f) {
    changes += clip->deeds[f] != clip->deeds[f - 1] ? 1 : 0;
    walked = walked || clip->deeds[f] == Deed::kWalk;
    sat = sat || clip->deeds[f] == Deed::kSit;
  }
  EXPECT_TRUE(walked && sat);
  EXPECT_LE(changes, 12);  // Short steps beside the seat are walks too.
}

TEST(Interaction, TheBoxArrives) {
  const Body body = person(2);
  const InteractionRequest request = draw_interaction(body, Deed::kCarry, 30, Random(9));
  const auto clip = make_interaction(body, request, Random(9));
  ASSERT_TRUE(clip) << clip.error().message;
  const Prop& last = clip->props[clip->props.size() - clip->num_props];
  EXPECT_LT(distance(last.position, request.destination), 1e-4F);
  // The box never jumps.
  for (std::size_t f = 1; f < clip->deeds.size(); ++f) {
    const Prop &a = clip->props[(f - 1) * clip->num_props], &b = clip->props[f * clip->num_props];
    EXPECT_LT(distance(a.position, b.position), 0.1F) << f;
  }
}

TEST(Interaction, RefusesWhatABodyCannotReach) {
  const Body body = person(3);
  const auto refused = [&](InteractionRequest request) {
    const auto clip = make_interaction(body, request, Random(1));
    return !clip && clip.error().code == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused({.deed = Deed::kSit, .props = {}}));
  EXPECT_TRUE(refused({.deed = Deed::kSit, .props = {make_seat({.height_m = 1.2F}, {0, 0, 3})}}));
  EXPECT_TRUE(refused({.deed = Deed::kSit, .props = {make_seat({.height_m = 0.05F}, {0, 0, 3})}}));
  EXPECT_TRUE(refused({.deed = Deed::kCarry, .props = {make_box({2, 0.3F, 0.3F}, 5, {0, 0, 3})}}));
  EXPECT_TRUE(refused({.deed = Deed::kCarry, .props = {make_box({0.3F, 0.3F, 0.3F}, 5, {0, 2.5F, 3})}}));
  EXPECT_TRUE(refused({.deed = Deed::kOpen, .props = {make_door({.handle_height_m = 2.6F}, {0, 0, 3})}}));
  EXPECT_TRUE(refused({.deed = Deed::kLift, .props = {make_box({0.3F, 0.3F, 0.3F}, 5, {0, 0, 3})}}));
  const Body dog = make_body(BodyFamily::kQuadruped, Random(1), {.mesh = false});
  EXPECT_FALSE(make_interaction(dog, {.deed = Deed::kSit, .props = {make_seat({})}}, Random(1)));
}

TEST(Interaction, HeavyBoxesLeanTheBodyBack) {
  const Body body = person(4);
  InteractionRequest request = draw_interaction(body, Deed::kCarry, 30, Random(2));
  const auto lean = [&](float mass_kg) {
    request.props[0].mass_kg = mass_kg;
    const auto clip = make_interaction(body, request, Random(2));
    float sum = 0;
    int count = 0;
    std::vector<Affine> models(static_cast<std::size_t>(body.skeleton->num_joints()));
    for (int f = 0; f < clip->clip.motion.num_frames; ++f) {
      if (clip->deeds[static_cast<std::size_t>(f)] != Deed::kCarry) continue;
      compute_model_from_joint(*body.skeleton, clip->clip.motion.frame(f), models);
      const Vec3 up = models[static_cast<std::size_t>(body.chest)].t - models[static_cast<std::size_t>(body.root)].t;
      const Vec3 forward = models[static_cast<std::size_t>(body.root)].apply_vector({0, 0, 1});
      sum += std::atan2(dot(up, forward), up.y), ++count;
    }
    return sum / static_cast<float>(count);
  };
  EXPECT_LT(lean(20), lean(0) - 0.05F);
}

}  // namespace
}  // namespace zoe::synth
