// SPDX-License-Identifier: MIT
// Example 14. A simulated body follows a clip, is pushed over, gets up, and pushes a box.
#include <cstdio>

#include "zoe/io/read.h"
#include "zoe/physics/push_motion.h"
#include "zoe/physics/world.h"

namespace physics = zoe::physics;

namespace {

int fail(const zoe::Error& error) {
  std::fprintf(stderr, "%s\n", error.format().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  // 1. A clip and what the analysis finds in its skeleton.
  if (argc != 2) return std::fprintf(stderr, "usage: 14_physics CLIP\n"), 2;
  const auto asset = zoe::io::read_asset(argv[1]);
  if (!asset) return fail(asset.error());
  if (asset->clips.empty()) return std::fprintf(stderr, "%s: no clip\n", argv[1]), 1;
  const zoe::Motion& clip = asset->clips[0];
  const zoe::SkeletonAnalysis analysis = zoe::analyse(*clip.skeleton, asset->clips, asset->character.get());

  // 2. The body: bones, shapes, masses, limits and servos; then the engine's model of it.
  const auto plan = physics::plan_body({*clip.skeleton, analysis, asset->clips, asset->character.get()});
  if (!plan) return fail(plan.error());
  const auto model = physics::BodyModel::create(*plan, clip.skeleton);
  if (!model) return fail(model.error());
  const double weight_n = plan->mass_kg * physics::kGravityM_s2;

  // 3. It follows the clip, with help at the root of at most 1.5 of its weight.
  const auto followed = physics::track_motion(*model, clip, {.assist_n = 1.5 * weight_n});
  if (!followed) return fail(followed.error());
  std::printf("%zu bones, %.0f kg, follows within %.1f cm, helped by %.2f of its weight\n", plan->bones.size(),
              plan->mass_kg, 100 * followed->mean_error_m, followed->mean_assist_n / weight_n);

  // 4. A push of six times its weight for 0.2 s: it falls, and gets up where it lies.
  const auto pushed = physics::push_motion(
      *model, clip, {.pushes = {{.time_s = 0.3, .duration_s = 0.2, .force_n = {6 * weight_n, 0, 0}}}});
  if (!pushed) return fail(pushed.error());
  std::printf("pushed, it falls %d time, is down for %.1f s and %s\n", pushed->num_falls, pushed->down_s,
              pushed->recovered ? "gets up" : "stays down");

  // 5. A world of one body and a box. Several bodies work alike.
  const double h = plan->height_m;
  const double ground_m = physics::ground_under(**model, clip);
  const zoe::PoseView pose = clip.frame(0);
  physics::BodyState start(*model);
  start.reset(pose, ground_m);
  const zoe::Vec3d root = start.bone_origin_m(0);
  const zoe::Vec3d before{root.x + 0.5 * h, 0.25 * h, root.z};
  const auto world = physics::World::create(
      std::span(&*model, 1),
      {.props = {{.half_size_m = {0.1, 0.25 * h, 0.3 * h}, .position_m = before, .mass_kg = 5}}});
  if (!world) return fail(world.error());
  (*world)->body(0).reset(pose, ground_m);
  for (int frame = 0; frame < 60; ++frame) {
    const physics::TickOptions options{.servo_scale = 0.5, .push_n = {frame < 12 ? 3 * weight_n : 0, 0, 0}};
    (*world)->tick(std::span(&pose, 1), std::span(&options, 1));
  }
  std::printf("thrown at it, the box was moved by %.2f m\n", distance((*world)->prop_position_m(0), before));
  return pushed->recovered ? 0 : 1;
}
