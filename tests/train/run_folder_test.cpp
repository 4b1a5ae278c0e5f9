// SPDX-License-Identifier: MIT
// The run folder: which settings win, who may begin or resume where, and what is written down.
#include "train/run_folder.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/train/toy.h"

#include "support/data.h"
#include "train/checkpoints.h"
#include "train/settings.h"

namespace zoe::train {
namespace {

ConfigSchema small_schema() {
  ConfigSchema schema;
  schema.add("train.rate", 0.001, "rate").add("train.steps", 100).add("train.name", std::string("none"));
  return schema;
}
void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

RunRequest request_in(const std::filesystem::path& folder) {
  RunRequest request;
  request.model = "mlp";
  request.folder = folder;
  return request;
}

TEST(ResolveConfig, LaterOnesWin) {
  const auto folder = test::temporary_dir("resolve");
  const ConfigSchema schema = small_schema();
  RunRequest request = request_in(folder);
  EXPECT_EQ(resolve_config(schema, request).value().get<std::int64_t>("train.steps"), 100);
  write_text(folder / "mine.toml", "[train]\nsteps = 7\nname = \"file\"\n");
  request.config_file = folder / "mine.toml";
  EXPECT_EQ(resolve_config(schema, request).value().get<std::int64_t>("train.steps"), 7);
  request.overrides = {"train.steps=9"};
  const Config all = resolve_config(schema, request).value();
  EXPECT_EQ(all.get<std::int64_t>("train.steps"), 9);
  EXPECT_EQ(all.get<std::string>("train.name"), "file");
  EXPECT_DOUBLE_EQ(all.get<double>("train.rate"), 0.001);
}

TEST(ResolveConfig, AResumedRunBeginsFromItsOwn) {
  const auto folder = test::temporary_dir("resolve_resume");
  const ConfigSchema schema = small_schema();
  write_text(folder / "config.toml", "[train]\nsteps = 33\nrate = 0.5\n");
  RunRequest request = request_in(folder);
  EXPECT_EQ(resolve_config(schema, request).value().get<std::int64_t>("train.steps"), 100);  // Not resumed.
  request.resume = true;
  request.overrides = {"train.rate=0.25"};
  const Config config = resolve_config(schema, request).value();
  EXPECT_EQ(config.get<std::int64_t>("train.steps"), 33);
  EXPECT_DOUBLE_EQ(config.get<double>("train.rate"), 0.25);
}

TEST(ResolveConfig, MistakesAreNamed) {
  const auto folder = test::temporary_dir("resolve_bad");
  const ConfigSchema schema = small_schema();
  RunRequest request = request_in(folder);
  request.overrides = {"train.stepz=9"};
  EXPECT_NE(resolve_config(schema, request).error().message.find("train.steps"), std::string::npos);
  request.overrides.clear();
  request.config_file = folder / "none.toml";
  EXPECT_EQ(resolve_config(schema, request).error().code, ErrorCode::kIo);
}

void add_checkpoint(const std::filesystem::path& folder) {
  const std::vector<float> values(4);
  const NamedArray arrays[] = {{"a", view_of(values)}};
  ASSERT_TRUE(Checkpoints(folder / "checkpoints", 1).save(1, arrays, {}));
}

TEST(OpenRunFolder, BeginsWhereNothingIs) {
  const auto folder = test::temporary_dir("run_new") / "deep" / "er";
  EXPECT_TRUE(open_run_folder(request_in(folder)));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "checkpoints"));
  EXPECT_TRUE(open_run_folder(request_in(folder)));  // Nothing has been trained yet.
}

TEST(OpenRunFolder, RefusesToWriteOverARun) {
  const auto folder = test::temporary_dir("run_again");
  ASSERT_TRUE(open_run_folder(request_in(folder)));
  add_checkpoint(folder);
  const auto again = open_run_folder(request_in(folder));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  EXPECT_NE(again.error().message.find("--resume"), std::string::npos);
  EXPECT_EQ(again.error().where.file, folder.string());
}

TEST(OpenRunFolder, ResumesOnlyARunOfTheSameModel) {
  const auto folder = test::temporary_dir("run_resume");
  RunRequest request = request_in(folder);
  request.resume = true;
  const auto none = open_run_folder(request);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no run here to resume");
  write_text(folder / "config.toml", "");
  EXPECT_TRUE(open_run_folder(request));  // Without run.json the checkpoint will say it.
  write_text(folder / "run.json", R"({"model": "mann"})");
  const auto other = open_run_folder(request);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the run here is of model 'mann', not 'mlp'");
  for (const char* odd : {"nonsense", "[]", "{}", R"({"model": 3})"}) {
    write_text(folder / "run.json", odd);
    EXPECT_TRUE(open_run_folder(request)) << odd;
  }
  write_text(folder / "run.json", R"({"model": "mlp"})");
  EXPECT_TRUE(open_run_folder(request));
}

TEST(WriteRunFiles, HoldEverythingThatMakesTheRun) {
  const auto folder = test::temporary_dir("run_files");
  const ConfigSchema schema = small_schema();
  Config config(schema);
  ASSERT_TRUE(config.set("train.steps=12"));
  RunRequest request = request_in(folder);
  request.ranks.size = 3;
  const auto source = make_toy_source({.kind = ToyKind::kPhase, .num_training = 50, .num_validation = 7, .width = 5});
  ASSERT_TRUE(write_run_files(request, config, *source, "cpu", 1234, 2));
  const MappedFile file = MappedFile::open(folder / "run.json").value();
  const auto json = nlohmann::json::parse(file.text());
  EXPECT_EQ(json["model"], "mlp");
  EXPECT_EQ(json["data"], "toy");
  EXPECT_EQ(json["training_samples"], 50);
  EXPECT_EQ(json["validation_samples"], 7);
  EXPECT_EQ(json["weights"], 1234);
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["ranks"], 3);
  ASSERT_EQ(json["fields"].size(), 3U);
  EXPECT_EQ(json["fields"][2], (nlohmann::json{{"name", "phase"}, {"steps", 1}, {"width", 1}}));
  for (const char* key : {"zoe", "git", "torch"}) EXPECT_TRUE(json[key].is_string()) << key;
  // The settings come back as they were.
  Config back(schema);
  ASSERT_TRUE(back.load_file(folder / "config.toml"));
  EXPECT_EQ(back.get<std::int64_t>("train.steps"), 12);
}

TEST(CheckpointFolder, ForeignFilesAreNoCheckpoints) {
  const auto folder = test::temporary_dir("checkpoints_foreign");
  const Checkpoints checkpoints(folder, 5);
  for (const char* name : {"step_.safetensors", "step_12x.safetensors", "step_12.txt", "best.safetensors", "note.md"}) {
    write_text(folder / name, "x");
  }
  EXPECT_TRUE(checkpoints.steps().empty());
  const std::vector<float> values(4);
  const NamedArray arrays[] = {{"a", view_of(values)}};
  for (const std::int64_t step : {5, 100000000, 20}) ASSERT_TRUE(checkpoints.save(step, arrays, {}));
  EXPECT_EQ(checkpoints.steps(), (std::vector<std::int64_t>{100000000, 20, 5}));
  EXPECT_EQ(checkpoints.path(20).filename(), "step_00000020.safetensors");
  // What a killed process left half-written goes with the next one.
  write_text(folder / "step_00000030.safetensors.tmp.123", "half");
  ASSERT_TRUE(checkpoints.save(40, arrays, {}));
  EXPECT_FALSE(std::filesystem::exists(folder / "step_00000030.safetensors.tmp.123"));
  EXPECT_TRUE(std::filesystem::exists(folder / "note.md"));
}

TEST(CheckpointFolder, EveryFlippedByteIsSeen) {
  const auto folder = test::temporary_dir("checkpoints_flips");
  const Checkpoints checkpoints(folder, 1);
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const NamedArray arrays[] = {{"a", view_of(values)}};
  ASSERT_TRUE(checkpoints.save(1, arrays, {{"note", "hello"}}));
  const MappedFile file = MappedFile::open(checkpoints.path(1)).value();
  const std::string good(file.text());
  const auto other = folder / "damaged.safetensors";
  int opened = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    write_text(other, bad);
    opened += open_checkpoint(other) ? 1 : 0;
  }
  // Blanks of the header's padding may differ; nothing that means something.
  EXPECT_LE(opened, 8);
  Warnings warnings;
  std::filesystem::resize_file(checkpoints.path(1), 20);
  const auto none = checkpoints.open_newest(warnings);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("(1 damaged)"), std::string::npos);
  EXPECT_EQ(warnings.size(), 1U);
}

}  // namespace
}  // namespace zoe::train
