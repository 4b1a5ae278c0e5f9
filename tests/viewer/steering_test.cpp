// SPDX-License-Identifier: MIT
#include "play/steering.h"

#include <cmath>

#include <gtest/gtest.h>

namespace zoe::viewer {
namespace {

using scene::Input;
using scene::Key;

constexpr float kHalfPi = 1.5707963F;

void press(Input& input, int key, bool down = true) { input.apply(scene::key_event(key, down)); }

void push(Input& input, const std::vector<scene::InputEvent>& events) {
  for (const scene::InputEvent& event : events) input.apply(event);
}

control::Intent step(Steering& steering, const Input& input, const PlanarRoot& root = {},
                     const control::Intent* led = nullptr) {
  steering.step(input, root, 1.0 / 60);
  return steering.intent(led);
}

TEST(Steering, KeysAreSeenFromTheCamera) {
  Steering steering;
  Input input;
  input.apply(scene::axis_event(kCameraAxis, kHalfPi));  // It looks along +X.
  press(input, 'W');
  const Vec3 walk = step(steering, input).velocity_at(0);
  EXPECT_NEAR(walk.x, 1.6F, 1e-4F);
  EXPECT_NEAR(walk.z, 0, 1e-4F);
  press(input, static_cast<int>(Key::kShift));
  EXPECT_GT(step(steering, input).velocity_at(0).x, 3);
  press(input, static_cast<int>(Key::kShift), false);
  press(input, 'C');
  EXPECT_NEAR(step(steering, input).velocity_at(0).x, 0.8F, 1e-4F);
  press(input, 'W', false);
  press(input, static_cast<int>(Key::kLeft));
  EXPECT_NEAR(step(steering, input).velocity_at(0).z, -0.8F, 1e-4F);
}

TEST(Steering, SticksOfGamepads) {
  Steering steering;
  Input input;
  for (const int trigger : {4, 5}) input.apply(scene::axis_event(trigger, -1));  // At rest.
  input.apply(scene::axis_event(1, -1));                                         // Up.
  EXPECT_NEAR(step(steering, input).velocity_at(0).z, 1.6F, 1e-4F);
  input.apply(scene::axis_event(5, 1));
  EXPECT_NEAR(step(steering, input).velocity_at(0).z, 3.2F, 1e-4F);
  input.apply(scene::axis_event(2, -1));
  EXPECT_FALSE(step(steering, input).wanted[0].facing_rad) << "the right stick is the camera's";
  input.apply({scene::InputEvent::Kind::kButton, 8 + 4, 1, 0});
  EXPECT_NEAR(*step(steering, input).facing_at(0), kHalfPi, 1e-4F);
}

TEST(Steering, FacingIsHeldAndTurned) {
  Steering steering;
  Input input;
  press(input, static_cast<int>(Key::kAlt));
  press(input, 'D');
  EXPECT_NEAR(*step(steering, input, {{}, 0.3F}).facing_at(0), 0.3F, 1e-5F);
  EXPECT_NEAR(*step(steering, input, {{}, 0.9F}).facing_at(0), 0.3F, 1e-5F) << "not where the character got to";
  press(input, 'Q');
  for (int i = 0; i < 30; ++i) step(steering, input, {{}, 0.3F});
  EXPECT_NEAR(*step(steering, input, {{}, 0.3F}).facing_at(0), 0.3F + 31 * 2.4F / 60, 1e-3F);
  press(input, 'Q', false);
  press(input, static_cast<int>(Key::kAlt), false);
  EXPECT_FALSE(step(steering, input).wanted[0].facing_rad);
}

TEST(Steering, HandsComeBeforePathsAndEndGoals) {
  Steering steering;
  Input input;
  const control::Intent led = control::Intent::move({0, 0, 9});
  EXPECT_EQ(step(steering, input, {}, &led).velocity_at(0).z, 9);
  std::vector<scene::InputEvent> events;
  append_goal({2, 0, -3}, events);
  push(input, events);
  const control::Intent goes = step(steering, input, {}, &led);
  EXPECT_TRUE(steering.by_hand());
  EXPECT_EQ(goes.goal->position, (Vec3{2, 0, -3}));
  EXPECT_EQ(goes.velocity_at(0), Vec3{});
  input.begin();
  press(input, 'S');
  const control::Intent walks = step(steering, input, {}, &led);
  EXPECT_FALSE(walks.goal);
  EXPECT_LT(walks.velocity_at(0).z, -1);
  press(input, 'S', false);
  EXPECT_EQ(step(steering, input, {}, &led).velocity_at(0).z, 9);
}

TEST(Steering, ChoicesAndBadOnes) {
  Steering steering;
  Input input;
  std::vector<scene::InputEvent> events;
  append_choice(SteerCommand::kStyle, 2, events);
  append_choice(SteerCommand::kAction, 1, events);
  append_reset(events);
  push(input, events);
  const control::Intent chosen = step(steering, input);
  EXPECT_EQ(chosen.styles[2], 1);
  EXPECT_EQ(chosen.actions[1], 1);
  EXPECT_TRUE(steering.resets());
  input.begin();
  for (const float bad : {1e30F, NAN, -7.0F, 16.0F}) {
    push(input, {scene::axis_event(kStyleAxis, bad), {scene::InputEvent::Kind::kButton, 26, 1, 0}});
    step(steering, input);
    EXPECT_EQ(steering.style(), -1) << bad;
  }
  EXPECT_FALSE(steering.resets());
}

TEST(Steering, StylesAreMixed) {
  Steering steering;
  Input input;
  control::Intent led;
  led.styles[3] = 1;
  EXPECT_EQ(step(steering, input, {}, &led).styles, led.styles) << "no slider was moved";
  control::StyleMix mix{};
  mix[0] = 0.6F;
  mix[2] = -0.4F;
  mix[control::kMaxLabels - 1] = 1.5F;
  std::vector<scene::InputEvent> events;
  append_mix(mix, events);
  push(input, events);
  EXPECT_EQ(step(steering, input, {}, &led).styles, mix) << "sliders replace what leads";
  EXPECT_EQ(steering.style(), -1);
  input.begin();
  EXPECT_EQ(step(steering, input).styles, mix) << "they stay";
  // A choice ends the mixture.
  events.clear();
  append_choice(SteerCommand::kStyle, 1, events);
  push(input, events);
  const control::StyleMix alone = step(steering, input).styles;
  EXPECT_EQ(alone[1], 1);
  EXPECT_EQ(alone[0], 0);
  EXPECT_EQ(steering.style(), 1);
  input.begin();
  mix = {};
  mix[0] = NAN;
  mix[1] = 1e30F;
  mix[2] = -INFINITY;
  events.clear();
  append_mix(mix, events);
  push(input, events);
  const control::StyleMix clamped = step(steering, input).styles;
  EXPECT_EQ(clamped[0], 0);
  EXPECT_EQ(clamped[1], control::kMostStyle);
  EXPECT_EQ(clamped[2], control::kLeastStyle);
}

}  // namespace
}  // namespace zoe::viewer
