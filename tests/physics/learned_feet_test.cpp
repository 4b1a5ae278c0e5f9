// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Learned foot locks: what a network sees of a foot, what its decisions do, and labels.
#include "zoe/control/learned_feet.h"

#include <cmath>

#include "zoe/nn/graph_builder.h"
#include "zoe/physics/foot_labels.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

// The same answer to everything.
control::LearnedFeetPtr constant(float ankle, float ball) {
  nn::GraphBuilder b;
  const std::vector<float> weights(2 * kFootRowWidth, 0.0F), biases{ankle, ball};
  b.output("y", b.linear(b.input("x", kFootRowWidth), "l", {2, kFootRowWidth}, weights, biases));
  return control::LearnedFeet::create(nn::Network::compile(std::move(b).build().value()).value()).value();
}

// A body that stands and glides forward by 0.15 m/s.
Motion gliding(const TestRig& made, int num_frames) {
  Motion motion = swaying(made, num_frames);
  for (int frame = 0; frame < num_frames; ++frame)
    motion.translations[static_cast<std::size_t>(frame * motion.num_joints())].z +=
        0.15F * static_cast<float>(frame) / 60;
  return motion;
}

struct Glide {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  Motion motion = gliding(made, 40);
  std::vector<Leg> legs = legs_of(made.plan, motion);
  double ground_y_m = ground_under(*made.model, motion);

  Motion locked(float holds) const {
    control::FootLockLayer layer(constant(holds, holds), made.body.skeleton, legs, {}, static_cast<float>(ground_y_m));
    Motion out = motion;
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      const PoseView pose = layer.run(motion.frame(frame), {}, 1.0 / 60);
      const auto at = static_cast<std::ptrdiff_t>(frame) * motion.num_joints();
      std::ranges::copy(pose.translations, out.translations.begin() + at);
      std::ranges::copy(pose.rotations, out.rotations.begin() + at);
    }
    return out;
  }
};

TEST(LearnedFeet, HeldFeetDoNotSlip) {
  const Glide glide;
  ASSERT_EQ(glide.legs.size(), 2U);
  const SoleFigures before = measure_soles(*glide.made.model, glide.motion, glide.motion, glide.ground_y_m);
  const SoleFigures held = measure_soles(*glide.made.model, glide.locked(1), glide.motion, glide.ground_y_m);
  const SoleFigures free = measure_soles(*glide.made.model, glide.locked(0), glide.motion, glide.ground_y_m);
  EXPECT_NEAR(before.slip_m_s, 0.15, 0.02);
  EXPECT_LT(held.slip_m_s, 0.25 * before.slip_m_s);
  EXPECT_NEAR(free.slip_m_s, before.slip_m_s, 0.02);
}

TEST(LearnedFeet, RefusesOtherNetworksAndNeverAllocates) {
  nn::GraphBuilder b;
  b.output("y", b.activation(b.input("x", 4), nn::Activation::kTanh));
  EXPECT_FALSE(control::LearnedFeet::create(nn::Network::compile(std::move(b).build().value()).value()));
  const Glide glide;
  control::FootLockLayer layer(constant(1, 1), glide.made.body.skeleton, glide.legs, {},
                               static_cast<float>(glide.ground_y_m));
  layer.run(glide.motion.frame(0), {}, 1.0 / 60);
  const zoe::test::AllocationMeter counter;
  for (int frame = 1; frame < 20; ++frame) layer.run(glide.motion.frame(frame), {}, 1.0 / 60);
  EXPECT_EQ(layer.ankle_contacts()[0], 1.0F);
  if (zoe::test::kSanitized) return;
  EXPECT_EQ(counter.allocations(), 0U);
}

// A body of four times the size with the same motion at half the rate has the same rows.
TEST(FootHistory, HasNoSize) {
  FootHistory small, large;
  for (int frame = 0; frame < 15; ++frame) {
    const float s = std::sin(0.05F * static_cast<float>(frame));
    const auto points = [&](float size) {
      return FootPoints{
          {size * s, size * 0.1F, 0}, {size * s, 0, size * 0.1F}, size * 0.02F, size * 0.01F, size * 0.9F};
    };
    small.add(points(1), 1.0F / 60);
    large.add(points(4), 2.0F / 60);
  }
  std::vector<float> a(kFootRowWidth), b(kFootRowWidth);
  small.write(a), large.write(b);
  EXPECT_GT(a[2], 0.1F) << "it moves";
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4F) << i;
}

TEST(FootLabels, StandingFeetHoldAndGlidingFeetDoNot) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion still = swaying(made, 20);
  Motion fast = still;
  for (int frame = 0; frame < fast.num_frames; ++frame)
    fast.translations[static_cast<std::size_t>(frame * fast.num_joints())].z += static_cast<float>(frame) / 60;
  const std::vector<Leg> legs = legs_of(made.plan, still);
  const double ground_y_m = ground_under(*made.model, still);
  const std::vector<float> holds = holding_feet(*made.model, legs, still, ground_y_m);
  const std::vector<float> glides = holding_feet(*made.model, legs, fast, ground_y_m);
  ASSERT_EQ(holds.size(), 20U * legs.size() * 2);
  EXPECT_EQ(holds.back(), 1.0F);
  EXPECT_EQ(holds[holds.size() - 2], 1.0F);
  for (const float value : glides) EXPECT_EQ(value, 0.0F);
  const std::vector<float> lifted = holding_feet(*made.model, legs, still, ground_y_m - 0.1);
  for (const float value : lifted) EXPECT_EQ(value, 0.0F);
}

}  // namespace
}  // namespace zoe::physics
