// SPDX-License-Identifier: MIT
#include "zoe/author/evaluate_run.h"

#include <gtest/gtest.h>

#include "zoe/control/config.h"
#include "zoe/control/load.h"

#include "author/fake_networks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// A controller of motion matching, with its dataset.
const fs::path& run_folder() {
  static const fs::path folder = [] {
    TrainController job;
    job.type = find_type("mm").value();
    job.data = {test::synthetic_walks("evaluate_walks", 3, 5)};
    job.folder = zoe::test::temporary_dir("evaluate_run") / "matcher";
    EXPECT_TRUE(job.run());
    return job.folder;
  }();
  return folder;
}

EvaluateRun short_job() {
  EvaluateRun job;
  job.options = {.courses = {"straight"}, .num_seeds = 1, .seconds = 4};
  return job;
}

bool has_reference(const eval::Evaluation& evaluation) {
  for (const auto& [name, summary] : evaluation.metrics) {
    if (summary.reference) return true;
  }
  return false;
}

TEST(EvaluateRun, ComparesWithTheRunsOwnDatasetAndNamesTheRun) {
  const eval::Evaluation evaluation = short_job().run(run_folder()).value();
  EXPECT_EQ(evaluation.subject, "matcher");
  EXPECT_EQ(evaluation.type, "mm");
  EXPECT_TRUE(has_reference(evaluation));
  EXPECT_EQ(evaluation.held_out.num_clips, 0) << "motion matching knows all its clips";
  EXPECT_FALSE(evaluation.endurance);
  EXPECT_EQ(short_job().run(run_folder() / "").value().subject, "matcher") << "with a slash at the end";
}

TEST(EvaluateRun, NewMotionMatchingHasTheSoftLocksOfNetworks) {
  const control::LockOptions made = control::load_controller_config(run_folder()).value().neural.locks;
  EXPECT_EQ(made.soft_s, control::gentle_locks().soft_s);
  EXPECT_EQ(made.tear_m, control::gentle_locks().tear_m);
}

TEST(EvaluateRun, OneFileIsEnoughButHasNoReference) {
  const fs::path file = zoe::test::temporary_dir("evaluate_file") / "matcher.zoe";
  ASSERT_TRUE(control::pack_controller(run_folder(), file));
  const eval::Evaluation evaluation = short_job().run(file).value();
  EXPECT_EQ(evaluation.subject, "matcher.zoe");
  EXPECT_FALSE(has_reference(evaluation));

  EvaluateRun job = short_job();
  job.data = run_folder() / "dataset";
  EXPECT_TRUE(has_reference(job.run(file).value()));
}

TEST(EvaluateRun, ClipsThatAreGivenAreHeldOutWhateverTheType) {
  EvaluateRun job = short_job();
  job.held_out = test::synthetic_walks("evaluate_held_out", 2, 5);
  job.work_folder = zoe::test::temporary_dir("evaluate_work");
  const eval::HeldOut held_out = job.run(run_folder()).value().held_out;
  EXPECT_EQ(held_out.num_clips, 2);
  EXPECT_EQ(held_out.split, "all");
}

TEST(EvaluateRun, HeldOutClipsThatAreTooShortAreAnErrorThatNamesTheFolder) {
  EvaluateRun job = short_job();
  job.held_out = test::synthetic_walks("evaluate_short", 1, 2);
  job.work_folder = zoe::test::temporary_dir("evaluate_short_work");
  const auto refused = job.run(run_folder());
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "three seconds")) << refused.error().format();
  EXPECT_TRUE(test::contains(refused.error(), "evaluate_short"));
}

TEST(EvaluateRun, MinutesOfSticksAreRunWhereRequested) {
  EvaluateRun job = short_job();
  job.sticks_minutes = 0.1;
  EXPECT_TRUE(job.run(run_folder()).value().endurance);
}

TEST(EvaluateRun, DatasetsThatAreGivenMustBeThere) {
  EvaluateRun job = short_job();
  job.data = "/nowhere/dataset";
  const auto refused = job.run(run_folder());
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "/nowhere/dataset"));
  EXPECT_FALSE(short_job().run("/nowhere/run"));
}

}  // namespace
}  // namespace zoe::author
