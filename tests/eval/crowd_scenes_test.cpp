// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_scenes.h"

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

#include "control/toy_controller.h"
#include "support/allocation.h"

namespace zoe::eval {
namespace {

using control::test::ToyController;

TEST(CrowdScenes, HaveTheirCharactersApartAndWithinTheirSize) {
  for (const char* name : scene_names()) {
    for (const int count : {0, 1, 7, 250}) {
      const CrowdScene scene = make_scene(name, count, 3, 1.5F).value();
      ASSERT_EQ(scene.places.size(), static_cast<std::size_t>(count)) << name;
      ASSERT_EQ(scene.goals.size(), scene.places.size());
      ASSERT_EQ(scene.groups.size(), scene.places.size());
      for (std::size_t i = 0; i < scene.places.size(); ++i) {
        const Vec3 start = scene.places[i].position, goal = scene.goals[i];
        for (const Vec3& position : {start, goal}) {
          EXPECT_LE(std::max(std::abs(position.x), std::abs(position.z)), scene.half_size_m + 1e-3F) << name;
          EXPECT_EQ(position.y, 0);
        }
        for (std::size_t k = 0; k < i; ++k) EXPECT_GT(distance(start, scene.places[k].position), 0.9F) << name;
      }
    }
  }
}

TEST(CrowdScenes, ASeedGivesTheSameSceneAgain) {
  const CrowdScene a = make_scene("goals", 30, 5).value(), b = make_scene("goals", 30, 5).value(),
                   other = make_scene("goals", 30, 6).value();
  for (std::size_t i = 0; i < a.places.size(); ++i) EXPECT_EQ(a.places[i].position, b.places[i].position);
  EXPECT_NE(a.places[0].position, other.places[0].position);
}

TEST(CrowdScenes, AMisspeltNameGetsASuggestion) {
  const auto scene = make_scene("swop", 3);
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("swap"), std::string::npos);
}

struct Walked {
  int arrivals = 0;
  std::vector<Vec3> positions;
};
Walked walk(const char* name, int count, double seconds) {
  const auto controller = std::make_shared<ToyController>(30);
  const CrowdScene scene = make_scene(name, count).value();
  control::Crowd crowd(controller, scene.places);
  CrowdDirector director(scene, 1.3F);
  std::vector<control::Intent> intents(scene.places.size());
  ThreadPool none(0);
  for (double time_s = 0; time_s < seconds; time_s += 1.0 / 30) {
    director.direct(crowd, intents);
    crowd.tick(intents, 1.0 / 30, none);
  }
  Walked out{director.num_arrivals(), {}};
  for (int i = 0; i < crowd.size(); ++i) out.positions.push_back(crowd.state(i).root().position);
  return out;
}

TEST(CrowdDirector, OnTheCircleEveryCharacterStaysAtTheOppositeSide) {
  const CrowdScene scene = make_scene("swap", 12).value();
  const Walked walked = walk("swap", 12, 30);
  EXPECT_EQ(walked.arrivals, 12);
  for (std::size_t i = 0; i < walked.positions.size(); ++i) {
    EXPECT_LT(distance(walked.positions[i], scene.goals[i]), 0.5F) << i;
  }
}

TEST(CrowdDirector, StreamsComeBackAndWanderersNeverEnd) {
  EXPECT_GT(walk("streams", 8, 60).arrivals, 16) << "there and back again";
  EXPECT_GT(walk("goals", 8, 60).arrivals, 16);
}

TEST(CrowdDirector, NeverAllocates) {
  const auto controller = std::make_shared<ToyController>(30);
  const CrowdScene scene = make_scene("goals", 20).value();
  control::Crowd crowd(controller, scene.places);
  CrowdDirector director(scene, 1.3F);
  std::vector<control::Intent> intents(scene.places.size());
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) director.direct(crowd, intents);
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::eval
