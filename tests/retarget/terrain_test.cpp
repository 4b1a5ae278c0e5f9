// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Retargeting onto uneven ground, and from it.
#include "retarget/terrain.h"

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"
#include "zoe/retarget/metrics.h"

#include "retarget/support.h"
#include "support/data.h"
#include "support/skinned_body.h"

namespace zoe {
namespace {

GroundPtr slope(float rise) {
  return Ground::function([rise](float, float z) { return rise * z; });
}

struct Person {
  SkeletonPtr skeleton = make_skeleton(person_joints());
  SkeletonAnalysis analysis = analyse(*skeleton);
  Pose rest = make_pose(*skeleton);
  retarget_detail::RetargetBody body{*skeleton, analysis, rest.view(), {}, retarget_detail::End::kTarget};
};

TEST(Terrain, IsInTheUnitOfTheBody) {
  Person person;
  const GroundPtr ground = slope(0.2F);
  person.analysis.metres_per_unit = 0.01;
  const retarget_detail::Terrain terrain(ground.get(), person.body);
  EXPECT_NEAR(terrain.rise({0, 0, 100}), 20, 1e-3);
  EXPECT_NEAR(terrain.normal({0, 0, 100}).z, -0.196F, 1e-3F);
  EXPECT_EQ(retarget_detail::Terrain(nullptr, person.body).rise({0, 0, 100}), 0);
}

TEST(Terrain, AFootKeepsThePlaneOfItsContactAndGoesOverWhatIsHigher) {
  Person person;
  // A wall of 0.3 m between z = 0.4 and 0.6.
  const GroundPtr ground = Ground::function([](float, float z) { return z > 0.4F && z < 0.6F ? 0.3F : 0.0F; },
                                            [](float, float) {
                                              return Vec3{0, 1, 0};
                                            });
  const retarget_detail::Terrain terrain(ground.get(), person.body);
  std::vector<Vec3> soles;
  std::vector<std::uint8_t> stands;
  for (int f = 0; f < 60; ++f) {
    const bool flies = f >= 20 && f < 40;
    stands.push_back(flies ? 0 : 1);
    soles.push_back({0, 0, f < 20 ? 0.0F : (flies ? static_cast<float>(f - 20) / 20 : 1.0F)});
  }
  const auto foot = retarget_detail::rise_of_foot(terrain, soles, stands);
  for (std::size_t f = 0; f < 60; ++f) {
    if (stands[f] != 0) {
      EXPECT_NEAR(foot.rise[f], 0, 1e-5) << f;
    } else {
      EXPECT_GE(foot.rise[f], terrain.rise(soles[f]) - 1e-4F) << f;
    }
    EXPECT_LT(f > 0 ? std::abs(foot.rise[f] - foot.rise[f - 1]) : 0.0F, 0.1F) << f;
  }
}

// Heights of feet in contact above the ramp as on flat ground, and the body goes up with it.
TEST(RetargetTerrain, FeetAndBodyFollowARamp) {
  ZOE_NEED_DATA(data);
  const struct {
    const char *clip, *body;
  } pairs[] = {
      {"biped/lafan1/walk4_subject1.bvh", "characters/geno_genoview/Geno.fbx"},
      {"biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh", "characters/robot_expressive/RobotExpressive.glb"},
      {"quadruped/dog_mann_bvh/D1_001_KAN01_001.bvh", "creatures/mesh2motion/rig-fox.glb"}};
  const GroundPtr ground = slope(0.176F);  // 10 degrees.
  for (const auto& pair : pairs) {
    const RetargetFile from(data / pair.clip), to(data / pair.body);
    const Motion& whole = from.asset.clips[0];
    const Motion clip = trim(whole, 0, std::min(whole.num_frames - 1, static_cast<int>(8 * whole.fps))).value();
    RetargetOptions options;
    options.source_reference = from.reference;
    options.target_reference = to.reference;
    options.target_character = to.asset.character.get();
    const Motion flat = retarget(clip, from.body, to.skeleton, to.body, options).value();
    options.terrain = ground;
    const Motion climbed = retarget(clip, from.body, to.skeleton, to.body, options).value();
    const RetargetMetrics metrics = measure_retarget(clip, from.body, climbed, to.body, ground.get());
    EXPECT_LT(metrics.contact_height_error, 0.02) << pair.body;
    EXPECT_LT(metrics.slide, 1.2 * metrics.source_slide) << pair.body;
    EXPECT_EQ(metrics.num_flips, 0) << pair.body;
    // The same motion on flat ground is far off the ramp.
    const int last = clip.num_frames - 1;
    std::vector<Affine> a(idx(to.skeleton->num_joints())), b(a.size());
    double worst = 0;
    for (int f = 0; f <= last; f += 20) {
      compute_model_from_joint(*to.skeleton, flat.frame(f), a);
      compute_model_from_joint(*to.skeleton, climbed.frame(f), b);
      const Vec3 at = a[idx(to.body.hips)].t;
      const double unit = to.body.metres_per_unit, rise = 0.176 * at.z;
      EXPECT_NEAR(b[idx(to.body.hips)].t.y - at.y, rise, std::max(0.1, 0.05 * to.body.height_m) / unit)
          << pair.body << " " << f;
      worst = std::max(worst, std::abs(rise) * unit);
    }
    EXPECT_GT(worst, 0.1) << pair.body;
  }
}

// Contacts at differing heights are the ground of the source. It is scaled, neither flattened nor sunk into.
TEST(RetargetTerrain, StairsOfTheSourceStay) {
  ZOE_NEED_DATA(data);
  for (const char* clip :
       {"biped/cmu/actions/stairs/83_34.bvh", "biped/cmu/actions/stairs/13_35.bvh", "biped/cmu/terrain/36_04.bvh"}) {
    for (const char* body : {"characters/kaykit/Knight.glb", "characters/robot_expressive/RobotExpressive.glb"}) {
      const RetargetFile from(data / clip), to(data / body);
      const Motion moved = retarget_file(from.asset.clips[0], from, to).value();
      const RetargetMetrics metrics = measure_retarget(from.asset.clips[0], from.body, moved, to.body);
      EXPECT_LT(metrics.contact_height_error, 0.02) << clip << " " << body;
      EXPECT_LT(metrics.sunk, 0.06) << clip << " " << body;
    }
  }
}

}  // namespace
}  // namespace zoe
