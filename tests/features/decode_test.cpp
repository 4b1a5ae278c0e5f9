// SPDX-License-Identifier: MIT
#include "zoe/features/decode.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/turning_walker.h"
#include "support/allocation.h"

namespace zoe::features {
namespace {

Layout layout_of(const char* channels) {
  Schema schema =
      Schema::parse(std::string("[root]\nhalf_window_s = 0.0\n[output]\nchannels = [") + channels + "]").value();
  return Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
}

// Rows of the circling figure, encoded and decoded frame by frame: returns the worst distance of the root from the
// truth.
double worst_root_error(const Layout& layout, const test::Circle& circle, double* summed = nullptr) {
  const Motion motion = test::circling(circle, 481);
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  const Decoder decoder = Decoder::create(layout, motion.skeleton).value();
  DecodedFrame frame = decoder.make_frame();
  std::vector<float> output(layout.size(BlockKind::kOutput));
  PlanarRoot root;
  double worst = 0, x = 0, z = 0;
  for (int k = 1; k < clip.num_rows; ++k) {
    const Sample sample{0, k, 0};
    EXPECT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = output}.run()));
    decoder.decode(output, root, frame);
    root = frame.root;
    const double t = k / 30.0;
    worst = std::max(worst, std::hypot(root.position.x - circle.x(t), root.position.z - circle.z(t)));
    x += output[0];
    z += output[2];
    if (summed != nullptr) *summed = std::max(*summed, std::hypot(x - circle.x(t), z - circle.z(t)));
  }
  return worst;
}

// The reference adds up deltas without turning them: on a circle that walks away in a straight line.
TEST(Decode, RootStepsAreComposedNotSummed) {
  double summed = 0;
  EXPECT_LT(
      worst_root_error(layout_of("\"root.delta turn=degrees\", \"joint.position\", \"joint.z_axis\", \"joint.y_axis\""),
                       {}, &summed),
      1e-4);
  EXPECT_GT(summed, 3.0);
}

TEST(Decode, RootVelocitiesAreIntegratedToo) {
  // Velocities are over one frame of the clip; at the clip's rate they are exact.
  const test::Circle circle{.radius_m = 2, .turn_rad_s = 0.5, .fps = 30};
  EXPECT_LT(worst_root_error(layout_of("\"root.own_velocity\", \"joint.position\", \"joint.x_axis\", \"joint.y_axis\""),
                             circle),
            1e-3);
  EXPECT_LT(
      worst_root_error(layout_of("\"root.delta per=second\", \"joint.position\", \"joint.rotation_log\""), circle),
      1e-4);
}

struct PoseError {
  double position_m = 0, rotation_deg = 0;
};

// A figure with bent joints, through one output and back onto its skeleton.
PoseError pose_error(const char* channels) {
  const Layout layout = layout_of(channels);
  Motion motion = test::circling({}, 61);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    if (i % 6 != 0)
      motion.rotations[i] = from_rotation_vector(
          Vec3{0.9F * std::sin(0.3F * static_cast<float>(i)), 0.5F, -0.4F * static_cast<float>(i % 5)});
  }
  const std::vector<float> rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  const Decoder decoder = Decoder::create(layout, motion.skeleton).value();
  DecodedFrame frame = decoder.make_frame();
  Pose pose = make_pose(*motion.skeleton);
  std::vector<float> output(layout.size(BlockKind::kOutput));
  std::vector<Affine> expected(6), found(6);
  PoseError worst;
  for (int k = 1; k < clip.num_rows; ++k) {
    const Sample sample{0, k, 0};
    EXPECT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = output}.run()));
    const float* before = rows.data() + static_cast<std::size_t>((k - 1) * layout.frame_width());
    const test::AllocationMeter meter;
    decoder.decode(output, {{before[row::kX], before[row::kY], before[row::kZ]}, before[row::kFacing]}, frame);
    decoder.to_pose(frame, pose);
    EXPECT_EQ(meter.allocations(), 0U);
    compute_model_from_joint(*motion.skeleton, motion.frame(2 * k), expected);
    compute_model_from_joint(*motion.skeleton, pose.view(), found);
    for (std::size_t j = 0; j < 6; ++j) {
      worst.position_m = std::max(worst.position_m, double{distance(expected[j].t, found[j].t)});
      worst.rotation_deg = std::max(
          worst.rotation_deg, angle_between(rotation_of(expected[j]), rotation_of(found[j])) * 180 / std::numbers::pi);
    }
  }
  return worst;
}

TEST(Decode, PosesComeBackThroughEveryRotationKind) {
  for (const char* channels : {"\"root.delta\", \"joint.position\", \"joint.z_axis\", \"joint.y_axis\", "
                               "\"joint.velocity\"",
                               "\"joint parts=position,x_axis,y_axis\", \"root.delta turn=degrees\"",
                               "\"root.delta\", \"joint.rotation_log\", \"joint.position\"",
                               "\"root.delta\", \"joint.rotation_log space=parent\", \"joint.position\"",
                               "\"root.delta\", \"joint.position joints=Hips,Head\", \"joint.rotation_6d joints=all "
                               "space=canonical\", \"joint.position joints=legs space=parent\"",
                               "\"root.delta\", \"joint.position space=parent\", \"joint.x_axis space=parent\", "
                               "\"joint.y_axis space=parent\""}) {
    const PoseError error = pose_error(channels);
    EXPECT_LT(error.position_m, 1e-5) << channels;
    EXPECT_LT(error.rotation_deg, 0.05) << channels;
  }
}

TEST(Decode, SaysWhatIsMissing) {
  const auto message = [](const char* channels) {
    const auto decoder = Decoder::create(layout_of(channels), test::walker_skeleton());
    return decoder ? std::string("decodes") : decoder.error().message;
  };
  EXPECT_NE(message("\"joint.position\"").find("root.delta"), std::string::npos);
  EXPECT_NE(message("\"root.delta\", \"joint.velocity\"").find("joint.position"), std::string::npos);
  EXPECT_NE(message("\"root.delta\", \"joint.position\", \"joint.z_axis\"").find("two axes"), std::string::npos);
  EXPECT_EQ(message("\"root.delta\", \"joint.position\", \"joint.rotation_log space=parent\""), "decodes");
}

// Rotations that a network spoiled still give unit quaternions and rest-length bones.
TEST(Decode, BonesKeepTheirLengthWhateverComes) {
  const Layout layout = layout_of("\"root.delta\", \"joint.position\", \"joint.z_axis\", \"joint.y_axis\"");
  const SkeletonPtr skeleton = test::walker_skeleton();
  const Decoder decoder = Decoder::create(layout, skeleton).value();
  DecodedFrame frame = decoder.make_frame();
  Pose pose = make_pose(*skeleton);
  std::vector<float> output(layout.size(BlockKind::kOutput));
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = 2 * std::sin(static_cast<float>(i * i));
  std::fill(output.begin() + 3 + 18, output.begin() + 3 + 18 + 6, 0.0F);  // Two joints without any axis.
  decoder.decode(output, {}, frame);
  decoder.to_pose(frame, pose);
  std::vector<Affine> models(6);
  compute_model_from_joint(*skeleton, pose.view(), models);
  for (int j = 1; j < 6; ++j) {
    EXPECT_NEAR(
        distance(models[static_cast<std::size_t>(j)].t, models[static_cast<std::size_t>(skeleton->parent(j))].t),
        length(skeleton->rest_local(j).translation), 1e-5);
    EXPECT_NEAR(dot(pose.rotations[static_cast<std::size_t>(j)], pose.rotations[static_cast<std::size_t>(j)]), 1, 1e-5);
  }
}

}  // namespace
}  // namespace zoe::features
