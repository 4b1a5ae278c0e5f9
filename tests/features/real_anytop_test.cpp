// SPDX-License-Identifier: MIT
// Real clips of many bodies through AnyTop's thirteen numbers a joint and back, without inverse
// kinematics.
#include <cstdio>

#include <gtest/gtest.h>

#include "features/real_clips.h"
#include "features/round_trip.h"
#include "support/data.h"

namespace zoe::features {
namespace {

// Spiders, snakes, birds, fish, dinosaurs, dogs, people, a robot; rigs scaled by 300, with mirrored
// nubs (ozz_pab), with bones that stretch (bird, Bat, style100); blobs without any limb.
TEST(RealAnytop, ClipsOfAnyBodyComeBackExactly) {
  ZOE_NEED_DATA(data);
  for (const char* file : {"creatures/mesh2motion/spider-animations.glb",
                           "creatures/mesh2motion/snake-animations.glb",
                           "creatures/mesh2motion/bird-animations.glb",
                           "creatures/mesh2motion/fox-animations.glb",
                           "creatures/quaternius/Spider.glb",
                           "creatures/quaternius/Dolphin.glb",
                           "creatures/quaternius/Horse.fbx",
                           "creatures/quaternius/Trex.glb",
                           "creatures/quaternius/Bat.fbx",
                           "creatures/quaternius/Manta_ray.glb",
                           "creatures/quaternius/Snake.glb",
                           "quadruped/dog_mann_bvh/D1_010_KAN01_001.bvh",
                           "quadruped/dog_ai4animationpy/D1_008_KAN01_001.npz",
                           "biped/ozz_pab/jog.fbx",
                           "biped/cmu/16_15.bvh",
                           "biped/lafan1/push1_subject2.bvh",
                           "biped/style100_npz/WalkingStickLeft_BR.npz",
                           "biped/bandai_namco/dataset1/dataset-1_bow_active_001.bvh",
                           "characters/robot_expressive/RobotExpressive.glb",
                           "characters/kaykit/Knight.glb",
                           "assets/creatures/quaternius_monsters/Blob_Mushnub.gltf",
                           "assets/creatures/quaternius_monsters/Armabee.gltf",
                           "assets/creatures/quaternius_monsters/Dragon_Evolved.gltf",
                           "assets/creatures/quaternius_monsters/Ghost.gltf",
                           "assets/creatures/quaternius_fbx/Slime.fbx",
                           "assets/creatures/quaternius_fbx/Eagle.fbx",
                           "assets/creatures/quaternius_dinosaurs/Stegosaurus.glb",
                           "assets/creatures/quaternius_fish/Shark.glb"}) {
    const auto clip = test::read_clip(data / file);
    ASSERT_TRUE(clip) << file << ": " << clip.error().format();
    Schema schema = Schema::preset("anytop").value();
    schema.fps = clip->motion.fps;
    schema.block(BlockKind::kOutput).steps.end_s = 39 / schema.fps;
    const auto layout = Layout::compile(schema, *clip->motion.skeleton, clip->analysis);
    ASSERT_TRUE(layout) << file << ": " << layout.error().format();
    const auto worst = test::whole_round_trip(*layout, clip->motion);
    std::printf("%-60s %3d joints %5d frames: %.1e m, %.1e rad\n", file, worst.joints, worst.frames, worst.position_m,
                worst.rotation_rad);
    EXPECT_EQ(layout->width(BlockKind::kOutput), 13 * worst.joints) << file;
    EXPECT_GT(worst.joints, 1) << file;
    EXPECT_GT(worst.frames, 10) << file;
    EXPECT_LT(worst.position_m, 5e-6) << file;
    EXPECT_LT(worst.rotation_rad, 2e-5) << file;
  }
}

}  // namespace
}  // namespace zoe::features
