// SPDX-License-Identifier: MIT
// Finished clips against the table they were made from: duty factors, phases, speeds, contacts, rates.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "synth/bodies.h"
#include "synth/gait_table.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::path_of;

Clip clip_of(const Body& body, const ClipRequest& request, std::uint64_t seed = 3) {
  return make_clip(body, request, Random(seed)).value();
}

// Whole stances of a leg, in frames: first, one behind the last.
std::vector<std::pair<int, int>> stances_of(const Clip& clip, std::size_t leg, std::size_t legs) {
  std::vector<std::pair<int, int>> out;
  int down = -1;
  for (int f = 1; f < clip.motion.num_frames; ++f) {
    const auto at = [&](int frame) { return clip.contacts[static_cast<std::size_t>(frame) * legs + leg] != 0; };
    if (at(f) && !at(f - 1)) down = f;
    if (!at(f) && at(f - 1) && down >= 0) out.emplace_back(down, f), down = -1;
  }
  return out;
}

TEST(GaitClips, StandForTheirDutyFactor) {
  for (const auto& [family, gait] : {std::pair{BodyFamily::kQuadruped, Gait::kWalk},
                                     {BodyFamily::kQuadruped, Gait::kTrot},
                                     {BodyFamily::kQuadruped, Gait::kGallop},
                                     {BodyFamily::kHexapod, Gait::kTripod},
                                     {BodyFamily::kOctopod, Gait::kWave},
                                     {BodyFamily::kMillipede, Gait::kWalk}}) {
    const Body body = body_of(family, 1);
    const Clip clip = clip_of(body, {.gait = gait, .seconds = 6, .fps = 240});
    const float duty = gait_numbers(family, gait).duty;
    for (std::size_t leg = 0; leg < std::min<std::size_t>(body.legs.size(), 8); ++leg) {
      const auto stances = stances_of(clip, leg, body.legs.size());
      ASSERT_GE(stances.size(), 2U) << to_string(family) << " " << to_string(gait);
      for (std::size_t k = 0; k + 1 < stances.size(); ++k) {
        const double stand = stances[k].second - stances[k].first, stride = stances[k + 1].first - stances[k].first;
        EXPECT_NEAR(stand / stride, duty, 0.04) << to_string(family) << " " << to_string(gait);
      }
    }
  }
}

TEST(GaitClips, FeetComeDownInTheOrderOfTheGait) {
  for (const Gait gait : {Gait::kWalk, Gait::kTrot, Gait::kPace, Gait::kBound}) {
    const Body body = body_of(BodyFamily::kQuadruped, 2);
    const Clip clip = clip_of(body, {.gait = gait, .seconds = 5, .fps = 240});
    const auto first = stances_of(clip, 0, 4);
    ASSERT_GE(first.size(), 2U);
    const double stride = first[1].first - first[0].first;
    for (std::size_t leg = 1; leg < 4; ++leg) {
      const auto own = stances_of(clip, leg, 4);
      const float expected = touchdown_phase(body, gait, body.legs[leg]) - touchdown_phase(body, gait, body.legs[0]);
      const double off = (own[0].first - first[0].first) / stride - static_cast<double>(expected);
      EXPECT_NEAR(off, std::round(off), 0.04) << to_string(gait) << " leg " << leg;
    }
  }
}

TEST(GaitClips, SpeedIsWhatTheBodyDoes) {
  test::each_body(2, [](const Body& body, const std::string& what) {
    for (const Gait gait : {Gait::kWalk, Gait::kRun, Gait::kTrot, Gait::kSwim, Gait::kFly}) {
      const auto gaits = gaits_of(body.family);
      if (std::find(gaits.begin(), gaits.end(), gait) == gaits.end()) continue;
      const Clip clip = clip_of(body, {.gait = gait, .seconds = 5, .fps = 60});
      const std::vector<Vec3> path = path_of(clip.motion, body.root);
      const Vec3 way = path.back() - path.front();
      EXPECT_NEAR(std::hypot(way.x, way.z) / clip.motion.duration_s(), clip.speed_m_s, 0.06 * clip.speed_m_s)
          << what << " " << to_string(gait);
      if (body.leg_length_m > 0) {
        EXPECT_NEAR(clip.froude, clip.speed_m_s * clip.speed_m_s / (9.81 * body.leg_length_m),
                    1e-2 * clip.froude + 1e-6)
            << what;
      }
    }
  });
}

TEST(GaitClips, AirborneMeansThatNobodyStands) {
  for (const auto& [family, gait] : {std::pair{BodyFamily::kBiped, Gait::kRun},
                                     {BodyFamily::kBiped, Gait::kHop},
                                     {BodyFamily::kQuadruped, Gait::kGallop},
                                     {BodyFamily::kBiped, Gait::kJump}}) {
    const Body body = body_of(family, 1);
    const Clip clip = clip_of(body, {.gait = gait, .seconds = 4, .fps = 120});
    const std::size_t legs = body.legs.size();
    int flights = 0;
    for (std::size_t f = 0; f < clip.airborne.size(); ++f) {
      if (clip.airborne[f] == 0) continue;
      ++flights;
      for (std::size_t leg = 0; leg < legs; ++leg) EXPECT_EQ(clip.contacts[f * legs + leg], 0) << to_string(gait) << f;
    }
    EXPECT_GT(flights, 10) << to_string(gait);
  }
}

TEST(GaitClips, ArraysHaveTheSizesTheySay) {
  test::each_body(1, [](const Body& body, const std::string& what) {
    for (const Gait gait : gaits_of(body.family)) {
      const Clip clip = clip_of(body, {.gait = gait, .seconds = 0.7, .fps = 50});
      EXPECT_EQ(clip.motion.fps, 50) << what;
      EXPECT_NEAR(clip.motion.duration_s(), 0.7, 0.03) << what;
      EXPECT_EQ(clip.contacts.size(), static_cast<std::size_t>(clip.motion.num_frames) * body.legs.size()) << what;
      EXPECT_EQ(clip.airborne.size(), static_cast<std::size_t>(clip.motion.num_frames)) << what;
      EXPECT_EQ(clip.request.gait, gait) << what;
      EXPECT_TRUE(validate(clip.motion)) << what;
    }
  });
}

// The rate only decides when we look: every second frame of 60 is a frame of 30.
TEST(GaitClips, TheMotionDoesNotDependOnTheFrameRate) {
  for (const auto& [family, gait] : {std::pair{BodyFamily::kBiped, Gait::kWalk},
                                     {BodyFamily::kFish, Gait::kSwim},
                                     {BodyFamily::kBird, Gait::kFly},
                                     {BodyFamily::kSnake, Gait::kSlither}}) {
    const Body body = body_of(family, 1);
    const Clip slow = clip_of(body, {.gait = gait, .seconds = 2, .fps = 30}),
               fast = clip_of(body, {.gait = gait, .seconds = 2, .fps = 60});
    const std::vector<Vec3> a = path_of(slow.motion, body.head), b = path_of(fast.motion, body.head);
    for (std::size_t f = 0; f < a.size() && 2 * f < b.size(); ++f) {
      EXPECT_LT(distance(a[f], b[2 * f]), 0.03F * body.body_length_m) << to_string(family) << " " << f;
    }
  }
}

TEST(GaitClips, TheSameSeedGivesTheSameBits) {
  test::each_body(1, [](const Body& body, const std::string& what) {
    const Gait gait = gaits_of(body.family)[1];
    const Clip a = clip_of(body, {.gait = gait, .seconds = 1}, 5), b = clip_of(body, {.gait = gait, .seconds = 1}, 5),
               c = clip_of(body, {.gait = gait, .seconds = 1}, 6);
    EXPECT_EQ(a.motion.rotations, b.motion.rotations) << what;
    EXPECT_EQ(a.motion.translations, b.motion.translations) << what;
    EXPECT_EQ(a.contacts, b.contacts) << what;
    EXPECT_NE(a.motion.rotations, c.motion.rotations) << what;
  });
}

TEST(GaitClips, BonesKeepTheirLengths) {
  test::each_body(1, [](const Body& body, const std::string& what) {
    for (const Gait gait : gaits_of(body.family)) {
      const Clip clip = clip_of(body, {.gait = gait, .seconds = 1, .fps = 20});
      for (int f = 0; f < clip.motion.num_frames; ++f) {
        for (int j = 1; j < body.skeleton->num_joints(); ++j) {
          if (j == body.root) continue;
          ASSERT_EQ(clip.motion.frame(f).translations[static_cast<std::size_t>(j)],
                    body.skeleton->rest_local(j).translation)
              << what << " " << to_string(gait);
        }
      }
    }
  });
}

// A body in a style is lower or slower by what the table says.
TEST(GaitClips, StylesShowInTheMotion) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const auto mean_height = [&](Style style) {
    const Clip clip = clip_of(body, {.gait = Gait::kWalk, .style = style, .seconds = 3, .fps = 30});
    double sum = 0;
    const std::vector<Vec3> path = path_of(clip.motion, body.head);
    for (const Vec3& p : path) sum += p.y;
    return sum / static_cast<double>(path.size());
  };
  const double neutral = mean_height(Style::kNeutral);
  EXPECT_LT(mean_height(Style::kSneaky), neutral - 0.05 * body.leg_length_m);
  EXPECT_LT(mean_height(Style::kOld), neutral - 0.05 * body.leg_length_m);
  EXPECT_GT(mean_height(Style::kProud), neutral - 0.03 * body.leg_length_m);
  EXPECT_LT(clip_of(body, {.gait = Gait::kWalk, .style = Style::kOld}).speed_m_s,
            0.75F * clip_of(body, {.gait = Gait::kWalk}).speed_m_s);
}

TEST(GaitClips, ErrorsSayWhatIsWrong) {
  const Body body = body_of(BodyFamily::kSnake, 1);
  const auto message = [&](const ClipRequest& request) { return make_clip(body, request, Random(1)).error().message; };
  EXPECT_EQ(message({.gait = Gait::kTrot}), "a snake has no gait 'trot'");
  EXPECT_EQ(message({.gait = Gait::kSlither, .fps = 1001}), "fps must be above 0 and at most 1000");
  EXPECT_EQ(message({.gait = Gait::kSlither, .fps = NAN}), "fps must be above 0 and at most 1000");
  EXPECT_EQ(message({.gait = Gait::kSlither, .seconds = -1}),
            "seconds must be above 0 and give at most 100,000 frames");
  EXPECT_EQ(message({.gait = Gait::kSlither, .seconds = NAN}),
            "seconds must be above 0 and give at most 100,000 frames");
  EXPECT_EQ(make_clip(body, {.gait = Gait::kTrot}, Random(1)).error().code, ErrorCode::kUsage);
}

// What a family cannot do on that ground or course is done flat and straight.
TEST(GaitClips, ImpossibleGroundsAndCoursesAreLeftOut) {
  const Body fish = body_of(BodyFamily::kFish, 1);
  const Clip clip =
      clip_of(fish, {.gait = Gait::kSwim, .course = Course::kSpin, .terrain = TerrainKind::kStairs, .seconds = 0.5});
  EXPECT_EQ(clip.request.terrain, TerrainKind::kFlat);
  EXPECT_EQ(clip.request.course, Course::kStraight);
}

}  // namespace
}  // namespace zoe::synth
