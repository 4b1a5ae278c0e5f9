// SPDX-License-Identifier: MIT
// Run folders: built aside, replaced at the end, continued after a kill.
#include "author/run_folder.h"

#include <gtest/gtest.h>

#include "zoe/control/load.h"
#include "zoe/core/file.h"

#include "author/fake_networks.h"
#include "author/run_record.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

const std::vector<RunFact> kFacts{{"type", "mm"}, {"data", "3 files"}}, kOther{{"type", "mm"}, {"data", "4 files"}};

fs::path place(const std::string& name) { return zoe::test::temporary_dir(name) / "run"; }
void write(const fs::path& file, std::string_view text) { ASSERT_TRUE(write_file_atomic(file, text)); }
std::string text_of(const fs::path& file) { return std::string(MappedFile::open(file).value().text()); }

// A small "run" that is complete.
void make_run(const fs::path& folder, const std::vector<RunFact>& facts, std::string_view content) {
  auto run = RunFolder::open({.folder = folder}, facts);
  ASSERT_TRUE(run) << run.error().format();
  write(run->aside() / "controller.toml", content);
  write(run->aside() / "dataset" / "rows", content);
  ASSERT_TRUE(run->publish());
}

TEST(RunFolder, IsReplacedAtTheEndAndKeepsFilesOfTheUser) {
  const fs::path folder = place("run_replace");
  make_run(folder, kFacts, "first");
  write(folder / "notes.txt", "mine");
  write(folder / "model.safetensors", "of the first run alone");
  {
    auto run = RunFolder::open({.folder = folder}, kOther);
    ASSERT_TRUE(run) << run.error().format();
    write(run->aside() / "controller.toml", "second");
    write(run->aside() / "network" / "candidates" / "step_00000010.safetensors", "second");
    EXPECT_EQ(text_of(folder / "controller.toml"), "first") << "as before until the end";
    ASSERT_TRUE(run->publish());
  }
  EXPECT_TRUE(fs::exists(folder / "network"));
  EXPECT_FALSE(fs::exists(folder / "network" / "candidates")) << "needed until the weights are chosen";
  EXPECT_EQ(text_of(folder / "controller.toml"), "second");
  EXPECT_EQ(text_of(folder / "notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(folder / "model.safetensors")) << "parts of two runs are never mixed";
  EXPECT_FALSE(fs::exists(folder / "dataset"));
  EXPECT_FALSE(fs::exists(folder.string() + ".unfinished"));
  EXPECT_FALSE(fs::exists(folder.string() + ".lock"));
}

TEST(RunFolder, HasOneWriter) {
  const fs::path folder = place("run_writer");
  const auto run = RunFolder::open({.folder = folder}, kFacts);
  ASSERT_TRUE(run);
  const auto second = RunFolder::open({.folder = folder, .resume = true}, kFacts);
  ASSERT_FALSE(second);
  EXPECT_TRUE(test::contains(second.error(), "process")) << second.error().format();
}

TEST(RunFolder, ResumingAnotherRequestSaysWhatDiffers) {
  const fs::path folder = place("run_differs");
  { ASSERT_TRUE(RunFolder::open({.folder = folder}, kFacts)->dataset_is_done({"train.steps=3"})); }
  {
    const auto other = RunFolder::open({.folder = folder, .resume = true}, kOther);
    ASSERT_FALSE(other);
    EXPECT_TRUE(test::contains(other.error(), "data was '3 files', is '4 files'")) << other.error().format();
    EXPECT_TRUE(test::contains(other.error(), "--allow-changes"));
  }
  {
    const auto same = RunFolder::open({.folder = folder, .resume = true}, kFacts);
    ASSERT_TRUE(same);
    ASSERT_TRUE(same->fit_settings());
    EXPECT_EQ(*same->fit_settings(), (std::vector<std::string>{"train.steps=3"}));
  }
  const auto allowed = RunFolder::open({.folder = folder, .resume = true, .allow_changes = true}, kOther);
  ASSERT_TRUE(allowed);
  EXPECT_FALSE(allowed->fit_settings()) << "the dataset is of other data: it is built again";
}

TEST(RunFolder, OfACompleteRunHasNothingToResume) {
  const fs::path folder = place("run_complete");
  make_run(folder, kFacts, "first");
  EXPECT_TRUE(RunFolder::open({.folder = folder, .resume = true}, kFacts)->is_complete());
  const auto other = RunFolder::open({.folder = folder, .resume = true}, kOther);
  ASSERT_FALSE(other);
  EXPECT_TRUE(test::contains(other.error(), "data was"));
  fs::remove(folder / kRecordFile);
  EXPECT_FALSE(RunFolder::open({.folder = folder, .resume = true}, kFacts)) << "of an earlier version";
  EXPECT_FALSE(RunFolder::open({.folder = folder}, kFacts)->is_complete());
  EXPECT_EQ(text_of(folder / "controller.toml"), "first");
}

// Every moment between two calls of the system during the replacement.
TEST(RunFolder, AKillDuringTheReplacementIsCompletedLater) {
  const fs::path folder = place("run_half"), aside = folder.string() + ".unfinished";
  const auto prepare = [&] {
    fs::remove_all(folder);
    fs::remove_all(aside);
    make_run(folder, kOther, "first");
    write(folder / "notes.txt", "mine");
    write(aside / "controller.toml", "second");
    ASSERT_TRUE(write_run_record(aside, {kFacts, std::nullopt, true}));
  };
  const auto check = [&](const char* what) {
    SCOPED_TRACE(what);
    const auto run = RunFolder::open({.folder = folder, .resume = true}, kFacts);
    ASSERT_TRUE(run) << run.error().format();
    EXPECT_TRUE(run->is_complete());
    EXPECT_EQ(text_of(folder / "controller.toml"), "second");
    EXPECT_EQ(text_of(folder / "notes.txt"), "mine");
    EXPECT_FALSE(fs::exists(folder / "dataset"));
    EXPECT_FALSE(fs::exists(folder / "network" / "candidates"));
    EXPECT_FALSE(fs::exists(aside));
  };
  prepare();
  write(aside / "network" / "candidates" / "step_00000010.safetensors", "second");
  check("complete, not replaced");
  prepare();
  write(folder / ".replaced", "");
  check("marked, not exchanged");
  prepare();
  write(folder / ".replaced", "");
  fs::rename(folder, folder.string() + ".x");
  fs::rename(aside, folder);
  fs::rename(folder.string() + ".x", aside);
  check("exchanged, not removed");
  prepare();  // Without an exchange in one call.
  write(folder / ".replaced", "");
  fs::rename(folder, folder.string() + ".replaced");
  check("one name of two");
  prepare();
  write(folder / ".replaced", "");
  fs::rename(folder, folder.string() + ".replaced");
  fs::rename(aside, folder);
  check("two names of two");
  // Into a folder of the user, part by part.
  for (const bool controller_moved : {false, true}) {
    prepare();
    write(aside / "dataset" / "rows", "second");
    fs::remove(folder / "controller.toml");
    fs::remove(folder / kRecordFile);
    fs::remove_all(folder / "dataset");
    fs::rename(aside / "dataset", folder / "dataset");
    if (controller_moved) fs::rename(aside / "controller.toml", folder / "controller.toml");
    const auto run = RunFolder::open({.folder = folder, .resume = true}, kFacts);
    ASSERT_TRUE(run) << run.error().format();
    EXPECT_TRUE(run->is_complete());
    EXPECT_EQ(text_of(folder / "controller.toml"), "second");
    EXPECT_EQ(text_of(folder / "dataset" / "rows"), "second");
  }
}

TEST(RunFolder, CheckpointsAreNotDiscardedUnasked) {
  const fs::path folder = place("run_progress"), aside = folder.string() + ".unfinished";
  {
    auto run = RunFolder::open({.folder = folder}, kFacts);
    write(run->aside() / "left" / "over", "x");
    EXPECT_FALSE(run->abandon()) << "nothing to continue: nothing stays";
    EXPECT_FALSE(fs::exists(aside));
  }
  {
    auto run = RunFolder::open({.folder = folder}, kFacts);
    write(run->aside() / "left" / "over", "x");
  }
  {
    auto run = RunFolder::open({.folder = folder}, kFacts);
    ASSERT_TRUE(run);
    EXPECT_FALSE(fs::exists(aside / "left")) << "leftovers do not enter the next run";
    write(aside / "network" / "checkpoints" / "step_00000500.safetensors", "x");
    EXPECT_TRUE(run->abandon());
  }
  const auto again = RunFolder::open({.folder = folder}, kFacts);
  ASSERT_FALSE(again);
  EXPECT_TRUE(test::contains(again.error(), "--resume")) << again.error().format();
  write(aside / "network" / "config.toml.tmp.4711.3", "half");
  write(aside / "network" / "notes.tmp.txt", "whole");
  EXPECT_TRUE(RunFolder::open({.folder = folder, .resume = true}, kFacts));
  EXPECT_FALSE(fs::exists(aside / "network" / "config.toml.tmp.4711.3"));
  EXPECT_TRUE(fs::exists(aside / "network" / "notes.tmp.txt"));
}

TEST(RunFolder, IsCheckedFirst) {
  const fs::path folder = place("run_checked");
  write(folder / "dataset" / "dataset.json", "{}");
  const auto foreign = RunFolder::open({.folder = folder}, kFacts);
  ASSERT_FALSE(foreign) << "a dataset of the user";
  EXPECT_TRUE(test::contains(foreign.error(), "'dataset'"));
  fs::remove_all(folder);
  make_run(folder, kFacts, "first");
  const auto own = RunFolder::open({.folder = folder, .inputs = {folder / "dataset"}}, kFacts);
  ASSERT_FALSE(own) << "its own data";
  EXPECT_TRUE(test::contains(own.error(), "another -o"));
  EXPECT_TRUE(RunFolder::open({.folder = folder, .inputs = {folder / "clips"}}, kFacts));
  write(folder.parent_path() / "file", "x");
  EXPECT_FALSE(RunFolder::open({.folder = folder.parent_path() / "file"}, kFacts));
  EXPECT_FALSE(RunFolder::open({.folder = "/proc"}, kFacts)) << "mounted";
  // Damaged records are no records.
  for (const char* text : {"", "{", "[]", R"({"complete": 1, "request": {}})", R"({"complete": true, "request": 7})",
                           R"({"complete": true, "request": {"type": []}})",
                           R"({"complete": false, "request": {}, "fit_settings": [1]})"}) {
    write(folder / kRecordFile, text);
    EXPECT_FALSE(read_run_record(folder)) << text;
  }
}

// The whole job.
TEST(TrainController, ContinuesWhereItWasStopped) {
  static const fs::path clips = test::synthetic_walks("resume_walks", 3, 5);
  test::FakeTrainer trainer;
  trainer.make = test::make_mean_network;
  TrainController job;
  job.type = find_type("mann").value();
  job.data = {clips};
  job.folder = place("resume_whole");
  job.trainer = &trainer;
  const auto whole = job.run();
  ASSERT_TRUE(whole) << whole.error().format();
  const std::string model = text_of(job.folder / "model.safetensors"), body = text_of(job.folder / "body.safetensors");

  job.folder = place("resume_stopped");
  int asked = 0;
  job.should_stop = [&] { return ++asked > 1; };  // After the dataset.
  const auto stopped = job.run();
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(test::contains(stopped.error(), "--resume continues")) << stopped.error().format();
  EXPECT_FALSE(fs::exists(job.folder));
  job.should_stop = {};
  job.resume = true;
  test::Heard heard;
  ASSERT_TRUE(job.run(heard.listener()));
  EXPECT_FALSE(heard.has("files on the body of")) << "the dataset was there";
  EXPECT_TRUE(trainer.requests.back().resume);
  EXPECT_EQ(text_of(job.folder / "model.safetensors"), model);
  EXPECT_EQ(text_of(job.folder / "body.safetensors"), body);
  test::Heard again;
  const auto complete = job.run(again.listener());
  ASSERT_TRUE(complete) << complete.error().format();
  EXPECT_TRUE(again.has("complete already"));
  EXPECT_NE(complete->controller, nullptr);
  job.mirror = false;
  const auto other = job.run();
  ASSERT_FALSE(other);
  EXPECT_TRUE(test::contains(other.error(), "mirrored was 'yes', is 'no'")) << other.error().format();
}

// Other data into an existing folder that fails half-way leaves the controller as it was.
TEST(TrainController, AFailedRunLeavesTheEarlierOne) {
  static const fs::path clips = test::synthetic_walks("failed_walks", 3, 5);
  TrainController job;
  job.type = find_type("mm").value();
  job.data = {clips};
  job.folder = place("failed_run");
  ASSERT_TRUE(job.run());
  const std::string body = text_of(job.folder / "body.safetensors");
  test::FakeTrainer trainer;
  trainer.make = [](const TrainingRequest&) -> Result<void> { return Error{ErrorCode::kIo, "disk full", {}}; };
  job.type = find_type("mann").value();
  job.trainer = &trainer;
  EXPECT_FALSE(job.run());
  EXPECT_EQ(text_of(job.folder / "body.safetensors"), body);
  EXPECT_TRUE(control::load_controller(job.folder));
}

}  // namespace
}  // namespace zoe::author
