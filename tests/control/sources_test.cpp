// SPDX-License-Identifier: MIT
#include "zoe/control/sources.h"

#include <gtest/gtest.h>

#include "toy_controller.h"

namespace zoe::control {
namespace {

TEST(Path, MeasuresTheWay) {
  const Path path = Path::create({{0, 5, 0}, {0, 0, 3}, {0, 0, 3}, {4, 0, 3}}).value();
  EXPECT_FLOAT_EQ(path.length_m(), 7);
  EXPECT_LT(distance(path.at(5), {2, 0, 3}), 1e-5F);
  EXPECT_EQ(path.direction_at(1), (Vec3{0, 0, 1}));
  EXPECT_EQ(path.at(99), (Vec3{4, 0, 3}));
  EXPECT_NEAR(path.nearest({2, 0, 4}, 0, 7), 5, 0.02F);
  const Path ring = Path::create({{0, 0, 0}, {0, 0, 3}, {3, 0, 3}, {3, 0, 0}}, true).value();
  EXPECT_FLOAT_EQ(ring.length_m(), 12);
  EXPECT_LT(distance(ring.at(25), ring.at(1)), 1e-5F);
  EXPECT_FALSE(Path::create({{1, 0, 1}, {1, 9, 1}}));
  EXPECT_FALSE(Path::create({{0, 0, 0}, {NAN, 0, 1}}));
}

TEST(Script, TimedCommands) {
  const auto script = parse_script("# a walk\n0 move 0 1.2\n1.5 face 90\n1.5 gait run\n2 stand\n3, go, 4, 5\n").value();
  const auto at = [&](int ticks) {
    Intent intent;
    for (int i = 0; i < ticks; ++i) intent = script->next({}, 0.5);
    return intent;
  };
  EXPECT_FLOAT_EQ(at(1).velocity_at(0).z, 1.2F);
  const Intent turned = at(3);
  EXPECT_NEAR(*turned.facing_at(0), 1.5708F, 1e-3F);
  EXPECT_EQ(turned.gait, Gait::kRun);
  EXPECT_EQ(at(1).velocity_at(0), Vec3{});
  EXPECT_FALSE(script->done());
  EXPECT_EQ(at(2).goal->position, (Vec3{4, 0, 5}));
  EXPECT_TRUE(script->done());
}

TEST(Script, WishesAheadAndLabels) {
  const std::string styles[] = {"calm", "old"}, actions[] = {"wave"};
  const auto script =
      parse_script(
          "0 move 0 1\n0 ahead 0.5 1 0 90\n0 ahead 1 2 0\n0 style old 0.5\n0 action wave\n1 move 0 2\n1 style old 0\n",
          "walk.txt", {styles, actions})
          .value();
  const Intent first = script->next({}, 1);
  ASSERT_EQ(first.num_wanted, 3);
  EXPECT_EQ(first.velocity_at(0.25F), (Vec3{0.5F, 0, 0.5F}));
  EXPECT_NEAR(*first.wanted[1].facing_rad, 1.5708F, 1e-3F);
  EXPECT_EQ(first.velocity_at(5), (Vec3{2, 0, 0}));
  EXPECT_EQ(first.styles[1], 0.5F);
  EXPECT_EQ(first.actions[0], 1);
  const Intent second = script->next({}, 1);
  EXPECT_EQ(second.num_wanted, 1);
  EXPECT_EQ(second.styles[1], 0);
  // Nothing changes by what is refused.
  Intent kept = first;
  for (const char* line : {"ahead 0.9 0 1", "move 1", "move 1 nan", "move 1e7 0", "move 1 2 3", "go 1", "style young",
                           "style old 2", "action", "stand up", "face 1 2", "gait", "", "ahead 2 0 x"}) {
    const CommandWords words = split_command(line);
    EXPECT_FALSE(apply_command({words.words, words.count}, {styles, actions}, kept).empty()) << line;
  }
  EXPECT_EQ(kept.velocity_at(0.25F), first.velocity_at(0.25F));
  EXPECT_EQ(kept.num_wanted, 3);
  EXPECT_FALSE(kept.goal);
}

TEST(Script, MistakesHaveALine) {
  for (const char* text :
       {"0 move 0 1\n1 mvoe 0 1\n", "0 move 0 1\nx stand\n", "2 stand\n1 stand\n", "0 stand\n1 move 3\n",
        "0 stand\n1 face north\n", "0 stand\n1 gait hop\n", "0 stand\n1 go nan 2\n"}) {
    const auto script = parse_script(text, "walk.txt");
    ASSERT_FALSE(script) << text;
    EXPECT_EQ(script.error().where.line, 2) << text;
  }
  EXPECT_FALSE(parse_script("# nothing\n"));
  // Labels are the model's own.
  const std::vector<std::string> actions{"lie", "sit"};
  const auto labelled = parse_script("0 action sit\n1 action none\n", "walk.txt", {.actions = actions}).value();
  EXPECT_EQ(labelled->next({}, 0.9).actions[1], 1);
  EXPECT_EQ(labelled->next({}, 0.2).actions[1], 1);
  EXPECT_EQ(labelled->next({}, 0.1).actions[1], 0);
  const auto unknown = parse_script("0 action site\n", "walk.txt", {.actions = actions});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("did you mean 'sit'"), std::string::npos) << unknown.error().message;
  EXPECT_FALSE(parse_script("0 style old\n", "walk.txt", {.actions = actions}));
  const auto dressed = with_labels(parse_script("0 move 0 1\n1 action sit\n", "", {.actions = actions}).value(), -1, 0);
  EXPECT_EQ(dressed->next({}, 1.5).actions[0], 1);
  EXPECT_EQ(dressed->next({}, 0.1).actions[0], 0);
}

TEST(Sticks, AreSeenFromTheCamera) {
  EXPECT_EQ(from_sticks({.move_x = 0.1F, .move_y = 0.05F}, 0).velocity_at(0), Vec3{});
  const Intent forward = from_sticks(from_keys(true, false, false, false, false), 0);
  EXPECT_NEAR(forward.velocity_at(0).z, 1.6F, 1e-5F);
  // To the right of a camera that looks along +Z is -X; along +X it is +Z.
  const Intent right = from_sticks(from_keys(false, false, false, true, true), 0);
  EXPECT_NEAR(right.velocity_at(0).x, -3.2F, 1e-5F);
  EXPECT_NEAR(from_sticks({.move_x = 1}, 1.5707963F).velocity_at(0).z, 1.6F, 1e-5F);
  EXPECT_NEAR(*from_sticks({.look_x = -1}, 0).facing_at(0), 1.5708F, 1e-3F);
  const Intent bad = from_sticks({.move_x = NAN, .move_y = INFINITY}, 0);
  EXPECT_EQ(bad.velocity_at(0), Vec3{});
}

}  // namespace
}  // namespace zoe::control
