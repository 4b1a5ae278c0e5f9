// SPDX-License-Identifier: MIT
// Tasks with props: drawn within the sizes of the data, and not done by a controller that knows no deeds.
#include "zoe/eval/deeds.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "zoe/control/deed_facts.h"
#include "zoe/control/load.h"
#include "zoe/control/prop_user.h"

namespace zoe::eval {
namespace {

using control::Deed;

control::DeedFacts some_facts() {
  control::DeedFacts facts;
  facts.seat_height = {0.35F, 0.45F}, facts.seat_width = {0.4F, 0.6F}, facts.seat_depth = {0.3F, 0.4F};
  facts.seat_back = {0, 0.5F};
  facts.box_width = {0.25F, 0.4F}, facts.box_height = {0.16F, 0.3F}, facts.box_depth = {0.2F, 0.34F};
  facts.box_bottom = {0, 0.9F}, facts.box_kg = {1, 9};
  facts.door_width = {0.75F, 0.95F}, facts.handle_height = {0.9F, 1.1F};
  return facts;
}

TEST(DeedTasks, AreDrawnWithinTheData) {
  const control::DeedFacts facts = some_facts();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const DeedTask sit = draw_deed_task(Deed::kSit, facts, seed);
    ASSERT_EQ(sit.props.size(), 1U);
    EXPECT_GE(sit.props[0].seat_m.y, 0.35F - 1e-4F);
    EXPECT_LE(sit.props[0].seat_m.y, 0.45F + 1e-4F);
    // The character is not behind the seat.
    EXPECT_GT(prop_from_world(sit.props[0], {}).z, -0.6F) << seed;
    const DeedTask carry = draw_deed_task(Deed::kCarry, facts, seed);
    EXPECT_EQ(carry.props[0].type, PropType::kBox);
    EXPECT_EQ(carry.props.size(), 1U + (carry.props[0].position.y > 0) + (carry.task.destination.position.y > 0));
    EXPECT_GT(distance(carry.props[0].position, carry.task.destination.position), 0.5F);
    const DeedTask open = draw_deed_task(Deed::kOpen, facts, seed);
    EXPECT_EQ(open.props[0].type, PropType::kDoor);
    EXPECT_NEAR(open.props[0].handle_m.y, 1, 0.11F);
    EXPECT_LT(prop_from_world(open.props[0], {}).z, 0) << "before the door";
  }
}

TEST(DeedTasks, AControllerWithoutDeedsDoesNone) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const auto walker =
      control::load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models/walker");
  ASSERT_TRUE(walker) << walker.error().message;
  for (const Deed deed : {Deed::kSit, Deed::kCarry, Deed::kOpen}) {
    const DeedReport report = measure_deeds(**walker, some_facts(), deed, {.num_tasks = 2, .seconds = 4});
    EXPECT_EQ(report.reached_share(), 0);
    for (const DeedResult& result : report.results) EXPECT_EQ(result.num_recoveries, 0);
  }
  EXPECT_FALSE(control::load_deed_facts(std::filesystem::path(source != nullptr ? source : ".") / "models/walker"));
}

// The included weights, on tasks of other seeds than those in docs/goals.md.
TEST(DeedTasks, TheIncludedModelUsesProps) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const std::filesystem::path folder = std::filesystem::path(source != nullptr ? source : ".") / "models/nsm";
  const auto controller = control::load_controller(folder);
  ASSERT_TRUE(controller) << controller.error().format();
  const control::DeedFacts facts = control::load_deed_facts(folder).value();
  for (const Deed deed : {Deed::kSit, Deed::kCarry, Deed::kOpen}) {
    const DeedReport report = measure_deeds(**controller, facts, deed, {.num_tasks = 10, .seed = 31});
    EXPECT_GE(report.reached_share(), 0.7) << control::name_of_task(deed);
  }
}

// Tasks in which it had a knee in the box or its table, a foot in the seat, an arm in the leaf; tuned on.
TEST(DeedTasks, NoCapsuleIsInAProp) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const std::filesystem::path folder = std::filesystem::path(source != nullptr ? source : ".") / "models/nsm";
  const auto controller = control::load_controller(folder);
  ASSERT_TRUE(controller) << controller.error().format();
  const control::DeedFacts facts = control::load_deed_facts(folder).value();
  const auto inside_m = [&](Deed deed, std::uint64_t seed) {
    const DeedReport report = measure_deeds(**controller, facts, deed, {.num_tasks = 1, .seed = seed});
    EXPECT_TRUE(report.results[0].reached) << control::name_of_task(deed) << ' ' << seed;
    return report.results[0].inside_thin_m;
  };
  for (const std::uint64_t seed : {220003, 220009, 220048, 220080, 220106, 220111, 220125})
    EXPECT_LT(inside_m(Deed::kCarry, seed), 0.02F) << seed;
  for (const std::uint64_t seed : {220074, 220195}) EXPECT_LT(inside_m(Deed::kSit, seed), 0.02F) << seed;
  for (const std::uint64_t seed : {220110, 220158}) EXPECT_LT(inside_m(Deed::kOpen, seed), 0.02F) << seed;
}

}  // namespace
}  // namespace zoe::eval
