// SPDX-License-Identifier: MIT
// Example 9. A controller on a character of your own. The controller was trained on one skeleton, your character has
// another: each pose is retargeted at run time, and the mesh is skinned with it.
//
//   09_character models/walker knight.glb walk.glb
#include <cmath>
#include <cstdio>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/control/load.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/frame_span.h"
#include "zoe/motion/still.h"
#include "zoe/retarget/live_retarget.h"

namespace {

constexpr double kFrame_s = 1.0 / 30;
constexpr int kFrames = 300;

int fail(const zoe::Error& error) {
  std::fprintf(stderr, "%s\n", error.format().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s CONTROLLER CHARACTER [OUT.glb]\n", argv[0]);
    return 2;
  }

  // 1. The controller and the character: two independent files.
  const auto controller = zoe::control::load_controller(argv[1]);
  if (!controller) return fail(controller.error());
  auto asset = zoe::io::read_asset(argv[2]);
  if (!asset) return fail(asset.error());
  const zoe::SkeletonPtr& body = asset->character->skeleton;

  // 2. Analyse each skeleton: legs, feet, spine. Then match the joints of one to the other.
  const zoe::SkeletonPtr& trained = (*controller)->skeleton();
  zoe::Pose start = zoe::make_pose(*trained);  // Stands on the ground, which the rest pose of a capture may not.
  zoe::copy_pose((*controller)->make_state()->pose(), zoe::span_of(start));
  const zoe::Motion standing = zoe::make_still(trained, start.view());
  const zoe::SkeletonAnalysis of_trained = zoe::analyse(*trained, {&standing, 1});
  const zoe::SkeletonAnalysis of_body = zoe::analyse(*body, asset->clips, asset->character.get());
  zoe::RetargetOptions options;
  options.source_reference = zoe::reference_pose(*trained, of_trained, {&standing, 1});
  options.source_standing = start;
  options.target_reference = zoe::reference_pose(*body, of_body, asset->clips, asset->character.get());
  const auto retarget = zoe::LiveRetarget::make(trained, of_trained, body, of_body, options);
  if (!retarget) return fail(retarget.error());

  // 3. Memory for one character, once.
  const auto state = (*controller)->make_state();
  zoe::LiveRetargetScratch scratch = retarget->make_scratch();
  zoe::Pose pose = zoe::make_pose(*body);
  zoe::Motion walked = zoe::make_motion(body, "walk", 1 / kFrame_s, kFrames, true);

  // 4. The game's loop: tick, retarget, and pass the pose to the renderer. Nothing here allocates.
  const float pace_mps = (*controller)->motion_range().pace_mps;
  float path_m = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    const float heading_rad = 2 * std::sin(0.6F * static_cast<float>(frame * kFrame_s));
    const zoe::Vec3 before = state->root().position;
    (*controller)
        ->tick(*state,
               zoe::control::Intent::move({pace_mps * std::sin(heading_rad), 0, pace_mps * std::cos(heading_rad)}),
               kFrame_s);
    path_m += zoe::distance(before, state->root().position);
    retarget->run(state->pose(), scratch, pose);
    zoe::copy_pose(pose.view(), zoe::frame_span(walked, frame));
  }
  std::printf("%s walked %.1f m on %d joints; the trained body has %d; scale %.2f\n", argv[2], path_m,
              body->num_joints(), trained->num_joints(), retarget->scale());

  // 5. Write the character with its mesh and its motion, to look at.
  if (argc > 3) {
    asset->clips = {std::move(walked)};
    if (const auto written = zoe::io::write_asset(argv[3], *asset); !written) return fail(written.error());
    std::printf("%s\n", argv[3]);
  }
  return 0;
}
