// SPDX-License-Identifier: MIT
#include "zoe/eval/embedding.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/eval/map_clusters.h"

#include "support/allocation.h"

namespace zoe::eval::test {
namespace {

// Groups of normal rows about centres that are far apart in all columns: no plane separates twenty of them.
std::vector<float> grouped_rows(int groups, int rows_each, int width, std::vector<int>& group_of) {
  Random random(4);
  std::vector<float> rows;
  for (int g = 0; g < groups; ++g) {
    std::vector<float> centre;
    for (int c = 0; c < width; ++c) centre.push_back(static_cast<float>(3 * random.normal()));
    for (int r = 0; r < rows_each; ++r) {
      for (int c = 0; c < width; ++c)
        rows.push_back(centre[static_cast<std::size_t>(c)] + static_cast<float>(random.normal()));
      group_of.push_back(g);
    }
  }
  return rows;
}

TEST(Embedding, NearestRowsAreThoseOfACount) {
  const std::vector<float> rows{0, 0, 1, 0, 3, 0, 3.5F, 0};
  EXPECT_EQ(nearest_rows(rows, 2, 2), (std::vector<int>{1, 2, 0, 2, 3, 1, 2, 1}));
}

TEST(Embedding, PrincipalPlaneHasTheLargestSpreads) {
  Random random(1);
  std::vector<float> rows;
  for (int i = 0; i < 500; ++i) {
    const auto a = static_cast<float>(random.normal()), b = static_cast<float>(random.normal());
    rows.insert(rows.end(), {0.6F * 5 * a, 2 * b, 0.8F * 5 * a, static_cast<float>(0.1 * random.normal())});
  }
  const auto plane = principal_plane(rows, 4);
  double x = 0, y = 0, xy = 0;
  for (const Vec2& p : plane) x += p.x * p.x / 500.0, y += p.y * p.y / 500.0, xy += p.x * p.y / 500.0;
  EXPECT_NEAR(std::sqrt(x), 5, 0.5);
  EXPECT_NEAR(std::sqrt(y), 2, 0.2);
  EXPECT_NEAR(xy, 0, 1e-3);
}

TEST(Embedding, TrustworthinessOfTheSamePointsIsOneAndOfOthersLow) {
  std::vector<float> rows;
  std::vector<Vec2> same, mixed;
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    same.push_back({random.uniform(), random.uniform()});
    rows.insert(rows.end(), {same.back().x, same.back().y});
    mixed.push_back({random.uniform(), random.uniform()});
  }
  EXPECT_DOUBLE_EQ(trustworthiness(rows, 2, same), 1);
  EXPECT_NEAR(trustworthiness(rows, 2, mixed), 0.5, 0.06);
}

TEST(Embedding, KeepsMoreNeighboursThanThePlane) {
  std::vector<int> group_of;
  const int each = zoe::test::kSanitized ? 20 : 40;
  const std::vector<float> rows = grouped_rows(20, each, 20, group_of);
  const auto map = embed_neighbours(rows, 20), plane = principal_plane(rows, 20);
  const double of_map = trustworthiness(rows, 20, map), of_plane = trustworthiness(rows, 20, plane);
  EXPECT_GT(of_map, of_plane + 0.02) << of_plane;
  EXPECT_GT(of_map, 0.9);
  // The nearest point of nearly every point is of its group.
  std::vector<float> flat;
  for (const Vec2& p : map) flat.insert(flat.end(), {p.x, p.y});
  const std::vector<int> near = nearest_rows(flat, 2, 1);
  int same = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    same += group_of[i] == group_of[static_cast<std::size_t>(near[i])] ? 1 : 0;
  EXPECT_GT(same, static_cast<int>(0.98 * static_cast<double>(near.size())));
}

TEST(Embedding, IsTheSameForASeed) {
  std::vector<int> ignored;
  const std::vector<float> rows = grouped_rows(4, 15, 6, ignored);
  const auto a = embed_neighbours(rows, 6), b = embed_neighbours(rows, 6), c = embed_neighbours(rows, 6, {.seed = 2});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

TEST(Embedding, SurvivesEqualAndFewRows) {
  const std::vector<float> equal(40 * 5, 1.0F);
  for (const Vec2& p : embed_neighbours(equal, 5)) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
  EXPECT_EQ(embed_neighbours(std::vector<float>{1, 2, 3}, 1).size(), 3U);
  EXPECT_EQ(embed_neighbours(std::vector<float>{}, 3).size(), 0U);
}

TEST(MapClusters, AreNamedByWhatIsThere) {
  Random random(3);
  std::vector<Vec2> points;
  std::vector<int> group_of;
  const auto add = [&](float x, float y, int group, int count) {
    for (int i = 0; i < count; ++i) {
      points.push_back(
          {x + 0.4F * static_cast<float>(random.normal()), y + 0.4F * static_cast<float>(random.normal())});
      group_of.push_back(group);
    }
  };
  add(0, 0, 0, 200);
  add(10, 0, 1, 200);
  add(10, 10, 0, 60);  // A mixed region.
  add(10, 10, 2, 50);
  const auto clusters = find_clusters(points, group_of, {"walk", "run", "sit"});
  std::size_t walk = 0, run = 0, both = 0;
  for (const MapCluster& cluster : clusters) {
    if (cluster.name == "walk") walk += cluster.num_points;
    if (cluster.name == "run") run += cluster.num_points;
    if (cluster.name == "sit + walk" || cluster.name == "walk + sit") both += cluster.num_points;
  }
  EXPECT_GT(walk, 150U);
  EXPECT_GT(run, 150U);
  EXPECT_GT(both, 60U);
}

}  // namespace
}  // namespace zoe::eval::test
