// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Learned residuals: what a network sees, and what its offsets do; rollouts for learning.
#include "zoe/physics/tracking_policy.h"

#include <cmath>

#include "zoe/core/thread_pool.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/physics/rollouts.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

// offset = bias + weight × view of the body.
nn::NetworkPtr linear_policy(const TestRig& made, float weight, float bias) {
  const auto view = static_cast<std::size_t>(bone_view_width(static_cast<int>(made.plan.bones.size())));
  const std::size_t offsets = 3 * balancing_bones(made.plan).size();
  nn::GraphBuilder b;
  const std::vector<float> weights(view * offsets, weight), biases(offsets, bias);
  b.output("offset", b.linear(b.input("view", static_cast<int>(view)), "l", {offsets, view}, weights, biases));
  return nn::Network::compile(std::move(b).build().value()).value();
}

TEST(TrackingPolicy, OffsetsAreThoseOfTheNetwork) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 20);
  TrackOptions options;
  const auto without = track_motion(made.model, motion, options);
  options.policy = TrackingPolicy::create(linear_policy(made, 0, 0), *made.model).value();
  const auto zero = track_motion(made.model, motion, options);
  ASSERT_TRUE(without && zero);
  EXPECT_NEAR(without->mean_error_m, zero->mean_error_m, 1e-9) << "offsets of zero change nothing";
  options.policy = TrackingPolicy::create(linear_policy(made, 0, 0.1F), *made.model).value();
  const auto turned = track_motion(made.model, motion, options);
  ASSERT_TRUE(turned);
  // The same by hand.
  BodyState state(made.model);
  state.reset_moving(motion.frame(0), motion.frame(1), turned->ground_y_m);
  std::vector<Vec3d> offsets(made.plan.bones.size());
  for (const int bone : balancing_bones(made.plan))
    offsets[static_cast<std::size_t>(bone)] = Vec3d{1, 1, 1} * double{0.1F};
  for (int frame = 1; frame < motion.num_frames; ++frame) state.tick(motion.frame(frame), {.offsets_rad = offsets});
  Pose pose = make_pose(*made.body.skeleton);
  state.read_pose(pose);
  const PoseView last = turned->motion.frame(motion.num_frames - 1);
  EXPECT_NE(turned->hash, zero->hash);
  options.policy_share = 0;
  EXPECT_EQ(track_motion(made.model, motion, options)->hash, zero->hash) << "a share of zero is none";
  for (std::size_t i = 0; i < pose.rotations.size(); ++i)
    EXPECT_LT(angle_between(pose.rotations[i], last.rotations[i]), 2e-3F) << i;
}

TEST(TrackingPolicy, RefusesNetworksOfOtherBodies) {
  const TestRig made = make_test_rig(BodyFamily::kBiped), other = make_test_rig(BodyFamily::kQuadruped);
  const auto policy = TrackingPolicy::create(linear_policy(other, 0, 0), *made.model);
  ASSERT_FALSE(policy);
  EXPECT_NE(policy.error().message.find("another body"), std::string::npos) << policy.error().message;
  nn::GraphBuilder b;
  b.output("y", b.activation(b.input("x", 4), nn::Activation::kTanh));
  EXPECT_FALSE(TrackingPolicy::create(nn::Network::compile(std::move(b).build().value()).value(), *made.model));
}

TEST(TrackingPolicy, DoesNotAllocateAndStaysBounded) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 12);
  PolicyState tracker(TrackingPolicy::create(linear_policy(made, 1e6F, 0), *made.model).value(), made.model);
  BodyState state(made.model);
  state.reset(motion.frame(0), 0);
  tracker.reset(motion.frame(0), 0);
  tracker.offsets(state, motion.frame(1));
  const zoe::test::AllocationMeter counter;
  for (int frame = 2; frame < 12; ++frame)
    for (const Vec3d& offset : tracker.offsets(state, motion.frame(frame))) EXPECT_LE(length(offset), 1.8);
  if (zoe::test::kSanitized) return;
  EXPECT_EQ(counter.allocations(), 0U);
}

// Velocities that a body states are those of its positions.
TEST(BodyState, BonesMoveAsTheySay) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const BodyModelPtr model =
      BodyModel::create(made.plan, made.body.skeleton, {.frame_s = 1e-4, .steps_per_frame = 1}).value();
  const Motion motion = swaying(made, 2);
  BodyState state(model);
  state.reset(motion.frame(0), ground_of(made) - 1);  // In the air.
  std::vector<double> change(2 * static_cast<std::size_t>(model->num_dofs()));
  Random random(3);
  for (std::size_t i = change.size() / 2; i < change.size(); ++i) change[i] = random.normal();
  state.displace(change);
  std::vector<BoneMotion> before(made.plan.bones.size()), after = before;
  state.read_bones(before);
  state.tick(motion.frame(0), {.servo_scale = 0});
  state.read_bones(after);
  for (std::size_t b = 0; b < before.size(); ++b) {
    const Vec3d mean = (before[b].velocity_m_s + after[b].velocity_m_s) * 0.5;
    const Vec3d spin = (before[b].spin_rad_s + after[b].spin_rad_s) * 0.5;
    EXPECT_LT(length((after[b].position_m - before[b].position_m) / 1e-4 - mean), 0.02) << b;
    const Quatd turn = normalized(after[b].rotation * conjugate(before[b].rotation));
    EXPECT_LT(length(to_rotation_vector(turn) / 1e-4 - spin), 0.1) << b;
  }
}

// While the policy drives, what is recorded is what plans would do.
TEST(Rollouts, RecordTheOffsetsOfATeacher) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion clips[] = {swaying(made, 40)};
  RolloutOptions options{.num_frames = 8, .longest_frames = 8, .noise_rad = 0, .push_share = 0, .assist_share = 0.5};
  options.policy = TrackingPolicy::create(linear_policy(made, 0, 0.3F), *made.model).value();
  options.teacher = {.horizon_frames = 4, .window_frames = 2, .most_rounds = 1};
  options.teacher_share = 0;
  ThreadPool alone(0);
  const Result<Rollouts> taught = roll_out(made.model, clips, options, alone);
  options.teacher = {};
  const Result<Rollouts> own = roll_out(made.model, clips, options, alone);
  ASSERT_TRUE(taught && own);
  ASSERT_EQ(taught->body.size(), own->body.size());
  const auto differs = [](std::span<const float> values) {
    return std::ranges::any_of(values, [](float v) { return std::abs(v - 0.3F) > 1e-4F; });
  };
  EXPECT_FALSE(differs(own->offset)) << "the policy's";
  EXPECT_TRUE(differs(taught->offset)) << "the teacher's";
}

TEST(Rollouts, DependOnTheSeedAloneAndHaveWholeRows) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion clips[] = {swaying(made, 40)};
  const RolloutOptions options{.num_frames = zoe::test::kSanitized ? 64 : 600, .longest_frames = 12};
  ThreadPool alone(0), two(1);
  const Result<Rollouts> first = roll_out(made.model, clips, options, alone),
                         second = roll_out(made.model, clips, options, two);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->body, second->body);
  EXPECT_EQ(first->offset, second->offset);
  std::size_t frames = 0;
  for (const std::int32_t length : first->track_lengths) frames += static_cast<std::size_t>(length);
  EXPECT_EQ(first->body.size(), frames * made.plan.bones.size() * kBoneRowWidth);
  EXPECT_EQ(first->target.size(), first->body.size());
  EXPECT_EQ(first->offset.size(), frames * 3 * balancing_bones(made.plan).size());
  for (const float value : first->body) ASSERT_TRUE(std::isfinite(value));
  RolloutOptions other = options;
  other.seed = 2;
  EXPECT_NE(roll_out(made.model, clips, other, alone)->body, first->body);
}

}  // namespace
}  // namespace zoe::physics
