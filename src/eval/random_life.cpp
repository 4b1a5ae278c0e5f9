// SPDX-License-Identifier: MIT
#include "zoe/eval/random_life.h"

#include <cmath>
#include <limits>

#include "zoe/eval/grounds.h"

namespace zoe::eval {

using control::Intent;

GroundPtr hills() {
  return Ground::function([](float x, float z) { return 0.2F * std::sin(0.7F * x) + 0.15F * std::cos(0.9F * z); });
}

const std::vector<GroundPtr>& some_grounds() {
  static const std::vector<GroundPtr> made{nullptr, Ground::flat(0.3F), hills(), make_ground("ramp:8").value(),
                                           make_ground("steps:0.12").value()};
  return made;
}

Intent random_intent(Random& random, float reach_m) {
  Intent intent = Intent::stand();
  const auto kind = random.below(10);
  const auto stick = [&] { return Vec3{random.uniform(-1.6F, 1.6F), 0, random.uniform(-1.6F, 1.6F)}; };
  if (kind < 4) intent = Intent::move(stick());
  if (kind == 4) intent = Intent::move({0, 0, 12});  // Faster than any body: stuck or restarted.
  if (kind == 5 || kind == 6) {
    intent.goal = control::WantedPlace{
        {random.uniform(-reach_m, reach_m), random.uniform(-3.0F, 3.0F), random.uniform(-reach_m, reach_m)}, {}};
    if (random.below(2) == 0) intent.goal->facing_rad = random.uniform(-3, 3);
    if (random.below(3) == 0) intent.wanted[0].velocity_mps = stick();
  }
  if (kind == 7) {  // Several moments.
    intent.num_wanted = 3;
    for (int i = 0; i < 3; ++i)
      intent.wanted[static_cast<std::size_t>(i)] = {0.3F * static_cast<float>(i), stick(), {}};
  }
  if (random.below(3) == 0) intent.wanted[0].facing_rad = random.uniform(-3, 3);
  if (random.below(4) == 0) intent.styles[random.below(2)] = random.uniform(0, 1);
  if (random.below(5) == 0) intent.actions[0] = random.uniform(0, 1);
  return intent;
}

double random_dt_s(Random& random) {
  constexpr double kTimes_s[] = {1.0 / 60, 1.0 / 60, 1.0 / 60, 1.0 / 30, 1.0 / 30, 0.011, 0.052, 0.3, 0};
  return kTimes_s[random.below(9)];
}

Intent absurd_intent(Random& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNumbers[] = {NAN, kInfinity, -kInfinity, 3e38F, -3e38F, 1e-40F, 0, -1};
  const auto number = [&] { return kNumbers[random.below(std::size(kNumbers))]; };
  Intent intent = random_intent(random);
  intent.num_wanted = static_cast<int>(random.below(20)) - 5;
  for (control::WantedMotion& wanted : intent.wanted)
    wanted = {number(), {number(), number(), number()}, random.below(2) == 0 ? std::optional(number()) : std::nullopt};
  if (random.below(2) == 0) intent.goal = control::WantedPlace{{number(), number(), number()}, number()};
  intent.styles[random.below(intent.styles.size())] = number();
  intent.actions[random.below(intent.actions.size())] = number();
  intent.gait = static_cast<control::Gait>(random.below(256));
  return intent;
}

void disturb(const control::Controller& controller, control::ControllerState& state, Random& random) {
  const auto kind = random.below(24);
  const PlanarRoot root{{random.uniform(-9, 9), random.uniform(-2, 2), random.uniform(-9, 9)}, random.uniform(-3, 3)};
  const std::size_t ground = random.below(some_grounds().size());
  if (kind == 0) controller.place(state, root);
  if (kind == 1) controller.reset(state);
  if (kind == 2) state.set_ground(some_grounds()[ground]);
}

}  // namespace zoe::eval
