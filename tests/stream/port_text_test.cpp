// SPDX-License-Identifier: MIT
// What the port says, read back by an independent JSON reader.
#include "stream/port_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "control/toy_controller.h"
#include "support/allocation.h"

namespace zoe::stream {
namespace {

using control::test::ToyController;

TEST(PortText, TheGreetingSaysWhatPosesMean) {
  const ToyController controller;
  const std::string text = greeting_text(controller);
  ASSERT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line";
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["zoe"], "play");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["kind"], "toy");
  EXPECT_EQ(json["joints"], (std::vector<std::string>{"hips", "leg"}));
  EXPECT_EQ(json["parents"], (std::vector<int>{-1, 0}));
  EXPECT_EQ(json["contact_joints"], (std::vector<int>{1}));
  EXPECT_TRUE(json["styles"].empty());
  EXPECT_TRUE(json["actions"].empty());
}

TEST(PortText, AFrameHasRootAndPose) {
  const ToyController controller;
  const auto state = controller.make_state({{1, 0, -2}, 0.5F});
  for (int i = 0; i < 30; ++i) controller.tick(*state, control::Intent::move({0, 0, 1}), 1.0 / 60);
  std::string text;
  write_frame_text(*state, 30, 0.5, text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["tick"], 30);
  EXPECT_EQ(json["time_s"], 0.5);
  const PlanarRoot& root = state->root();
  EXPECT_NEAR(json["root"][0].get<float>(), root.position.x, 1e-4);
  EXPECT_NEAR(json["root"][1].get<float>(), root.position.z, 1e-4);
  EXPECT_NEAR(json["root"][2].get<float>(), root.facing_rad * 57.29578F, 1e-3);
  EXPECT_NEAR(json["speed"].get<float>(), state->speed_mps(), 1e-3);
  EXPECT_EQ(json["progress"], to_string(state->progress()));
  ASSERT_EQ(json["contacts"].size(), 1U);
  ASSERT_EQ(json["pose"].size(), 2U);
  const PoseView pose = state->pose();
  for (std::size_t j = 0; j < 2; ++j) {
    const auto numbers = json["pose"][j].get<std::vector<float>>();
    ASSERT_EQ(numbers.size(), 7U);
    EXPECT_NEAR(numbers[0], pose.translations[j].x, 1e-5);
    EXPECT_NEAR(numbers[2], pose.translations[j].z, 1e-5);
    EXPECT_NEAR(numbers[3], pose.rotations[j].x, 1e-6);
    EXPECT_NEAR(numbers[6], pose.rotations[j].w, 1e-6);
  }
}

TEST(PortText, FramesAllocateNothingOnceWarm) {
  const ToyController controller;
  const auto state = controller.make_state();
  std::string text;
  write_frame_text(*state, 1, 0, text);
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) write_frame_text(*state, 1, 0, text);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(PortText, ARefusalIsValidWhateverItQuotes) {
  std::string text;
  for (const std::string& why : {std::string("no command 'jmp'"), std::string("a \"quote\" and a \\"),
                                 std::string("\x01\x1f\t\n"), std::string("\xff\xfe bytes that are no UTF-8")}) {
    write_refusal_text(why, text);
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    const auto json = nlohmann::json::parse(text, nullptr, false);
    ASSERT_TRUE(json.is_object()) << text;
    EXPECT_EQ(json["refused"].get<std::string>().size(), why.size());
  }
}

}  // namespace
}  // namespace zoe::stream
