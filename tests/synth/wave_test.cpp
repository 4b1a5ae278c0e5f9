// SPDX-License-Identifier: MIT
// Bodies that move by waves: snakes do not slip sideways, sidewinders stand where they touch, fish
// beat as fish do.
#include <gtest/gtest.h>

#include "zoe/synth/clip.h"

namespace zoe::synth {
namespace {

struct Tracks {
  std::vector<std::vector<Vec3>> at;  // [frames][joints]
};
Tracks tracks_of(const Body& body, const Clip& clip) {
  Tracks tracks;
  std::vector<Affine> model(static_cast<std::size_t>(body.skeleton->num_joints()));
  for (int f = 0; f < clip.motion.num_frames; ++f) {
    compute_model_from_joint(*body.skeleton, clip.motion.frame(f), model);
    tracks.at.emplace_back();
    for (const Affine& m : model) tracks.at.back().push_back(m.t);
  }
  return tracks;
}

TEST(Wave, SlitheringBodiesFollowTheirHead) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Body body = make_body(BodyFamily::kSnake, Random(seed), {.mesh = false});
    const auto clip = make_clip(
        body,
        {.gait = Gait::kSlither, .course = seed % 2 ? Course::kTurnLeft : Course::kStraight, .seconds = 2, .fps = 120},
        Random(seed));
    ASSERT_TRUE(clip);
    const Tracks tracks = tracks_of(body, *clip);
    double across = 0, along = 0;
    for (std::size_t f = 1; f + 1 < tracks.at.size(); ++f) {
      for (std::size_t i = 1; i + 1 < body.spine.size(); ++i) {
        const auto joint = static_cast<std::size_t>(body.spine[i]);
        const Vec3 v = tracks.at[f + 1][joint] - tracks.at[f - 1][joint];
        Vec3 t = tracks.at[f][static_cast<std::size_t>(body.spine[i + 1])] -
                 tracks.at[f][static_cast<std::size_t>(body.spine[i - 1])];
        t.y = 0;
        t = normalized(t);
        const float forward = dot(v, t);
        across += length(Vec3{v.x, 0, v.z} - t * forward), along += std::abs(forward);
      }
    }
    EXPECT_GT(along, 0);
    EXPECT_LT(across / along, 0.06) << body.species;  // Chords stand for tangents: a few percent.
  }
}

TEST(Wave, SidewindersStandWhereTheyTouch) {
  const Body body = make_body(BodyFamily::kSnake, Random(2), {.mesh = false});
  const auto clip = make_clip(body, {.gait = Gait::kSidewind, .seconds = 3, .fps = 120}, Random(1));
  ASSERT_TRUE(clip);
  const Tracks tracks = tracks_of(body, *clip);
  double low_speed = 0, high_speed = 0;
  int low = 0, high = 0;
  for (std::size_t f = 1; f + 1 < tracks.at.size(); ++f) {
    for (std::size_t i = 0; i < body.spine.size() * 2 / 5; ++i) {  // The head's end is raised.
      const auto joint = static_cast<std::size_t>(body.spine[i]);
      const float lift = tracks.at[f][joint].y - body.skeleton->rest_model()[joint].t.y;
      const double speed = static_cast<double>(distance(tracks.at[f + 1][joint], tracks.at[f - 1][joint])) * 60;
      if (lift < 0.02F * body.radius_m) low_speed += speed, ++low;
      if (lift > 1.2F * body.radius_m) high_speed += speed, ++high;
    }
  }
  ASSERT_GT(low, 50);
  ASSERT_GT(high, 50);
  EXPECT_LT(low_speed / low, 0.15 * high_speed / high);
  // It goes more to the side than ahead.
  const Vec3 moved =
      tracks.at.back()[static_cast<std::size_t>(body.root)] - tracks.at.front()[static_cast<std::size_t>(body.root)];
  EXPECT_GT(std::abs(moved.x), std::abs(moved.z));
}

TEST(Wave, FishBeatAtTheStrouhalNumberOfFish) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Body body = make_body(BodyFamily::kFish, Random(seed), {.mesh = false});
    const auto clip = make_clip(body, {.gait = Gait::kSwim, .seconds = 8, .fps = 60}, Random(seed));
    ASSERT_TRUE(clip);
    const Tracks tracks = tracks_of(body, *clip);
    const std::size_t axis = body.vertical_swimmer ? 1 : 0;  // It swims along +z.
    const auto tail = static_cast<std::size_t>(body.tail.back()), middle = static_cast<std::size_t>(body.root),
               chest = static_cast<std::size_t>(body.chest);
    const auto sweep = [&](std::size_t joint) {  // Against the slow way of the middle.
      float low = 1e9F, high = -1e9F;
      for (const auto& frame : tracks.at)
        low = std::min(low, frame[joint][axis] - frame[middle][axis]),
        high = std::max(high, frame[joint][axis] - frame[middle][axis]);
      return high - low;
    };
    EXPECT_GT(sweep(tail), (body.tail.size() > 8 ? 1 : 2) * sweep(chest)) << body.species;  // Eels wind all along.
    int beats = 0;
    for (std::size_t f = 1; f < tracks.at.size(); ++f) {
      const auto side = [&](std::size_t k) { return tracks.at[k][tail][axis] - tracks.at[k][middle][axis]; };
      beats += side(f - 1) < 0 && side(f) >= 0 ? 1 : 0;
    }
    const float strouhal = static_cast<float>(beats) / 8 * sweep(tail) / clip->speed_m_s;
    EXPECT_GT(strouhal, 0.15F) << body.species;
    EXPECT_LT(strouhal, 0.5F) << body.species;
  }
}

TEST(Wave, MillipedesBendAlongTheirPath) {
  const Body body = make_body(BodyFamily::kMillipede, Random(2), {.mesh = false});
  const auto clip =
      make_clip(body, {.gait = Gait::kWalk, .course = Course::kTurnLeft, .seconds = 3, .fps = 60}, Random(1));
  ASSERT_TRUE(clip);
  const Tracks tracks = tracks_of(body, *clip);
  // The hindmost joint goes where one ahead of it has been before, not on a circle of its own.
  const auto front = static_cast<std::size_t>(body.spine[1]), rear = static_cast<std::size_t>(body.root);
  float worst = 0;
  for (std::size_t f = tracks.at.size() / 2; f < tracks.at.size(); ++f) {
    float nearest = 1e9F;
    for (std::size_t g = 0; g + 1 < tracks.at.size(); ++g) {
      const Vec3 a = tracks.at[g][front], b = tracks.at[g + 1][front], p = tracks.at[f][rear];
      const float t = std::clamp(dot(p - a, b - a) / std::max(1e-12F, dot(b - a, b - a)), 0.0F, 1.0F);
      const Vec3 off = p - lerp(a, b, t);
      nearest = std::min(nearest, length(Vec3{off.x, 0, off.z}));
    }
    worst = std::max(worst, nearest);
  }
  EXPECT_LT(worst, 0.05F * body.leg_length_m);
}

}  // namespace
}  // namespace zoe::synth
