// SPDX-License-Identifier: MIT
// The same files and settings give the same bytes: at once, bit by bit, after a kill, and in parts.
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dataset/figures.h"
#include "support/mutate.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;
using test::build_options;
using test::difference;

TEST(Incremental, OnlyWhatChangedIsBuiltAndTheResultIsThatOfAFreshBuild) {
  const fs::path folder = test::walk_folder("ds_inc", 30);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_inc_out"));
  options.mirror = true;
  EXPECT_EQ(build(options).value().num_reused_files, 0);
  const auto before = test::contents(options.output);
  EXPECT_EQ(build(options).value().num_reused_files, 30);
  EXPECT_EQ(test::contents(options.output), before);

  test::write_walk(folder / "walk3_subject2.bvh", {.speed_m_s = 2.0, .num_frames = 130});  // Changed,
  fs::remove(folder / "walk7_subject2.bvh");                                               // gone,
  test::write_walk(folder / "new.bvh", {.speed_m_s = 1.5, .num_frames = 90});              // and new.
  EXPECT_EQ(build(options).value().num_reused_files, 28);
  BuildOptions fresh = build_options(folder, test::temporary_dir("ds_inc_fresh"));
  fresh.mirror = true;
  EXPECT_EQ(build(fresh).value().num_reused_files, 0);
  EXPECT_EQ(difference(options.output, fresh.output), "");

  options.min_seconds = 1.0;  // Other settings: nothing can be taken over.
  EXPECT_EQ(build(options).value().num_reused_files, 0);
}

// One bit of the rows: seen by verify(), and not taken over by the next build.
TEST(Incremental, DamagedRowsAreSeenAndBuiltAgain) {
  const fs::path folder = test::walk_folder("ds_damage", 6);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_damage_out"));
  ASSERT_TRUE(build(options));
  EXPECT_TRUE(Dataset::open(options.output).value()->verify());
  const auto before = test::contents(options.output);
  fs::path rows;
  for (const auto& entry : fs::directory_iterator(options.output / "rows")) rows = entry.path();
  {
    std::fstream file(rows, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-5, std::ios::end);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(-5, std::ios::end);
    file.put(byte);
  }
  const auto damaged = Dataset::open(options.output).value()->verify();
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("checksum"), std::string::npos);
  EXPECT_EQ(damaged.error().where.file, rows.string());
  ASSERT_TRUE(build(options));
  EXPECT_EQ(test::contents(options.output), before);
}

TEST(Incremental, AKilledBuildLeavesTheOldDatasetAndTheNextOneGoesOn) {
  const fs::path folder = test::walk_folder("ds_kill", 24);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_kill_out"));
  options.num_jobs = 1;  // A child of fork() has one thread.
  ASSERT_TRUE(build(options));
  const auto manifest = test::contents(options.output).at("dataset.json");
  for (int i = 0; i < 24; i += 2)
    test::write_walk(folder / ("walk" + std::to_string(i) + "_subject1.bvh"),
                     {.speed_m_s = 2 + 0.01 * i, .num_frames = 100});
  const pid_t child = fork();
  if (child == 0) {
    options.on_progress = [](std::uint64_t done, std::uint64_t) {
      if (done == 17) _exit(9);
    };
    (void)build(options);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 9);
  // What was there can be read, as it was.
  EXPECT_EQ(test::contents(options.output).at("dataset.json"), manifest);
  const DatasetPtr old = Dataset::open(options.output).value();
  EXPECT_EQ(old->clips().size(), 24U);
  // The next build takes over what the killed one had finished: more than the 12 unchanged files.
  EXPECT_GT(build(options).value().num_reused_files, 12);
  BuildOptions fresh = build_options(folder, test::temporary_dir("ds_kill_fresh"));
  ASSERT_TRUE(build(fresh));
  EXPECT_EQ(difference(options.output, fresh.output), "");
}

TEST(Incremental, DamagedArraysAreBuiltAgain) {
  const fs::path folder = test::walk_folder("ds_torn", 4);
  const BuildOptions options = build_options(folder, test::temporary_dir("ds_torn_out"));
  ASSERT_TRUE(build(options));
  const auto whole = test::contents(options.output);
  const fs::path file = options.output / Dataset::open(options.output).value()->clips()[0].file;
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto torn = Dataset::open(options.output);
  ASSERT_FALSE(torn);
  EXPECT_NE(torn.error().format().find(".npy"), std::string::npos);
  ASSERT_TRUE(build(options));
  EXPECT_EQ(test::contents(options.output), whole);
}

TEST(Merge, PartsGiveTheBytesOfOneBuild) {
  const fs::path folder = test::walk_folder("ds_merge", 20);
  test::write_walk(folder / "short.bvh", {.num_frames = 5});
  test::write_walk(folder / "half.bvh", {.left_foot = false});
  std::ofstream(folder / "broken.bvh") << "HIERARCHY\nROOT";
  BuildOptions options = build_options(folder, test::temporary_dir("ds_merge_one"));
  options.mirror = true;
  const BuildReport whole = build(options).value();
  const fs::path one = options.output, together = test::temporary_dir("ds_merge_parts");
  std::vector<fs::path> parts;
  int num_files = 0;
  for (int i = 0; i < 3; ++i) {
    options.shard = {i, 3};
    options.output = together / ("part-" + std::to_string(i));
    parts.push_back(options.output);
    num_files += build(options).value().num_files;
    EXPECT_TRUE(Dataset::open(options.output));
  }
  EXPECT_EQ(num_files, 23);
  const fs::path merged = test::temporary_dir("ds_merge_out"), merged2 = test::temporary_dir("ds_merge_out2");
  const BuildReport report = merge(parts, merged).value();
  EXPECT_EQ(difference(one, merged), "");
  EXPECT_EQ(report.num_clips, whole.num_clips);
  EXPECT_EQ(report.num_left_out, whole.num_left_out);
  EXPECT_EQ(whole.num_left_out, 3);
  // The folder that holds all parts, as srun leaves it.
  const fs::path all[] = {together};
  ASSERT_TRUE(merge(all, merged2));
  EXPECT_EQ(difference(one, merged2), "");

  const fs::path some[] = {parts[0], parts[2]}, twice[] = {parts[0], parts[1], parts[1]};
  EXPECT_NE(merge(some, merged2).error().message.find("part 1 of 3 is missing"), std::string::npos);
  EXPECT_NE(merge(twice, merged2).error().message.find("twice"), std::string::npos);
  options.min_seconds = 0.7;
  ASSERT_TRUE(build(options));
  EXPECT_NE(merge(parts, merged2).error().message.find("other settings"), std::string::npos);
  EXPECT_EQ(difference(one, merged2), "");  // A refused merge changes nothing.
}

TEST(Open, DamagedManifestsAreRefusedWithoutACrash) {
  const BuildOptions options = build_options(test::walk_folder("ds_hostile", 2), test::temporary_dir("ds_hostile_out"));
  ASSERT_TRUE(build(options));
  const std::string good = test::contents(options.output).at("dataset.json");
  const fs::path file = options.output / "dataset.json";
  // A JSON tree weighs many times its text; rows stay mapped.
  const test::MutateOptions mutation{.flips = 150, .max_ratio = 64, .allowance = std::size_t{4} << 20};
  test::expect_survives_damage(
      "dataset.json", as_bytes(good),
      [&](std::span<const std::byte> bytes) {
        ASSERT_TRUE(write_file_atomic(file, bytes));
        const auto data = Dataset::open(options.output);
        if (!data) return;
        for (const Group& group : (*data)->groups())  // Whatever opens can be read.
          for (const features::ClipRows& rows : group.rows) {
            volatile float last = rows.rows[static_cast<std::size_t>(rows.num_rows) *
                                                static_cast<std::size_t>(group.layout.frame_width()) -
                                            1];
            (void)last;
          }
      },
      mutation);
  EXPECT_FALSE(Dataset::open(test::temporary_dir("ds_nothing")));
}

}  // namespace
}  // namespace zoe::dataset
