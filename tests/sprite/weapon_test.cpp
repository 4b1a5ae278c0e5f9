// SPDX-License-Identifier: MIT
// Weapons in hands.
#include "zoe/sprite/weapon.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/render/software/model.h"

#include "support.h"

namespace zoe::sprite {
namespace {

// A rod from the origin to `tip`, and a little across.
Character rod(Vec3 tip) {
  Character out;
  out.skeleton = Skeleton::create({JointDesc{.name = "rod"}}).value();
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, tip, tip + Vec3{0.02F, 0.02F, 0.02F}, {0.02F, 0.02F, 0.02F}};
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.submeshes = {{0, 6, -1}};
  out.meshes.push_back(mesh);
  out.instances.push_back({.mesh = 0, .joint = 0});
  return out;
}

TEST(Weapon, StaysAtTheHandInEveryPose) {
  const Request request = test::walker(Style::kToon);
  Warnings warnings;
  const float height = static_cast<float>(request.body.height_m);
  const CharacterPtr armed =
      with_weapon(request.character, request.body, rod({0, 0.5F * height, 0}), {}, warnings).value();
  EXPECT_TRUE(warnings.empty());
  ASSERT_EQ(armed->instances.size(), request.character->instances.size() + 1);
  const int hand = armed->instances.back().joint;
  EXPECT_NE(std::find(request.body.hands.begin(), request.body.hands.end(), hand), request.body.hands.end());
  const render::SoftwareModel model = render::SoftwareModel::create(armed, {}, warnings);
  const std::size_t first = model.first_vertex(armed->instances.size() - 1);
  const Motion& motion = *request.clips[0].motion;
  for (int frame = 0; frame < motion.num_frames; frame += 7) {
    std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
    compute_model_from_joint(*motion.skeleton, motion.frame(frame), joints);
    render::PosedVertices vertices;
    render::pose_vertices(model, joints, {}, vertices);
    const Vec3 handle = vertices.positions[first], tip = vertices.positions[first + 1];
    EXPECT_LT(length(handle - joints[static_cast<std::size_t>(hand)].t), 0.15F * height);
    EXPECT_NEAR(length(tip - handle), 0.5F * height, 1e-3F * height);
  }
  // Forwards and up in the rest pose.
  render::PosedVertices rest;
  render::pose_vertices(model, armed->skeleton->rest_model(), {}, rest);
  EXPECT_GT(dot(normalized(rest.positions[first + 1] - rest.positions[first]), request.body.forward), 0.8F);
}

TEST(Weapon, IsDrawn) {
  Request request = test::walker(Style::kFlat);
  const FrameSet bare = test::draw(request);
  Warnings warnings;
  request.character = with_weapon(request.character, request.body, rod({0, 1, 0}), {}, warnings).value();
  EXPECT_FALSE(test::same_pictures(bare.frames[0].body, test::draw(request).frames[0].body));
}

TEST(Weapon, ArcsAreDrawnWhereItIsFast) {
  Request request = test::walker(Style::kToon);
  Warnings warnings;
  request.character = with_weapon(request.character, request.body, rod({0, 1, 0}), {}, warnings).value();
  request.num_weapon_instances = 1;
  request.effects = true;
  // A turn of the whole body in half a second, after half a second of stillness.
  Motion spin = *request.clips[0].motion;
  const auto joints = static_cast<std::size_t>(spin.num_joints());
  for (int i = 0; i < spin.num_frames; ++i) {
    for (std::size_t j = 0; j < joints; ++j) {
      const std::size_t at = static_cast<std::size_t>(i) * joints + j;
      spin.translations[at] = spin.translations[j];
      spin.rotations[at] = spin.rotations[j];
    }
    const float turn = 6.28F * std::max(0.0F, static_cast<float>(i) / static_cast<float>(spin.num_frames) * 2 - 1);
    spin.rotations[static_cast<std::size_t>(i) * joints] =
        Quat{0, std::sin(turn / 2), 0, std::cos(turn / 2)} * spin.rotations[0];
  }
  auto motion = std::make_shared<const Motion>(spin);
  request.clips = {{"spin", motion, even_exposures(*motion, 8, 0, false), false}};
  const FrameSet set = test::draw(request);
  EXPECT_TRUE(set.has_effects);
  int drawn = 0;
  for (std::size_t i = 0; i < set.frames.size(); ++i) {
    const bool still = request.clips[0].exposures[i].time_s < 0.45 * motion->duration_s();
    EXPECT_TRUE(!still || set.frames[i].effect.empty()) << i;
    drawn += set.frames[i].effect.empty() ? 0 : 1;
  }
  EXPECT_GE(drawn, 2);
  for (const Frame& frame : test::draw(request).frames) EXPECT_LE(frame.effect.x + frame.effect.picture.width, 64);
}

TEST(Weapon, RefusesAndScales) {
  const Request request = test::walker(Style::kToon);
  Warnings warnings;
  Character empty = rod({0, 1, 0});
  empty.instances.clear();
  EXPECT_FALSE(with_weapon(request.character, request.body, empty, {}, warnings));
  const Result<CharacterPtr> unknown =
      with_weapon(request.character, request.body, rod({0, 1, 0}), {.joint = "tentacle"}, warnings);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("tentacle"), std::string::npos);
  ASSERT_TRUE(warnings.empty());
  ASSERT_TRUE(with_weapon(request.character, request.body, rod({0, 900, 0}), {}, warnings));
  EXPECT_EQ(warnings.size(), 1U);
  const Request snake = test::walker(Style::kToon, BodyFamily::kQuadruped);
  EXPECT_FALSE(with_weapon(snake.character, snake.body, rod({0, 1, 0}), {}, warnings));
}

}  // namespace
}  // namespace zoe::sprite
