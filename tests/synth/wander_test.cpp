// SPDX-License-Identifier: MIT
// Tracks that sticks lead: speeds between a stand and the fastest gait, smooth facings, starts and stops; and how two
// sides of a walk relate.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "synth/bodies.h"
#include "synth/track.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::path_of;

Track wandering(const Body& body, std::uint64_t seed, double seconds = 20) {
  TrackRequest request{.body = &body, .clip = {.gait = Gait::kWalk, .course = Course::kWander, .seconds = seconds}};
  request.gait = gait_numbers(body.family, Gait::kWalk);
  return make_track(request, Random(seed));
}

TEST(WanderTrack, BeginsAtTheOriginAndCoversTheClip) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Body body = body_of(family, static_cast<int>(seed));
      const Track track = wandering(body, seed, 6);
      EXPECT_LT(length(track.at(0).position), 1e-3F);
      EXPECT_NEAR(track.at(0).facing_rad, 0, 1e-3);
      EXPECT_LT(track.start_s, 0);
      EXPECT_GT(track.end_s(), 6);
    }
  }
}

TEST(WanderTrack, NothingJumps) {
  const Body body = body_of(BodyFamily::kQuadruped, 2);
  const Track track = wandering(body, 5);
  const auto dt = static_cast<float>(1 / track.rate_hz);
  const float fastest = 2 * std::sqrt(9.81F * body.leg_length_m);
  for (std::size_t i = 1; i < track.samples.size(); ++i) {
    const Track::Sample &a = track.samples[i - 1], &b = track.samples[i];
    ASSERT_LT(distance(a.position, b.position), fastest * dt) << i;
    ASSERT_LT(std::abs(b.facing_rad - a.facing_rad), 10 * dt) << i;
    ASSERT_GE(b.phase, a.phase) << i;  // Strides never go back.
    ASSERT_GE(b.arc_m, a.arc_m - 1e-5F) << i;
    ASSERT_EQ(b.position.y, 0) << i;
    ASSERT_GT(b.duty, 0) << i;
    ASSERT_LE(b.duty, 1) << i;
  }
}

TEST(WanderTrack, StandsWalksHurriesAndTurns) {
  float slowest = 1e9F, fastest = 0, left = 0, right = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Body body = body_of(BodyFamily::kQuadruped, 1);
    const Track track = wandering(body, seed, 30);
    const float natural = std::sqrt(9.81F * body.leg_length_m);
    for (const Track::Sample& sample : track.samples) {
      slowest = std::min(slowest, sample.speed_m_s / natural), fastest = std::max(fastest, sample.speed_m_s / natural);
      left = std::max(left, sample.turn_rad_s), right = std::min(right, sample.turn_rad_s);
    }
  }
  EXPECT_LT(slowest, 0.05F);
  EXPECT_GT(fastest, 0.5F);
  EXPECT_LT(fastest, 1.2F);
  EXPECT_GT(left, 0.3F);
  EXPECT_LT(right, -0.3F);
}

TEST(WanderTrack, IsDecidedByTheSeed) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const Track a = wandering(body, 7), b = wandering(body, 7), c = wandering(body, 8);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t i = 0; i < a.samples.size(); i += 50) EXPECT_EQ(a.samples[i].position, b.samples[i].position);
  EXPECT_GT(distance(a.samples.back().position, c.samples.back().position), 1e-3F);
}

// Half a stride later the right side does what the left side did, on a straight walk.
TEST(Walks, TheSidesTakeTurns) {
  const Body body = body_of(BodyFamily::kBiped, 2);
  const Clip clip = make_clip(body, {.gait = Gait::kWalk, .seconds = 6, .fps = 120}, Random(4)).value();
  const std::vector<Vec3> root = path_of(clip.motion, body.root),
                          left = path_of(clip.motion, body.legs[0].distal.back()),
                          right = path_of(clip.motion, body.legs[1].distal.back());
  // Feet seen from the body, along the course: their correlation at no delay is negative.
  double both = 0, l2 = 0, r2 = 0, mean_l = 0, mean_r = 0;
  const auto n = static_cast<double>(root.size());
  for (std::size_t f = 0; f < root.size(); ++f)
    mean_l += (left[f].z - root[f].z) / n, mean_r += (right[f].z - root[f].z) / n;
  for (std::size_t f = 0; f < root.size(); ++f) {
    const double l = left[f].z - root[f].z - mean_l, r = right[f].z - root[f].z - mean_r;
    both += l * r, l2 += l * l, r2 += r * r;
  }
  EXPECT_LT(both / std::sqrt(l2 * r2), -0.7);
  EXPECT_NEAR(std::sqrt(l2 / r2), 1, 0.1);
  // Arms swing against the legs of their side.
  const std::vector<Vec3> hand = path_of(clip.motion, body.arms[0].hand);
  double mean_h = 0, against = 0;
  for (std::size_t f = 0; f < root.size(); ++f) mean_h += (hand[f].z - root[f].z) / n;
  for (std::size_t f = 0; f < root.size(); ++f) {
    against += (hand[f].z - root[f].z - mean_h) * (left[f].z - root[f].z - mean_l);
  }
  EXPECT_LT(against, 0);
}

TEST(Walks, ADeeperCrouchIsLowerByWhatTheTableSays) {
  const Body body = body_of(BodyFamily::kQuadruped, 1);
  const auto height = [&](Style style) {
    const Clip clip =
        make_clip(body, {.gait = Gait::kWalk, .style = style, .seconds = 3, .fps = 30}, Random(4)).value();
    double sum = 0;
    for (const Vec3& p : path_of(clip.motion, body.root)) sum += p.y / static_cast<double>(clip.motion.num_frames);
    return sum;
  };
  const double lower = height(Style::kNeutral) - height(Style::kSneaky);
  EXPECT_GT(lower, 0.5 * style_numbers(Style::kSneaky).crouch * body.leg_length_m);
  EXPECT_LT(lower, 2.0 * style_numbers(Style::kSneaky).crouch * body.leg_length_m);
}

}  // namespace
}  // namespace zoe::synth
