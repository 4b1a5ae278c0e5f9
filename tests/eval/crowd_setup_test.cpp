// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_setup.h"

#include <gtest/gtest.h>

#include "control/toy_controller.h"

namespace zoe::eval {
namespace {

control::ControllerPtr toy() { return std::make_shared<const control::test::ToyController>(); }

TEST(CrowdSetup, PlacesTheSceneAndDirectsIt) {
  const DirectedCrowd made = make_crowd(toy(), {.scene = "swap", .num_characters = 6, .speed_mps = 2}).value();
  ASSERT_EQ(made.crowd->size(), 6);
  for (int i = 0; i < 6; ++i) {
    const Vec3 expected = made.director->scene().places[static_cast<std::size_t>(i)].position;
    EXPECT_LT(distance(made.crowd->state(i).root().position, expected), 1e-5F);
    EXPECT_EQ(made.crowd->radius_m(i), 0.25F);
    EXPECT_EQ(made.crowd->state(i).proportions().upper, 1);
  }
  std::vector<control::Intent> intents(6);
  made.director->direct(*made.crowd, intents);
  for (const control::Intent& intent : intents) {
    EXPECT_GT(length(intent.velocity_at(0)), 0.85F * 2);
    EXPECT_LT(length(intent.velocity_at(0)), 1.15F * 2);
  }
}

TEST(CrowdSetup, DrawsSizesAndLegs) {
  CrowdSetup setup{.scene = "goals", .num_characters = 40, .sizes = Range{0.8F, 1.2F}};
  const DirectedCrowd sized = make_crowd(toy(), setup).value();
  float least = 9, most = 0;
  for (int i = 0; i < 40; ++i) {
    least = std::min(least, sized.crowd->state(i).proportions().upper);
    most = std::max(most, sized.crowd->state(i).proportions().upper);
  }
  EXPECT_GE(least, 0.8F);
  EXPECT_LT(least, 0.9F);
  EXPECT_LE(most, 1.2F);
  EXPECT_GT(most, 1.1F);
  setup.sizes.reset();
  setup.legs = Range{0.5F, 0.5F};
  const DirectedCrowd short_legs = make_crowd(toy(), setup).value();
  EXPECT_EQ(short_legs.crowd->state(3).proportions().upper, 1);
}

TEST(CrowdSetup, RefusesUnknownScenes) {
  const auto made = make_crowd(toy(), {.scene = "party", .num_characters = 3});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().format().find("party"), std::string::npos);
}

}  // namespace
}  // namespace zoe::eval
