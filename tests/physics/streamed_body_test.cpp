// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A simulated body over a running character: hand-over in both directions.
#include "zoe/physics/streamed_body.h"

#include <cmath>

#include "zoe/physics/stiffen_bones.h"

#include "bodies.h"

namespace zoe::physics {
namespace {

// A character that stands, and is moved as the body asks.
struct Stander {
  Vec3 at;
  float facing_rad = 0;
  Pose rest, pose;

  explicit Stander(const TestRig& made) : rest(reference_pose_of(made.source())), pose(rest) {}
  const Pose& tick() {
    const Quat turn = from_axis_angle(Vec3{0, 1, 0}, facing_rad);
    pose = rest;
    pose.translations[0] = rotate(turn, rest.translations[0]) + at;
    pose.rotations[0] = turn * rest.rotations[0];
    return pose;
  }
  void move(const Placement& by) {
    at = rotate(from_axis_angle(Vec3{0, 1, 0}, by.yaw_rad), at) + by.shift;
    facing_rad += by.yaw_rad;
  }
};

TEST(StreamedBody, TheCharacterComesToWhereItsBodyLies) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    SCOPED_TRACE(to_string(family));
    const TestRig made = make_test_rig(family);
    StreamedBody body(made.model, {.give_way_m_s = 1}, ground_of(made));
    Stander character(made);
    bool was_down = false;
    for (int i = 0; i < 600; ++i) {
      if (i == 30) body.push({9 * made.plan.mass_kg * kGravityM_s2, 0, 0}, 0.1);
      body.run(character.tick().view(), 1.0 / 60);
      was_down = was_down || body.is_down();
      if (body.moves()) character.move(body.move()), body.take_move();
      if (was_down && !body.is_down()) break;
    }
    EXPECT_TRUE(was_down);
    EXPECT_FALSE(body.is_down());
    for (int i = 0; i < 30; ++i) body.run(character.tick().view(), 1.0 / 60);
    EXPECT_GT(std::abs(character.at.x), 0.2F) << "the character follows its body";
    const Vec3d off = body.state().bone_origin_m(0) - body.state().target_origin_m(0);
    EXPECT_LT(std::hypot(off.x, off.z), 0.1 * made.plan.height_m + 0.02);
    const StreamFigures figures = body.figures();
    EXPECT_EQ(figures.num_get_ups, figures.num_falls);
    EXPECT_EQ(figures.num_bad, 0);
    EXPECT_LT(figures.largest_step_m, 0.35);
    EXPECT_GT(figures.down_s, 0.5);
  }
}

TEST(StreamedBody, APushThatIsNoFallMovesTheCharacter) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  StreamedBody body(made.model, {.assist_share = 0.6, .lost_share = 1, .give_way_m_s = 1}, ground_of(made));
  Stander character(made);
  body.run(character.tick().view(), 1.0 / 60);
  body.push({0, 0, 1.2 * made.plan.mass_kg * kGravityM_s2}, 0.4);
  for (int i = 0; i < 60; ++i) {
    body.run(character.tick().view(), 1.0 / 60);
    if (body.moves()) character.move(body.move()), body.take_move();
  }
  EXPECT_EQ(body.figures().num_falls, 0);
  EXPECT_GT(character.at.z, 0.03F);
}

TEST(StreamedBody, OtherRatesGiveAsManyTicks) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const Pose pose = reference_pose_of(made.source());
  for (const double rate_hz : {30.0, 60.0, 144.0}) {
    StreamedBody body(made.model, {}, ground_of(made));
    body.run(pose.view(), 0);
    for (int i = 0; i < static_cast<int>(rate_hz); ++i) body.run(pose.view(), 1 / rate_hz);
    EXPECT_NEAR(body.figures().seconds, 1, 1.5 / 60) << rate_hz;
  }
}

TEST(StiffenBones, AKeptHeadTurnsLessUnderAPush) {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  EXPECT_EQ(stiffen_bones(made.plan, "wings"), 0);
  int head = -1;
  for (std::size_t b = 0; b < made.plan.bones.size(); ++b)
    if (made.plan.bones[b].role == BoneRole::kHead) head = static_cast<int>(b);
  ASSERT_GE(head, 0);
  BodyPlan kept = made.plan;
  ASSERT_GE(stiffen_bones(kept, "head"), 1);
  double worst[2] = {};
  for (int which = 0; which < 2; ++which) {
    const auto model = BodyModel::create(which == 0 ? made.plan : kept, made.body.skeleton).value();
    BodyState state(model);
    const Pose pose = reference_pose_of(made.source());
    state.reset(pose.view(), ground_of(made));
    for (int i = 0; i < 20; ++i) {
      const int parent = made.plan.bones[static_cast<std::size_t>(head)].parent;
      state.tick(pose.view(),
                 {.assist_n = 2000, .push_n = {0.3 * made.plan.mass_kg * kGravityM_s2, 0, 0}, .push_bone = head});
      const Quatd simulated = conjugate(state.bone_rotation(parent)) * state.bone_rotation(head);
      const Quatd target = conjugate(state.target_rotation(parent)) * state.target_rotation(head);
      worst[which] = std::max(worst[which], angle_between(simulated, target));
    }
  }
  EXPECT_LT(worst[1], 0.5 * worst[0]);
}

}  // namespace
}  // namespace zoe::physics
