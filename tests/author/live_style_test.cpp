// SPDX-License-Identifier: MIT
// A style over a live stream: as a layer over the same poses, also over a link.
#include "zoe/author/live_style.h"

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/stream/link.h"

#include "style/tiny_model.h"
#include "support/data.h"

namespace zoe::author {
namespace {

Motion walk_in_metres(const std::filesystem::path& data) {
  const io::Asset asset = io::read_asset(data / "biped/bandai_style/dataset-2_walk_normal_001.bvh").value();
  const SpaceChange metres{.scale = 0.01};
  return convert_space(asset.clips[0], metres, convert_space(*asset.character->skeleton, metres));
}

TEST(LiveStyle, PassesTheFirstPosesAndThenIsTheLayer) {
  ZOE_NEED_DATA(data);
  const Motion motion = walk_in_metres(data);
  ASSERT_GT(motion.num_frames, LiveStyle::kFirstPoses + 30);
  const style::StyleModelPtr model =
      style::StyleModel::load(style::write_tiny_model(zoe::test::temporary_dir("live_style"))).value();
  const style::StyleCode proud = model->parse("proud").value();

  // The layer by hand: the body of the first poses, neutral on the first one.
  Motion first = make_motion(motion.skeleton, "first", motion.fps, LiveStyle::kFirstPoses, false);
  std::copy_n(motion.translations.begin(), first.translations.size(), first.translations.begin());
  std::copy_n(motion.rotations.begin(), first.rotations.size(), first.rotations.begin());
  const std::span<const Motion> clips(&first, 1);
  AnalysisOptions options;
  options.stated_metres_per_unit = 1.0;
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, clips, nullptr, options);
  const style::RoleBody body =
      style::RoleBody::create(motion.skeleton, analysis, reference_pose(*motion.skeleton, analysis, clips)).value();
  style::StyleLayer layer(model, body, style::legs_of(body), motion.fps, true);
  layer.set_ground_height(style::encode_clip(first, body, analysis)->floor - body.toe_height);

  // One pose at a time over a link of this machine: nothing depends on buffers or on speed.
  const auto receiver = stream::open_receiver("udp://127.0.0.1:0").value();
  const auto sender = stream::open_sender("udp://127.0.0.1:" + std::to_string(receiver->port())).value();
  ASSERT_TRUE(sender->add({.id = 3, .name = "actor", .fps = motion.fps, .skeleton = motion.skeleton}));
  LiveStyle live(model, proud);
  stream::Frame frame;
  float changed = 0;
  for (int f = 0; f < LiveStyle::kFirstPoses + 30; ++f) {
    const double time_s = f / motion.fps;
    sender->send(3, std::llround(time_s * 1e9), motion.frame(f));
    auto got = stream::PoseReceiver::Got::kNothing;
    for (int wait = 0; wait < 600 && got == stream::PoseReceiver::Got::kNothing; ++wait)
      got = receiver->receive(frame, 100);
    ASSERT_EQ(got, stream::PoseReceiver::Got::kPose) << f;
    const PoseView made = live.run(frame.subject.skeleton, frame.subject.fps, frame.pose.view(), time_s).value();
    EXPECT_EQ(live.is_styled(), f >= LiveStyle::kFirstPoses);
    if (f < LiveStyle::kFirstPoses) {
      for (std::size_t j = 0; j < made.rotations.size(); ++j)
        ASSERT_LT(angle_between(made.rotations[j], motion.frame(f).rotations[j]), 1e-3F);
      continue;
    }
    const PoseView wanted = layer.run(motion.frame(f), {}, 1 / motion.fps);
    if (f == LiveStyle::kFirstPoses) layer.set_style(proud);
    for (std::size_t j = 0; j < made.rotations.size(); ++j) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(made.translations[j][idx(axis)], wanted.translations[j][idx(axis)], 1e-4F) << f << " " << j;
        // Quaternions of one rotation, whatever their sign.
        ASSERT_NEAR(rotate(made.rotations[j], Vec3{0.6F, 0.8F, 0})[idx(axis)],
                    rotate(wanted.rotations[j], Vec3{0.6F, 0.8F, 0})[idx(axis)], 1e-4F)
            << f << " " << j;
      }
      changed = std::max(changed, angle_between(made.rotations[j], motion.frame(f).rotations[j]));
    }
  }
  EXPECT_GT(changed, 0.02F);
}

TEST(LiveStyle, RefusesABodyThatIsNoPerson) {
  const style::StyleModelPtr model =
      style::StyleModel::load(style::write_tiny_model(zoe::test::temporary_dir("live_refused"))).value();
  const SkeletonPtr snake = Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {{0, 0, 1}, {}}}}).value();
  const Pose pose = make_pose(*snake);
  LiveStyle live(model, model->neutral());
  for (int f = 0; f + 1 < LiveStyle::kFirstPoses; ++f) ASSERT_TRUE(live.run(snake, 30, pose.view(), f / 30.0));
  EXPECT_FALSE(live.run(snake, 30, pose.view(), 1.0));
}

}  // namespace
}  // namespace zoe::author
