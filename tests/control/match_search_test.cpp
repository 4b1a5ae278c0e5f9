// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/control/match/search_index.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/math/simd_dispatch.h"

#include "support/allocation.h"

namespace zoe::control {
namespace {

// The definition of a cost, written out: volatile keeps the compiler from fusing or reordering.
float plain_cost(std::span<const float> a, std::span<const float> b) {
  volatile float sums[16] = {};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const volatile float d = a[i] - b[i];
    const volatile float square = d * d;
    sums[i % 16] = sums[i % 16] + square;
  }
  for (std::size_t half = 8; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) sums[l] = sums[l] + sums[l + half];
  return sums[0];
}

struct Frames {
  int num_dims = 1;
  std::vector<float> features;
  std::vector<std::uint64_t> tags;
  std::vector<std::uint8_t> can_match;

  int count() const { return static_cast<int>(features.size()) / num_dims; }
  std::span<const float> row(int frame) const {
    return std::span(features).subspan(idx(frame * num_dims), idx(num_dims));
  }

  Match nearest(const MatchQuery& query) const {
    Match best{-1, query.max_cost};
    for (int f = 0; f < count(); ++f) {
      if (can_match[idx(f)] == 0 || (f >= query.skip_begin && f < query.skip_end)) continue;
      if ((tags[idx(f)] & query.all_of) != query.all_of || (tags[idx(f)] & query.none_of) != 0) continue;
      const float cost = plain_cost(query.features, row(f));
      if (cost < best.cost) best = {f, cost};
    }
    return best.frame < 0 ? Match{} : best;
  }
};

enum class Shape { kWalk, kCloud, kCopies, kOnePoint, kOutlier };

Frames make_frames(Shape shape, int count, int num_dims, std::mt19937& random) {
  std::normal_distribution<float> normal;
  Frames frames{.num_dims = num_dims};
  std::vector<float> at(idx(num_dims));
  for (int f = 0; f < count; ++f) {
    for (float& x : at) {
      if (shape == Shape::kWalk) x = 0.98F * x + 0.2F * normal(random);
      if (shape == Shape::kCloud || shape == Shape::kOutlier) x = normal(random);
      if (shape == Shape::kCopies) x = static_cast<float>(random() % 2);
      if (shape == Shape::kOnePoint) x = 0.25F;
    }
    if (shape == Shape::kOutlier && f == count / 2) at[0] = 1e6F;
    frames.features.insert(frames.features.end(), at.begin(), at.end());
    frames.tags.push_back(random() % 8);
    frames.can_match.push_back(random() % 10 != 0);
  }
  return frames;
}

MatchQuery make_query(const Frames& frames, std::vector<float>& features, std::mt19937& random) {
  std::normal_distribution<float> normal;
  const float scale = std::pow(10.0F, static_cast<float>(random() % 5) - 3.0F);  // 1 mm to 10.
  const int near = frames.count() > 0 ? static_cast<int>(random() % idx(frames.count())) : -1;
  for (int i = 0; i < frames.num_dims; ++i) {
    const float x = near < 0 ? 0.0F : frames.row(near)[idx(i)];
    features[idx(i)] = random() % 4 == 0 ? x : x + scale * normal(random);
  }
  MatchQuery query{.features = features};
  if (random() % 3 == 0) query.all_of = random() % 4;
  if (random() % 3 == 0) query.none_of = random() % 8;
  if (random() % 2 == 0) query.skip_begin = near - 5, query.skip_end = near + 6;
  if (random() % 3 == 0) query.max_cost = 0.5F * std::abs(normal(random));
  if (random() % 2 == 0) query.hints = {near, static_cast<int>(random() % 5000) - 100};
  if (random() % 200 == 0) features[random() % features.size()] = std::nanf("");
  if (random() % 200 == 0) features[0] = std::numeric_limits<float>::infinity();
  if (random() % 200 == 0) features[0] = 1e20F;
  if (random() % 200 == 0) features[0] = -1e5F;
  return query;
}

TEST(MatchSearch, FindsWhatAScanFinds) {
  std::mt19937 random(1);
  const int rounds = zoe::test::kSanitized ? 20 : 300;
  int found = 0, none = 0;
  for (const Shape shape : {Shape::kWalk, Shape::kCloud, Shape::kCopies, Shape::kOnePoint, Shape::kOutlier}) {
    for (const int count : {0, 1, 2, 15, 16, 17, 255, 257, 900, 4200}) {
      for (const int num_dims : {1, 2, 16, 27, 40}) {
        const Frames frames = make_frames(shape, count, num_dims, random);
        const SearchIndex index(frames.features, num_dims, frames.tags, frames.can_match,
                                {.num_lead_axes = static_cast<int>(random() % 9)});
        std::vector<float> features(idx(num_dims));
        for (int i = 0; i < (count > 500 ? rounds / 10 : rounds); ++i) {
          const MatchQuery query = make_query(frames, features, random);
          const Match wanted = frames.nearest(query), got = index.find(query);
          ASSERT_EQ(got, wanted) << count << " x " << num_dims << ": " << got.frame << " at " << got.cost << ", not "
                                 << wanted.frame << " at " << wanted.cost;
          ++(got.frame < 0 ? none : found);
        }
      }
    }
  }
  EXPECT_GT(found, 500);  // The queries are worth asking.
  EXPECT_GT(none, 50);
}

TEST(MatchSearch, EveryInstructionSetAgrees) {
  std::mt19937 random(2);
  const Frames frames = make_frames(Shape::kWalk, 3000, 27, random);
  const SearchIndex index(frames.features, 27, frames.tags, frames.can_match, {});
  std::vector<float> features(27);
  for (int i = 0; i < 300; ++i) {
    const MatchQuery query = make_query(frames, features, random);
    const Match wanted = frames.nearest(query);
    for (const simd::Target& target : simd::supported_targets()) {
      const simd::ForceTarget force(target);
      ASSERT_EQ(index.find(query), wanted) << target.name;
      ASSERT_EQ(index.find_by_scan(query), wanted) << target.name;
      if (i == 0) {
        ASSERT_EQ(match_cost(frames.row(1), frames.row(2)), plain_cost(frames.row(1), frames.row(2)));
      }
    }
  }
}

TEST(MatchSearch, FindsWhatAScanFindsAmongManyFrames) {
  std::mt19937 random(3);
  const Frames frames = make_frames(Shape::kWalk, 20000, 27, random);
  const SearchIndex index(frames.features, 27, frames.tags, frames.can_match, {});
  std::vector<float> features(27);
  const int count = zoe::test::kSanitized ? 300 : 4000;
  for (int i = 0; i < count; ++i) {
    const MatchQuery query = make_query(frames, features, random);
    ASSERT_EQ(index.find(query), index.find_by_scan(query));
  }
}

TEST(MatchSearch, ManyAtOnceEqualOneByOneAndAllocateNothing) {
  std::mt19937 random(4);
  const Frames frames = make_frames(Shape::kWalk, 2000, 27, random);
  const SearchIndex index(frames.features, 27, frames.tags, frames.can_match, {});
  std::vector<std::vector<float>> features(100, std::vector<float>(27));
  std::vector<MatchQuery> queries;
  for (auto& row : features) queries.push_back(make_query(frames, row, random));
  std::vector<Match> matches(queries.size());
  ThreadPool alone(0);
  {
    const test::AllocationMeter meter;
    index.find_many(queries, matches, alone);
    EXPECT_EQ(meter.allocations(), 0U);
  }
  for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(matches[i], index.find(queries[i]));
  std::vector<Match> again(queries.size());
  ThreadPool pool(1);  // Not before: a thread allocates while it starts.
  index.find_many(queries, again, pool);
  EXPECT_EQ(again, matches);
}

TEST(MatchSearch, EqualCostsGoToTheLowerFrame) {
  std::vector<float> features;
  for (int f = 0; f < 100; ++f) features.push_back(f % 2 == 0 ? 1.0F : -1.0F);
  const SearchIndex index(features, 1);
  const float zero[] = {0.0F}, one[] = {1.0F};
  EXPECT_EQ(index.find({.features = zero, .hints = {77, -1}}), (Match{0, 1.0F}));
  EXPECT_EQ(index.find({.features = one, .skip_begin = 0, .skip_end = 9, .hints = {98, -1}}), (Match{10, 0.0F}));
  EXPECT_EQ(index.find({.features = one, .max_cost = 0.0F}), Match{});
}

}  // namespace
}  // namespace zoe::control
