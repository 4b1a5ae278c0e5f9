// SPDX-License-Identifier: MIT
#include "zoe/math/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe {
namespace {

template <typename T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

Vec3 random_vec(Random& random, float size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// Also none at all, tiny, huge and opposite ones, and those that are not finite.
std::vector<Quat> quats() {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<Quat> out{{},
                        {0, 0, 0, 0},
                        {0, 0, 0, -1},
                        {1e-25F, 0, 0, 0},
                        {1, 0, 0, 0},
                        {0, 1, 0, 0},
                        {0, 0, -1, 0},
                        {1e18F, 2e18F, 0, 1e18F},
                        {inf, 0, 0, 0},
                        {0.5F, 0.5F, 0.5F, 0.5F},
                        {-0.5F, 0.5F, -0.5F, -0.5F},
                        {0, -0.0F, 0, 1}};
  Random random(1);
  while (out.size() < 400) {
    out.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  }
  return out;
}

// f of four at a time, with the bits of f of each.
template <typename Four, typename One>
void expect_same(const std::vector<Quat>& in, const Four& four, const One& one) {
  for (std::size_t j = 0; j + 4 <= in.size(); j += 4) {
    std::array<Quat, 4> out;
    store4(four(load4(&in[j])), out.data());
    for (std::size_t i = 0; i < 4; ++i) {
      const Quat expected = one(in[j + i]);
      if (std::isnan(expected.x)) continue;  // The sign of a NaN is free.
      EXPECT_TRUE(same_bits(out[i], expected)) << j + i;
    }
  }
}

TEST(Lanes, QuaternionsHaveTheBitsOfSingleOnes) {
  const std::vector<Quat> in = quats();
  const Quat other{0.1F, -0.7F, 0.2F, 0.4F};
  const Quat4 others = in_all_lanes(other);
  expect_same(
      in, [](const Quat4& q) { return normalized(q); }, [](Quat q) { return normalized(q); });
  expect_same(
      in, [](const Quat4& q) { return canonical(q); }, [](Quat q) { return canonical(q); });
  expect_same(
      in, [&](const Quat4& q) { return nearest_to(others, q); }, [&](Quat q) { return nearest_to(other, q); });
  expect_same(
      in, [&](const Quat4& q) { return nlerp(others, q, 0.3F); }, [&](Quat q) { return nlerp(other, q, 0.3F); });
  expect_same(
      in, [&](const Quat4& q) { return others * q; }, [&](Quat q) { return other * q; });
}

// All four cases of the conversion occur, and a matrix that is no rotation.
TEST(Lanes, RotationsOfAxesHaveTheBitsOfSingleOnes) {
  Random random(2);
  std::array<int, 4> largest{};
  for (int round = 0; round < 300; ++round) {
    std::array<Rotation6, 4> six;
    for (Rotation6& r : six) r = {random_vec(random, 1), random_vec(random, 1)};
    if (round % 10 == 0) six[0].y = six[0].x * 2.0F;  // Parallel.
    if (round % 10 == 1) six[1].x = {};
    if (round % 10 == 2) six[2] = {{0, 3, 0}, {}};
    if (round % 10 == 3) six[3] = {{0, 0, 1}, {0, 0, 1}};
    const auto lanes = [&](Vec3 Rotation6::*axis) {
      std::array<Vec3, 4> v;
      for (std::size_t i = 0; i < 4; ++i) v[i] = six[i].*axis;
      return load4(v.data());
    };
    const Affine4 axes = axes_from_6d(Rotation6T<Float4>{lanes(&Rotation6::x), lanes(&Rotation6::y)});
    std::array<Vec3, 4> x, y, z;
    store4(axes.x, x.data());
    store4(axes.y, y.data());
    store4(axes.z, z.data());
    std::array<Quat, 4> q;
    store4(rotation_of(axes), q.data());
    for (std::size_t i = 0; i < 4; ++i) {
      const Affine expected = axes_from_6d(six[i]);
      EXPECT_TRUE(same_bits(x[i], expected.x) && same_bits(y[i], expected.y) && same_bits(z[i], expected.z)) << round;
      EXPECT_TRUE(same_bits(q[i], from_6d(six[i]))) << round << " " << i;
      const float sizes[] = {std::abs(q[i].x), std::abs(q[i].y), std::abs(q[i].z), std::abs(q[i].w)};
      ++largest[static_cast<std::size_t>(std::max_element(sizes, sizes + 4) - sizes)];
    }
  }
  for (const int count : largest) EXPECT_GT(count, 50);
}

TEST(Lanes, VectorsHaveTheBitsOfSingleOnes) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    std::array<Vec3, 4> in, out;
    for (Vec3& v : in) v = random_vec(random, 10);
    if (round == 0) in[2] = {};
    store4(normalized(load4(in.data()), {1, 0, 0}), out.data());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(same_bits(out[i], normalized(in[i], Vec3{1, 0, 0})));
    store4(cross(load4(in.data()), in_all_lanes(Vec3{1, 2, 3})), out.data());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(same_bits(out[i], cross(in[i], Vec3{1, 2, 3})));
  }
}

TEST(Lanes, MasksSelectTheirLanes) {
  const Float4 a = Float4::Lanes{1, 2, 3, 4};
  const Float4 picked = select(a > Float4(2.5F), a, -a);
  EXPECT_EQ(picked.lanes[0], -1);
  EXPECT_EQ(picked.lanes[1], -2);
  EXPECT_EQ(picked.lanes[2], 3);
  EXPECT_EQ(picked.lanes[3], 4);
  EXPECT_FALSE(any(a > Float4(4.0F)));
  for (int i = 0; i < 4; ++i) {
    Float4 one(0.0F);
    one.lanes[i] = 1;
    EXPECT_TRUE(any(one > Float4(0.5F))) << i;
    EXPECT_TRUE(any(~(one > Float4(0.5F)))) << i;
  }
}

}  // namespace
}  // namespace zoe
