// SPDX-License-Identifier: MIT
// Datasets of files that were read already are those of the files themselves.
#include "zoe/dataset/clip_file.h"

#include <fstream>

#include <gtest/gtest.h>

#include "zoe/dataset/read_clip_files.h"

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;

std::vector<ClipFile> read(const fs::path& folder) {
  Warnings warnings;
  return read_clip_files({&folder, 1}, {}, warnings).value();
}

TEST(ClipFiles, ADatasetOfThemHasTheSameBytes) {
  const fs::path folder = test::walk_folder("held", 6), work = test::temporary_dir("held_work");
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\nROOT Hips\n{\n";
  fs::copy_file(folder / "walk0_subject1.bvh", folder / "walk9_copy.bvh");  // A duplicate is one in memory too.
  BuildOptions from_disk = test::build_options(folder, work / "disk");
  from_disk.mirror = true;
  BuildOptions from_memory = test::build_options({}, work / "memory");
  from_memory.mirror = true;
  from_memory.inputs.clear();
  const std::vector<ClipFile> files = read(folder);
  ASSERT_EQ(files.size(), 8U);
  from_memory.files = files;
  const BuildReport a = build(from_disk).value(), b = build(from_memory).value();
  EXPECT_EQ(a.num_clips, 12);
  EXPECT_EQ(a.num_clips, b.num_clips);
  EXPECT_EQ(a.num_left_out, b.num_left_out);
  EXPECT_EQ(test::difference(work / "disk", work / "memory"), "");
}

TEST(ClipFiles, AreBuiltAgainOnlyWhereTheyChanged) {
  const fs::path folder = test::walk_folder("held_again", 4), work = test::temporary_dir("held_again_work");
  std::vector<ClipFile> files = read(folder);
  BuildOptions options = test::build_options({}, work / "dataset");
  options.inputs.clear();
  options.files = files;
  EXPECT_EQ(build(options).value().num_reused_files, 0);
  EXPECT_EQ(build(options).value().num_reused_files, 4);
  const Hash128 before = content_of(files[1].asset);
  files[1].asset.clips[0].rotations[5] = from_axis_angle(Vec3{0, 1, 0}, 0.3F);
  files[1].content = content_of(files[1].asset);
  EXPECT_NE(files[1].content, before);
  EXPECT_GT(build(options).value().num_reused_files, 0);
  EXPECT_LT(build(options).value().num_reused_files, 5);
}

TEST(ClipFiles, ContentTellsNamesBonesAndFramesApart) {
  const std::vector<ClipFile> files = read(test::walk_folder("held_content", 2));
  const Hash128 first = content_of(files[0].asset);
  EXPECT_EQ(first, content_of(files[0].asset));
  EXPECT_NE(first, content_of(files[1].asset));
  io::Asset asset = files[0].asset;
  asset.clips[0].name = "other";
  EXPECT_NE(first, content_of(asset));
  asset = files[0].asset;
  asset.clips[0].fps *= 2;
  EXPECT_NE(first, content_of(asset));
  asset = files[0].asset;
  asset.clips[0].translations.back().x += 1e-3F;
  EXPECT_NE(first, content_of(asset));
}

TEST(ClipFiles, StandBesideFoldersAndSharedNamesAreRefused) {
  const fs::path folder = test::walk_folder("held_beside", 2), work = test::temporary_dir("held_beside_work");
  const std::vector<ClipFile> files = read(folder);
  BuildOptions options = test::build_options(folder, work / "dataset");
  options.files = files;
  const auto refused = build(options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("two inputs give"), std::string::npos);
  options.inputs = {test::walk_folder("held_beside_more", 2, 4)};
  std::vector<ClipFile> renamed = files;
  for (ClipFile& file : renamed) file.source = "memory/" + file.relative;
  options.files = renamed;
  EXPECT_EQ(build(options).value().num_clips, 4);
}

TEST(ClipFiles, MissingInputsAreErrorsAndUnreadableFilesProblems) {
  Warnings warnings;
  const fs::path nowhere = "/nowhere/clips";
  EXPECT_FALSE(read_clip_files({&nowhere, 1}, {}, warnings));
  const fs::path folder = test::temporary_dir("held_broken");
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\nROOT Hips\n{\n";
  const std::vector<ClipFile> files = read(folder);
  ASSERT_EQ(files.size(), 1U);
  ASSERT_TRUE(files[0].problem);
  EXPECT_EQ(files[0].problem->code, "unreadable");
}

TEST(ClipFiles, TheLicenceIsTheFirstLineOfItsFile) {
  const fs::path folder = test::temporary_dir("held_licence");
  EXPECT_EQ(find_licence({&folder, 1}), "");
  std::ofstream(folder / "LICENCE.md") << "\n# CC BY 4.0\nby somebody\n";
  EXPECT_EQ(find_licence({&folder, 1}), "CC BY 4.0");
}

}  // namespace
}  // namespace zoe::dataset
