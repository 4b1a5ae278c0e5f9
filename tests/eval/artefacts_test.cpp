// SPDX-License-Identifier: MIT
#include "zoe/eval/artefacts.h"

#include <gtest/gtest.h>

namespace zoe::eval {
namespace {

// One leg: hip at 0.9 m, knee, ankle at 0.1 m above the ground.
control::Body one_leg() {
  control::Body body;
  body.skeleton =
      Skeleton::create(
          {{"hip", kNoJoint, {{0, 0.9F, 0}, {}}}, {"knee", 0, {{0, -0.4F, 0}, {}}}, {"ankle", 1, {{0, -0.4F, 0}, {}}}})
          .value();
  body.legs.push_back({.leg = {.hip = 0, .knee = 1, .ankle = 2, .ankle_height_m = 0.1F}});
  return body;
}

struct Seen {
  unsigned all = 0, last = 0;
};
// The whole body moves by `step` per frame and is `lift` above its place; the root follows its x and z.
Seen watch(Vec3 step, float lift, int frames = 12) {
  const control::Body body = one_leg();
  const ArtefactLimits limits{
      .slide_mps = 0.5F, .joint_mps = 3, .joint_mps2 = 200, .lowest_m = -0.03F, .highest_m = 0.05F, .top_m = 0.5F};
  ArtefactWatch watch(body, limits);
  Pose pose = make_pose(*body.skeleton);
  Seen seen;
  for (int f = 0; f < frames; ++f) {
    const Vec3 at = step * static_cast<float>(f);
    pose.translations[0] = Vec3{0, 0.9F + lift, 0} + at;
    seen.last = watch.see(pose.view(), {{at.x, 0, at.z}, 0});
    seen.all |= seen.last;
  }
  return seen;
}
constexpr unsigned bit(Artefact artefact) { return 1U << static_cast<unsigned>(artefact); }

TEST(Artefacts, AreWhatTheLimitsSay) {
  EXPECT_EQ(watch({}, 0).all, 0U);
  EXPECT_EQ(watch({0, 0, 0.4F / 30}, 0).all, 0U) << "slower than the limit";
  EXPECT_EQ(watch({0, 0, 0.6F / 30}, 0).last, bit(Artefact::kSlide));
  EXPECT_EQ(watch({0, 0, 0.6F / 30}, 0.02F).all, 0U) << "2 cm above the ground nothing slides";
  EXPECT_EQ(watch({0, 0, 0.6F / 30}, 0, 4).all, 0U) << "too short to tell";
  EXPECT_EQ(watch({}, 0.06F).last, bit(Artefact::kHeight)) << "floats";
  EXPECT_EQ(watch({}, -0.04F).last, bit(Artefact::kHeight)) << "sinks";
}

TEST(Artefacts, WildSticksAreWild) {
  const auto sticks = wild_sticks(3, 1.2F), again = wild_sticks(3, 1.2F);
  int changes = 0, reversals = 0;
  float fastest = 0;
  Vec3 before;
  for (int f = 0; f < 3000; ++f) {
    const control::Intent intent = sticks->next({}, 1.0 / 30);
    EXPECT_EQ(intent.velocity_at(0), again->next({}, 1.0 / 30).velocity_at(0));
    const Vec3 now = intent.velocity_at(0);
    fastest = std::max(fastest, length(now));
    if (now != before) {
      ++changes;
      const float lengths = length(now) * length(before);
      reversals += lengths > 0 && dot(now, before) < -0.99F * lengths ? 1 : 0;
    }
    before = now;
  }
  EXPECT_GT(changes, 120);
  EXPECT_GT(reversals, changes / 5);
  EXPECT_GT(fastest, 2.3F);
  EXPECT_LE(fastest, 2.2F * 1.2F + 1e-3F);
}

}  // namespace
}  // namespace zoe::eval
