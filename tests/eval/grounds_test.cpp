// SPDX-License-Identifier: MIT
#include "zoe/eval/grounds.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "support/data.h"

namespace zoe::eval {
namespace {

TEST(Grounds, ARampRisesAlongZ) {
  const GroundPtr ground = make_ground("ramp:45").value();
  EXPECT_NEAR(ground->height(3, 2), 2, 1e-5F);
  EXPECT_NEAR(ground->normal(0, 0).z, -std::sqrt(0.5F), 1e-5F);
  EXPECT_NEAR(make_ground("ramp:-10").value()->height(0, 1), -0.17633F, 1e-4F);
}

TEST(Grounds, StepsGoUpAndDownAgain) {
  const GroundPtr ground = make_ground("steps:0.15").value();
  EXPECT_EQ(ground->height(0, 0), 0);
  EXPECT_EQ(ground->height(0, 0.44F), 0);
  EXPECT_FLOAT_EQ(ground->height(0, 0.46F), 0.15F);
  float highest = 0, before = 0;
  for (float z = 0; z < 30; z += 0.01F) {
    const float height = ground->height(0, z);
    EXPECT_LE(std::abs(height - before), 0.1501F) << z;
    before = height;
    highest = std::max(highest, height);
  }
  EXPECT_FLOAT_EQ(highest, 0.6F);
  EXPECT_EQ(ground->height(0, 16 * 0.9F), 0) << "a period later";
}

TEST(Grounds, WordsThatMakeNoSenseAreRefused) {
  for (const char* words : {"ramp:", "ramp:x", "ramp:80", "ramp:nan", "steps:2", "steps:0.1m"}) {
    const auto ground = make_ground(words);
    ASSERT_FALSE(ground) << words;
    EXPECT_NE(ground.error().message.find(words), std::string::npos) << ground.error().message;
  }
  EXPECT_NE(make_ground("no_such_file.glb").error().format().find("no_such_file.glb"), std::string::npos);
}

}  // namespace
}  // namespace zoe::eval
