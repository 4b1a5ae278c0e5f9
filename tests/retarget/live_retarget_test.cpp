// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Poses retargeted one at a time.
#include "zoe/retarget/live_retarget.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/core/index.h"

#include "retarget/support.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe {
namespace {

const char* const kWalk = "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh";
const char* const kDog = "quadruped/dog_mann_bvh/D1_007_KAN01_001.bvh";
const char* const kKnight = "characters/kaykit/Knight.glb";

LiveRetarget between(const RetargetFile& from, const RetargetFile& to) {
  RetargetOptions options;
  options.source_reference = from.reference;
  options.target_reference = to.reference;
  return LiveRetarget::make(from.skeleton, from.body, to.skeleton, to.body, options).value();
}

std::vector<Affine> model(const Skeleton& skeleton, const PoseView& pose) {
  std::vector<Affine> out(idx(skeleton.num_joints()));
  compute_model_from_joint(skeleton, pose, out);
  return out;
}

// Left before right.
std::vector<int> feet_of(const SkeletonAnalysis& body) {
  std::vector<int> feet;
  for (const Side side : {Side::kLeft, Side::kRight}) {
    std::size_t leg = 0;
    for (const Limb& limb : body.limbs) {
      if (limb.kind != LimbKind::kLeg) continue;
      if (limb.side == side) feet.push_back(body.feet[leg]);
      ++leg;
    }
  }
  return feet;
}

TEST(LiveRetarget, OntoItselfMovesEveryJointAsBefore) {
  ZOE_NEED_DATA(data);
  for (const char* name : {kWalk, kDog}) {
    const RetargetFile file(data / name);
    const LiveRetarget retarget = between(file, file);
    EXPECT_NEAR(retarget.scale(), 1, 1e-5);
    LiveRetargetScratch scratch = retarget.make_scratch();
    Pose pose = make_pose(*file.skeleton);
    const Motion& clip = file.asset.clips.at(0);
    // Files have units of their own.
    const float height = 2 * file.body.reference_positions[idx(file.body.hips)].y;
    float worst = 0;
    for (int f = 0; f < clip.num_frames; f += 7) {
      retarget.run(clip.frame(f), scratch, pose);
      const auto a = model(*file.skeleton, clip.frame(f)), b = model(*file.skeleton, pose.view());
      for (const int foot : feet_of(file.body)) worst = std::max(worst, distance(a[idx(foot)].t, b[idx(foot)].t));
    }
    EXPECT_LT(worst, 0.03F * height) << name;
  }
}

TEST(LiveRetarget, FeetThatStandStillStandStill) {
  ZOE_NEED_DATA(data);
  const RetargetFile from(data / kWalk), to(data / kKnight);
  const LiveRetarget retarget = between(from, to);
  LiveRetargetScratch scratch = retarget.make_scratch();
  const Motion& clip = from.asset.clips.at(0);
  Pose pose = make_pose(*to.skeleton);
  const std::vector<int> source_feet = feet_of(from.body), target_feet = feet_of(to.body);
  ASSERT_EQ(source_feet.size(), 2U);
  ASSERT_EQ(target_feet.size(), 2U);
  std::vector<Affine> before_a, before_b;
  double stood_a = 0, stood_b = 0;
  int moments = 0;
  for (int f = 0; f < clip.num_frames; ++f) {
    retarget.run(clip.frame(f), scratch, pose);
    auto a = model(*from.skeleton, clip.frame(f)), b = model(*to.skeleton, pose.view());
    for (const Quat& q : pose.rotations) ASSERT_NEAR(dot(q, q), 1, 1e-3F);
    for (std::size_t i = 0; f > 0 && i < 2; ++i) {
      const float speed = distance(a[idx(source_feet[i])].t, before_a[idx(source_feet[i])].t);
      if (speed * clip.fps * from.body.metres_per_unit > 0.1) continue;
      stood_a += speed * retarget.scale();
      stood_b += distance(b[idx(target_feet[i])].t, before_b[idx(target_feet[i])].t);
      ++moments;
    }
    before_a = std::move(a);
    before_b = std::move(b);
  }
  ASSERT_GT(moments, 20);
  EXPECT_LT(stood_b, 1.5 * stood_a + 1e-3 * moments);
}

TEST(LiveRetarget, AgreesWithTheClipWhereNothingIsOnTheGround) {
  ZOE_NEED_DATA(data);
  const RetargetFile from(data / kWalk), to(data / kKnight);
  const LiveRetarget retarget = between(from, to);
  LiveRetargetScratch scratch = retarget.make_scratch();
  const Motion& clip = from.asset.clips.at(0);
  const Motion whole = retarget_file(clip, from, to).value();
  Pose pose = make_pose(*to.skeleton);
  const int head = to.body.head;
  ASSERT_NE(head, kNoJoint);
  double worst = 0;
  for (int f = 0; f < clip.num_frames; f += 5) {
    retarget.run(clip.frame(f), scratch, pose);
    const auto a = model(*to.skeleton, whole.frame(f)), b = model(*to.skeleton, pose.view());
    worst = std::max<double>(worst, distance(a[idx(head)].t, b[idx(head)].t));
  }
  EXPECT_LT(worst * to.body.metres_per_unit, 0.1);  // Clips are levelled by their standing legs, single poses are not.
}

TEST(LiveRetarget, NeverAllocatesAndRefusesBodiesWithNothingInCommon) {
  ZOE_NEED_DATA(data);
  const RetargetFile from(data / kWalk);
  const RetargetFile& to = from;  // Its feet are joints of its legs.
  const LiveRetarget retarget = between(from, to);
  LiveRetargetScratch scratch = retarget.make_scratch();
  Pose pose = make_pose(*to.skeleton);
  const Motion& clip = from.asset.clips.at(0);
  const test::AllocationMeter meter;
  for (int f = 0; f < 20; ++f) retarget.run(clip.frame(f), scratch, pose);
  EXPECT_EQ(meter.allocations(), 0U);

  const SkeletonPtr stick = Skeleton::create({{.name = "a"}, {.name = "b", .parent = 0}}).value();
  const auto refused =
      LiveRetarget::make(from.skeleton, from.body, stick, analyse(*stick), {.source_reference = from.reference});
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace zoe
