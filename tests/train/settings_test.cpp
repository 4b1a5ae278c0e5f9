// SPDX-License-Identifier: MIT
// Settings: defaults, every limit on both sides, every word, and the messages for those who miss them.
#include "train/settings.h"

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

ConfigSchema schema() {
  ConfigSchema all;
  add_settings(all);
  return all;
}
// The message, or nothing where the settings are read.
std::string message(const std::vector<std::string>& assignments) {
  static const ConfigSchema kSchema = schema();
  Config config(kSchema);
  for (const std::string& assignment : assignments) EXPECT_TRUE(config.set(assignment)) << assignment;
  const auto settings = read_settings(config);
  if (!settings) {
    EXPECT_EQ(settings.error().code, ErrorCode::kUsage);
  }
  return settings ? "" : settings.error().message;
}

TEST(TrainSettings, DefaultsAreReadAsTheyAreDeclared) {
  const ConfigSchema all = schema();
  const Settings s = read_settings(Config(all)).value();
  EXPECT_EQ(s.seed, 1U);
  EXPECT_EQ(s.steps, 2000);
  EXPECT_EQ(s.batch, 32);
  EXPECT_EQ(s.schedule, Schedule::kCosine);
  EXPECT_FALSE(s.normalised_decay);
  EXPECT_DOUBLE_EQ(s.rate, 1e-3);
  EXPECT_DOUBLE_EQ(s.min_rate, 1e-7);
  EXPECT_DOUBLE_EQ(s.beta2, 0.999);
  EXPECT_EQ(s.precision, "float32");
  EXPECT_EQ(s.keep, 3);
  EXPECT_EQ(s.collective, "auto");
  EXPECT_EQ(s.resident, "auto");
  EXPECT_DOUBLE_EQ(s.rank_timeout_s, 20);
}

TEST(TrainSettings, EveryKeyHasHelpOrSpeaksForItself) {
  const ConfigSchema all = schema();
  for (const ConfigEntry& entry : all.entries()) {
    EXPECT_TRUE(entry.key.starts_with("train.") || entry.key.starts_with("data.")) << entry.key;
    EXPECT_EQ(entry.help.find('\n'), std::string::npos) << entry.key;
  }
}

struct Limit {
  const char* key;
  std::vector<const char*> good, bad;
  const char* range;  // As the message says it; null: not compared.
};

TEST(TrainSettings, LimitsAreIncluded) {
  for (const Limit& limit : {
           Limit{"train.batch", {"1", "16777216"}, {"0", "-1", "16777217"}, "1 to 16777216"},
           Limit{"train.seed", {"0", "123456789"}, {"-1"}, "0 to 1000000000000"},
           Limit{"train.steps", {"1"}, {"-1", "1000000000001"}, "0 to 1000000000000"},
           Limit{"train.rate", {"1e-7", "10"}, {"-0.1", "10.1"}, "0 to 10"},
           Limit{"train.weight_decay", {"0", "10"}, {"-1", "11"}, "0 to 10"},
           Limit{"train.beta1", {"0", "0.99999"}, {"1", "-0.1"}, "0 to 0.99999"},
           Limit{"train.beta2", {"0", "0.9999999"}, {"1"}, "0 to 0.9999999"},
           Limit{"train.epsilon", {"1e-16", "1"}, {"0", "2"}, nullptr},
           Limit{"train.warmup_steps", {"0", "5"}, {"-5"}, "0 to 1000000000000"},
           Limit{"train.restart_epochs", {"0.001", "1000000"}, {"0", "-1"}, nullptr},
           Limit{"train.restart_factor", {"1", "100"}, {"0.5", "101"}, "1 to 100"},
           Limit{"train.rate_per_epoch", {"1", "0.5"}, {"0", "1.01"}, nullptr},
           Limit{"train.clip_norm", {"0", "5"}, {"-1"}, nullptr},
           Limit{"train.ema", {"0", "0.999999"}, {"1", "-0.5"}, "0 to 0.999999"},
           Limit{"train.log_every", {"1"}, {"0"}, "1 to 1000000000000"},
           Limit{"train.validate_every", {"0"}, {"-1"}, "0 to 1000000000000"},
           Limit{"train.checkpoint_every", {"1"}, {"0"}, "1 to 1000000000000"},
           Limit{"train.keep", {"1"}, {"0"}, "1 to 1000000000000"},
           Limit{"train.patience", {"0"}, {"-1"}, "0 to 1000000000000"},
           Limit{"train.max_skipped", {"1"}, {"0"}, "1 to 1000000000000"},
           Limit{"train.threads", {"0", "4096"}, {"-1", "4097"}, "0 to 4096"},
           Limit{"train.rank_timeout_s", {"1", "86400"}, {"0.5", "86401"}, "1 to 86400"},
           Limit{"train.tokens", {"1"}, {"0"}, nullptr},
           Limit{"train.sample_timeout_s", {"0.1"}, {"0"}, nullptr},
           Limit{"data.frame_sizes", {"1", "64"}, {"0", "65"}, "1 to 64"},
           Limit{"data.joint_sizes", {"1", "64"}, {"0", "65"}, "1 to 64"},
           Limit{"data.size_multiple", {"1", "64"}, {"0", "65"}, "1 to 64"},
           Limit{"data.max_frames", {"16", "65536"}, {"0"}, "1 to 65536"},
           Limit{"data.min_frames", {"1", "64"}, {"0", "65"}, "1 to 64"},
           Limit{"data.toy_samples", {"1"}, {"0"}, "1 to 100000000"},
           Limit{"data.toy_width", {"1", "4096"}, {"0", "4097"}, "1 to 4096"},
           Limit{"data.toy_steps", {"1", "4096"}, {"0", "4097"}, "1 to 4096"},
       }) {
    for (const char* value : limit.good) EXPECT_EQ(message({std::string(limit.key) + "=" + value}), "") << limit.key;
    for (const char* value : limit.bad) {
      const std::string text = message({std::string(limit.key) + "=" + value});
      EXPECT_EQ(text.rfind(std::string(limit.key) + " = ", 0), 0U) << text;
      if (limit.range != nullptr) {
        EXPECT_NE(text.find(std::string("must be from ") + limit.range), std::string::npos) << text;
      }
    }
  }
}

TEST(TrainSettings, WordsAreThoseOfTheList) {
  struct Words {
    const char* key;
    std::vector<const char*> words;
  };
  for (const Words& one :
       {Words{"train.optimiser", {"adamw", "adamwr"}},
        Words{"train.schedule", {"constant", "cosine", "warm_restarts", "exponential"}},
        Words{"train.precision", {"float32", "tf32", "bf16"}}, Words{"train.collective", {"auto", "gloo", "nccl"}},
        Words{"train.cuda_graph", {"auto", "on", "off"}}, Words{"data.resident", {"auto", "on", "off"}}}) {
    for (const char* word : one.words) EXPECT_EQ(message({std::string(one.key) + "=" + word}), "") << word;
    const std::string text = message({std::string(one.key) + "=nonsense"});
    EXPECT_EQ(text.rfind(std::string(one.key) + " = 'nonsense': must be " + one.words[0], 0), 0U) << text;
    for (const char* word : one.words) EXPECT_NE(text.find(word), std::string::npos) << text;
  }
  EXPECT_NE(message({"train.optimiser=adamwR"}).find("did you mean 'adamwr'?"), std::string::npos);
}

TEST(TrainSettings, TheLowestRateIsBelowTheHighest) {
  EXPECT_EQ(message({"train.rate=0.01", "train.min_rate=0.01"}), "");
  EXPECT_EQ(message({"train.rate=0.01", "train.min_rate=0.02"}), "train.min_rate = 0.02: must be from 0 to 0.01");
}

TEST(TrainSettings, SomethingSaysHowLong) {
  EXPECT_EQ(message({"train.steps=0", "train.epochs=3"}), "");
  EXPECT_EQ(message({"train.steps=0"}), "train.steps and train.epochs are both 0: set one of them");
}

TEST(TrainSettings, SchedulesAndOptimisersArriveAsTheyAreNamed) {
  const ConfigSchema all = schema();
  const auto read = [&](const char* assignment) {
    Config config(all);
    EXPECT_TRUE(config.set(assignment));
    return read_settings(config).value();
  };
  EXPECT_EQ(read("train.schedule=constant").schedule, Schedule::kConstant);
  EXPECT_EQ(read("train.schedule=cosine").schedule, Schedule::kCosine);
  EXPECT_EQ(read("train.schedule=warm_restarts").schedule, Schedule::kWarmRestarts);
  EXPECT_EQ(read("train.schedule=exponential").schedule, Schedule::kExponential);
  EXPECT_TRUE(read("train.optimiser=adamwr").normalised_decay);
  EXPECT_EQ(read("train.precision=bf16").precision, "bf16");
}

}  // namespace
}  // namespace zoe::train
