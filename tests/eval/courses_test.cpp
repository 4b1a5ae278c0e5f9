// SPDX-License-Identifier: MIT
#include "zoe/eval/courses.h"

#include <gtest/gtest.h>

#include "control/toy_controller.h"

namespace zoe::eval {
namespace {

// A character that is nothing but springs follows every course: what is left is the controllers' own error.
TEST(Courses, SpringsFollowThemAll) {
  const control::test::ToyController controller;
  for (const char* name : course_names()) {
    const auto course = make_course(name, 1.3F, 2).value();
    const auto state = controller.make_state();
    float worst = 0, arc = 0, travelled = 0;
    Vec3 last{};
    for (int i = 0; i < 900; ++i) {
      controller.tick(*state, course->next(state->root(), 1.0 / 60), 1.0 / 60);
      travelled += distance(state->root().position, last);
      last = state->root().position;
      if (course->path() == nullptr) continue;
      arc = course->path()->nearest(last, arc, arc + 1);
      worst = std::max(worst, distance(course->path()->at(arc), last));
    }
    EXPECT_LT(worst, std::string(name) == "square" ? 0.45F : 0.12F) << name;
    EXPECT_GT(travelled, 8.0F) << name;
  }
  EXPECT_FALSE(make_course("cirle"));
  // Quick reversals are no part of the means.
  for (const char* name : course_names()) EXPECT_STRNE(name, "reversals");
  const auto reversals = make_course("reversals", 1.3F, 2).value();
  int turns = 0;
  float before = reversals->next({}, 0.1).velocity_at(0).z;
  EXPECT_FLOAT_EQ(before, 1.3F);
  for (int i = 0; i < 200; ++i) {
    const float now = reversals->next({}, 0.1).velocity_at(0).z;
    EXPECT_FLOAT_EQ(std::abs(now), 1.3F);
    turns += now != before ? 1 : 0;
    before = now;
  }
  EXPECT_GE(turns, 11);
  EXPECT_LE(turns, 25);
  EXPECT_NE(make_course("cirle").error().message.find("circle"), std::string::npos);
}

TEST(Courses, WaitForASlowCharacter) {
  const auto course = make_course("straight").value();
  const PlanarRoot here{{0.4F, 0, 2}, 0};
  control::Intent intent;
  for (int i = 0; i < 600; ++i) intent = course->next(here, 1.0 / 60);
  EXPECT_NEAR(intent.velocity_at(0).z, 1.3F, 0.05F);
  EXPECT_LT(intent.velocity_at(0).x, -0.3F);
}

}  // namespace
}  // namespace zoe::eval
