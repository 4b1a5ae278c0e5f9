// SPDX-License-Identifier: MIT
// Deeds: clocks, anchors, the prop that a goal is about, goals of intents, facts about the data, bad props.
#include "zoe/control/deeds.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/control/deed_facts.h"
#include "zoe/control/deed_state.h"

#include "control/every_type.h"

namespace zoe::control {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Deeds, AnchorsAreAtTheUsedPart) {
  const Prop seat = make_seat({.height_m = 0.4F}, {1, 0, 2}, 1.0F);
  EXPECT_NEAR(anchor_of(seat).position.y, 0.4F, 1e-5F);
  EXPECT_NEAR(distance(anchor_of(seat).position, world_from_prop(seat, seat.seat_m)), 0, 1e-6F);
  Prop door = make_door({}, {0, 0, 3}, 0.3F);
  const GoalPlace closed = anchor_of(door);
  door.open_rad = 1;
  EXPECT_EQ(anchor_of(door).position, closed.position) << "the goal stays while the door opens";
  const Prop box = make_box({0.3F, 0.2F, 0.2F}, 4, {1, 0.7F, 1}, 0.5F);
  EXPECT_EQ(anchor_of(box).position, box.position);
}

TEST(Deeds, TheUsedPropIsOfTheDeedsType) {
  const std::array<Prop, 4> props{make_obstacle({1, 1, 1}, {0, 0, 1}), make_seat({}, {0, 0, 5}),
                                  make_seat({}, {3, 0, 0}), make_box({0.3F, 0.2F, 0.2F}, 4, {0, 0, 2})};
  const PlanarRoot root{{0, 0, 4}, 0};
  EXPECT_EQ(used_prop(props, {Deed::kSit, {{2.5F, 0, 0}, 0}}, root), &props[2]) << "the nearest to the goal";
  EXPECT_EQ(used_prop(props, {Deed::kPutDown, {{9, 0, 9}, 0}}, root), &props[3]) << "the box in the hands";
  EXPECT_EQ(used_prop(props, {Deed::kOpen, {}}, root), nullptr);
  EXPECT_EQ(used_prop(props, {Deed::kIdle, {}}, root), nullptr);
}

TEST(Deeds, ClocksRunAndStartAgain) {
  DeedClocks clocks;
  const DeedGoal goal{Deed::kSit, {{0, 0.4F, 1}, 0}};
  const auto step = [&](PlanarRoot root) { clocks.advance(0.1F), clocks.see(root, goal); };
  for (int i = 0; i < 10; ++i) step({{0, 0, -1}, 0});
  EXPECT_EQ(clocks.near_s, 0) << "two metres away";
  EXPECT_NEAR(clocks.goal_s, 1, 1e-4F);
  for (int i = 0; i < 5; ++i) step({{0, 0, 0.6F}, 0.2F});
  EXPECT_NEAR(clocks.near_s, 0.4F, 0.11F);
  step({{0, 0, 0.1F}, 0.2F});
  EXPECT_GT(clocks.near_s, 0.4F) << "it leaves later than it enters";
  step({{0, 0, 0.6F}, 2.0F});
  EXPECT_EQ(clocks.near_s, 0) << "turned away";
  clocks.goal_changed();
  EXPECT_EQ(clocks.goal_s, 0);
  for (int i = 0; i < 100; ++i) step({{0, 0, 0.6F}, 0});
  EXPECT_EQ(clocks.deed_s, DeedClocks::kMost_s);
}

TEST(Deeds, FarGoalsLookAlikeAndThePathLeadsThere) {
  std::array<float, kDeedStateWidth> near{}, far{};
  DeedMoment moment{.root = {{1, 0, 1}, 0.5F}, .goal = {Deed::kSit, {{1, 0.4F, 4}, 1}}, .way = {0, 0, 1}};
  DeedSenses::write_state(moment, near);
  moment.goal.place.position.z = 40;
  DeedSenses::write_state(moment, far);
  for (int i = 0; i < kDeedStateWidth; ++i) EXPECT_NEAR(near[i], far[i], 1e-5F) << i;
  EXPECT_NEAR(std::hypot(far[kDeedGoalBegin - 2], far[kDeedGoalBegin - 1]), 1, 1e-5F);
  moment.goal.place.position.z = 1.5F;
  DeedSenses::write_state(moment, near);
  EXPECT_EQ(near[kDeedGoalBegin - 1], 0) << "near the goal the path is not used";
}

TEST(Deeds, IntentsAreGoals) {
  const PlanarRoot root{{1, 0, 1}, 0.3F};
  Intent intent;
  intent.actions[static_cast<std::size_t>(Deed::kSit)] = 1;
  intent.goal = WantedPlace{{3, 0.4F, 1}, 0.7F};
  const IntendedGoal sit = goal_of(intent, root);
  EXPECT_TRUE(sit.given);
  EXPECT_EQ(sit.goal.deed, Deed::kSit);
  EXPECT_EQ(sit.goal.place.facing_rad, 0.7F);
  const IntendedGoal stick = goal_of(Intent::move({1, 0, 0}), root);
  EXPECT_FALSE(stick.given);
  EXPECT_EQ(stick.goal.deed, Deed::kIdle);
  EXPECT_NEAR(stick.goal.place.position.x, 3.5F, 1e-4F);
  EXPECT_EQ(goal_of(Intent::stand(), root).goal.place.position, root.position);
}

TEST(Deeds, ADeedChangesWhenAnotherIsClearlyLikelier) {
  DeedState state;
  std::array<float, kDeedNextWidth> next{};
  next[0] = 0.5F, next[1] = 0.6F;
  state.follow(next, 0.03F);
  EXPECT_EQ(state.progress().deed, Deed::kIdle);
  next[1] = 0.8F;
  state.follow(next, 0.03F);
  EXPECT_EQ(state.progress().deed, Deed::kWalk);
  EXPECT_EQ(state.progress().deed_s, 0);
  EXPECT_FALSE(state.progress().holds);
  next[kHeldColumn] = 1;
  for (int i = 0; i < 5; ++i) state.follow(next, 0.03F);
  EXPECT_TRUE(state.progress().holds);
}

// A network that wavers drops no box on its way, and begins nothing that the goal does not need.
TEST(Deeds, OnlyWhatTheGoalNeedsIsBegun) {
  DeedState state;
  float far_m = 0.3F, aside_m = 0;
  const auto says = [&](Deed next, Deed goal, float held) {
    std::array<float, kDeedNextWidth> out{};
    out[static_cast<std::size_t>(next)] = 1;
    out[kHeldColumn] = held;
    for (int i = 0; i < 6; ++i) {
      state.set_goal({.goal = {goal, {{aside_m, 0, far_m}, 0}}, .given = true}, {});
      state.follow(out, 0.03F);
    }
    return state.progress();
  };
  EXPECT_EQ(says(Deed::kSit, Deed::kIdle, 0).deed, Deed::kIdle);
  EXPECT_EQ(says(Deed::kCarry, Deed::kLift, 0).deed, Deed::kIdle) << "what was not lifted is not carried";
  EXPECT_EQ(says(Deed::kLift, Deed::kLift, 1).deed, Deed::kLift);
  EXPECT_EQ(says(Deed::kWalk, Deed::kLift, 1).deed, Deed::kLift) << "hands hold the box";
  EXPECT_EQ(says(Deed::kCarry, Deed::kLift, 1).deed, Deed::kCarry);
  EXPECT_EQ(says(Deed::kWalk, Deed::kPutDown, 0).deed, Deed::kCarry);
  EXPECT_TRUE(state.progress().holds);
  far_m = 0.5F;
  EXPECT_EQ(says(Deed::kPutDown, Deed::kPutDown, 1).deed, Deed::kCarry) << "too far for the arms";
  far_m = 0.3F;
  EXPECT_EQ(says(Deed::kPutDown, Deed::kPutDown, 1).deed, Deed::kPutDown);
  EXPECT_EQ(says(Deed::kIdle, Deed::kPutDown, 0).deed, Deed::kIdle);
  EXPECT_FALSE(state.progress().holds);
  far_m = 1.5F;
  EXPECT_EQ(says(Deed::kSit, Deed::kSit, 0).deed, Deed::kIdle) << "too far from the seat";
  far_m = 0.5F, aside_m = 0.15F;
  EXPECT_EQ(says(Deed::kSit, Deed::kSit, 0).deed, Deed::kIdle) << "beside the seat's middle";
  aside_m = 0;
  EXPECT_EQ(says(Deed::kSit, Deed::kSit, 0).deed, Deed::kSit);
  EXPECT_EQ(says(Deed::kWalk, Deed::kIdle, 0).deed, Deed::kWalk) << "it gets up";
}

// A network that never prefers the goal's deed does not let a body wait at its goal for ever.
TEST(Deeds, ABodyThatWaitsAtItsGoalBegins) {
  const auto deed_after = [](Deed now, Deed goal, float far_m, float seconds) {
    DeedState state;
    std::array<float, kDeedNextWidth> next{};
    next[static_cast<std::size_t>(now)] = 1;
    state.follow(now, 0.1F);
    const PlanarRoot root{{0, 0, -far_m}, 0};
    for (float t = 0; t < seconds; t += 0.1F) {
      state.set_goal({.goal = {goal, {{0, 0, 0}, 0}}, .given = true}, root);
      state.follow(next, 0.1F);
      if (state.progress().deed == goal) break;
    }
    return state.progress().deed;
  };
  EXPECT_EQ(deed_after(Deed::kCarry, Deed::kPutDown, 0.4F, 3), Deed::kPutDown);
  EXPECT_EQ(deed_after(Deed::kIdle, Deed::kSit, 0.4F, 3), Deed::kSit);
  EXPECT_EQ(deed_after(Deed::kCarry, Deed::kPutDown, 0.4F, 0.8F), Deed::kCarry) << "the network decides first";
  EXPECT_EQ(deed_after(Deed::kCarry, Deed::kPutDown, 1.5F, 3), Deed::kCarry) << "too far";
  EXPECT_EQ(deed_after(Deed::kCarry, Deed::kLift, 0.4F, 3), Deed::kCarry) << "what is lifted is not lifted again";
  EXPECT_EQ(deed_after(Deed::kIdle, Deed::kPutDown, 0.4F, 3), Deed::kIdle) << "empty hands put nothing down";
}

// Far from its goal, a network that prefers to stand is a fixed point of the closed loop: it shuffles for ever.
TEST(Deeds, ABodyFarFromItsGoalSetsOut) {
  const auto deed_after = [](float far_m, bool given, float seconds, float stands) {
    DeedState state;
    std::array<float, kDeedNextWidth> next{};
    next[0] = stands, next[1] = 1 - stands;
    for (float t = 0; t < seconds; t += 0.1F) {
      state.set_goal({.goal = {Deed::kIdle, {{0, 0, far_m}, 0}}, .given = given}, {});
      state.follow(next, 0.1F);
    }
    return state.progress().deed;
  };
  EXPECT_EQ(deed_after(3, true, 0.65F, 0.55F), Deed::kIdle) << "the network decides first";
  EXPECT_EQ(deed_after(3, true, 1.25F, 0.55F), Deed::kWalk);
  EXPECT_EQ(deed_after(3, true, 1.25F, 1), Deed::kWalk) << "for a while, whatever the network prefers";
  EXPECT_EQ(deed_after(0.5F, true, 4, 1), Deed::kIdle) << "at its goal it stands";
  EXPECT_EQ(deed_after(3, false, 4, 1), Deed::kIdle) << "no goal";
}

// A body beside its goal gets it anew, so that it steps there; not for ever, as some networks step away.
TEST(Deeds, AGoalIsGivenAnewOnlyWhereThatHelps) {
  const DeedColumns columns{0, kDeedStateWidth, kDeedStateWidth + kSurroundingsWidth, 0};
  const DeedSenses senses;
  DeedState state;
  std::vector<float> x(static_cast<std::size_t>(kDeedStateWidth + kSurroundingsWidth + kInteractionWidth));
  std::array<float, kDeedNextWidth> next{};
  next[0] = 1;
  float away_m = 0.3F;
  const auto num_new = [&](int steps) {
    int count = 0;
    for (int i = 0; i < steps; ++i) {
      state.set_goal({.goal = {Deed::kIdle, {{0, 0, away_m}, 0}}, .given = true}, {});
      state.write(columns, senses, {}, {}, {}, x);
      count += x[2 * kNumDeeds + kClockWidth] == 1 ? 1 : 0;  // The clock of the goal is at zero.
      state.follow(next, 0.1F);
    }
    return count;
  };
  EXPECT_EQ(num_new(1), 1);
  EXPECT_EQ(num_new(100), 1) << "given anew once, without a gain";
  away_m = 0.2F;
  EXPECT_GE(num_new(1), 1) << "a goal that moves is new";
}

TEST(Deeds, WhatIsBehindIsSeenAtOneSide) {
  DeedState state;
  const auto side_of = [&](float angle_rad) {
    const Vec3 seen = state.beside({std::sin(angle_rad), 0, std::cos(angle_rad)}, {});
    return std::atan2(seen.x, seen.z);
  };
  EXPECT_NEAR(side_of(1.5F), 1.5F, 1e-4F);
  EXPECT_NEAR(side_of(3), 2, 1e-4F);
  EXPECT_NEAR(side_of(-3), 2, 1e-4F) << "the turn goes on";
  EXPECT_NEAR(side_of(0.5F), 0.5F, 1e-4F);
  EXPECT_NEAR(side_of(-3), -2, 1e-4F) << "another turn";
  EXPECT_EQ(state.beside({}, {}), Vec3{});
}

// Data has bodies that begin to sit 0.19 m before the edge; from 0.3 m networks squat in the air.
TEST(Deeds, SeatsAreSatOnFromWhereTheDataSits) {
  const Prop seat = make_seat({.height_m = 0.3F, .depth_m = 0.4F}, {0, 0, 0}, 0);
  const auto sits_after = [&](float before_m, int steps) {
    DeedState state;
    std::array<float, kDeedNextWidth> next{};
    next[static_cast<std::size_t>(Deed::kSit)] = 1;
    for (int i = 0; i < steps; ++i) {
      state.set_goal({.goal = {Deed::kSit, anchor_of(seat)}, .given = true},
                     {{0, 0, seat.seat_m.z + seat.seat_half_depth_m + before_m}, 0}, &seat);
      state.follow(next, 0.1F);
    }
    return state.progress().deed == Deed::kSit;
  };
  EXPECT_TRUE(sits_after(0.2F, 2));
  EXPECT_FALSE(sits_after(0.31F, 20));
  EXPECT_TRUE(sits_after(0.31F, 60)) << "where it does not come nearer, it sits down at last";
}

// Networks drift forward off short seats, and walk until their shins are in them.
TEST(Deeds, SeatsBearBodiesAndKeepThemBefore) {
  const Prop seat = make_seat({.height_m = 0.3F, .width_m = 0.5F, .depth_m = 0.4F}, {1, 0, 2}, 0.5F);
  const IntendedGoal sit{{Deed::kSit, anchor_of(seat)}, true};
  const auto before = [&](float x, float z) { return world_from_prop(seat, {x, 0, z}); };
  DeedState state;
  state.set_goal(sit, {before(0, 0.4F), 0.5F}, &seat);
  EXPECT_NEAR(prop_from_world(seat, state.before_seat(before(0, 0.25F))).z, 0.2F + kBeforeSeat_m - 0.05F, 1e-4F);
  EXPECT_NEAR(distance(state.before_seat(before(0, 0.5F)), before(0, 0.5F)), 0, 1e-6F) << "far enough";
  EXPECT_NEAR(distance(state.before_seat(before(0.4F, 0.1F)), before(0.4F, 0.1F)), 0, 1e-6F) << "beside it";
  state.follow(Deed::kSit, 0.1F);
  EXPECT_NEAR(distance(state.before_seat(before(0, 0.1F)), before(0, 0.1F)), 0, 1e-6F) << "it sits down";
  EXPECT_FALSE(state.is_seated());
  for (int i = 0; i < 12; ++i) state.follow(Deed::kSit, 0.1F);
  EXPECT_TRUE(state.is_seated());
  state.set_goal({{Deed::kIdle, {before(0, 1), 0.5F}}, true}, {before(0, 0.1F), 0.5F});
  EXPECT_FALSE(state.is_seated()) << "it shall get up";
  // A network that never gets up by itself.
  std::array<float, kDeedNextWidth> next{};
  next[static_cast<std::size_t>(Deed::kSit)] = 1;
  for (int i = 0; i < 40 && state.progress().deed == Deed::kSit; ++i) state.follow(next, 0.1F);
  EXPECT_EQ(state.progress().deed, Deed::kWalk);
}

// A hand that let go is on the handle still.
TEST(Deeds, OpeningEndsWhenTheHandHasLeft) {
  DeedState state;
  std::array<float, kDeedNextWidth> next{};
  const auto follow = [&](Deed says, float held, int steps) {
    next = {};
    next[static_cast<std::size_t>(says)] = 1, next[kHeldColumn] = held;
    for (int i = 0; i < steps; ++i) {
      state.set_goal({.goal = {Deed::kOpen, {{0, 1, 0.5F}, 0}}, .given = true}, {});
      state.follow(next, 0.1F);
      if (state.progress().deed == Deed::kWalk) break;  // A body that stands at the door would open it again.
    }
    return state.progress().deed;
  };
  EXPECT_EQ(follow(Deed::kOpen, 1, 10), Deed::kOpen);
  EXPECT_EQ(follow(Deed::kWalk, 1, 10), Deed::kOpen) << "the hand holds the handle";
  EXPECT_EQ(follow(Deed::kWalk, 0, 3), Deed::kOpen);
  EXPECT_EQ(follow(Deed::kWalk, 0, 6), Deed::kWalk);
}

// Data has bodies 28 cm before the side of a box, and 50 to 64 cm before a leaf.
TEST(Deeds, RestingBodiesComeToWhereTheirHandsReach) {
  const Prop box = make_box({0.3F, 0.2F, 0.3F}, 3, {});
  const Prop door = make_door({.width_m = 0.8F}, {});
  DeedState state;
  const auto to_place = [&](const Prop& prop, Deed deed, Vec3 own) {
    const PlanarRoot root{own, 0};
    state.set_goal({{deed, anchor_of(prop)}, true}, root, &prop);
    return state.to_place(root);
  };
  EXPECT_NEAR(to_place(box, Deed::kLift, {0, 0, -0.43F}).z, 0, 1e-5F);
  EXPECT_NEAR(to_place(box, Deed::kLift, {0, 0, -0.3F}).z, -0.07F, 1e-4F) << "its knees would be in the box";
  EXPECT_NEAR(to_place(box, Deed::kPutDown, {0.2F, 0, -0.6F}).z, 0.11F, 1e-4F) << "its arms are too short";
  EXPECT_NEAR(to_place(box, Deed::kPutDown, {0.2F, 0, -0.6F}).x, -0.2F, 1e-4F);
  const float handle = door.handle_m.x;
  EXPECT_EQ(to_place(door, Deed::kOpen, {handle - 0.2F, 0, -0.55F}), Vec3{});
  EXPECT_NEAR(to_place(door, Deed::kOpen, {handle - 0.2F, 0, -0.85F}).z, 0.23F, 1e-4F);
  EXPECT_NEAR(to_place(door, Deed::kOpen, {handle + 0.3F, 0, -0.55F}).x, -0.25F, 1e-4F) << "beside the leaf";
  EXPECT_NEAR(to_place(door, Deed::kOpen, {handle - 0.45F, 0, -0.55F}).x, 0.15F, 1e-4F);
}

// A network that moves as if it had the handle walks through the closed leaf.
TEST(Deeds, ADoorThatIsNotTakenIsTakenAgain) {
  Prop door = make_door({}, {0, 0, 0.5F});
  const auto deed_after = [&](bool grips, float seconds) {
    DeedState state;
    std::array<float, kDeedNextWidth> next{};
    next[static_cast<std::size_t>(Deed::kOpen)] = 1;
    state.follow(Deed::kOpen, 0.1F);
    for (float t = 0; t < seconds && state.progress().deed == Deed::kOpen; t += 0.1F) {
      state.set_goal({{Deed::kOpen, anchor_of(door)}, true}, {}, &door);
      state.follow(next, 0.1F, grips);
    }
    return state.progress().deed;
  };
  EXPECT_EQ(deed_after(false, 1.8F), Deed::kOpen);
  EXPECT_EQ(deed_after(false, 3), Deed::kIdle);
  EXPECT_EQ(deed_after(true, 3), Deed::kOpen);
  door.open_rad = 1;
  EXPECT_EQ(deed_after(false, 3), Deed::kOpen) << "it was let go";
}

TEST(Deeds, PropsThatAreNotFiniteAreKnown) {
  Prop seat = make_seat({});
  EXPECT_TRUE(is_finite(seat));
  seat.facing_rad = kNan;
  EXPECT_FALSE(is_finite(seat));
  seat = make_seat({});
  seat.parts[0].half_m.x = -1;
  EXPECT_FALSE(is_finite(seat));
  seat = make_seat({});
  seat.num_parts = 9;
  EXPECT_FALSE(is_finite(seat));
}

TEST(Deeds, FactsAreReadAsWritten) {
  DeedFacts facts{.hips = 1, .left_hand = 7, .right_hand = 12, .seated_m = 0.11F, .skate_cm_s = 1.5F};
  facts.seat_height = {0.3F, 0.45F};
  facts.before_seat_m = 0.25F;
  const auto read = DeedFacts::parse(facts.to_text());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->right_hand, 12);
  EXPECT_EQ(read->before_seat_m, 0.25F);
  std::string older = facts.to_text();  // It does not say where bodies sit down.
  older.replace(older.find(" 0.25\n"), 5, "");
  EXPECT_EQ(DeedFacts::parse(older).value().before_seat_m, kBeforeSeat_m);
  EXPECT_EQ(read->seat_height, facts.seat_height);
  EXPECT_FALSE(DeedFacts::parse(""));
  EXPECT_FALSE(DeedFacts::parse("joints 1 2 3\n"));
  std::string text = facts.to_text();
  for (std::size_t i = 0; i < text.size(); ++i) {  // Any byte may be damaged.
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    (void)DeedFacts::parse(damaged);
  }
  text.replace(text.find("0.3 0.45"), 8, "0.9 0.45");
  EXPECT_FALSE(DeedFacts::parse(text));
}

TEST(Deeds, PropsBeyondTheDataAreNamed) {
  DeedFacts facts;
  facts.seat_height = {0.3F, 0.45F}, facts.seat_width = {0.4F, 0.6F}, facts.seat_depth = {0.3F, 0.4F};
  EXPECT_EQ(beyond_data(facts, make_seat({.height_m = 0.4F, .width_m = 0.5F, .depth_m = 0.35F})), "");
  EXPECT_EQ(beyond_data(facts, make_seat({.height_m = 0.4F, .width_m = 2, .depth_m = 0.35F})), "") << "a bench";
  const std::string high = beyond_data(facts, make_seat({.height_m = 0.6F, .width_m = 0.5F, .depth_m = 0.8F}));
  EXPECT_NE(high.find("height of the seat is 0.60 m, the data has 0.30 to 0.45 m"), std::string::npos) << high;
  EXPECT_NE(high.find("depth"), std::string::npos) << high;
}

// Props inside the character, broken ones, too many, and goals inside of walls: the character goes on.
TEST(Deeds, BadPropsBreakNothing) {
  const ControllerPtr controller = test::make_controller("nsm");
  std::vector<Prop> props(40, make_obstacle({1, 2, 1}, {0, 0, 0.2F}));
  props[0].position.x = kNan;
  props[1].parts[0].half_m.y = std::numeric_limits<float>::infinity();
  props[2] = make_seat({}, {0, 0, 0});
  const auto state = controller->make_state(), alone = controller->make_state();
  Intent intent;
  intent.actions[static_cast<std::size_t>(Deed::kSit)] = 1;
  for (int i = 0; i < 120; ++i) {
    intent.goal = WantedPlace{{0, i % 2 == 0 ? kNan : 0.4F, 0.2F}, 0.3F};
    state->set_props(props);
    controller->tick(*state, intent, 1.0 / 30);
    controller->tick(*alone, intent, 1.0 / 30);
    ASSERT_TRUE(is_finite(state->root().position)) << i;
  }
  EXPECT_EQ(state->num_recoveries(), alone->num_recoveries()) << "props restart no character";
  ASSERT_TRUE(state->deed());
  EXPECT_FALSE(test::make_controller("mann")->make_state()->deed()) << "other types know no deeds";
}

// What a character senses does not depend on where the world's origin is.
TEST(Deeds, PropsAreSeenFromTheCharacter) {
  const ControllerPtr controller = test::make_controller("nsm");
  const PlanarRoot far{{300, 0, -200}, 2};
  const auto here = controller->make_state(), there = controller->make_state({.root = far});
  const Prop seat = make_seat({}, {0.4F, 0, 1.2F}, 2.5F);
  Prop moved = seat;
  moved.position = far.position + rotate(rotation_of(far), seat.position);
  moved.facing_rad += far.facing_rad;
  const auto intent_of = [](const Prop& prop) {
    Intent intent;
    intent.actions[static_cast<std::size_t>(Deed::kSit)] = 1;
    intent.goal = WantedPlace{anchor_of(prop).position, prop.facing_rad};
    return intent;
  };
  for (int i = 0; i < 20; ++i) {
    here->set_props({&seat, 1});
    there->set_props({&moved, 1});
    controller->tick(*here, intent_of(seat), 1.0 / 30);
    controller->tick(*there, intent_of(moved), 1.0 / 30);
  }
  const Vec3 back = rotate(conjugate(rotation_of(far)), there->root().position - far.position);
  EXPECT_NEAR(distance(back, here->root().position), 0, 5e-3F);
  EXPECT_EQ(here->deed()->deed, there->deed()->deed);
}

}  // namespace
}  // namespace zoe::control
