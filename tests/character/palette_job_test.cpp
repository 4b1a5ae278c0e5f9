// SPDX-License-Identifier: MIT
#include "zoe/character/palette_job.h"

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "character/random_character.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::max_difference;
using test::RandomCharacter;

Affine random_affine(RandomCharacter& random) {
  return to_affine(Transform{random.vec(1), random.quat(), {random.number(0.5F, 2), 1, 1}});
}

TEST(PaletteJob, EqualsTheProductOnEveryTarget) {
  RandomCharacter random(1);
  const std::size_t characters = 3, joints = 9;
  const Skin skin{"skin", {8, 0, 3, 3, 5}, std::vector<Affine>(5, random_affine(random))};
  std::vector<Affine> models, targets;
  for (std::size_t i = 0; i < characters * joints; ++i) models.push_back(random_affine(random));
  for (std::size_t i = 0; i < characters; ++i) targets.push_back(random_affine(random));
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    for (const bool moved : {false, true}) {
      std::vector<Affine> palettes(characters * 5);
      const PaletteJob job{.skin = &skin,
                           .num_characters = characters,
                           .model_from_joint = models,
                           .target_from_model = moved ? std::span<const Affine>(targets) : std::span<const Affine>(),
                           .palettes = palettes};
      const test::AllocationMeter meter;
      ASSERT_TRUE(job.run());
      EXPECT_EQ(meter.allocations(), 0U);
      for (std::size_t c = 0; c < characters; ++c) {
        for (std::size_t i = 0; i < 5; ++i) {
          Affine expected = models[c * joints + static_cast<std::size_t>(skin.joints[i])] * skin.joint_from_mesh[i];
          if (moved) expected = targets[c] * expected;
          EXPECT_LT(max_difference(palettes[c * 5 + i], expected), 1e-5F) << target.name;
        }
      }
    }
  }
}

TEST(PaletteJob, SaysWhichFieldIsWrong) {
  const Skin skin{"skin", {0, 2}, std::vector<Affine>(2)}, short_skin{"short", {0, 1}, std::vector<Affine>(1)};
  const std::vector<Affine> models(6);
  std::vector<Affine> palettes(4);
  const PaletteJob good{.skin = &skin, .num_characters = 2, .model_from_joint = models, .palettes = palettes};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    PaletteJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "nothing");
  };
  EXPECT_EQ(why([](auto& j) { j.skin = nullptr; }), "skin is missing");
  EXPECT_EQ(why([&](auto& j) { j.skin = &short_skin; }), "skin has another number of bind matrices than joints");
  EXPECT_EQ(why([](auto& j) { j.model_from_joint = j.model_from_joint.first(5); }),
            "model_from_joint does not have the same number of joints for every character");
  EXPECT_EQ(why([](auto& j) { j.model_from_joint = j.model_from_joint.first(4); }),
            "skin names a joint that model_from_joint does not have");
  EXPECT_EQ(why([&](auto& j) { j.target_from_model = std::span(models).first(1); }),
            "target_from_model is neither empty nor one entry per character");
  EXPECT_EQ(why([](auto& j) { j.palettes = j.palettes.first(3); }),
            "palettes does not have one entry per character and skin joint");
}

}  // namespace
}  // namespace zoe
