// SPDX-License-Identifier: MIT
// Example 1. Reads any motion or character file, lists its joints, and prints a pose in the middle of the first clip.
//
//   01_load_motion walk.bvh
#include <cstdio>
#include <vector>

#include "zoe/io/read.h"
#include "zoe/motion/sample.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }

  // 1. Read. Errors are values. Their text has the file, the line or byte, and the joint.
  const zoe::Result<zoe::io::Asset> asset = zoe::io::read_asset(argv[1]);
  if (!asset) {
    std::fprintf(stderr, "%s\n", asset.error().format().c_str());
    return 1;
  }
  for (const zoe::Warning& warning : asset->warnings) std::fprintf(stderr, "warning: %s\n", warning.format().c_str());

  // 2. Inspect. Parents come before children for every file.
  const zoe::Skeleton& skeleton = *asset->character->skeleton;
  std::printf("%s: %d joints, %zu clips\n", asset->source.format.c_str(), skeleton.num_joints(), asset->clips.size());

  // 3. Pose: the rest pose, or the first clip at half its time, interpolated between frames.
  zoe::Pose pose = zoe::make_pose(skeleton);
  if (!asset->clips.empty()) {
    const zoe::Motion& clip = asset->clips[0];
    const double time_s = clip.start_time_s + clip.duration_s() / 2;
    std::printf("clip \"%s\", %d frames at %g fps; the pose at %.3f s:\n", clip.name.c_str(), clip.num_frames, clip.fps,
                time_s);
    zoe::sample(clip, time_s, zoe::Wrap::kClamp, pose);
  }

  // 4. Forward kinematics: every joint in the character's own space, metres, Y up.
  std::vector<zoe::Affine> model_from_joint(static_cast<std::size_t>(skeleton.num_joints()));
  zoe::compute_model_from_joint(skeleton, pose.view(), model_from_joint);
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const zoe::Vec3 position = model_from_joint[static_cast<std::size_t>(joint)].t;
    std::printf("  %-24s %8.3f %8.3f %8.3f\n", skeleton.name(joint).c_str(), position.x, position.y, position.z);
  }
  return 0;
}
