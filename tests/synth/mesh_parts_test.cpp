// SPDX-License-Identifier: MIT
// Plates, thin limbs and eyes, each a closed mesh; and whole meshes of every family.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "synth/bodies.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

using test::facts_of;
using test::MeshFacts;

Mesh empty_mesh() {
  Mesh mesh;
  mesh.influences_per_vertex = 4;
  return mesh;
}

void expect_arrays(const Mesh& mesh) {
  const std::size_t n = mesh.positions.size();
  EXPECT_EQ(mesh.normals.size(), n);
  EXPECT_EQ(mesh.colors.size(), n);
  EXPECT_EQ(mesh.influence_joints.size(), 4 * n);
  EXPECT_EQ(mesh.influence_weights.size(), 4 * n);
  for (std::size_t v = 0; v < n; ++v) {
    EXPECT_NEAR(length(mesh.normals[v]), 1, 1e-4);
    float sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += mesh.influence_weights[4 * v + k];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// Normals look out of the solid, on the whole.
double outward_share(const Mesh& mesh) {
  int out = 0;
  for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
    const std::uint32_t a = mesh.indices[t], b = mesh.indices[t + 1], c = mesh.indices[t + 2];
    const Vec3 face = cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]);
    out += dot(face, mesh.normals[a] + mesh.normals[b] + mesh.normals[c]) >= 0 ? 1 : 0;
  }
  return 3.0 * out / static_cast<double>(mesh.indices.size());
}

TEST(MeshParts, ABall) {
  Mesh mesh = empty_mesh();
  add_ball({.joint = 3, .centre = {1, 2, 3}, .radius_m = 0.5F}, mesh);
  expect_arrays(mesh);
  const MeshFacts facts = facts_of(mesh.positions, mesh.indices);
  EXPECT_TRUE(facts.closed);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_GT(facts.volume_m3, 0.75 * 4.0 / 3 * std::numbers::pi * 0.125);
  EXPECT_LT(facts.volume_m3, 4.0 / 3 * std::numbers::pi * 0.125);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    EXPECT_NEAR(distance(mesh.positions[v], Vec3{1, 2, 3}), 0.5F, 1e-5);
    EXPECT_EQ(mesh.influence_joints[4 * v], 3);
  }
  EXPECT_EQ(outward_share(mesh), 1);
}

TEST(MeshParts, ATubeHasTheVolumeOfItsPrism) {
  Mesh mesh = empty_mesh();
  const Tube tube{{{{0, 1, 0}, 0.1F, 2}, {{0, 1, 2}, 0.1F, 5}, {{0, 1, 4}, 0.1F, 5}}, {1, 0, 0, 1}};
  add_tube(tube, mesh);
  expect_arrays(mesh);
  const MeshFacts facts = facts_of(mesh.positions, mesh.indices);
  EXPECT_TRUE(facts.closed);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_EQ(facts.degenerate, 0);
  // Seven sides of radius 0.1, four metres, round ends.
  const double section = 0.5 * 7 * 0.01 * std::sin(2 * std::numbers::pi / 7);
  EXPECT_NEAR(facts.volume_m3, section * 4.1, 0.1 * section * 4);
  EXPECT_GT(outward_share(mesh), 0.99);
  // Both bones pull at the joint between them, one in the middle of each.
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const float z = mesh.positions[v].z;
    if (std::abs(z - 0.5F) < 0.01F) {
      EXPECT_EQ(mesh.influence_joints[4 * v], 2);
    }
    if (std::abs(z - 2) < 0.01F) {
      EXPECT_NEAR(mesh.influence_weights[4 * v], 0.5F, 1e-5);
    }
    if (std::abs(z - 3.5F) < 0.01F) {
      EXPECT_EQ(mesh.influence_joints[4 * v], 5);
    }
  }
}

TEST(MeshParts, ABentTubeStaysClosed) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    Tube tube;
    Vec3 p{};
    for (int i = 0; i < 5; ++i) {
      tube.points.push_back({p, random.uniform(0.02F, 0.1F), i});
      p += normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 1.5F}) * 0.6F;
    }
    Mesh mesh = empty_mesh();
    add_tube(tube, mesh);
    expect_arrays(mesh);
    const MeshFacts facts = facts_of(mesh.positions, mesh.indices);
    EXPECT_TRUE(facts.closed);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_GT(facts.volume_m3, 0);
  }
}

TEST(MeshParts, APlateIsAsThickAsItSays) {
  Plate plate{.num_rows = 3, .num_columns = 4, .points = {}};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      plate.points.push_back(
          {{static_cast<float>(r), 0, static_cast<float>(c)}, 0.02F, 1, 2, static_cast<float>(c) / 3});
    }
  }
  Mesh mesh = empty_mesh();
  add_plate(plate, mesh);
  expect_arrays(mesh);
  const MeshFacts facts = facts_of(mesh.positions, mesh.indices);
  EXPECT_TRUE(facts.closed);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_NEAR(std::abs(facts.volume_m3), 2 * 3 * 0.02, 1e-4);
  EXPECT_GT(facts.volume_m3, 0) << "inside out";
  // The heavier of two joints comes first.
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    EXPECT_GE(mesh.influence_weights[4 * v], mesh.influence_weights[4 * v + 1]);
    const float share = mesh.positions[v].z / 3;
    EXPECT_EQ(mesh.influence_joints[4 * v], share > 0.5F ? 2 : 1);
  }
}

TEST(Meshes, OfEveryFamilyAreSound) {
  for (const BodyFamily family : families()) {
    const Body body = test::body_of(family, 6, true);
    const Mesh& mesh = body.character->meshes.at(0);
    expect_arrays(mesh);
    const MeshFacts facts = facts_of(mesh.positions, mesh.indices);
    EXPECT_TRUE(facts.closed) << to_string(family);
    EXPECT_EQ(facts.out_of_range, 0) << to_string(family);
    EXPECT_LT(facts.degenerate, static_cast<int>(mesh.indices.size() / 3 / 200) + 1) << to_string(family);
    EXPECT_EQ(mesh.indices.size() % 3, 0U);
    EXPECT_GT(mesh.positions.size(), 500U) << to_string(family);
    EXPECT_LT(mesh.positions.size(), 40000U) << to_string(family);
    for (const std::uint16_t joint : mesh.influence_joints) EXPECT_LT(joint, body.skeleton->num_joints());
    for (const Vec4& color : mesh.colors) {
      EXPECT_GE(std::min({color.x, color.y, color.z}), 0) << to_string(family);
      EXPECT_LE(std::max({color.x, color.y, color.z}), 1) << to_string(family);
      EXPECT_EQ(color.w, 1);
    }
  }
}

// Every vertex is near the bones that move it: no limb is torn out by another's joint.
TEST(Meshes, VerticesAreNearTheirJoints) {
  for (const BodyFamily family : families()) {
    const Body body = test::body_of(family, 4, true);
    const Mesh& mesh = body.character->meshes[0];
    float size = 0;
    for (const Vec3& p : mesh.positions) size = std::max(size, length(p));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      for (std::size_t k = 0; k < 4; ++k) {
        if (mesh.influence_weights[4 * v + k] < 0.5F) continue;
        ASSERT_LT(distance(mesh.positions[v], test::rest_position(body, mesh.influence_joints[4 * v + k])), 0.8F * size)
            << to_string(family);
      }
    }
  }
}

TEST(Colours, AreDrawnFromTheSeed) {
  Plan a, b, c;
  a.random = Random(5), b.random = Random(5), c.random = Random(6);
  for (Plan* plan : {&a, &b, &c}) draw_colors(*plan);
  EXPECT_EQ(a.color, b.color);
  EXPECT_NE(a.color, c.color);
  int striped = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Plan plan;
    plan.random = Random(seed);
    draw_colors(plan);
    striped += plan.stripes > 0 ? 1 : 0;
    // The belly is paler than the back.
    EXPECT_GE(plan.belly_color.x + plan.belly_color.y + plan.belly_color.z,
              plan.color.x + plan.color.y + plan.color.z - 1e-4F);
  }
  EXPECT_NEAR(striped, 140, 45);  // 35 % of them.
}

}  // namespace
}  // namespace zoe::synth
