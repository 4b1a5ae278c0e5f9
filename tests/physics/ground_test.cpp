// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Bodies on uneven ground.
#include <algorithm>
#include <cmath>

#include "zoe/ground/terrain.h"

#include "bodies.h"
#include "physics/ground_contact.h"

namespace zoe::physics {
namespace {

BodyModelPtr on_ground(const TestRig& made, GroundPtr ground) {
  return BodyModel::create(made.plan, made.body.skeleton, {.ground = std::move(ground)}).value();
}

// The reference pose above a point, with its lowest shape at `height_m`.
Pose standing_at(const TestRig& made, Vec3 at) {
  Pose pose = reference_pose_of(made.source());
  const Motion still = make_motion(made.body.skeleton, "still", 60, 1, false);
  const float ground = static_cast<float>(ground_under(*made.model, still));
  const auto unit = static_cast<float>(made.plan.metres_per_unit);
  pose.translations[0] += (at - Vec3{0, ground, 0}) * (1 / unit);
  return pose;
}

double lowest_clearance(const TestRig& made, const BodyState& state, const Ground& ground) {
  double low = 1e30;
  for (int b = 0; b < state.num_bones(); ++b)
    low = std::min(low, clearance_m(made.plan.bones[static_cast<std::size_t>(b)].shape, state.bone_rotation(b),
                                    state.bone_origin_m(b), &ground));
  return low;
}

TEST(PhysicsGround, AFlatGroundIsLikeThePlane) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const GroundPtr raised = Ground::flat(1.5F);
  const BodyModelPtr model = on_ground(made, raised);
  BodyState state(model), plane(made.model);
  const Pose high = standing_at(made, {0, 1.5F, 0}), low = standing_at(made, {0, 0, 0});
  state.reset(high.view());
  plane.reset(low.view());
  for (int i = 0; i < 60; ++i) state.tick(high.view(), {.assist_n = 200}), plane.tick(low.view(), {.assist_n = 200});
  EXPECT_NEAR(state.bone_origin_m(0).y - 1.5, plane.bone_origin_m(0).y, 0.005);
  EXPECT_FALSE(has_fallen(state, made.plan));
  EXPECT_NEAR(state.ground_m({3, 0, 4}), 1.5, 1e-6);
}

TEST(PhysicsGround, ALimpBodyComesToRestOnTheSurface) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const GroundPtr hills = Ground::function([](float x, float z) { return 2 + 0.15F * std::sin(2 * x) + 0.1F * z; });
  const BodyModelPtr model = on_ground(made, hills);
  BodyState state(model);
  const Pose pose = standing_at(made, {20, hills->height(20, 30) + 0.5F, 30});
  state.reset(pose.view());
  for (int i = 0; i < 240; ++i) EXPECT_FALSE(state.tick(pose.view(), {.servo_scale = 0.05}).went_bad);
  const double low = lowest_clearance(made, state, *hills);
  EXPECT_LT(low, 0.02) << "it lies on the ground";
  EXPECT_GT(low, -0.04) << "it does not sink in";
  EXPECT_TRUE(has_fallen(state, made.plan));
}

// The highest ground below a body's feet: over a trench it stands on the edges, not with its toes in a wall.
float highest_around(const Ground& ground, float x, float z) {
  float high = ground.height(x, z);
  for (int i = -5; i <= 5; ++i)
    for (int k = -5; k <= 5; ++k)
      high = std::max(high, ground.height(x + 0.05F * static_cast<float>(i), z + 0.05F * static_cast<float>(k)));
  return high;
}

TEST(PhysicsGround, StaysFiniteOnEveryTerrain) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  for (int shape = 0; shape < kNumTerrainShapes; ++shape) {
    SCOPED_TRACE(to_string(static_cast<TerrainShape>(shape)));
    const GroundPtr terrain = make_terrain_ground(static_cast<TerrainShape>(shape), 3);
    const BodyModelPtr model = on_ground(made, terrain);
    BodyState state(model);
    for (const float z : {4.0F, 9.0F}) {
      const Pose pose = standing_at(made, {0.1F, highest_around(*terrain, 0.1F, z), z});
      state.reset(pose.view());
      int bad = 0;
      for (int i = 0; i < 40; ++i) bad += state.tick(pose.view(), {.assist_n = 600}).went_bad ? 1 : 0;
      EXPECT_EQ(bad, 0);
      EXPECT_LT(distance(state.bone_origin_m(0), state.target_origin_m(0)), 0.2);
    }
  }
}

TEST(PhysicsGround, StatesAreSavedAndRestored) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const GroundPtr terrain = make_terrain_ground(TerrainShape::kRough, 5);
  const BodyModelPtr model = on_ground(made, terrain);
  BodyState state(model), other(model);
  const Pose pose = standing_at(made, {0, terrain->height(0, 6), 6});
  state.reset(pose.view());
  for (int i = 0; i < 10; ++i) state.tick(pose.view(), {.assist_n = 100});
  std::vector<std::byte> bytes(state.num_saved_bytes());
  state.save(bytes);
  ASSERT_TRUE(other.restore(bytes));
  for (int i = 0; i < 10; ++i) state.tick(pose.view()), other.tick(pose.view());
  EXPECT_EQ(state.hash(), other.hash());
}

}  // namespace
}  // namespace zoe::physics
