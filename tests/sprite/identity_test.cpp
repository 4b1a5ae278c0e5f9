// SPDX-License-Identifier: MIT
// Procedural characters: many, different, valid, the same on every machine, and on the ground in their actions.
#include "zoe/sprite/identity/identity.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"
#include "zoe/render/software/model.h"

#include "support.h"
#include "support/allocation.h"

namespace zoe::sprite {
namespace {

namespace id = identity;

float lowest_point(const id::Identity& identity, const Motion& motion, int frame) {
  Warnings warnings;
  const render::SoftwareModel model = render::SoftwareModel::create(identity.character, "", warnings);
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), joints);
  render::PosedVertices vertices;
  render::pose_vertices(model, joints, {}, vertices);
  const std::size_t body = identity.character->meshes[0].num_vertices();  // Weapons may be lower.
  float lowest = 1e30F;
  for (std::size_t i = 0; i < body; ++i) lowest = std::min(lowest, vertices.positions[i].y);
  return lowest;
}

TEST(Identity, ThreeHundredSeedsGiveDifferentValidBipeds) {
  const int count = zoe::test::kSanitized ? 20 : 300;
  std::set<std::string> words;
  std::set<id::Species> species;
  std::set<id::Job> jobs;
  std::uint64_t topology = 0;
  for (int seed = 0; seed < count; ++seed) {
    const id::Traits traits = id::draw_traits(static_cast<std::uint64_t>(seed));
    words.insert(id::describe(traits));
    species.insert(traits.species);
    jobs.insert(traits.job);
    if (seed % 10 != 0) continue;  // Bodies of some: they take longer.
    const id::Identity identity = id::make_identity(traits);
    ASSERT_TRUE(validate(*identity.character));
    EXPECT_EQ(identity.body.family, BodyFamily::kBiped) << seed;
    EXPECT_EQ(identity.body.hands.size(), 2U) << seed;
    EXPECT_EQ(identity.body.feet.size(), 2U) << seed;
    EXPECT_GT(identity.body.forward.z, 0.99F) << seed;
    if (topology == 0) topology = identity.character->skeleton->topology_hash();
    EXPECT_EQ(identity.character->skeleton->topology_hash(), topology);
    EXPECT_EQ(traits.species == id::Species::kGhost, identity.floats);
  }
  EXPECT_GE(words.size(), static_cast<std::size_t>(count) * 97 / 100);
  if (!zoe::test::kSanitized) {
    EXPECT_EQ(species.size(), 20U);
    EXPECT_EQ(jobs.size(), 12U);
  }
}

TEST(Identity, ASeedGivesTheSameBody) {
  const id::Identity a = id::make_identity(id::draw_traits(7)), b = id::make_identity(id::draw_traits(7));
  EXPECT_EQ(a.character->meshes[0].positions, b.character->meshes[0].positions);
  const id::Identity c = id::make_identity(id::draw_traits(8));
  EXPECT_NE(a.character->meshes[0].positions, c.character->meshes[0].positions);
}

TEST(Identity, BuildsDifferInHeadsAndHeights) {
  id::Traits chibi = id::draw_traits(31), giant = chibi;
  chibi.build = id::Build::kChibi;
  giant.build = id::Build::kGiant;
  const auto head_share = [](const id::Traits& traits) {
    const id::Identity identity = id::make_identity(traits);
    const Skeleton& skeleton = *identity.character->skeleton;
    const double neck = static_cast<double>(skeleton.rest_model()[static_cast<std::size_t>(skeleton.find("Neck"))].t.y);
    return std::pair{neck / identity.body.height_m, identity.body.height_m};
  };
  const auto [chibi_neck, chibi_height] = head_share(chibi);
  const auto [giant_neck, giant_height] = head_share(giant);
  EXPECT_LT(chibi_neck, 0.58);
  EXPECT_GT(giant_neck, 0.62);
  EXPECT_GT(giant_height, 1.7 * chibi_height);
}

TEST(Identity, ActionsStandOnTheGroundAndLoopsClose) {
  const id::Identity identity = id::make_identity(id::draw_traits(118));
  const auto height = static_cast<float>(identity.body.height_m);
  for (const std::string& word : id::action_words()) {
    const Motion motion = id::make_action(identity, word).value();
    ASSERT_TRUE(validate(motion)) << word;
    if (id::action_loops(word)) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(motion.num_joints()); ++j) {
        const std::size_t last =
            static_cast<std::size_t>(motion.num_frames - 1) * static_cast<std::size_t>(motion.num_joints()) + j;
        EXPECT_LT(angle_between(motion.rotations[j], motion.rotations[last]), 1e-3F) << word << " joint " << j;
      }
    }
    const int step = zoe::test::kSanitized ? 20 : 5;
    for (int frame = 0; frame < motion.num_frames; frame += step) {
      EXPECT_GT(lowest_point(identity, motion, frame), -0.09F * height) << word << " frame " << frame;
      if (word == "walk" || word == "slash" || word == "idle") {
        EXPECT_LT(lowest_point(identity, motion, frame), 0.04F * height) << word << " frame " << frame;
      }
    }
  }
  const Motion jump = id::make_action(identity, "jump").value();
  EXPECT_GT(lowest_point(identity, jump, jump.num_frames / 2), 0.1F * height);
  EXPECT_FALSE(id::make_action(identity, "fly").has_value());
}

TEST(Identity, MotionsPlayOnOtherIdentities) {
  const id::Identity small = id::make_identity(id::draw_traits(3)), large = id::make_identity(id::draw_traits(20));
  const Motion walk = id::make_action(small, "walk").value();
  const Motion moved = id::transfer(walk, small, large);
  ASSERT_TRUE(validate(moved));
  EXPECT_EQ(moved.skeleton, large.character->skeleton);
  EXPECT_EQ(moved.rotations, walk.rotations);
  EXPECT_GT(lowest_point(large, moved, 4), -0.06F * static_cast<float>(large.body.height_m));
  // There and back again.
  const Motion back = id::transfer(moved, large, small);
  for (std::size_t i = 0; i < walk.translations.size(); ++i)
    EXPECT_LT(distance(back.translations[i], walk.translations[i]), 1e-5F);
}

TEST(Identity, TheSameBytesWithAnyInstructionSet) {
  std::vector<FrameSet> sets;
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    const id::Identity identity = id::make_identity(id::draw_traits(20));
    const auto motion = std::make_shared<const Motion>(id::make_action(identity, "slash").value());
    Request request{.character = identity.character, .body = identity.body, .num_directions = 2, .size_px = 48};
    request.clips.push_back({"slash", motion, even_exposures(*motion, 6, 0, false), false});
    sets.push_back(test::draw(request));
  }
  for (const FrameSet& set : sets) {
    ASSERT_EQ(set.frames.size(), sets[0].frames.size());
    for (std::size_t i = 0; i < set.frames.size(); ++i) {
      EXPECT_TRUE(test::same_pictures(set.frames[i].body, sets[0].frames[i].body)) << i;
      EXPECT_TRUE(test::same_pictures(set.frames[i].shadow, sets[0].frames[i].shadow)) << i;
    }
  }
}

}  // namespace
}  // namespace zoe::sprite
