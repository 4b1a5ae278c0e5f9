// SPDX-License-Identifier: MIT
// A style over a stream of poses.
#include <gtest/gtest.h>

#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/style/style_layer.h"

#include "style/tiny_model.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::style {
namespace {

TEST(StyleLayer, EqualsTheWholeClipFrameByFrameWithoutAllocating) {
  ZOE_NEED_DATA(data);
  const io::Asset asset = io::read_asset(data / "biped/bandai_style/dataset-2_walk_normal_001.bvh").value();
  const SpaceChange metres{.scale = 0.01};
  const SkeletonPtr skeleton = convert_space(*asset.character->skeleton, metres);
  Motion motion = resample(convert_space(asset.clips[0], metres, skeleton), 60).value();
  const std::span<const Motion> clips(&motion, 1);
  const SkeletonAnalysis analysis = analyse(*skeleton, clips);
  const RoleBody body = RoleBody::create(skeleton, analysis, reference_pose(*skeleton, analysis, clips)).value();
  const StyleModelPtr model = StyleModel::load(write_tiny_model(zoe::test::temporary_dir("style_layer"))).value();
  const StyleCode z = model->parse("proud").value();
  StyleLayer layer(model, body, {}, 60);
  layer.set_style(z);

  StyleClip seen;
  seen.stride = 2;
  seen.fps = 60;
  seen.num_frames = 40;
  std::vector<float> styled;
  std::size_t allocations = 0;
  for (int f = 0; f < seen.num_frames; ++f) {
    const zoe::test::AllocationMeter meter;
    const PoseView pose = layer.run(motion.frame(f), {}, 1.0 / 60);
    if (f > 0) allocations += meter.allocations();
    for (const Quat q : pose.rotations) ASSERT_TRUE(is_finite(q)) << f;
    seen.rows.insert(seen.rows.end(), layer.row().begin(), layer.row().end());
    styled.insert(styled.end(), layer.styled_row().begin(), layer.styled_row().end());
  }
  EXPECT_EQ(allocations, 0U);
  // As a change: the same rows as the clip's.
  StyleLayer other(model, body, {}, 60, true);
  other.set_style(z);
  const std::vector<float> changed = change_rows(*model, seen, z, model->neutral());
  for (int f = 0; f < seen.num_frames; ++f) {
    other.run(motion.frame(f), {}, 1.0 / 60);
    for (std::size_t c = 0; c < kNumColumns; ++c)
      ASSERT_NEAR(other.styled_row()[c], changed[idx(f) * kNumColumns + c], 1e-4F) << f << " " << c;
  }
  const std::vector<float> whole = stylize_rows(*model, seen, z);
  ASSERT_EQ(whole.size(), styled.size());
  for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(whole[i], styled[i], 1e-4F) << i;
  // Rows of the stream are those of the clip: heights differ, because a stream knows its ground and a clip finds it.
  const StyleClip clip = encode_clip(motion, body, analysis).value();
  for (int f = 4; f < seen.num_frames; ++f)
    for (int c = 0; c < kContacts; ++c) {
      if (c == kHeight) continue;
      ASSERT_NEAR(clip.row(f)[idx(c)], seen.row(f)[idx(c)], 1e-3F) << f << " " << c;
    }
}

// Together as alone: layers of one crowd, whole and as changes, in batches that do not divide their number.
TEST(StyleCrowd, EqualsItsLayersOneByOne) {
  ZOE_NEED_DATA(data);
  const io::Asset asset = io::read_asset(data / "biped/bandai_style/dataset-2_walk_normal_001.bvh").value();
  const Motion& motion = asset.clips[0];
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, asset.clips);
  const RoleBody body =
      RoleBody::create(motion.skeleton, analysis, reference_pose(*motion.skeleton, analysis, asset.clips)).value();
  for (const bool lstm : {false, true}) {
    const StyleModelPtr model =
        StyleModel::load(write_tiny_model(zoe::test::temporary_dir(lstm ? "crowd_lstm" : "crowd_gru"), lstm)).value();
    RowCorrection correction;
    correction.offset.assign(kNumColumns, 0.01F);
    std::vector<StyleLayer> alone, together;
    for (std::vector<StyleLayer>* all : {&alone, &together})
      for (int i = 0; i < 7; ++i) {
        all->emplace_back(model, body, std::span<const Leg>(), i % 2 == 0 ? 30.0 : 60.0, i % 3 == 1);
        all->back().set_style(model->parse(i % 2 == 0 ? "proud" : "0.5*proud+0.5*normal").value());
        if (i == 4) all->back().set_correction(&correction);
      }
    StyleCrowd crowd(model, together.size(), 3);
    std::vector<PoseView> poses(together.size());
    for (int f = 0; f < 12; ++f) {
      for (std::size_t i = 0; i < poses.size(); ++i) poses[i] = motion.frame(f + static_cast<int>(i));
      crowd.run(together, poses, 1.0 / 30);
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const PoseView one = alone[i].run(poses[i], {}, 1.0 / 30), same = together[i].pose();
        for (std::size_t j = 0; j < one.rotations.size(); ++j)
          ASSERT_LT(angle_between(one.rotations[j], same.rotations[j]), 2e-3F) << f << " " << i << " " << j;
        for (std::size_t c = 0; c < kNumColumns; ++c)
          ASSERT_NEAR(alone[i].styled_row()[c], together[i].styled_row()[c], 1e-4F);
      }
    }
  }
}

// The character stays where the controller put it, whatever the style does.
TEST(StyleLayer, KeepsThePath) {
  ZOE_NEED_DATA(data);
  const io::Asset asset = io::read_asset(data / "biped/bandai_style/dataset-2_walk_normal_001.bvh").value();
  const Motion& motion = asset.clips[0];
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, asset.clips);
  const RoleBody body =
      RoleBody::create(motion.skeleton, analysis, reference_pose(*motion.skeleton, analysis, asset.clips)).value();
  const StyleModelPtr model = StyleModel::load(write_tiny_model(zoe::test::temporary_dir("style_path"))).value();
  StyleLayer layer(model, body, {}, 30);
  anatomy::ModelPose before, after;
  for (int f = 0; f < 30; ++f) {
    const PoseView pose = layer.run(motion.frame(f), {}, 1.0 / 30);
    anatomy::compute_model_pose(*motion.skeleton, motion.frame(f), before);
    anatomy::compute_model_pose(*motion.skeleton, pose, after);
    const Vec3 a = before.positions[idx(body.joints[kHips])], b = after.positions[idx(body.joints[kHips])];
    EXPECT_NEAR(a.x, b.x, 1e-2F);  // Centimetres.
    EXPECT_NEAR(a.z, b.z, 1e-2F);
  }
}

}  // namespace
}  // namespace zoe::style
