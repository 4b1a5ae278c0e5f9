// SPDX-License-Identifier: MIT
#include "zoe/store/config.h"

#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe {
namespace {

ConfigSchema schema() {
  ConfigSchema keys;
  keys.add("seed", 1, "start of all random streams")
      .add("data.path", std::string("data"), "folder of clips")
      .add("data.mirror", true)
      .add("train.rate", 1e-3, "learning rate")
      .add("train.steps", 1000)
      .add("train.layers", std::vector<std::int64_t>{64, 64})
      .add("train.decay", std::vector<double>{0.5})
      .add("train.tags", std::vector<std::string>{"a"})
      .add("train.optimiser.name", std::string("adam"));
  return keys;
}

std::string reason(const Result<void>& result) { return result ? "accepted" : result.error().format(); }

TEST(Config, FileOverDefaultsAndOverridesOverTheFile) {
  Config config(schema());
  const auto path = test::temporary_dir("config") / "run.toml";
  ASSERT_TRUE(write_file_atomic(
      path, "[train]\nrate = 1\ndecay = [1, 0.25]\noptimiser.name = 'sgd'\n[data]\nmirror = false\n"));
  ASSERT_TRUE(config.load_file(path));
  EXPECT_EQ(config.get<double>("train.rate"), 1.0);  // An integer where a number is wanted.
  EXPECT_EQ(config.get<std::vector<double>>("train.decay"), (std::vector<double>{1, 0.25}));
  EXPECT_EQ(config.get<std::string>("train.optimiser.name"), "sgd");
  EXPECT_FALSE(config.get<bool>("data.mirror"));
  EXPECT_EQ(config.get<std::int64_t>("train.steps"), 1000);
  ASSERT_TRUE(config.set("train.rate=3e-4"));
  EXPECT_EQ(config.get<double>("train.rate"), 3e-4);
}

TEST(Config, OverridesFollowTheKeysType) {
  Config config(schema());
  for (const char* assignment : {"seed = 0x10", "data.path=dogs and = cats", "data.mirror=false", "train.layers=1,2,3",
                                 "train.decay=[1, 2.5]", "train.tags=walk, run"}) {
    EXPECT_EQ(reason(config.set(assignment)), "accepted") << assignment;
  }
  EXPECT_EQ(config.get<std::int64_t>("seed"), 16);
  EXPECT_EQ(config.get<std::string>("data.path"), "dogs and = cats");
  EXPECT_EQ(config.get<std::vector<std::int64_t>>("train.layers"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(config.get<std::vector<double>>("train.decay"), (std::vector<double>{1, 2.5}));
  ASSERT_TRUE(config.set("data.path=\"quo\\\"ted\""));
  EXPECT_EQ(config.get<std::string>("data.path"), "quo\"ted");
  ASSERT_TRUE(config.set("data.path=5"));
  EXPECT_EQ(config.get<std::string>("data.path"), "5");
  EXPECT_EQ(config.get<std::vector<std::string>>("train.tags"), (std::vector<std::string>{"walk", "run"}));
  ASSERT_TRUE(config.set("train.tags=['run, fast']"));
  EXPECT_EQ(config.get<std::vector<std::string>>("train.tags"), std::vector<std::string>{"run, fast"});
  ASSERT_TRUE(config.set("train.tags="));
  EXPECT_TRUE(config.get<std::vector<std::string>>("train.tags").empty());
}

TEST(Config, RefusalsSayWhatWasMeant) {
  Config config(schema());
  EXPECT_EQ(reason(config.load_text("[train]\n\nrtae = 1\n", "run.toml")),
            "run.toml:3: unknown key 'train.rtae'; did you mean 'train.rate'?");
  EXPECT_EQ(reason(config.set("rate=1")), "unknown key 'rate'; did you mean 'train.rate'?");
  EXPECT_EQ(reason(config.set("zzz=1")), "unknown key 'zzz'");
  EXPECT_EQ(reason(config.set("train.steps=many")), "'train.steps' must be an integer, not 'many'");
  EXPECT_EQ(reason(config.set("train.steps=1.5")), "'train.steps' must be an integer, not '1.5'");
  EXPECT_NE(reason(config.set("data.mirror=1")), "accepted");
  EXPECT_NE(reason(config.set("train.steps=1\nseed=2")), "accepted");
  EXPECT_NE(reason(config.set("train.layers=1,x")), "accepted");
  EXPECT_EQ(reason(config.set("train.steps")), "'train.steps' is not an assignment: write key=value");
  EXPECT_EQ(reason(config.load_text("seed = 'x'\n", "a.toml")), "a.toml:1: 'seed' must be an integer, not a text");
  EXPECT_NE(reason(config.load_text("seed = 1979-05-27\n", "a.toml")).find("a.toml:1: 'seed' must be"),
            std::string::npos);
  EXPECT_NE(reason(config.load_text("seed = 3\nseed = \n", "a.toml")).find("a.toml:2: "), std::string::npos);
  EXPECT_EQ(reason(config.load_text("seed = 3\n\n[=]\n[data]\n", "a.toml")),
            "a.toml:3: a key should be here: letters, digits, _ and -, or a text in quotes");
  EXPECT_NE(reason(config.load_text("seed = 3\n\xC3\xA9t\xC3\xA9 = 1\n", "a.toml")).find("a.toml:2: "),
            std::string::npos);
  EXPECT_EQ(config.load_file("missing.toml").error().code, ErrorCode::kIo);
}

TEST(Config, AFailedLoadChangesNothing) {
  Config config(schema());
  ASSERT_FALSE(config.load_text("seed = 5\nunknown = 1\n"));
  EXPECT_EQ(config.get<std::int64_t>("seed"), 1);
}

TEST(Config, WrittenTomlReadsBackTheSame) {
  Config config(schema());
  ASSERT_TRUE(config.set("data.path=C:\\\"dir\"\t\x01 ü"));
  ASSERT_TRUE(config.set("train.rate=1e-300"));
  ASSERT_TRUE(config.set("train.decay=0.1,inf,1e22"));
  const std::string toml = config.to_toml();
  EXPECT_TRUE(toml.starts_with("# start of all random streams\nseed = 1\n\n[data]\n# folder of clips\npath = "))
      << toml;
  Config again(schema());
  ASSERT_EQ(reason(again.load_text(toml)), "accepted") << toml;
  for (std::size_t i = 0; i < config.entries().size(); ++i) {
    EXPECT_EQ(config.entries()[i].value, again.entries()[i].value) << config.entries()[i].key;
  }
  EXPECT_EQ(again.to_toml(), toml);
}

TEST(Config, FloatsAreWrittenShort) {
  ConfigSchema keys;
  keys.add("half_life_s", 0.1F).add("share", 0.3F).add("rate", 0.1);
  EXPECT_EQ(Config(keys).to_toml(), "half_life_s = 0.1\nshare = 0.3\nrate = 0.1\n");
  EXPECT_EQ(static_cast<float>(Config(keys).get<double>("share")), 0.3F);
}

TEST(Config, SameSettingsHoweverTheyAreWritten) {
  EXPECT_TRUE(same_settings("[a]\nb = 0.10000000000000001\nc = 'x'\n", "a.c = \"x\" # why\na.b = 0.1"));
  EXPECT_FALSE(same_settings("a = 1", "a = 2"));
  EXPECT_FALSE(same_settings("a = 1", "a = 1\nb = 2"));
  EXPECT_FALSE(same_settings("a = 1", "a ="));
}

TEST(Config, SurvivesDamage) {
  const std::string toml = Config(schema()).to_toml();
  test::expect_survives_damage("toml", as_bytes(toml), [](std::span<const std::byte> bytes) {
    Config config(schema());
    (void)config.load_text(as_text(bytes));
  });
  Config config(schema());
  EXPECT_FALSE(config.load_text("seed = " + std::string(100000, '[')));
}

TEST(ConfigDeathTest, MisuseIsACallersBug) {
  const Config config(schema());
  EXPECT_DEATH((void)config.get<double>("seed"), "is an integer");
  EXPECT_DEATH((void)config.get<double>("nothing"), "never declared");
  EXPECT_DEATH(ConfigSchema().add("a", 1).add("a.b", 1), "clashes");
  EXPECT_DEATH(ConfigSchema().add("a b", 1), "not a config key");
}

}  // namespace
}  // namespace zoe
