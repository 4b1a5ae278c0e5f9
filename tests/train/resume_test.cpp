// SPDX-License-Identifier: MIT
// Runs that are kept, damaged, averaged or restarted: the best is the best, and what is broken is passed over.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/train/library_environment.h"
#include "zoe/train/run.h"

#include "support/data.h"
#include "train/checkpoints.h"
#include "train/git_id.h"
#include "train/metrics.h"
#include "train/threads.h"

namespace zoe::train {
namespace {

RunRequest kept_run(const std::string& name, std::vector<std::string> more = {}) {
  RunRequest request;
  request.model = "mlp";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.overrides = {"model.hidden=8",     "train.steps=40",         "train.batch=8",
                       "train.log_every=10", "data.toy_samples=64",    "data.toy_width=3",
                       "train.threads=1",    "train.validate_every=5", "train.checkpoint_every=10",
                       "train.rate=0.02",    "train.schedule=constant"};
  request.overrides.insert(request.overrides.end(), more.begin(), more.end());
  return request;
}
std::map<std::int64_t, double> validation_losses(const std::filesystem::path& folder) {
  std::map<std::int64_t, double> out;
  const std::vector<MetricRow> rows = read_metrics(folder / "metrics.jsonl").value();
  for (const MetricRow& row : rows) {
    for (const auto& [name, value] : row.values) {
      if (row.split == "validation" && name == "loss") out[row.step] = value;
    }
  }
  return out;
}

TEST(KeptRuns, TheBestIsTheOneWithTheLeastLoss) {
  const RunRequest request = kept_run("kept_best");
  const RunSummary summary = run(request).value();
  const std::map<std::int64_t, double> losses = validation_losses(request.folder);
  ASSERT_EQ(losses.size(), 8U);
  double least = 1e300;
  std::int64_t at = 0;
  for (const auto& [step, loss] : losses) {
    if (loss < least) least = loss, at = step;
  }
  EXPECT_EQ(summary.best_step, at);
  EXPECT_NEAR(summary.best_validation_loss.value(), least, 1e-9);
  EXPECT_TRUE(open_checkpoint(request.folder / "checkpoints" / "best.safetensors"));
}

TEST(KeptRuns, AsManyCheckpointsStayAsAreAskedFor) {
  for (const int keep : {1, 3}) {
    const RunRequest request = kept_run("kept_" + std::to_string(keep), {"train.keep=" + std::to_string(keep)});
    ASSERT_TRUE(run(request));
    const std::vector<std::int64_t> steps = Checkpoints(request.folder / "checkpoints", keep).steps();
    ASSERT_EQ(steps.size(), static_cast<std::size_t>(keep));
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], 40 - 10 * static_cast<std::int64_t>(i));
  }
}

TEST(KeptRuns, ADamagedCheckpointIsPassedOver) {
  RunRequest request = kept_run("kept_damaged");
  ASSERT_TRUE(run(request));
  const Checkpoints checkpoints(request.folder / "checkpoints", 3);
  std::filesystem::resize_file(checkpoints.path(40), 100);
  request.resume = true;
  request.overrides.emplace_back("train.steps=50");
  const RunSummary summary = run(request).value();
  EXPECT_EQ(summary.step, 50);
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_NE(summary.warnings[0].message.find("trying the one before"), std::string::npos);
}

TEST(KeptRuns, AveragedWeightsAreWhatIsExported) {
  const RunRequest plain = kept_run("kept_plain"), averaged = kept_run("kept_averaged", {"train.ema=0.9"});
  ASSERT_TRUE(run(plain));
  ASSERT_TRUE(run(averaged));
  const auto bytes = [](const RunRequest& request) {
    const MappedFile file = MappedFile::open(request.folder / "model.safetensors").value();
    return std::string(file.text());
  };
  EXPECT_NE(bytes(plain), bytes(averaged));
}

TEST(KeptRuns, ResumingAFinishedRunDoesNothingMore) {
  RunRequest request = kept_run("kept_finished");
  ASSERT_TRUE(run(request));
  request.resume = true;
  EXPECT_EQ(run(request).value().step, 40);
}

TEST(KeptRuns, CheckpointsSayWhatTheyAre) {
  const RunRequest request = kept_run("kept_words");
  ASSERT_TRUE(run(request));
  Warnings warnings;
  const Safetensors newest = Checkpoints(request.folder / "checkpoints", 3).open_newest(warnings).value();
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(newest.metadata().at("version"), "1");
  EXPECT_EQ(newest.metadata().at("model"), "mlp");
  EXPECT_EQ(newest.metadata().at("step"), "40");
  EXPECT_EQ(newest.metadata().at("threads"), "1");
  EXPECT_NE(newest.metadata().at("config").find("toy_width = 3"), std::string::npos);
  // Weights, their moments, and how often each was stepped.
  for (const char* name : {"adam.means", "adam.squares", "adam.steps", "adam.skipped"})
    EXPECT_TRUE(newest.find(name)) << name;
  EXPECT_FALSE(newest.find("ema"));
}

TEST(KeptRuns, EpochsAreWholePassesOverTheData) {
  const RunRequest request = kept_run("kept_epochs", {"train.steps=0", "train.epochs=3"});
  EXPECT_EQ(run(request).value().step, 3 * 64 / 8);
  const std::vector<MetricRow> rows = read_metrics(request.folder / "metrics.jsonl").value();
  ASSERT_FALSE(rows.empty());
  for (const MetricRow& row : rows) EXPECT_NEAR(row.epoch, static_cast<double>(row.step) / 8, 1e-4);
}

// Dropout draws the same noise at the same step, whether the run was interrupted or not.
TEST(KeptRuns, NoiseGoesOnWhereItWas) {
  RunRequest whole = kept_run("kept_noise_whole", {"model.dropout=0.3"}),
             parts = kept_run("kept_noise_parts", {"model.dropout=0.3"});
  ASSERT_TRUE(run(whole));
  RunRequest first = parts;
  first.overrides.emplace_back("train.steps=20");
  ASSERT_TRUE(run(first));
  parts.resume = true;
  ASSERT_TRUE(run(parts));
  EXPECT_EQ(validation_losses(whole.folder), validation_losses(parts.folder));
}

TEST(Processes, KnowTheirCodeAndTheirThreads) {
  EXPECT_FALSE(std::string(git_id()).empty());
  int calls = 0;
  const int threads = tune_threads([&] { ++calls; });
  EXPECT_GE(threads, 1);
  EXPECT_LE(calls, 11);  // One to begin with, five rounds of two.
  (void)set_library_environment();
  EXPECT_FALSE(set_library_environment());  // What is set is not set again.
  set_threads(1);
}

}  // namespace
}  // namespace zoe::train
