// SPDX-License-Identifier: MIT
// Example 4. Hands follow targets while a clip plays: two bones, a chain (FABRIK), and the whole body.
//
//   04_inverse_kinematics walk.bvh LeftHand RightHand
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "zoe/io/read.h"
#include "zoe/scene/attachment.h"
#include "zoe/scene/ik_target.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/run.h"

namespace {

using namespace zoe::scene;

int fail(const zoe::Error& error) {
  std::fprintf(stderr, "%s\n", error.format().c_str());
  return 1;
}

// An ancestor of a joint, N levels up.
int above(const zoe::Skeleton& skeleton, int joint, int places) {
  for (; places > 0 && skeleton.parent(joint) >= 0; --places) joint = skeleton.parent(joint);
  return joint;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s FILE HAND OTHER_HAND\n", argv[0]);
    return 2;
  }
  const zoe::Result<zoe::io::Asset> asset = zoe::io::read_asset(argv[1]);
  if (!asset) return fail(asset.error());
  const zoe::Skeleton& skeleton = *asset->character->skeleton;
  const int hand = skeleton.find(argv[2]), other = skeleton.find(argv[3]);
  if (hand < 0 || other < 0) {
    std::fprintf(stderr, "%s: has no joint %s\n", argv[1], hand < 0 ? argv[2] : argv[3]);
    return 1;
  }

  for (const char* solver : {"two bones", "FABRIK", "full body"}) {
    // 1. An actor that plays its clip.
    Scene scene;
    zoe::ecs::World& world = scene.world();
    const Entity actor = add_actor(world, asset->character);
    if (!asset->clips.empty()) {
      const auto played = play_motion(world, actor, std::make_shared<const zoe::Motion>(asset->clips[0]));
      if (!played) return fail(played.error());
    }
    scene.step();

    // 2. A target for each hand, at its present position. A target is an entity; the hand follows its transform.
    std::vector<Entity> targets;
    for (const int joint : {hand, other}) {
      const zoe::Result<Entity> target = solver[0] == 't' ? add_two_bone_target(world, actor, joint)
                                         : solver[0] == 'F'
                                             ? add_fabrik_target(world, actor, above(skeleton, joint, 3), joint)
                                             : add_full_body_target(world, actor, joint);
      if (!target) return fail(target.error());
      targets.push_back(*target);
    }

    // 3. Targets are attached to the chest and circle in front of it. The solver runs after the clip.
    const Entity chest = add_node(world, "chest");
    attach_to_joint(world, chest, actor, above(skeleton, hand, 4));
    for (const Entity target : targets) set_parent(world, target, chest);
    float worst_m = 0;
    run_headless(scene, {.seconds = 2, .on_frame = [&](Scene& s) {
                           for (std::size_t i = 0; i < targets.size(); ++i) {
                             const float angle = static_cast<float>(s.time().time_s()) * 3 + static_cast<float>(i);
                             s.world().get<LocalTransform>(targets[i]).edit().translation = {
                                 (i == 0 ? 0.15F : -0.15F) + 0.08F * std::cos(angle), 0.1F + 0.08F * std::sin(angle),
                                 0.3F};
                             if (s.time().step > 5)
                               worst_m = std::max(worst_m, s.world().get<IkTarget>(targets[i]).missing_m);
                           }
                           return true;
                         }});
    std::printf("%s: hands stay within %.1f mm of their targets\n", solver, 1000 * static_cast<double>(worst_m));
  }
  return 0;
}
