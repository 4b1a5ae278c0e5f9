// SPDX-License-Identifier: MIT
// Example 5. Data without a window: variations of a clip (speed, a hand with a target), each written as a file that
// `zoe dataset build` can read. The same seed gives the same files.
//
//   05_headless_data walk.bvh RightHand out 4
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "zoe/core/random.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/frame_span.h"
#include "zoe/scene/ik_target.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/run.h"

namespace {

using namespace zoe::scene;

// One take of two seconds: the actor's pose after every fixed step.
zoe::Result<zoe::Motion> record_take(const zoe::io::Asset& asset, int hand, zoe::Random random) {
  Scene scene;
  zoe::ecs::World& world = scene.world();
  const Entity actor = add_actor(world, asset.character);
  ZOE_TRY(play_motion(world, actor, std::make_shared<const zoe::Motion>(asset.clips[0]),
                      {.start_s = random.uniform(0, 1), .speed = random.uniform(0.7F, 1.3F), .travel = true}));
  scene.step();
  ZOE_TRY_ASSIGN(const Entity target, add_two_bone_target(world, actor, hand));
  world.get<LocalTransform>(target).edit().translation +=
      zoe::Vec3{random.uniform(-0.2F, 0.2F), random.uniform(0, 0.3F), random.uniform(0.1F, 0.4F)};

  zoe::Motion take = make_motion(asset.character->skeleton, "take", 1 / scene.time().step_s, 120, false);
  int frame = 0;
  run_headless(scene, {.seconds = 2, .on_frame = [&](Scene& s) {
                         const zoe::Pose& pose = s.world().get<Actor>(actor).pose;
                         copy_pose(pose.view(), frame_span(take, frame));
                         return ++frame < take.num_frames;
                       }});
  make_continuous(take);
  return take;
}

zoe::Result<void> make_data(const char* file, const char* hand_name, const std::filesystem::path& folder, int count) {
  ZOE_TRY_ASSIGN(const zoe::io::Asset asset, zoe::io::read_asset(file));
  const int hand = asset.character->skeleton->find(hand_name);
  if (hand < 0 || asset.clips.empty()) {
    return zoe::Error{zoe::ErrorCode::kUsage,
                      "needs a clip, and the name of a joint that is in it",
                      {.file = file, .joint = hand_name}};
  }
  const zoe::Random random(1);
  for (int i = 0; i < count; ++i) {
    zoe::io::Asset out;
    out.character = asset.character;
    ZOE_TRY_ASSIGN(zoe::Motion take, record_take(asset, hand, random.split(static_cast<std::uint64_t>(i))));
    out.clips.push_back(std::move(take));
    ZOE_TRY_ASSIGN(const zoe::Warnings warnings,
                   zoe::io::write_asset(folder / ("reach_" + std::to_string(i) + ".npz"), out));
    for (const zoe::Warning& warning : warnings) std::fprintf(stderr, "warning: %s\n", warning.format().c_str());
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s FILE HAND OUT_FOLDER COUNT\n", argv[0]);
    return 2;
  }
  const int count = std::atoi(argv[4]);
  const zoe::Result<void> made = make_data(argv[1], argv[2], argv[3], count);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().format().c_str());
    return 1;
  }
  std::printf("%d takes of 2 s in %s\n", count, argv[3]);
  return 0;
}
