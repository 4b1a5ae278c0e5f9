// SPDX-License-Identifier: MIT
// Bodies lie on the ground with their skin, not with their joints.
#include "author/alive/body_hull.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/author/planned_action.h"
#include "zoe/character/deform.h"
#include "zoe/core/index.h"
#include "zoe/synth/body.h"

#include "support/allocation.h"

namespace zoe::author {
namespace {

constexpr BodyFamily kFamilies[] = {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kOctopod,
                                    BodyFamily::kBird,  BodyFamily::kFlyer,     BodyFamily::kSnake};

Alive alive_of(BodyFamily family, bool mesh) {
  io::Asset asset;
  asset.character = synth::make_body(family, Random(5), {.mesh = mesh}).character;
  return make_alive(asset).value();
}

// Height of the lowest vertex of the skin, by deforming all of it.
float lowest_vertex_m(const Alive& alive, const std::vector<Affine>& model) {
  float low = 1e30F;
  for (std::size_t i = 0; i < alive.character->instances.size(); ++i)
    for (const Vec3& position : deform_instance(*alive.character, i, model).positions) low = std::min(low, position.y);
  return low;
}

std::vector<Affine> model_of(const Motion& motion, int frame) {
  std::vector<Affine> model(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
  return model;
}

TEST(BodyHull, IsAsLowAsTheSkin) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "meshes take long";
  for (const BodyFamily family : kFamilies) {
    const Alive alive = alive_of(family, true);
    const BodyHull hull(alive);
    const Motion strike = planned_action(alive, PlannedAction::kAttack, {.seconds = 2}).value();
    for (int f = 0; f < strike.num_frames; f += 10) {
      const std::vector<Affine> model = model_of(strike, f);
      // Skin between two bones bends, points of a hull do not.
      EXPECT_NEAR(hull.lowest_m(model, false), lowest_vertex_m(alive, model), 0.03F * alive.plan.settings.body_length_m)
          << to_string(family) << " " << f;
      EXPECT_GE(hull.lowest_m(model, true), hull.lowest_m(model, false));
    }
  }
}

TEST(BodyHull, WithoutSkinBonesHaveAThickness) {
  const Alive alive = alive_of(BodyFamily::kQuadruped, false);
  std::vector<Affine> model(idx(alive.body.skeleton->num_joints()));
  compute_model_from_joint(*alive.body.skeleton, alive.body.start.view(), model);
  float low = 1e30F;
  for (const Affine& joint : model) low = std::min(low, joint.t.y);
  EXPECT_LT(BodyHull(alive).lowest_m(model, false), low);
}

TEST(BodyHull, TheDeadLieOnTheGround) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "meshes take long";
  for (const BodyFamily family : kFamilies) {
    const Alive alive = alive_of(family, true);
    const float length_m = alive.plan.settings.body_length_m;
    for (const std::uint64_t seed : {1, 2}) {
      const Motion death = planned_action(alive, PlannedAction::kDie, {.seconds = 3, .seed = seed}).value();
      // Skin of a wing that is bent far hangs between its bones, and legs swing over: only on the way.
      for (int f = 0; f < death.num_frames; f += 5)
        EXPECT_GT(lowest_vertex_m(alive, model_of(death, f)), -0.12F * length_m) << to_string(family) << " " << f;
      const float lies_m = lowest_vertex_m(alive, model_of(death, death.num_frames - 1));
      EXPECT_LT(std::abs(lies_m), 0.03F * length_m) << to_string(family);
    }
  }
}

}  // namespace
}  // namespace zoe::author
