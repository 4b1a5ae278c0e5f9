// SPDX-License-Identifier: MIT
// The software rasteriser beside rays through the same triangles, and the properties that sprites rely on.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/render/software/raster.h"
#include "zoe/render/software/srgb.h"

namespace zoe::render {
namespace {

// A character of one rigid mesh.
CharacterPtr make_character(std::vector<Vec3> positions, std::vector<std::uint32_t> indices, bool double_sided) {
  auto character = std::make_shared<Character>();
  character->skeleton = Skeleton::create({{.name = "root"}}).value();
  Mesh mesh;
  mesh.positions = std::move(positions);
  mesh.indices = std::move(indices);
  mesh.submeshes = {{0, static_cast<std::uint32_t>(mesh.indices.size()), 0}};
  character->meshes.push_back(std::move(mesh));
  character->instances.push_back({.mesh = 0});
  character->materials.push_back({.base_color = {1, 0.5F, 0, 1}, .double_sided = double_sided});
  return character;
}

SurfaceBuffer draw(const CharacterPtr& character, const SurfaceView& view) {
  Warnings warnings;
  const SoftwareModel model = SoftwareModel::create(character, "", warnings);
  PosedVertices vertices;
  const Affine identity;
  pose_vertices(model, {&identity, 1}, {}, vertices);
  SurfaceBuffer buffer;
  rasterise(model, vertices, view, buffer);
  return buffer;
}

SurfaceView square_view(int size, float samples_per_unit) {
  return {.samples_per_unit = samples_per_unit,
          .origin_x = static_cast<float>(size) / 2,
          .origin_y = static_cast<float>(size) / 2,
          .width = size,
          .height = size};
}

// Depth of the nearest triangle at a point of the view, in double; nothing near an edge is judged.
struct Hit {
  double depth = -1e30;
  bool near_edge = false;
};
Hit cast_ray(const Mesh& mesh, double x, double y) {
  Hit hit;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const Vec3d a = to_double(mesh.positions[mesh.indices[i]]), b = to_double(mesh.positions[mesh.indices[i + 1]]),
                c = to_double(mesh.positions[mesh.indices[i + 2]]);
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (std::abs(area) < 1e-9) continue;
    const double v = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
    const double w = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
    const double least = std::min({v, w, 1 - v - w});
    const double edge = 0.3 / std::sqrt(std::abs(area));  // Positions are rounded to sixteenths of a sample.
    if (std::abs(least) < edge) hit.near_edge = true;
    if (least >= 0) hit.depth = std::max(hit.depth, a.z + v * (b.z - a.z) + w * (c.z - a.z));
  }
  return hit;
}

TEST(SoftwareRaster, DepthIsThatOfRays) {
  Random random(5);
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 120; ++i) {
    const auto number = [&] { return static_cast<float>(random.uniform()) * 60 - 30; };
    positions.push_back({number(), number(), number()});
    indices.push_back(i);
  }
  const CharacterPtr character = make_character(positions, indices, true);
  const SurfaceBuffer buffer = draw(character, square_view(64, 1));
  int compared = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      const Hit hit = cast_ray(character->meshes[0], x + 0.5 - 32, 32 - y - 0.5);
      if (hit.near_edge) continue;
      ++compared;
      ASSERT_EQ(buffer.at(x, y).is_drawn(), hit.depth > -1e29) << x << " " << y;
      if (hit.depth > -1e29) {
        ASSERT_NEAR(static_cast<double>(buffer.at(x, y).depth), hit.depth, 1e-2) << x << " " << y;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// A fan of triangles around a point: no sample is missed, and none belongs to two.
TEST(SoftwareRaster, SharedEdgesLeaveNoGap) {
  std::vector<Vec3> positions{{0.3F, 0.2F, 0}};
  std::vector<std::uint32_t> indices;
  constexpr std::uint32_t kRim = 23;
  for (std::uint32_t i = 0; i < kRim; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / kRim;
    positions.push_back({40 * std::cos(angle), 40 * std::sin(angle), 0});
    for (const std::uint32_t corner : {0U, i + 1, (i + 1) % kRim + 1}) indices.push_back(corner);
  }
  const SurfaceBuffer all = draw(make_character(positions, indices, false), square_view(100, 1));
  std::vector<int> covered(100 * 100);
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const SurfaceBuffer one =
        draw(make_character(positions, {indices[i], indices[i + 1], indices[i + 2]}, false), square_view(100, 1));
    for (std::size_t k = 0; k < covered.size(); ++k) covered[k] += one.surfels[k].is_drawn() ? 1 : 0;
  }
  int drawn = 0;
  for (std::size_t k = 0; k < covered.size(); ++k) {
    ASSERT_EQ(covered[k], all.surfels[k].is_drawn() ? 1 : 0);
    drawn += covered[k];
  }
  EXPECT_NEAR(drawn, 3.14159 * 40 * 40 * 0.9876, 60);  // Area of a polygon of 23 corners.
}

TEST(SoftwareRaster, BackSidesAreNotDrawnUnlessDoubleSided) {
  const std::vector<Vec3> corners{{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}};
  EXPECT_TRUE(draw(make_character(corners, {0, 1, 2}, false), square_view(16, 1)).at(8, 8).is_drawn());
  EXPECT_FALSE(draw(make_character(corners, {0, 2, 1}, false), square_view(16, 1)).at(8, 8).is_drawn());
  const SurfaceBuffer both = draw(make_character(corners, {0, 2, 1}, true), square_view(16, 1));
  EXPECT_TRUE(both.at(8, 8).is_drawn());
  EXPECT_EQ(both.at(8, 8).normal[2], 127);  // Towards the viewer.
  EXPECT_EQ(both.at(8, 8).albedo[0], 255);
  EXPECT_EQ(both.at(8, 8).albedo[1], 188);  // Linear 0.5.
  EXPECT_EQ(both.at(8, 8).albedo[2], 0);
}

// Far outside, not a number, and larger than the 32-bit edges: cut off without harm.
TEST(SoftwareRaster, ExtremePositions) {
  const float nan = std::nanf("");
  const SurfaceBuffer wide =
      draw(make_character({{-1e9F, -1e9F, 0}, {1e9F, -1e9F, 0}, {0, 1e9F, 0}}, {0, 1, 2}, false), square_view(32, 1));
  EXPECT_TRUE(wide.at(16, 16).is_drawn());
  const SurfaceBuffer none =
      draw(make_character({{nan, 0, 0}, {5, -5, 0}, {0, 5, 0}}, {0, 1, 2}, true), square_view(32, 1));
  EXPECT_FALSE(none.at(16, 16).is_drawn());
  EXPECT_GE(none.left, none.right);
}

// A buffer that is used again holds nothing of the picture before.
TEST(SoftwareRaster, ABufferIsCleared) {
  Warnings warnings;
  const CharacterPtr character = make_character({{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}}, {0, 1, 2}, true);
  const SoftwareModel model = SoftwareModel::create(character, "", warnings);
  PosedVertices vertices;
  const Affine identity;
  pose_vertices(model, {&identity, 1}, {}, vertices);
  SurfaceView view = square_view(32, 1), moved = view;
  moved.origin_x = 6;
  SurfaceBuffer once, twice;
  rasterise(model, vertices, view, once);
  rasterise(model, vertices, moved, twice);
  rasterise(model, vertices, view, twice);
  for (std::size_t i = 0; i < once.surfels.size(); ++i) ASSERT_EQ(once.surfels[i].part, twice.surfels[i].part);
}

TEST(Srgb, TablesAreTheStandards) {
  for (int i = 0; i < 256; ++i) {
    const double encoded = i / 255.0;
    const double linear = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(static_cast<double>(linear_from_srgb(static_cast<std::uint8_t>(i))), linear, 1e-7);
    if (i > 12) {
      EXPECT_EQ(srgb_from_linear(static_cast<float>(linear)), i);
    }  // Below, steps of 1/4095 are too large.
  }
}

}  // namespace
}  // namespace zoe::render
