// SPDX-License-Identifier: MIT
#include "zoe/eval/motion_map.h"

#include "zoe/core/file.h"
#include "zoe/dataset/build.h"
#include "zoe/eval/courses.h"
#include "zoe/io/bvh.h"

#include "eval/clip_names.h"
#include "eval/made_clips.h"
#include "support/data.h"

namespace zoe::eval::test {
namespace {

// Two folders of files: people who walk, snakes that slither.
std::filesystem::path made_folder() {
  static const std::filesystem::path folder = [] {
    const auto out = zoe::test::temporary_dir("motion_map");
    for (std::uint64_t i = 0; i < 4; ++i) {
      const MadeClip walk = make_clip(BodyFamily::kBiped, synth::Gait::kWalk, 950 + i),
                     snake = make_clip(BodyFamily::kSnake, synth::Gait::kSlither, 950 + i);
      std::filesystem::create_directories(out / "people");
      std::filesystem::create_directories(out / "snakes");
      EXPECT_TRUE(io::write_bvh(out / "people" / ("walk_0" + std::to_string(i) + ".bvh"), walk.motion).has_value());
      EXPECT_TRUE(io::write_bvh(out / "snakes" / ("0" + std::to_string(i) + ".bvh"), snake.motion).has_value());
    }
    EXPECT_TRUE(write_file_atomic(out / "people" / "broken.bvh", std::string_view("HIERARCHY\nROOT")).has_value());
    return out;
  }();
  return folder;
}

TEST(ClipNames, AreWordsWithoutNumbers) {
  EXPECT_EQ(words_without_numbers("00012_biped_walk_neutral"), "biped_walk_neutral");
  EXPECT_EQ(words_without_numbers("Armature|Walk.001"), "walk");
  EXPECT_EQ(words_without_numbers("69_01"), "");
  EXPECT_EQ(words_without_numbers("dataset-1_walk_happy_001"), "dataset_walk_happy");
  EXPECT_EQ(folder_of("cmu/actions/dance/05_02.bvh"), "dance");
  EXPECT_EQ(folder_of("05_02.bvh"), "");
  EXPECT_EQ(stem_of("cmu/walk.slow.bvh"), "walk.slow");
}

TEST(DescribedClips, OfAFolderHaveLabelsAndWarnings) {
  Warnings warnings;
  const std::filesystem::path inputs[] = {made_folder()};
  std::size_t files = 0;
  DescribeOptions options;
  options.on_start = [&](std::size_t n) { files = n; };
  const auto clips = describe_clips(inputs, options, warnings);
  ASSERT_TRUE(clips.has_value());
  EXPECT_EQ(files, 9U);
  ASSERT_EQ(clips->size(), 8U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].format().find("broken.bvh"), std::string::npos);
  EXPECT_EQ(clips->front().label, "walk");
  EXPECT_EQ(clips->front().folder, "people");
  EXPECT_EQ(clips->front().family, BodyFamily::kBiped);
  EXPECT_EQ(clips->back().label, "snakes");  // The name has numbers only.
  // A filter by names.
  options.accept = [](const std::string& source) { return source.find("snakes") != std::string::npos; };
  const auto snakes = describe_clips(inputs, options, warnings);
  ASSERT_TRUE(snakes.has_value());
  EXPECT_EQ(snakes->size(), 4U);
  const std::filesystem::path absent[] = {"no_such_folder"};
  EXPECT_FALSE(describe_clips(absent, {}, warnings).has_value());
}

TEST(DescribedClips, OfADatasetAreThoseOfItsFiles) {
  const std::filesystem::path people[] = {made_folder() / "people"};
  dataset::BuildOptions build;
  build.inputs = {people[0]};
  build.output = zoe::test::temporary_dir("motion_map_dataset");
  build.schema = features::Schema::preset("locomotion").value();
  build.mirror = true;
  ASSERT_TRUE(dataset::build(build).has_value());
  Warnings warnings;
  const std::filesystem::path inputs[] = {build.output};
  const auto rows = describe_clips(inputs, {}, warnings), files = describe_clips(people, {}, warnings);
  ASSERT_TRUE(rows && files);
  ASSERT_EQ(rows->size(), files->size());  // Without mirrored copies.
  const auto encoder = MotionEncoder::load(shipped_encoder());
  ASSERT_TRUE(encoder.has_value());
  // The same clips, decoded from rows: much nearer to the files than the files are to snakes.
  const std::filesystem::path snakes[] = {made_folder() / "snakes"};
  const auto others = describe_clips(snakes, {}, warnings);
  ASSERT_TRUE(others.has_value());
  const auto fit = [&](const std::vector<DescribedClip>& clips) {
    const CodeSet codes = encode_clips(clips, &*encoder);
    return fit_gaussian(codes.codes, codes.width);
  };
  EXPECT_LT(frechet_distance(fit(*rows), fit(*files)), 0.2 * frechet_distance(fit(*files), fit(*others)));
}

TEST(DescribedClips, OfARunAreItsCourses) {
  Warnings warnings;
  const std::filesystem::path inputs[] = {shipped_encoder().parent_path().parent_path() / "walker"};
  const auto clips = describe_clips(inputs, {}, warnings);
  ASSERT_TRUE(clips.has_value());
  ASSERT_EQ(clips->size(), course_names().size());
  for (const DescribedClip& clip : *clips) {
    EXPECT_EQ(clip.folder, "controller");
    EXPECT_EQ(clip.family, BodyFamily::kBiped);
    EXPECT_GT(clip.versions[0].size(), 15U);
  }
}

TEST(MotionMap, SeparatesPeopleAndSnakesAndLoadsNothing) {
  Warnings warnings;
  const std::filesystem::path inputs[] = {made_folder()};
  DescribeOptions options;
  options.hop_s = 0.25;
  const auto clips = describe_clips(inputs, options, warnings);
  ASSERT_TRUE(clips.has_value());
  const auto encoder = MotionEncoder::load(shipped_encoder());
  ASSERT_TRUE(encoder.has_value());
  const auto map = make_motion_map(*clips, *encoder);
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->by, "folder");
  EXPECT_EQ(map->groups.size(), 2U);
  EXPECT_EQ(map->points.size(), map->num_windows);
  EXPECT_GT(map->group_agreement, 0.99);
  EXPECT_GT(map->trust, 0.85);
  EXPECT_FALSE(map->clusters.empty());
  const auto folder = zoe::test::temporary_dir("motion_map_out");
  ASSERT_TRUE(write_motion_map(folder / "map.html", *map, *clips, "a < b").has_value());
  const auto page = MappedFile::open(folder / "map.html");
  ASSERT_TRUE(page.has_value());
  const std::string text(page->text());
  EXPECT_EQ(text.find("http"), std::string::npos);
  EXPECT_EQ(text.find("src="), std::string::npos);
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  EXPECT_NE(text.find("people/walk_00.bvh"), std::string::npos);
  std::size_t circles = 0;
  for (std::size_t at = text.find("<circle"); at != std::string::npos; at = text.find("<circle", at + 1)) ++circles;
  EXPECT_EQ(circles, map->points.size());
  // Fewer points: windows are left out evenly, and the number is said.
  MapOptions few;
  few.max_points = 20;
  few.by = "family";
  const auto small = make_motion_map(*clips, *encoder, few);
  ASSERT_TRUE(small.has_value());
  EXPECT_EQ(small->points.size(), 20U);
  EXPECT_EQ(small->num_windows, map->num_windows);
  few.by = "colour";
  EXPECT_FALSE(make_motion_map(*clips, *encoder, few).has_value());
}

}  // namespace
}  // namespace zoe::eval::test
