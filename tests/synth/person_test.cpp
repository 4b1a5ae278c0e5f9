// SPDX-License-Identifier: MIT
// People: the shape of a head on a neck, clothes in several colours, skin that holds together in motion.
#include <algorithm>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"

#include "synth/bodies.h"
#include "synth/palette.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::rest_position;

// Half the width (x) of vertices of a set of joints between two heights.
float half_width(const Body& body, const std::set<int>& joints, float low_y, float high_y) {
  const Mesh& mesh = body.character->meshes[0];
  float widest = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.positions[v];
    if (p.y < low_y || p.y > high_y || !joints.contains(mesh.influence_joints[4 * v])) continue;
    widest = std::max(widest, std::abs(p.x));
  }
  return widest;
}

TEST(Person, TheNeckIsNarrowerThanTheHead) {
  for (int i = 0; i < 12; ++i) {
    const Body body = body_of(BodyFamily::kBiped, i, true);
    const float base = rest_position(body, body.head).y, neck_y = rest_position(body, body.neck.front()).y;
    std::set<int> head{body.head}, neck(body.neck.begin(), body.neck.end());
    const float of_head = half_width(body, head, base, 10),
                of_neck = half_width(body, neck, neck_y + 0.6F * (base - neck_y), base);
    EXPECT_GT(of_neck, 0) << i;
    EXPECT_LT(of_neck, 0.85F * of_head) << i;
  }
}

TEST(Person, WearsSeveralColours) {
  std::set<std::uint32_t> looks;
  for (int i = 0; i < 20; ++i) {
    const Body body = body_of(BodyFamily::kBiped, i, true);
    std::set<std::tuple<float, float, float>> colors;
    for (const Vec4& c : body.character->meshes[0].colors) colors.insert({c.x, c.y, c.z});
    // Skin, hair, shirt, trousers, shoes, soles, eyes, lips.
    EXPECT_GE(colors.size(), 8U) << i;
    EXPECT_LT(body.character->meshes[0].positions.size(), 14000U) << i;
    const Vec4 shirt = draw_look(Random(static_cast<std::uint64_t>(i))).shirt;
    looks.insert(static_cast<std::uint32_t>(1000 * shirt.x) * 1000000 + static_cast<std::uint32_t>(1000 * shirt.y));
  }
  EXPECT_GE(looks.size(), 5U);
}

// How much longer edges become than at rest, worst of the frames: the value that 99.5 % do not exceed.
float stretch_of(const Body& body, const Clip& clip) {
  const Mesh& mesh = body.character->meshes[0];
  float worst = 0;
  for (int f = 0; f < clip.motion.num_frames; f += 10) {
    const PoseView pose = clip.motion.frame(f);
    std::vector<Affine> model(pose.rotations.size());
    for (std::size_t j = 0; j < model.size(); ++j) {
      Affine local = to_affine(pose.rotations[j]);
      local.t = pose.translations[j];
      const int parent = body.skeleton->parent(static_cast<int>(j));
      model[j] = parent == kNoJoint ? local : model[static_cast<std::size_t>(parent)] * local;
    }
    const DeformedMesh now = deform_instance(*body.character, 0, model);
    std::vector<float> ratios;
    for (std::size_t t = 0; t < mesh.indices.size(); ++t) {
      const std::uint32_t a = mesh.indices[t], b = mesh.indices[t % 3 == 2 ? t - 2 : t + 1];
      const float rest = distance(mesh.positions[a], mesh.positions[b]);
      if (rest > 1e-4F) ratios.push_back(distance(now.positions[a], now.positions[b]) / rest);
    }
    const auto at = ratios.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(ratios.size()));
    std::nth_element(ratios.begin(), at, ratios.end());
    worst = std::max(worst, *at);
  }
  return worst;
}

TEST(Person, SkinAndClothesDoNotTear) {
  for (int i = 0; i < 4; ++i) {
    const Body body = body_of(BodyFamily::kBiped, i, true);
    for (const Gait gait : {Gait::kIdle, Gait::kWalk, Gait::kRun, Gait::kJump}) {
      const auto clip = make_clip(body, {.gait = gait, .seconds = 2}, Random(2));
      ASSERT_TRUE(clip);
      // Arms that reach up open the armpits.
      EXPECT_LT(stretch_of(body, *clip), gait == Gait::kJump ? 2.5F : 2.0F) << i << " " << to_string(gait);
    }
  }
}

}  // namespace
}  // namespace zoe::synth
