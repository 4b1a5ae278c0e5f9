// SPDX-License-Identifier: MIT
// Small runs from end to end, in this process: what they leave, how they go on, what they refuse.
#include "zoe/train/run.h"

#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/nn/graph_file.h"
#include "zoe/store/config.h"

#include "support/data.h"
#include "train/metrics.h"

namespace zoe::train {
namespace {

RunRequest small_run(const std::string& name, std::vector<std::string> more = {}) {
  RunRequest request;
  request.model = "mlp";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.overrides = {"model.hidden=8",          "train.steps=20",
                       "train.batch=8",           "train.log_every=5",
                       "data.toy_samples=64",     "data.toy_width=3",
                       "train.threads=1",         "train.rate=0.01",
                       "train.validate_every=10", "train.checkpoint_every=10",
                       "train.weight_decay=0.001"};
  request.overrides.insert(request.overrides.end(), more.begin(), more.end());
  return request;
}
// Losses of the training split by step.
std::map<std::int64_t, double> losses(const std::filesystem::path& folder) {
  std::map<std::int64_t, double> out;
  const std::vector<MetricRow> rows = read_metrics(folder / "metrics.jsonl").value();
  for (const MetricRow& row : rows) {
    if (row.split != "training") continue;
    for (const auto& [name, value] : row.values) {
      if (name == "loss") out[row.step] = value;
    }
  }
  return out;
}
std::string text_of(const std::filesystem::path& path) {
  const MappedFile file = MappedFile::open(path).value();
  return std::string(file.text());
}

TEST(Runs, LeaveEveryFileOfTheFolder) {
  const RunRequest request = small_run("run_files_all");
  const RunSummary summary = run(request).value();
  EXPECT_EQ(summary.step, 20);
  EXPECT_FALSE(summary.stopped);
  EXPECT_TRUE(summary.best_validation_loss.has_value());
  EXPECT_GT(summary.samples_per_s, 0);
  for (const char* name : {"config.toml", "run.json", "model.safetensors", "metrics.jsonl", "report.html",
                           "checkpoints/best.safetensors", "checkpoints/step_00000020.safetensors"}) {
    EXPECT_TRUE(std::filesystem::exists(request.folder / name)) << name;
  }
  const nn::Graph graph = nn::read_graph(request.folder / "model.safetensors").value();
  EXPECT_EQ(graph.inputs.at(0).shape.width, 3);
  EXPECT_EQ(graph.outputs.at(0).shape.width, 3);
  EXPECT_EQ(nlohmann::json::parse(text_of(request.folder / "run.json"))["training_samples"], 64);
  std::set<std::string> splits;
  const std::vector<MetricRow> rows = read_metrics(request.folder / "metrics.jsonl").value();
  for (const MetricRow& row : rows) splits.insert(row.split);
  EXPECT_EQ(splits, (std::set<std::string>{"training", "validation"}));
}

TEST(Runs, OfTheSameSeedAreTheSame) {
  const RunRequest a = small_run("run_seed_a"), b = small_run("run_seed_b"),
                   c = small_run("run_seed_c", {"train.seed=2"});
  for (const RunRequest* request : {&a, &b, &c}) ASSERT_TRUE(run(*request));
  EXPECT_EQ(losses(a.folder), losses(b.folder));
  EXPECT_NE(losses(a.folder), losses(c.folder));
  EXPECT_EQ(text_of(a.folder / "model.safetensors"), text_of(b.folder / "model.safetensors"));
}

TEST(Runs, LearnSomething) {
  const RunRequest request = small_run("run_learn", {"train.steps=400", "train.batch=32", "train.log_every=50",
                                                     "model.hidden=32", "data.toy_samples=512"});
  ASSERT_TRUE(run(request));
  const std::map<std::int64_t, double> found = losses(request.folder);
  EXPECT_LT(found.rbegin()->second, 0.7 * found.begin()->second);
}

// Ten steps, then ten more, is twenty: to the last bit.
TEST(Runs, ResumedOnesGoOnAsIfNothingHadHappened) {
  RunRequest whole = small_run("run_whole", {"train.schedule=constant"}),
             parts = small_run("run_parts", {"train.schedule=constant"});
  ASSERT_TRUE(run(whole));
  RunRequest first = parts;
  first.overrides.push_back("train.steps=10");
  EXPECT_EQ(run(first).value().step, 10);
  parts.resume = true;
  EXPECT_EQ(run(parts).value().step, 20);
  EXPECT_EQ(losses(whole.folder), losses(parts.folder));
  EXPECT_EQ(text_of(whole.folder / "model.safetensors"), text_of(parts.folder / "model.safetensors"));
}

TEST(Runs, StopAfterValidationsThatAreNoBetter) {
  // A rate of nothing learns nothing.
  const RunRequest request = small_run("run_patience", {"train.rate=0", "train.min_rate=0", "train.patience=2",
                                                        "train.validate_every=2", "train.steps=1000"});
  const RunSummary summary = run(request).value();
  EXPECT_LT(summary.step, 20);
  EXPECT_NE(summary.reason.find("no better validation"), std::string::npos) << summary.reason;
}

TEST(Runs, RefuseWhatCannotBe) {
  const auto message = [](const RunRequest& request) { return run(request).error().message; };
  RunRequest unknown = small_run("run_unknown");
  unknown.model = "mlpp";
  EXPECT_NE(message(unknown).find("there is no model 'mlpp'; did you mean 'mlp'?"), std::string::npos)
      << message(unknown);
  EXPECT_FALSE(std::filesystem::exists(unknown.folder));
  EXPECT_NE(message(small_run("run_bf16", {"train.precision=bf16"})).find("is for CUDA"), std::string::npos);
  EXPECT_NE(message(small_run("run_graph", {"train.cuda_graph=on"})).find("needs a CUDA device"), std::string::npos);
  RunRequest ranks = small_run("run_ranks", {"train.batch=7"});
  ranks.ranks.size = 2;
  EXPECT_NE(message(ranks).find("train.batch = 7 does not divide evenly over 2 ranks"), std::string::npos);
  RunRequest folder = small_run("run_data");
  folder.data = "some/folder";
  EXPECT_NE(message(folder).find("only toy data"), std::string::npos);
  RunRequest again = small_run("run_again_same");
  ASSERT_TRUE(run(again));
  EXPECT_NE(message(again).find("contains a run already"), std::string::npos);
  EXPECT_NE(message(small_run("run_key", {"model.hiden=3"})).find("hidden"), std::string::npos);
}

TEST(Models, AreListedWithTheirSettings) {
  std::set<std::string> names;
  for (const ModelSummary& model : list_models()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_FALSE(model.summary.empty()) << model.name;
    const std::string toml = default_config(model.name).value();
    EXPECT_NE(toml.find("[train]"), std::string::npos) << model.name;
    EXPECT_NE(toml.find("[data]"), std::string::npos) << model.name;
  }
  EXPECT_TRUE(names.contains("mlp"));
  EXPECT_TRUE(names.contains("mann"));
  EXPECT_FALSE(default_config("nothing"));
}

TEST(Models, DefaultSettingsOfEachAreAcceptedByItself) {
  for (const ModelSummary& model : list_models()) {
    const auto folder = zoe::test::temporary_dir("run_defaults");
    std::ofstream(folder / "config.toml") << default_config(model.name).value();
    RunRequest request;
    request.model = model.name;
    request.folder = folder / "run";
    request.quiet = true;
    request.config_file = folder / "config.toml";
    request.overrides = {"train.batch=0"};  // Everything before this is read.
    const auto refused = run(request);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "train.batch = 0: must be from 1 to 16777216") << model.name;
  }
}

TEST(Torch, SaysItsVersion) {
  const std::string version = torch_version();
  EXPECT_TRUE(version.ends_with("(CPU)") || version.ends_with("(CUDA)")) << version;
  EXPECT_TRUE(version[0] >= '1' && version[0] <= '9') << version;
}

}  // namespace
}  // namespace zoe::train
