// SPDX-License-Identifier: MIT
// Example 6. A custom component on an actor: breath, added to the clip's motion.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "zoe/scene/scene.h"

namespace {

using namespace zoe::scene;

// 1. Any type. This one keeps state between steps.
struct Breath {
  int chest_joint = 0;
  float breaths_per_minute = 15;
  float depth_rad = 0.05F;
  float phase = 0;  // Cycles.
};

// 2. The system, in every fixed step, for every actor with the component. After the clips, before IK and joints.
void add_breathing(Scene& scene) {
  using BreathScope = zoe::ecs::Scope<Actor, Breath, const Time>;
  scene.fixed(Phase::kAnimate).add<Actor, Breath, const Time>("breathe", [](BreathScope& scope) {
    const auto dt_s = static_cast<float>(scope.resource<const Time>().step_s);
    scope.query<Actor, Breath>().each([&](Actor& actor, Breath& breath) {
      breath.phase = std::fmod(breath.phase + breath.breaths_per_minute / 60 * dt_s, 1.0F);
      const float lift = breath.depth_rad * std::sin(2 * 3.14159265F * breath.phase);
      const auto chest = static_cast<std::size_t>(breath.chest_joint);
      actor.pose.rotations[chest] =
          actor.skeleton().rest_local(breath.chest_joint).rotation * from_axis_angle(zoe::Vec3{1, 0, 0}, -lift);
    });
  });
}

}  // namespace

int main() {
  Scene scene;
  add_breathing(scene);

  // 3. A small body: hips, chest, head.
  const auto skeleton = zoe::Skeleton::create({{"hips", zoe::kNoJoint, {{0, 1, 0}, {}}},
                                               {"chest", 0, {{0, 0.3F, 0}, {}}},
                                               {"head", 1, {{0, 0.35F, 0}, {}}}})
                            .value();
  const Entity calm = add_actor(scene.world(), make_bare_character(skeleton, "calm"));
  const Entity runner = add_actor(scene.world(), make_bare_character(skeleton, "runner"), {{1, 0, 0}, {}});
  scene.world().add(calm, Breath{.chest_joint = 1});
  scene.world().add(runner, Breath{.chest_joint = 1, .breaths_per_minute = 45, .depth_rad = 0.12F});

  // 4. Count breaths: the head sways from back to front.
  for (const Entity entity : {calm, runner}) {
    int breaths = 0;
    float before = 0, most = 0;
    for (int i = 0; i < 20 * 60; ++i) {
      scene.step();
      const float z = scene.world().get<Actor>(entity).model_from_joint[2].t.z;
      if (before >= 0 && z < 0) ++breaths;
      before = z;
      most = std::max(most, std::abs(z));
    }
    std::printf("%s: %d breaths in 20 s, the head sways by %.0f mm\n", scene.world().get<Name>(entity).value.c_str(),
                breaths, 1000 * static_cast<double>(most));
  }
  return 0;
}
