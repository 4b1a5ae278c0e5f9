// SPDX-License-Identifier: MIT
#include "zoe/author/one_body.h"

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/anatomy/foot_contacts.h"
#include "zoe/author/retarget_source.h"

#include "author/walks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using dataset::ClipFile;

float height_of(const ClipFile& file) { return static_cast<float>(analyse_asset(file.asset).value().body.height_m); }

TEST(OneBody, AllClipsMoveTheBodyOfMedianHeight) {
  const fs::path folder = test::synthetic_walks("one_body", 5);
  const std::vector<ClipFile> files = test::read_folder(folder);
  ASSERT_EQ(files.size(), 5U);
  std::vector<float> heights;
  for (const ClipFile& file : files) heights.push_back(height_of(file));
  std::sort(heights.begin(), heights.end());

  const OneBody one = put_on_median_body(files).value();
  EXPECT_TRUE(one.warnings.empty());
  ASSERT_EQ(one.files.size(), 5U);
  const SkeletonPtr skeleton = one.files[0].asset.character->skeleton;
  for (std::size_t i = 0; i < one.files.size(); ++i) {
    const ClipFile& file = one.files[i];
    EXPECT_EQ(file.asset.character->skeleton, skeleton) << "one skeleton, shared";
    EXPECT_EQ(file.source, files[i].source) << "under its own name";
    EXPECT_NE(file.content, files[i].content) << "rows of it are new";
    ASSERT_EQ(file.asset.clips.size(), 1U);
    EXPECT_EQ(file.asset.clips[0].num_frames, files[i].asset.clips[0].num_frames);
    EXPECT_TRUE(validate(file.asset.clips[0]));
  }
  EXPECT_NEAR(height_of(one.files[0]), heights[2], 0.05F * heights[2]);
}

TEST(OneBody, FeetStandOnTheGround) {
  std::vector<ClipFile> files = test::read_folder(test::synthetic_walks("one_body_ground", 2));
  for (Motion& clip : files[0].asset.clips) {  // A take on a stage.
    for (std::size_t i = 0; i < clip.translations.size(); i += static_cast<std::size_t>(clip.num_joints()))
      clip.translations[i].y += 70;
  }
  const OneBody one = put_on_median_body(std::move(files)).value();
  for (const ClipFile& file : one.files) {
    const Motion& clip = file.asset.clips[0];
    const SkeletonAnalysis analysis = analyse(*clip.skeleton, {&clip, 1});
    const auto contacts = find_foot_contacts(clip, analysis);
    ASSERT_TRUE(contacts);
    EXPECT_NEAR(contacts->ground_height_m, 0, 0.02) << file.source;
  }
}

TEST(OneBody, ABodyCanBeGivenAsAFile) {
  const fs::path folder = test::synthetic_walks("one_body_given", 3);
  const OneBody one = put_on_body(test::read_folder(folder), folder / "walk_1.bvh").value();
  EXPECT_EQ(one.body, (folder / "walk_1.bvh").string());
  const std::vector<ClipFile> files = test::read_folder(folder);
  EXPECT_NEAR(height_of(one.files[0]), height_of(files[1]), 0.05F * height_of(files[1]));
  EXPECT_FALSE(put_on_body(test::read_folder(folder), folder / "nobody.bvh"));
}

TEST(OneBody, FilesThatCannotBeMovedAreNamed) {
  const fs::path folder = test::synthetic_walks("one_body_bad", 2);
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\nROOT Hips\n{\n";
  const OneBody one = put_on_median_body(test::read_folder(folder)).value();
  EXPECT_EQ(one.files.size(), 2U);
  ASSERT_EQ(one.warnings.size(), 1U);
  EXPECT_NE(one.warnings[0].where.file.find("broken.bvh"), std::string::npos);
  EXPECT_NE(one.warnings[0].message.find("left out"), std::string::npos);
}

TEST(OneBody, WithoutAnyBodyThereIsAReason) {
  const fs::path folder = zoe::test::temporary_dir("one_body_none") / "walks";
  fs::create_directories(folder);
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\n";
  const auto one = put_on_median_body(test::read_folder(folder));
  ASSERT_FALSE(one);
  EXPECT_TRUE(test::contains(one.error(), "no file has a body with feet"));
}

TEST(RetargetSources, FilesOfOneActorShareTheBestReference) {
  const std::vector<ClipFile> files =
      test::read_folder(test::synthetic_walks("sources", 4, 3, [](int i) { return i / 2; }));
  std::vector<const io::Asset*> assets;
  for (const ClipFile& file : files) assets.push_back(&file.asset);
  assets.push_back(nullptr);
  const io::Asset empty;
  assets.push_back(&empty);
  const std::vector<RetargetSourcePtr> sources = find_sources(assets);
  ASSERT_EQ(sources.size(), 6U);
  EXPECT_EQ(sources[4], nullptr);
  EXPECT_EQ(sources[5], nullptr);
  for (int i = 0; i < 4; ++i) ASSERT_NE(sources[static_cast<std::size_t>(i)], nullptr);
  EXPECT_NE(sources[0], sources[2]) << "another actor";
  // Either they share one, or each stands equally well.
  for (const std::size_t first : {0U, 2U}) {
    const auto &a = sources[first], &b = sources[first + 1];
    EXPECT_TRUE(a == b || a->body.height_m == b->body.height_m || std::abs(a->body.height_m - b->body.height_m) < 0.1F);
  }
}

TEST(RetargetSources, OverridesAreAppliedAndMissingOnesLeaveNobody) {
  const std::vector<ClipFile> files = test::read_folder(test::synthetic_walks("overrides", 1));
  const io::Asset* asset = &files[0].asset;
  EXPECT_EQ(find_sources({&asset, 1}, "nowhere.toml")[0], nullptr);
  EXPECT_FALSE(analyse_asset(*asset, "nowhere.toml"));
}

}  // namespace
}  // namespace zoe::author
