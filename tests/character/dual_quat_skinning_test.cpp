// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "zoe/character/palette_job.h"
#include "zoe/character/skinning_job.h"
#include "zoe/math/simd_dispatch.h"

#include "character/random_character.h"

namespace zoe {
namespace {

using test::max_difference;
using test::RandomCharacter;

// Every vertex is bound to joints v % 3 and, with weight 1 - first, (v + 1) % 3.
Mesh two_joint_mesh(RandomCharacter& random, std::size_t num_vertices, float first) {
  Mesh mesh;
  mesh.influences_per_vertex = 2;
  for (std::size_t v = 0; v < num_vertices; ++v) {
    mesh.positions.push_back(random.vec(1));
    mesh.normals.push_back(normalized(random.vec(1)));
    mesh.influence_joints.push_back(static_cast<std::uint16_t>(v % 3));
    mesh.influence_joints.push_back(static_cast<std::uint16_t>((v + 1) % 3));
    mesh.influence_weights.push_back(first);
    mesh.influence_weights.push_back(1 - first);
  }
  return mesh;
}

// Double precision, sign reference: the first (heavier) joint.
Vec3d naive_position(const Mesh& mesh, std::span<const DualQuat> palette, std::size_t v) {
  const Quatd reference = to_double(palette[mesh.influence_joints[2 * v]].real);
  Quatd real{0, 0, 0, 0}, dual = real;
  for (std::size_t i = 2 * v; i < 2 * v + 2; ++i) {
    const Quatd r = to_double(palette[mesh.influence_joints[i]].real),
                d = to_double(palette[mesh.influence_joints[i]].dual);
    const double w = static_cast<double>(mesh.influence_weights[i]) * (dot(reference, r) < 0 ? -1 : 1);
    real = {real.x + w * r.x, real.y + w * r.y, real.z + w * r.z, real.w + w * r.w};
    dual = {dual.x + w * d.x, dual.y + w * d.y, dual.z + w * d.z, dual.w + w * d.w};
  }
  const double s = 1 / std::sqrt(dot(real, real));
  const Quatd unit{real.x * s, real.y * s, real.z * s, real.w * s};
  const Quatd t = Quatd{dual.x * s, dual.y * s, dual.z * s, dual.w * s} * conjugate(unit);
  return rotate(unit, to_double(mesh.positions[v])) + Vec3d{2 * t.x, 2 * t.y, 2 * t.z};
}

TEST(DualQuatSkinningJob, EqualsDoublePrecisionAlsoForAntipodalQuaternionsOnEveryTarget) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    RandomCharacter random(1);
    const Mesh mesh = two_joint_mesh(random, 53, 0.7F);
    const SkinningLayout layout = SkinningLayout::create(mesh).value();
    for (int trial = 0; trial < 40; ++trial) {
      // Small and large angles between the joints, and random signs of the same rotations.
      const Quat base = random.quat();
      std::vector<DualQuat> palette;
      for (int i = 0; i < 3; ++i) {
        const Quat turn = from_axis_angle(normalized(random.vec(1)), random.number(0, trial % 2 == 0 ? 0.5F : 2.9F));
        const Quat q = turn * base;
        palette.push_back(to_dual_quat(random.whole(0, 1) == 0 ? q : -q, random.vec(1)));
      }
      std::vector<Vec3> positions(53), normals(53);
      ASSERT_TRUE((DualQuatSkinningJob{&layout, 1, palette, {}, {.positions = positions, .normals = normals}}.run()));
      for (std::size_t v = 0; v < 53; ++v) {
        ASSERT_LT(distance(to_double(positions[v]), naive_position(mesh, palette, v)), 2e-5)
            << target.name << " trial " << trial << " vertex " << v;
        ASSERT_NEAR(length(normals[v]), 1, 1e-5F);
      }
    }
  }
}

TEST(DualQuatSkinningJob, EqualsLinearBlendForOneInfluence) {
  RandomCharacter random(2);
  const Mesh mesh = two_joint_mesh(random, 40, 1.0F);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  for (const bool rigid : {true, false}) {
    std::vector<Affine> palette;
    for (int i = 0; i < 3; ++i) {
      // A mirror and an uneven scale, then a shear by the outer rotation.
      const Vec3 scale = rigid ? Vec3{1, 1, 1} : Vec3{random.number(0.5F, 2), i == 1 ? -1.3F : 1.3F, 0.7F};
      palette.push_back(to_affine(Transform{random.vec(1), random.quat(), scale}) * to_affine(random.quat()));
    }
    std::vector<DualQuat> dual_quats(3);
    std::vector<Affine> stretches(3);
    ASSERT_TRUE((DualQuatPaletteJob{palette, dual_quats, stretches}.run()));
    std::vector<Vec3> linear(40), linear_normals(40), dual(40), dual_normals(40);
    ASSERT_TRUE(
        (SkinningJob{&layout, 1, palette, NormalMode::kExact, {.positions = linear, .normals = linear_normals}}.run()));
    ASSERT_TRUE(
        (DualQuatSkinningJob{&layout, 1, dual_quats, stretches, {.positions = dual, .normals = dual_normals}}.run()));
    for (std::size_t v = 0; v < 40; ++v) {
      EXPECT_LT(distance(linear[v], dual[v]), 2e-5F) << "vertex " << v;
      EXPECT_LT(distance(linear_normals[v], dual_normals[v]), 2e-5F) << "vertex " << v;
    }
  }
}

TEST(DualQuatSkinningJob, KeepsTheRadiusOfATwist) {
  Mesh mesh;
  mesh.positions = {{0, 1, 0}};
  mesh.influences_per_vertex = 2;
  mesh.influence_joints = {0, 1};
  mesh.influence_weights = {0.5F, 0.5F};
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  const Quat twist = from_axis_angle(Vec3{1, 0, 0}, 2.0F);
  const std::vector<DualQuat> palette{{}, to_dual_quat(twist, {})};
  std::vector<Vec3> positions(1);
  ASSERT_TRUE((DualQuatSkinningJob{&layout, 1, palette, {}, {.positions = positions}}.run()));
  EXPECT_NEAR(length(positions[0]), 1.0F, 1e-5F);
  EXPECT_LT(distance(positions[0], Vec3{0, std::cos(1.0F), std::sin(1.0F)}), 1e-5F);
}

TEST(DualQuatSkinningJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(3);
  const Mesh mesh = two_joint_mesh(random, 20, 0.5F);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  const std::vector<DualQuat> palette(3);
  const std::vector<Affine> stretches(2);
  std::vector<Vec3> positions(20);
  const DualQuatSkinningJob good{&layout, 1, palette, {}, {.positions = positions}};
  EXPECT_EQ(good.validate(), nullptr);
  DualQuatSkinningJob job = good;
  job.layout = nullptr;
  EXPECT_STREQ(job.validate(), "layout is missing");
  job = good;
  job.palettes = job.palettes.first(2);
  EXPECT_NE(std::string(job.validate()).find("palettes does not have the same number"), std::string::npos);
  job = good;
  job.stretches = stretches;
  EXPECT_STREQ(job.validate(), "stretches is neither empty nor as long as palettes");
  EXPECT_FALSE(job.run());
  job = good;
  job.vertices.positions = job.vertices.positions.first(3);
  EXPECT_NE(std::string(job.validate()).find("vertices.positions"), std::string::npos);
}

TEST(DualQuatPaletteJob, RigidTimesStretchIsTheMatrix) {
  RandomCharacter random(4);
  std::vector<Affine> palette{Affine{}, Affine{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 2, 3}}};
  for (int i = 0; i < 50; ++i) {
    const Vec3 scale{random.number(-3, 3), random.number(0.01F, 3), random.number(0.1F, 100)};
    palette.push_back(to_affine(Transform{random.vec(2), random.quat(), scale}) * to_affine(random.quat()));
  }
  std::vector<DualQuat> dual_quats(palette.size());
  std::vector<Affine> stretches(palette.size());
  ASSERT_TRUE((DualQuatPaletteJob{palette, dual_quats, stretches}.run()));
  for (std::size_t i = 0; i < palette.size(); ++i) {
    Affine rigid = to_affine(dual_quats[i].real);
    rigid.t = translation_of(dual_quats[i]);
    const float size = length(palette[i].x) + length(palette[i].y) + length(palette[i].z) + 1;
    EXPECT_LT(max_difference(rigid * stretches[i], palette[i]), 1e-5F * size) << i;
    const Affine& s = stretches[i];  // Polar: symmetric.
    EXPECT_LT(std::abs(s.x.y - s.y.x) + std::abs(s.x.z - s.z.x) + std::abs(s.y.z - s.z.y), 1e-4F * size) << i;
  }
  EXPECT_EQ(stretches[0], Affine{});
  EXPECT_STREQ((DualQuatPaletteJob{palette, std::span(dual_quats).first(1), {}}.validate()),
               "dual_quats is not as long as palettes");
  EXPECT_STREQ((DualQuatPaletteJob{palette, dual_quats, std::span(stretches).first(1)}.validate()),
               "stretches is neither empty nor as long as palettes");
}

}  // namespace
}  // namespace zoe
