// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. What the retargeting metrics say of motions that were spoilt by a known
// amount.
#include "zoe/retarget/metrics.h"

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/motion/frame_span.h"

#include "retarget/support.h"
#include "support/data.h"

namespace zoe {
namespace {

const char* const kWalk = "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh";

// The clip's reference frame, over and over.
Motion still(const RetargetFile& file, int frames) {
  const Motion& clip = file.asset.clips.at(0);
  Motion out = make_motion(clip.skeleton, "still", 30, frames, false);
  const PoseView pose = clip.frame(file.body.reference_frame);
  for (int f = 0; f < frames; ++f) {
    copy_pose(pose, frame_span(out, f));
  }
  return out;
}

double leg_length(const RetargetFile& file) {
  double sum = 0;
  const std::vector<int>& positions = file.body.limbs[2].joints;
  for (std::size_t i = 1; i < 3; ++i)
    sum += distance(file.body.reference_positions[idx(positions[i])],
                    file.body.reference_positions[idx(positions[i - 1])]);
  return sum;
}

TEST(RetargetMetrics, NothingIsWrongWithTheSameMotion) {
  ZOE_NEED_DATA(data);
  const RetargetFile file(data / kWalk);
  const Motion& clip = file.asset.clips.at(0);
  const RetargetMetrics same = measure_retarget(clip, file.body, clip, file.body);
  EXPECT_EQ(same.num_legs, 2);
  EXPECT_EQ(same.num_arms, 2);
  EXPECT_GT(same.contact_share, 0.4);
  EXPECT_GT(same.source_slide, 0);
  EXPECT_DOUBLE_EQ(same.slide, same.source_slide);
  EXPECT_LT(same.worst_foot_error, 1e-4);
  EXPECT_LT(same.worst_hand_error, 1e-4);
  EXPECT_LT(same.mean_end_error, 1e-4);
  EXPECT_DOUBLE_EQ(same.step_deg, same.source_step_deg);
  EXPECT_EQ(same.num_flips, 0);
  const RoundTrip trip = measure_round_trip(clip, clip, file.body, *file.skeleton, file.body);
  EXPECT_LT(trip.worst_deg, 0.1);
  EXPECT_TRUE(trip.lacking.empty());
}

TEST(RetargetMetrics, CountsKnownFaults) {
  ZOE_NEED_DATA(data);
  const RetargetFile file(data / kWalk);
  const Motion source = still(file, 60);
  const std::size_t n = idx(source.num_joints());
  ASSERT_EQ(file.body.limbs[2].kind, LimbKind::kLeg);

  // A body that glides at 1 unit a frame while its feet stand.
  Motion gliding = source;
  for (int f = 0; f < gliding.num_frames; ++f) gliding.translations[idx(f) * n].x += static_cast<float>(f);
  const RetargetMetrics glides = measure_retarget(source, file.body, gliding, file.body);
  EXPECT_NEAR(glides.source_slide, 0, 1e-6);
  EXPECT_NEAR(glides.slide, 30 / leg_length(file), 1e-3);
  // A foot that stands is in one place; here it is off by up to 30 units, 15 on average.
  EXPECT_NEAR(glides.mean_foot_error, 15 / leg_length(file), 2e-3);

  // One joint turned by 90 degrees in one frame flips there and back.
  Motion flipped = source;
  const int elbow = file.body.limbs[0].joints[2];
  Quat& turned = flipped.rotations[30 * n + idx(elbow)];
  turned = normalized(turned * from_axis_angle(Vec3{0, 1, 0}, 1.5707964F));
  const RetargetMetrics flips = measure_retarget(source, file.body, flipped, file.body);
  EXPECT_EQ(flips.num_flips, 2);
  EXPECT_NEAR(flips.step_deg, 90, 0.01);
  EXPECT_EQ(flips.step_joint, elbow);
  EXPECT_GT(flips.worst_hand_error, 0.1);

  // The head turned by 10 degrees in every frame: it and its end site, of all that count.
  Motion looking = source;
  for (int f = 0; f < looking.num_frames; ++f) {
    Quat& q = looking.rotations[idx(f) * n + idx(file.body.head)];
    q = normalized(q * from_axis_angle(Vec3{1, 0, 0}, 0.17453293F));
  }
  const RoundTrip trip = measure_round_trip(source, looking, file.body, *file.skeleton, file.body);
  EXPECT_NEAR(trip.worst_deg, 10, 0.01);
  EXPECT_NEAR(trip.joint_mean_deg[idx(file.body.head)], 10, 0.01);
  EXPECT_NEAR(trip.mean_deg, 10.0 / trip.num_joints, 10.0 / trip.num_joints);
}

}  // namespace
}  // namespace zoe
