// SPDX-License-Identifier: MIT
#include "render/light_clusters.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "support/allocation.h"

namespace zoe::render {
namespace {

// As shaders/lamps.glsl finds the cluster of a place.
std::size_t cluster_of(const LightClusters& clusters, const Camera& camera, float aspect, Vec3 place) {
  const Vec4 clip = transform(clip_from_world(camera, aspect), {place.x, place.y, place.z, 1});
  const float distance = -inverse(camera.world_from_camera).apply_point(place).z;
  const int slice =
      std::clamp(static_cast<int>(std::log2(std::max(distance, 1e-4F)) * clusters.slice_scale + clusters.slice_offset),
                 0, LightClusters::kZ - 1);
  const int x = std::min(static_cast<int>((clip.x / clip.w * 0.5F + 0.5F) * LightClusters::kX), LightClusters::kX - 1);
  const int y = std::min(static_cast<int>((clip.y / clip.w * 0.5F + 0.5F) * LightClusters::kY), LightClusters::kY - 1);
  return static_cast<std::size_t>((slice * LightClusters::kY + y) * LightClusters::kX + x);
}

std::vector<PointLight> random_lights(int count, Random& random) {
  std::vector<PointLight> lights;
  for (int i = 0; i < count; ++i) {
    const auto place = [&](float low, float high) { return random.uniform(low, high); };
    lights.push_back({.position_m = {place(-8, 8), place(0, 3), place(-12, 8)}, .range_m = place(0.3F, 4)});
  }
  return lights;
}

// Every lamp that reaches a place is in that place's list: checked against a search through all of
// them.
TEST(LightClusters, NeverMissALamp) {
  Random random(5);
  LightClusters clusters;
  for (const float ortho : {0.0F, 6.0F}) {
    Camera camera = look_at({2, 1.5F, 7}, {0, 1, 0});
    camera.ortho_height_m = ortho;
    const auto lights = random_lights(256, random);
    clusters.build(lights, camera, 1.6F);
    int reached = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 in_view{random.uniform(-1, 1), random.uniform(-1, 1), -random.uniform(0.2F, 20)};
      const float edge = ortho > 0 ? ortho / 2 : -in_view.z * std::tan(camera.fov_y_rad / 2);
      const Vec3 place = camera.world_from_camera.apply_point({in_view.x * edge * 1.6F, in_view.y * edge, in_view.z});
      const std::size_t cluster = cluster_of(clusters, camera, 1.6F, place);
      for (std::size_t light = 0; light < lights.size(); ++light) {
        if (distance(place, lights[light].position_m) > lights[light].range_m) continue;
        ++reached;
        const auto begin = clusters.entries.begin() + clusters.entries[cluster],
                   end = clusters.entries.begin() + clusters.entries[cluster + 1];
        EXPECT_NE(std::find(begin, end, light), end)
            << "lamp " << light << " at " << place.x << " " << place.y << " " << place.z;
      }
    }
    EXPECT_GT(reached, 1000);
  }
}

TEST(LightClusters, ListsAreShort) {
  Random random(6);
  const auto lights = random_lights(256, random);
  LightClusters clusters;
  clusters.build(lights, look_at({2, 1.5F, 7}, {0, 1, 0}), 1.6F);
  const double mean =
      static_cast<double>(clusters.entries.size()) / (LightClusters::kX * LightClusters::kY * LightClusters::kZ);
  EXPECT_LT(mean, 256 / 4.0);
}

TEST(LightClusters, BuildsAgainWithoutAllocating) {
  Random random(7);
  const auto lights = random_lights(64, random);
  LightClusters clusters;
  const Camera camera = look_at({2, 1.5F, 7}, {0, 1, 0});
  clusters.build(lights, camera, 1.6F);
  const test::AllocationMeter meter;
  clusters.build(lights, camera, 1.6F);
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::render
