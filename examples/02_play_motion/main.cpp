// SPDX-License-Identifier: MIT
// Example 2. Plays a file's first clip on an actor, without a window, and switches to the same clip backwards half-way.
//
//   02_play_motion walk.bvh
#include <cstdio>

#include "zoe/io/read.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/run.h"

int main(int argc, char** argv) {
  using namespace zoe::scene;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  const zoe::Result<zoe::io::Asset> asset = zoe::io::read_asset(argv[1]);
  if (!asset) {
    std::fprintf(stderr, "%s\n", asset.error().format().c_str());
    return 1;
  }
  if (asset->clips.empty()) {
    std::fprintf(stderr, "%s: contains no clip to play\n", argv[1]);
    return 1;
  }
  const auto clip = std::make_shared<const zoe::Motion>(asset->clips[0]);

  // 1. A scene with one actor that plays the clip in a loop, each cycle from the end of the last one.
  Scene scene;
  const Entity actor = add_actor(scene.world(), asset->character);
  if (const zoe::Result<void> played = play_motion(scene.world(), actor, clip, {.travel = true}); !played) {
    std::fprintf(stderr, "%s\n", played.error().format().c_str());
    return 1;
  }

  // 2. Four seconds, as fast as this machine can. on_frame is called after every frame.
  const RunReport report = run_headless(
      scene, {.seconds = 4, .on_frame = [&](Scene& s) {
                if (s.time().step % 60 == 0) {
                  const Actor& a = s.world().get<Actor>(actor);
                  const int tip = a.skeleton().num_joints() - 1;
                  const zoe::Vec3 at = a.model_from_joint.back().t, v = joint_velocity_model(a, tip, s.time().step_s);
                  std::printf("%4.1f s: %s at (%6.3f %6.3f %6.3f), %5.2f m/s\n", s.time().time_s(),
                              a.skeleton().name(tip).c_str(), at.x, at.y, at.z, static_cast<double>(length(v)));
                }
                // 3. Half-way: the same clip backwards. The transition has no jump.
                if (s.time().step == 120)
                  (void)play_motion(s.world(), actor, clip,
                                    {.start_s = clip->duration_s(), .speed = -1, .travel = true});
                return true;
              }});
  std::printf("%llu steps in %.1f ms\n", static_cast<unsigned long long>(report.steps), 1000 * report.wall_s);
  return 0;
}
