// SPDX-License-Identifier: MIT
#include "zoe/character/skinning_job.h"

#include <gtest/gtest.h>

#include "zoe/character/palette_job.h"
#include "zoe/math/simd_dispatch.h"

#include "character/random_character.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::RandomCharacter;

constexpr std::size_t kJoints = 23;

// Joints are near each other for near vertices, as in real meshes; weights are heaviest first and padded with zeros.
Mesh random_mesh(RandomCharacter& random, std::size_t num_vertices, int influences) {
  Mesh mesh;
  mesh.influences_per_vertex = influences;
  for (std::size_t v = 0; v < num_vertices; ++v) {
    mesh.positions.push_back(random.vec(1));
    mesh.normals.push_back(normalized(random.vec(1)));
    const Vec3 t = normalized(cross(mesh.normals.back(), random.vec(1)));
    mesh.tangents.push_back({t.x, t.y, t.z, random.whole(0, 1) == 0 ? -1.0F : 1.0F});
    const int used = random.whole(1, influences);
    std::vector<float> weights(static_cast<std::size_t>(influences), 0.0F);
    float sum = 0;
    for (int i = 0; i < used; ++i) sum += weights[static_cast<std::size_t>(i)] = random.number(0.1F, 1);
    std::sort(weights.rbegin(), weights.rend());
    for (const float w : weights) {
      mesh.influence_weights.push_back(w / sum);
      mesh.influence_joints.push_back(static_cast<std::uint16_t>(
          std::min<std::size_t>(kJoints - 1, v / 10 + static_cast<std::size_t>(random.whole(0, 3)))));
    }
  }
  return mesh;
}

std::vector<Affine> random_palette(RandomCharacter& random, bool rigid) {
  std::vector<Affine> palette;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Vec3 scale =
        rigid ? Vec3{1, 1, 1} : Vec3{random.number(0.5F, 2), random.number(0.5F, 2), random.number(0.5F, 2)};
    palette.push_back(to_affine(Transform{random.vec(1), random.quat(), scale}));
  }
  return palette;
}

struct Vertex {
  Vec3d position, normal, tangent;
  double sign;  // Of the matrix's determinant.
};

// Double precision, straight from the definition; `normal` by the inverse transpose when exact.
Vertex naive_linear(const Mesh& mesh, std::span<const Affine> palette, std::size_t v, bool exact) {
  Affined m{{}, {}, {}, {}};
  const auto n = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (std::size_t i = v * n; i < (v + 1) * n; ++i) {
    const Affined joint = to_double(palette[mesh.influence_joints[i]]);
    const double w = static_cast<double>(mesh.influence_weights[i]);
    m = {m.x + joint.x * w, m.y + joint.y * w, m.z + joint.z * w, m.t + joint.t * w};
  }
  const Vec3d normal = to_double(mesh.normals[v]);
  const Vec4 t = mesh.tangents[v];
  Vec3d tangent = m.apply_vector({t.x, t.y, t.z});
  Vec3d moved = m.apply_vector(normal);
  if (exact) {
    const Affined i = inverse(m);  // Its transpose maps normals.
    moved = normalized(Vec3d{dot(i.x, normal), dot(i.y, normal), dot(i.z, normal)});
    tangent = normalized(tangent);
  }
  return {m.apply_point(to_double(mesh.positions[v])), moved, tangent, determinant(m) < 0 ? -1.0 : 1.0};
}

struct Output {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;

  explicit Output(std::size_t n) : positions(n), normals(n), tangents(n) {}
  SkinningVertices vertices() { return {.positions = positions, .normals = normals, .tangents = tangents}; }
};

TEST(SkinningJob, EqualsDoublePrecisionForAnyNumberOfInfluencesOnEveryTarget) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    RandomCharacter random(1);
    for (const int influences : {1, 2, 3, 4, 5, 8}) {
      for (const std::size_t n : {1UL, 15UL, 16UL, 101UL}) {
        const Mesh mesh = random_mesh(random, n, influences);
        const SkinningLayout layout = SkinningLayout::create(mesh).value();
        const std::vector<Affine> palette = random_palette(random, false);
        for (const NormalMode mode : {NormalMode::kExact, NormalMode::kFast}) {
          Output out(n);
          ASSERT_TRUE((SkinningJob{&layout, 1, palette, mode, out.vertices()}.run()));
          for (std::size_t v = 0; v < n; ++v) {
            const Vertex naive = naive_linear(mesh, palette, v, mode == NormalMode::kExact);
            ASSERT_LT(distance(to_double(out.positions[v]), naive.position), 1e-5 * (1 + length(naive.position)))
                << target.name << ' ' << influences << " influences, vertex " << v << " of " << n;
            // Blends that nearly collapse amplify rounding in the direction of their normals.
            ASSERT_LT(distance(to_double(out.normals[v]), naive.normal), 3e-4) << target.name << " vertex " << v;
            const Vec4 t = out.tangents[v];
            ASSERT_LT(distance(Vec3d{t.x, t.y, t.z}, naive.tangent), 3e-4) << target.name << " vertex " << v;
            const double sign = mode == NormalMode::kExact ? naive.sign : 1.0;
            ASSERT_EQ(t.w, mesh.tangents[v].w * static_cast<float>(sign));
          }
        }
      }
    }
  }
}

TEST(SkinningJob, NormalsStayPerpendicularUnderUnevenAndMirroringScale) {
  Mesh mesh;
  mesh.positions = {{1, 1, 0}};
  mesh.normals = {normalized(Vec3{1, 1, 0})};
  mesh.influences_per_vertex = 1;
  mesh.influence_joints = {0};
  mesh.influence_weights = {1};
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  EXPECT_TRUE(layout.blocks()[0].rigid);
  const std::vector<Affine> palette{to_affine(Transform{{}, {}, {-2, 1, 1}})};
  std::vector<Vec3> position(1), normal(1);
  ASSERT_TRUE((SkinningJob{&layout, 1, palette, NormalMode::kExact, {.positions = position, .normals = normal}}.run()));
  EXPECT_LT(distance(position[0], Vec3{-2, 1, 0}), 1e-6F);
  EXPECT_LT(distance(normal[0], normalized(Vec3{-0.5F, 1, 0})), 1e-6F);  // Still points outwards.
}

TEST(SkinningJob, ManyCharactersAreEachAsAlone) {
  RandomCharacter random(2);
  const std::size_t n = 37, characters = 3;
  const Mesh mesh = random_mesh(random, n, 4);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  std::vector<Affine> palettes;
  for (std::size_t i = 0; i < characters; ++i) {
    for (const Affine& m : random_palette(random, true)) palettes.push_back(m);
  }
  Output all(n * characters), one(n);
  ASSERT_TRUE((SkinningJob{&layout, characters, palettes, NormalMode::kExact, all.vertices()}.run()));
  for (std::size_t i = 0; i < characters; ++i) {
    const auto palette = std::span(palettes).subspan(i * kJoints, kJoints);
    ASSERT_TRUE((SkinningJob{&layout, 1, palette, NormalMode::kExact, one.vertices()}.run()));
    for (std::size_t v = 0; v < n; ++v) ASSERT_EQ(all.positions[i * n + v], one.positions[v]);
  }
}

TEST(SkinningJob, MorphedVerticesTakeThePlaceOfTheMesh) {
  RandomCharacter random(3);
  const std::size_t n = 50;
  Mesh mesh = random_mesh(random, n, 3);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  const std::vector<Affine> palette = random_palette(random, true);
  for (Vec3& p : mesh.positions) p += random.vec(0.1F);
  for (Vec3& v : mesh.normals) v = normalized(v + random.vec(0.1F));
  const SkinningLayout moved_layout = SkinningLayout::create(mesh).value();
  Output morphed(n), expected(n);
  SkinningVertices vertices = morphed.vertices();
  vertices.morphed_positions = mesh.positions;
  vertices.morphed_normals = mesh.normals;
  ASSERT_TRUE((SkinningJob{&layout, 1, palette, NormalMode::kExact, vertices}.run()));
  ASSERT_TRUE((SkinningJob{&moved_layout, 1, palette, NormalMode::kExact, expected.vertices()}.run()));
  EXPECT_EQ(morphed.positions, expected.positions);
  EXPECT_EQ(morphed.normals, expected.normals);
}

TEST(SkinningJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(4);
  Mesh mesh = random_mesh(random, 20, 2);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  mesh.tangents.clear();
  const SkinningLayout no_tangents = SkinningLayout::create(mesh).value();
  mesh.normals.clear();
  const SkinningLayout bare = SkinningLayout::create(mesh).value();
  const std::vector<Affine> palette = random_palette(random, true);
  Output out(20), other(19);
  const SkinningJob good{&layout, 1, palette, NormalMode::kExact, out.vertices()};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    SkinningJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "nothing");
  };
  EXPECT_EQ(why([](auto& j) { j.layout = nullptr; }), "layout is missing");
  EXPECT_NE(why([](auto& j) { j.palettes = j.palettes.first(1); }).find("palettes does not have the same number"),
            std::string::npos);
  EXPECT_NE(why([](auto& j) { j.num_characters = 2; }).find("palettes does not have the same number"),
            std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.vertices.positions = other.positions; }).find("vertices.positions does not"),
            std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.vertices.normals = other.normals; }).find("vertices.normals does not"),
            std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.vertices.tangents = other.tangents; }).find("vertices.tangents does not"),
            std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.layout = &no_tangents; }).find("vertices.tangents is requested"), std::string::npos);
  EXPECT_EQ(why([&](auto& j) { j.vertices.normals = {}; }), "vertices.tangents is requested without vertices.normals");
  EXPECT_NE(why([&](auto& j) { j.layout = &bare; }).find("vertices.normals is requested"), std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.vertices.morphed_positions = other.positions; }).find("morphed_positions"),
            std::string::npos);
  EXPECT_NE(why([&](auto& j) { j.vertices.morphed_normals = other.normals; }).find("morphed_normals"),
            std::string::npos);
}

TEST(SkinningLayout, RefusesMeshesThatDoNotFit) {
  RandomCharacter random(5);
  const Mesh good = random_mesh(random, 20, 2);
  const auto why = [&](auto change) {
    Mesh mesh = good;
    change(mesh);
    const auto result = SkinningLayout::create(mesh);
    return result ? std::string("nothing") : result.error().message;
  };
  EXPECT_EQ(why([](Mesh&) {}), "nothing");
  EXPECT_NE(why([](Mesh& m) { m.influences_per_vertex = 0; }).find("no skin influences"), std::string::npos);
  EXPECT_NE(why([](Mesh& m) { m.influence_joints.pop_back(); }).find("influence joints"), std::string::npos);
  EXPECT_NE(why([](Mesh& m) { m.influence_weights.pop_back(); }).find("influence weights"), std::string::npos);
  EXPECT_NE(why([](Mesh& m) { m.normals.pop_back(); }).find("normals"), std::string::npos);
  EXPECT_NE(why([](Mesh& m) { m.tangents.pop_back(); }).find("tangents"), std::string::npos);
  EXPECT_NE(why([](Mesh& m) { m.influence_weights[3] = NAN; }).find("not finite"), std::string::npos);
}

TEST(SkinningJob, NeverAllocates) {
  RandomCharacter random(6);
  const Mesh mesh = random_mesh(random, 100, 4);
  const SkinningLayout layout = SkinningLayout::create(mesh).value();
  const std::vector<Affine> palette = random_palette(random, false);
  std::vector<DualQuat> dual_quats(kJoints);
  std::vector<Affine> stretches(kJoints);
  Output out(100);
  const SkinningVertices vertices = out.vertices();
  const test::AllocationMeter meter;
  EXPECT_TRUE((SkinningJob{&layout, 1, palette, NormalMode::kExact, vertices}.run()));
  EXPECT_TRUE((DualQuatPaletteJob{palette, dual_quats, stretches}.run()));
  EXPECT_TRUE((DualQuatSkinningJob{&layout, 1, dual_quats, stretches, vertices}.run()));
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe
