// SPDX-License-Identifier: MIT
#include "zoe/character/morph_job.h"

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe {
namespace {

Mesh mesh_with_targets() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  mesh.normals = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  mesh.morph_targets.push_back({"dense", {}, {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}}, {}});
  mesh.morph_targets.push_back({"sparse", {2}, {{0, 0, 1}}, {{0, -1, 1}}});
  return mesh;
}

TEST(MorphJob, AddsDenseAndSparseTargets) {
  const Mesh mesh = mesh_with_targets();
  std::vector<Vec3> positions(3), normals(3);
  const std::vector<float> weights{0.5F, 1.0F};
  const MorphJob job{&mesh, weights, positions, normals};
  const test::AllocationMeter meter;
  ASSERT_TRUE(job.run());
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(positions, (std::vector<Vec3>{{0, 0.5F, 0}, {1, 1, 0}, {2, 1.5F, 1}}));
  EXPECT_EQ(normals, (std::vector<Vec3>{{0, 1, 0}, {0, 1, 0}, {0, 0, 1}}));
}

TEST(MorphJob, SaysWhichFieldIsWrong) {
  const Mesh mesh = mesh_with_targets();
  std::vector<Vec3> positions(3), normals(3), two(2);
  const std::vector<float> weights{0, 0};
  const MorphJob good{&mesh, weights, positions, normals};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    MorphJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "nothing");
  };
  EXPECT_EQ(why([](auto& j) { j.mesh = nullptr; }), "mesh is missing");
  EXPECT_EQ(why([](auto& j) { j.weights = {}; }), "weights does not have one entry a morph target");
  EXPECT_EQ(why([&](auto& j) { j.positions = two; }), "positions does not have one entry per vertex");
  EXPECT_EQ(why([&](auto& j) { j.normals = two; }), "normals is neither empty nor one entry per vertex");
  Mesh bare = mesh;
  bare.normals.clear();
  EXPECT_EQ(why([&](auto& j) { j.mesh = &bare; }), "normals is requested, but the mesh has none");
  for (const bool out_of_range : {false, true}) {
    Mesh broken = mesh;
    if (out_of_range) {
      broken.morph_targets[1].vertices[0] = 3;
    } else {
      broken.morph_targets[0].position_deltas.pop_back();
    }
    EXPECT_EQ(why([&](auto& j) { j.mesh = &broken; }), "mesh has a morph target that does not fit its vertices");
  }
}

}  // namespace
}  // namespace zoe
