// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Captures turned so that another axis is up: up is found again, and with
// it everything else.
#include <array>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

io::Asset turned(const io::Asset& asset, Quat turn, bool with_names) {
  const Skeleton& skeleton = *asset.character->skeleton;
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!with_names) joints[j].name = "J" + std::to_string(j);
    if (joints[j].parent != kNoJoint) continue;
    Transform& rest = joints[j].rest_local;
    rest.translation = rotate(turn, rest.translation);
    rest.rotation = turn * rest.rotation;
  }
  io::Asset out = asset;
  Character character = *asset.character;
  character.skeleton = Skeleton::create(std::move(joints)).value();
  for (Motion& clip : out.clips) {
    clip.skeleton = character.skeleton;
    for (std::size_t i = 0; i < clip.translations.size(); ++i) {
      if (skeleton.parent(static_cast<int>(i) % skeleton.num_joints()) != kNoJoint) continue;
      clip.translations[i] = rotate(turn, clip.translations[i]);
      clip.rotations[i] = turn * clip.rotations[i];
    }
  }
  out.character = std::make_shared<const Character>(std::move(character));
  return out;
}

SkeletonAnalysis analysed(const io::Asset& asset) {
  return analyse(*asset.character->skeleton, asset.clips, asset.character.get(), {.up_is_known = false});
}

TEST(UprightFiles, TurnedCapturesAreSeenThrough) {
  ZOE_NEED_DATA(data);
  constexpr float kQuarter = 1.57079633F;
  const std::array<Quat, 4> turns{Quat{}, from_axis_angle(Vec3{1, 0, 0}, kQuarter),  // Y to Z.
                                  from_axis_angle(Vec3{1, 0, 0}, -kQuarter), from_axis_angle(Vec3{0, 0, 1}, -kQuarter)};
  int total = 0, up_right[2] = {0, 0}, same_feet = 0;
  for (const char* folder : {"biped/cmu", "biped/cmu/acrobatics", "biped/lafan1", "biped/bandai_namco/dataset1",
                             "biped/bandai_namco/dataset2", "quadruped/dog_mann_bvh"}) {
    int number = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
      if (entry.path().extension() != ".bvh" || number++ % 4 != 0) continue;
      const auto asset = io::read_asset(entry.path());
      ASSERT_TRUE(asset) << asset.error().format();
      const SkeletonAnalysis upright = analysed(*asset);
      for (const Quat& turn : turns) {
        ++total;
        const Vec3 up = rotate(turn, Vec3{0, 1, 0});
        for (const bool with_names : {true, false}) {
          const SkeletonAnalysis found = analysed(turned(*asset, turn, with_names));
          const bool ok = dot(found.up, up) > 0.99F;
          up_right[with_names ? 0 : 1] += ok;
          if (!ok) {
            std::printf("miss %s %s: up %g %g %g, is %g %g %g\n", with_names ? "names" : "scrambled",
                        entry.path().filename().c_str(), found.up.x, found.up.y, found.up.z, up.x, up.y, up.z);
          }
          if (!with_names) continue;
          const bool same = found.feet == upright.feet && found.pairs == upright.pairs &&
                            found.family == upright.family && dot(found.forward, rotate(turn, upright.forward)) > 0.9F;
          same_feet += same;
        }
      }
    }
  }
  std::printf(
      "%d turned clips: up right in %d with names, %d without; feet, pairs, family and facing the "
      "same in %d\n",
      total, up_right[0], up_right[1], same_feet);
  EXPECT_GE(total, 150);
  EXPECT_GE(up_right[0], 0.99 * total);
  EXPECT_GE(up_right[1], 0.9 * total);
  EXPECT_GE(same_feet, 0.98 * total);
}

}  // namespace
}  // namespace zoe
