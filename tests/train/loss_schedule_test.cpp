// SPDX-License-Identifier: MIT
// Weights of losses: their curves by hand, what is refused, and what a run logs of them.
#include "train/loss_schedule.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/train/run.h"

#include "support/data.h"
#include "train/metrics.h"
#include "train/settings.h"

namespace zoe::train {
namespace {

Config config_with(const std::vector<std::string>& assignments) {
  ConfigSchema schema;
  add_loss_keys(schema, {"pose", "speed"});
  Config config(schema);
  for (const std::string& assignment : assignments) EXPECT_TRUE(config.set(assignment)) << assignment;
  return config;
}
std::string refusal(const std::vector<std::string>& assignments) {
  const auto read = read_loss_settings(config_with(assignments));
  EXPECT_EQ(read.has_value(), check_model_settings(config_with(assignments)).has_value());
  return read ? "" : read.error().message;
}

TEST(LossSchedule, WithoutSettingsEveryWeightIsOne) {
  const auto all = read_loss_settings(config_with({})).value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "pose");
  EXPECT_EQ(all[1].name, "speed");
  for (const std::int64_t step : {0, 1, 1000000}) EXPECT_EQ(all[1].at(step), 1.0);
}

TEST(LossSchedule, RampsByHand) {
  for (const char* word : {"linear", "cosine"}) {
    const auto all =
        read_loss_settings(config_with({"loss.speed.weight=3", "loss.speed.first_weight=1", "loss.speed.first_step=10",
                                        "loss.speed.last_step=30", std::string("loss.speed.schedule=") + word}))
            .value();
    const LossSetting& speed = all[1];
    EXPECT_DOUBLE_EQ(speed.at(0), 1);
    EXPECT_DOUBLE_EQ(speed.at(10), 1);
    EXPECT_NEAR(speed.at(20), 2, 1e-12);
    EXPECT_NEAR(speed.at(15), word[0] == 'l' ? 1.5 : 1 + (1 - std::sqrt(0.5)), 1e-12);
    EXPECT_DOUBLE_EQ(speed.at(30), 3);
    EXPECT_DOUBLE_EQ(speed.at(99), 3);
    EXPECT_DOUBLE_EQ(all[0].at(20), 1);
  }
}

TEST(LossSchedule, SaysWhatIsWrong) {
  EXPECT_EQ(refusal({"loss.pose.weight=-2"}), "");
  EXPECT_EQ(refusal({"loss.pose.weight=1e10"}), "loss.pose.weight = 10000000000: must be from -1e9 to 1e9");
  EXPECT_NE(refusal({"loss.pose.schedule=linea"}).find("did you mean 'linear'?"), std::string::npos);
  EXPECT_EQ(refusal({"loss.pose.schedule=linear"}), "loss.pose.last_step = 0: must be above loss.pose.first_step = 0");
  EXPECT_NE(refusal({"loss.pose.first_step=-1"}).find("0 or more"), std::string::npos);
}

TEST(LossSchedule, RunsLogTermsAndTheirWeights) {
  RunRequest request;
  request.model = "vae";
  request.folder = zoe::test::temporary_dir("loss_schedule") / "run";
  request.quiet = true;
  request.overrides = {"model.hidden=8",
                       "model.code=3",
                       "train.steps=40",
                       "train.batch=8",
                       "train.log_every=10",
                       "train.validate_every=10",
                       "data.toy_samples=64",
                       "train.threads=1",
                       "loss.divergence.schedule=linear",
                       "loss.divergence.weight=5",
                       "loss.divergence.last_step=20"};
  ASSERT_TRUE(run(request));
  const std::vector<MetricRow> rows = read_metrics(request.folder / "metrics.jsonl").value();
  std::size_t num_training = 0;
  for (const MetricRow& row : rows) {
    std::map<std::string, double> values(row.values.begin(), row.values.end());
    ASSERT_TRUE(values.contains("reconstruction") && values.contains("divergence"));
    if (row.split == "validation") {  // Always by the last weight.
      EXPECT_NEAR(values["loss"], values["reconstruction"] + 5e-3 * values["divergence"], 1e-6);
      EXPECT_FALSE(values.contains("weight.divergence"));
    } else {
      ++num_training;
      EXPECT_NEAR(values["weight.divergence"], std::min(5.0, 5.0 * static_cast<double>(row.step - 1) / 20), 1e-12);
      EXPECT_FALSE(values.contains("weight.reconstruction"));
      if (row.step > 30) {
        EXPECT_NEAR(values["loss"], values["reconstruction"] + 5e-3 * values["divergence"], 1e-5);
      }
    }
  }
  EXPECT_EQ(num_training, 4U);
}

}  // namespace
}  // namespace zoe::train
