// SPDX-License-Identifier: MIT
#include "zoe/author/held_out.h"

#include <gtest/gtest.h>

#include "zoe/eval/held_out.h"

#include "author/walks.h"
#include "control/walker.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

TEST(HeldOut, TypesThatKnowAllClipsHoldNoneBack) {
  EXPECT_TRUE(knows_all_clips("mm"));
  EXPECT_TRUE(knows_all_clips("lmm"));
  for (const char* type : {"mann", "pfnn", "lmp", "cxm", "deepphase", "toy", ""}) EXPECT_FALSE(knows_all_clips(type));
}

TEST(HeldOut, ClipsOfOthersArePutOntoTheControllersBody) {
  const control::Body body = control::test::walker_body(control::test::make_walker("mann"));
  const fs::path folder = test::synthetic_walks("held_out", 3, 4), work = zoe::test::temporary_dir("held_out_work");
  const dataset::DatasetPtr data = build_held_out(folder, body, work).value();
  ASSERT_EQ(data->clips().size(), 3U);
  ASSERT_EQ(data->groups().size(), 1U);
  // Datasets leave out end sites; every other joint is the body's.
  const Skeleton& held = *data->groups()[0].skeleton;
  for (int j = 0; j < held.num_joints(); ++j) EXPECT_NE(body.skeleton->find(held.name(j)), kNoJoint) << held.name(j);
  EXPECT_GT(held.num_joints(), body.skeleton->num_joints() / 2);
  for (const dataset::ClipRecord& clip : data->clips()) {
    EXPECT_TRUE(clip.source.ends_with(".bvh")) << clip.source;
    EXPECT_GT(clip.mean_speed_m_s, 0.3F);
  }
  EXPECT_FALSE(fs::exists(work / "clips")) << "clips stay in memory";
}

TEST(HeldOut, NoClipsOrNoFolderIsAnErrorThatNamesIt) {
  const control::Body body = control::test::walker_body(control::test::make_walker("mann"));
  const fs::path work = zoe::test::temporary_dir("held_out_none");
  const fs::path empty = work / "empty";
  fs::create_directories(empty);
  EXPECT_TRUE(test::contains(build_held_out(empty, body, work).error(), "no motion files"));
  EXPECT_TRUE(test::contains(build_held_out(work / "nowhere", body, work).error(), "nowhere"));
}

TEST(HeldOut, FilesLeftOutAreSaid) {
  const control::Body body = control::test::walker_body(control::test::make_walker("mann"));
  const fs::path folder = test::synthetic_walks("held_out_bad", 1, 4);
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\n";
  test::Heard heard;
  ASSERT_TRUE(build_held_out(folder, body, zoe::test::temporary_dir("held_out_bad_work"), heard.listener()));
  EXPECT_TRUE(heard.has("left out"));
}

}  // namespace
}  // namespace zoe::author
