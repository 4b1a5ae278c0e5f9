// SPDX-License-Identifier: MIT
// Parts of a model that are optimised in turn: whose turn a step is, and runs that are interrupted.
#include <map>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/train/run.h"

#include "support/data.h"
#include "train/checkpoints.h"
#include "train/metrics.h"
#include "train/turn_settings.h"

namespace zoe::train {
namespace {

TEST(Turns, FollowTheirSteps) {
  std::vector<TurnSetting> turns(2);
  turns[0].steps = 2;
  turns[1].steps = 3;
  std::string order;
  for (std::int64_t step = 0; step < 11; ++step) order += static_cast<char>('a' + turn_at(turns, step));
  EXPECT_EQ(order, "aabbbaabbba");
  EXPECT_EQ(turn_at(std::vector<TurnSetting>(1), 7), 0U);
}

TEST(Turns, AreReadInTheirOrder) {
  ConfigSchema schema;
  EXPECT_EQ(read_turn_settings(Config(schema)).value().size(), 1U);
  add_turn_keys(schema, {.name = "generator"});
  add_turn_keys(schema, {.name = "critic", .steps = 5, .rate_factor = 2, .beta1 = 0});
  const auto turns = read_turn_settings(Config(schema)).value();
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns[1].name, "critic");
  EXPECT_EQ(turns[1].steps, 5);
  EXPECT_DOUBLE_EQ(turns[1].rate_factor, 2);
  for (const char* bad : {"turn.critic.steps=0", "turn.critic.rate_factor=-1", "turn.critic.beta1=1"}) {
    Config config(schema);
    ASSERT_TRUE(config.set(bad));
    const auto read = read_turn_settings(config);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().message.rfind("turn.critic.", 0), 0U);
  }
}

RunRequest gan_run(const std::string& name) {
  RunRequest request;
  request.model = "gan";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.overrides = {"model.hidden=8",
                       "model.critic_hidden=8",
                       "model.code=3",
                       "train.steps=60",
                       "train.batch=8",
                       "train.log_every=10",
                       "train.validate_every=10",
                       "train.checkpoint_every=30",
                       "train.schedule=constant",
                       "train.ema=0.9",
                       "data.toy_samples=64",
                       "train.threads=1",
                       "turn.critic.steps=2",
                       "turn.critic.rate_factor=2",
                       "loss.penalty.schedule=cosine",
                       "loss.penalty.first_weight=4",
                       "loss.penalty.last_step=50"};
  return request;
}
std::string bytes_of(const std::filesystem::path& path) { return std::string(MappedFile::open(path).value().text()); }

TEST(Turns, AnInterruptedRunEndsInTheSameBytes) {
  const RunRequest whole = gan_run("turns_whole");
  ASSERT_TRUE(run(whole));
  RunRequest parts = gan_run("turns_parts"), first = parts;
  first.overrides.emplace_back("train.steps=40");  // In the middle of the critic's turn.
  ASSERT_TRUE(run(first));
  parts.resume = true;
  ASSERT_TRUE(run(parts));
  for (const char* file : {"checkpoints/step_00000060.safetensors", "model.safetensors"})
    EXPECT_TRUE(bytes_of(whole.folder / file) == bytes_of(parts.folder / file)) << file;
  Warnings warnings;
  const Safetensors newest = Checkpoints(whole.folder / "checkpoints", 3).open_newest(warnings).value();
  for (const char* name : {"generator.adam.means", "critic.adam.means", "critic.adam.steps", "generator.ema"})
    EXPECT_TRUE(newest.find(name)) << name;
}

TEST(Turns, EachLogsItsOwn) {
  const RunRequest request = gan_run("turns_log");
  ASSERT_TRUE(run(request));
  const std::vector<MetricRow> rows = read_metrics(request.folder / "metrics.jsonl").value();
  for (const MetricRow& row : rows) {
    const std::map<std::string, double> values(row.values.begin(), row.values.end());
    if (row.split != "training") continue;
    for (const char* name : {"loss", "adversarial", "rate", "critic.loss", "critic.discrimination", "critic.penalty",
                             "critic.rate", "weight.penalty"})
      EXPECT_TRUE(values.contains(name)) << name;
    EXPECT_DOUBLE_EQ(values.at("critic.rate"), 2 * values.at("rate"));
  }
}

}  // namespace
}  // namespace zoe::train
