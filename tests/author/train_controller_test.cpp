// SPDX-License-Identifier: MIT
// The whole job with a trainer that has no libtorch.
#include "zoe/author/train_controller.h"

#include <gtest/gtest.h>

#include "zoe/control/feature_range.h"
#include "zoe/control/lmm.h"
#include "zoe/control/load.h"
#include "zoe/core/file.h"

#include "author/fake_networks.h"
#include "author/network/fed_back.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

const fs::path& walks() {
  static const fs::path folder = test::synthetic_walks("train_walks", 4, 5);
  return folder;
}

TrainController job_of(const char* type, const std::string& run, Trainer* trainer) {
  TrainController job;
  job.type = find_type(type).value();
  job.data = {walks()};
  job.folder = zoe::test::temporary_dir(run) / "run";
  job.trainer = trainer;
  return job;
}

std::string text_of(const fs::path& file) { return std::string(MappedFile::open(file).value().text()); }

TEST(TrainController, MakesANetworksControllerAndLeavesAWholeRunFolder) {
  test::FakeTrainer trainer;
  trainer.make = test::make_mean_network;
  TrainController job = job_of("mann", "train_mann", &trainer);
  job.settings = {"train.steps=3"};
  job.device = "cpu";
  test::Heard heard;
  const auto made = job.run(heard.listener());
  ASSERT_TRUE(made) << made.error().format();

  ASSERT_EQ(trainer.requests.size(), 1U);
  const TrainingRequest& request = trainer.requests[0];
  EXPECT_EQ(request.model, "mann");
  const fs::path aside = job.folder.string() + ".unfinished";
  EXPECT_EQ(request.data, aside / "dataset");
  EXPECT_EQ(request.out, aside / "network");
  EXPECT_EQ(request.device, "cpu");
  EXPECT_FALSE(request.quiet);
  EXPECT_TRUE(test::has_setting(request, "model.dropout=0.1"));
  EXPECT_TRUE(test::has_setting(request, "model.speed_noise=1"));
  EXPECT_EQ(request.settings.back(), "train.steps=3") << "the user's settings win";
  EXPECT_TRUE(request.settings[0].starts_with("model.gate=0,")) << request.settings[0];

  for (const char* part : {"controller.toml", "body.safetensors", "model.safetensors", "metrics.json", "metrics.md",
                           "report.html", "dataset/dataset.json"}) {
    EXPECT_TRUE(fs::exists(job.folder / part)) << part;
  }
  EXPECT_FALSE(fs::exists(job.folder / "clips")) << "clips stay in memory";
  EXPECT_NE(text_of(job.folder / "controller.toml").find("kind = 'mann'"), std::string::npos) << "as old readers want";
  EXPECT_NE(text_of(job.folder / "report.html").find("train.steps=3"), std::string::npos);
  EXPECT_EQ(made->config.type, "mann");
  EXPECT_GT(made->evaluation.metrics.size(), 5U);
  EXPECT_TRUE(control::load_controller(job.folder));

  // What was in the data is kept with the network. The path ahead is the intent's, all else the model's own.
  const dataset::DatasetPtr built = dataset::Dataset::open(job.folder / "dataset").value();
  const features::Layout& layout = built->groups()[0].layout;
  const Safetensors network = Safetensors::open(job.folder / "model.safetensors").value();
  const auto range = control::FeatureRange::parse(network.metadata().at(control::kRangeKey)).value();
  EXPECT_EQ(range.input.low.size(), layout.size(features::BlockKind::kInput));
  EXPECT_EQ(range.output.high.size(), layout.size(features::BlockKind::kOutput));
  const FedBack fed_back = fed_back_columns(layout);
  std::vector<int> marked(layout.size(features::BlockKind::kInput));
  for (const std::vector<int>* ranges : {&fed_back.speed, &fed_back.pose}) {
    for (std::size_t i = 0; i < ranges->size(); i += 2) {
      for (int c = (*ranges)[i]; c < (*ranges)[i + 1]; ++c) ++marked[static_cast<std::size_t>(c)];
    }
  }
  EXPECT_EQ(*std::max_element(marked.begin(), marked.end()), 1) << "no column twice";
  EXPECT_EQ(std::count(marked.begin(), marked.end(), 0), 4 + 4 * 6) << "speeds and path at four times ahead";

  EXPECT_TRUE(heard.has("files on the body of"));
  EXPECT_TRUE(heard.has("clips ("));
  EXPECT_TRUE(heard.has("body: biped"));
  EXPECT_TRUE(heard.has("trained mann"));
  EXPECT_TRUE(heard.has("closed loop"));
  EXPECT_TRUE(heard.has("zoe play"));
  EXPECT_FALSE(heard.stages.empty());
}

// A network that the trainer prefers, and another of the same training whose feet slide less.
TEST(TrainController, TakesTheWeightsThatWalkBest) {
  test::FakeTrainer trainer;
  trainer.make = [](const TrainingRequest& request) -> Result<void> {
    using features::BlockKind;
    ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(request.data));
    const dataset::Group& group = data->groups()[0];
    std::vector<float> means = group.normalisation.block(BlockKind::kOutput).means;
    fs::create_directories(request.out / "candidates");
    for (const char* step : {"20", "10"}) {
      nn::Graph graph = test::constant("x", group.layout.width(BlockKind::kInput), "y", means);
      graph.metadata["layout"] = group.layout.to_toml();
      graph.metadata["step"] = step;
      const bool is_last = step[0] == '1';
      ZOE_TRY(nn::write_graph(request.out / (is_last ? "model.safetensors" : "candidates/step_00000020.safetensors"),
                              graph));
      for (std::size_t i = 0; i < 2; ++i) means[i] = 3 * means[i] + 0.3F;  // The root's step.
    }
    return {};
  };
  TrainController job = job_of("mann", "train_choice", &trainer);
  test::Heard heard;
  const auto made = job.run(heard.listener());
  ASSERT_TRUE(made) << made.error().format();
  EXPECT_TRUE(test::has_setting(trainer.requests[0], "train.candidates=6"));
  EXPECT_EQ(Safetensors::open(job.folder / "model.safetensors").value().metadata().at("step"), "20");
  EXPECT_TRUE(heard.has("that of step 20"));
  EXPECT_NE(text_of(job.folder / "weights.md").find("| 10 (by validation, or the last) |"), std::string::npos);
  EXPECT_NE(text_of(job.folder / "report.html").find("Weights by closed loop"), std::string::npos);
  EXPECT_FALSE(fs::exists(job.folder / "network/candidates"));
}

TEST(TrainController, OfMotionMatchingNeedsNoTrainer) {
  TrainController job = job_of("mm", "train_mm", nullptr);
  job.own_bodies = true;
  job.mirror = false;
  std::vector<fs::path> drawn;
  job.draw = [&](const Motion& tour, const fs::path& folder) {
    EXPECT_GT(tour.duration_s(), 9.0);
    drawn.push_back(folder);
    return false;
  };
  test::Heard heard;
  const auto made = job.run(heard.listener());
  ASSERT_TRUE(made) << made.error().format();
  EXPECT_EQ(drawn, (std::vector<fs::path>{job.folder.string() + ".unfinished"}));
  EXPECT_TRUE(heard.has("no film")) << "said, and no reason to fail";
  EXPECT_TRUE(fs::exists(job.folder / "database.safetensors"));
  EXPECT_TRUE(made->config.network.empty());
  EXPECT_EQ(made->evaluation.held_out.num_clips, 0) << "it plays all clips: none is held out";
  const auto state = made->controller->make_state();
  for (int i = 0; i < 60; ++i) made->controller->tick(*state, control::Intent::move({0, 0, 1}), 1.0 / 60);
  EXPECT_GT(state->root().position.z, 0.3F);

  // The dataset that was built serves again, for this type only.
  TrainController again = job_of("mm", "train_mm_again", nullptr);
  again.data = {job.folder / "dataset"};
  EXPECT_TRUE(again.run());
  test::FakeTrainer trainer;
  TrainController other = job_of("mann", "train_mm_other", &trainer);
  other.data = again.data;
  const auto refused = other.run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "the type mann needs")) << refused.error().format();
}

TEST(TrainController, LearnedMatchingTrainsThreeNetworksOfTracks) {
  test::FakeTrainer trainer;
  std::vector<int> steps;
  trainer.make = [&](const TrainingRequest& request) -> Result<void> {
    ZOE_TRY_ASSIGN(const features::TrackFile tracks, features::read_tracks(request.data));
    steps.push_back(tracks.steps);
    return test::make_learned_matching(request);
  };
  TrainController job = job_of("lmm", "train_lmm", &trainer);
  job.mirror = false;
  job.settings = {"train.steps=5", "stepper:train.steps=9"};
  test::Heard heard;
  const auto made = job.run(heard.listener());
  ASSERT_TRUE(made) << made.error().format();
  ASSERT_EQ(trainer.requests.size(), 3U);
  const char* names[] = {"decompressor", "stepper", "projector"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(trainer.requests[i].model, std::string("lmm_") + names[i]);
    EXPECT_TRUE(test::has_setting(trainer.requests[i], "train.batch=256"));
    EXPECT_TRUE(test::has_setting(trainer.requests[i], "train.steps=5"));
    EXPECT_EQ(test::has_setting(trainer.requests[i], "train.steps=9"), i == 1);
    EXPECT_TRUE(fs::exists(job.folder / (std::string(names[i]) + ".safetensors")));
  }
  EXPECT_EQ(steps, (std::vector<int>{3, 20, 1}));
  EXPECT_TRUE(fs::exists(job.folder / "features.safetensors"));
  EXPECT_FALSE(fs::exists(job.folder / "tracks")) << "they are cleared away";
  EXPECT_TRUE(heard.has("times smaller"));
  TrainController wrong = job_of("lmm", "train_lmm_wrong", &trainer);
  wrong.settings = {"steper:train.steps=1"};
  const auto refused = wrong.run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "stepper"));
}

// The style vector ends the features; a request moves it without a jump, and ends the played motion.
TEST(TrainController, LearnedMatchingHasStyles) {
  const fs::path folder = test::synthetic_walks("styled_lmm", 3, 4);
  for (int i = 0; i < 3; ++i) {
    const std::string from = "walk_" + std::to_string(i) + ".bvh";
    fs::rename(folder / from, folder / ((i == 2 ? "proud_" : "old_") + from));
  }
  test::FakeTrainer trainer;
  trainer.make = test::make_learned_matching;
  TrainController job = job_of("lmm", "train_lmm_styled", &trainer);
  job.data = {folder};
  job.labels.styles = "old,proud";
  const auto made = job.run();
  ASSERT_TRUE(made) << made.error().format();
  const control::Controller& controller = *made->controller;
  ASSERT_EQ(controller.styles().size(), 2U);
  const Safetensors file = Safetensors::open(job.folder / control::kDecompressorFile).value();
  const auto points = control::StylePoints::parse(file.metadata().at(control::kStylePointsKey), 2).value();
  const auto state = controller.make_state();
  const std::size_t dims = static_cast<std::size_t>(points.dims);
  const auto style_of = [&] {
    const std::span<const float> s = control::learned_match_report(*state).state;
    return s.subspan(s.size() - test::kCode - dims, dims)[0];
  };
  control::Intent intent = control::Intent::move({0, 0, 1});
  for (int i = 0; i < 30; ++i) controller.tick(*state, intent, 1.0 / 60);
  EXPECT_FLOAT_EQ(style_of(), points.points[0]) << "the usual style is old";
  const std::int64_t switches = control::learned_match_report(*state).num_switches;
  intent.styles[1] = 1;
  const float whole = points.points[dims] - points.points[0];
  ASSERT_GT(std::abs(whole), 0.1F);
  for (int i = 0; i < 90; ++i) {
    const float before = style_of();
    controller.tick(*state, intent, 1.0 / 60);
    EXPECT_LT(std::abs(style_of() - before), 0.1F * std::abs(whole));
  }
  EXPECT_NEAR(style_of(), points.points[dims], 0.01F * std::abs(whole));
  EXPECT_GT(control::learned_match_report(*state).num_switches, switches);
  // Saved and restored with its style.
  const std::vector<std::byte> saved = controller.save_state(*state);
  const auto other = controller.make_state();
  ASSERT_TRUE(controller.restore_state(*other, saved));
  for (int i = 0; i < 20; ++i)
    for (control::ControllerState* one : {state.get(), other.get()}) controller.tick(*one, intent, 1.0 / 60);
  EXPECT_EQ(controller.save_state(*state), controller.save_state(*other));
  for (const char* wrong : {"", "1 0.5", "2 1 2 3", "0", "1 a b", "1.5 1 2", "1 1e9 0", "1 0 0 0"})
    EXPECT_FALSE(control::StylePoints::parse(wrong, 2)) << wrong;
}

TEST(TrainController, PhasesNeedClipsLongerThanTheirWindow) {
  test::FakeTrainer trainer;
  TrainController job = job_of("deepphase", "train_short", &trainer);
  job.data = {test::synthetic_walks("short_walks", 2, 1.5)};
  const auto refused = job.run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "two seconds")) << refused.error().format();
  EXPECT_TRUE(trainer.requests.empty());
}

TEST(TrainController, ATrainersFailureEndsTheJob) {
  test::FakeTrainer trainer;
  trainer.make = [](const TrainingRequest&) -> Result<void> { return Error{ErrorCode::kInvalid, "it diverged", {}}; };
  const TrainController job = job_of("mann", "train_fails", &trainer);
  const auto failed = job.run();
  ASSERT_FALSE(failed);
  EXPECT_TRUE(test::contains(failed.error(), "it diverged"));
  EXPECT_FALSE(fs::exists(job.folder / "controller.toml"));
}

TEST(TrainController, StylesByFileNamesReachTheSchemaAndTheConfig) {
  const fs::path folder = test::synthetic_walks("styled", 3, 4);
  for (int i = 0; i < 3; ++i) {
    const std::string from = "walk_" + std::to_string(i) + ".bvh";
    fs::rename(folder / from, folder / ((i == 2 ? "proud_" : "old_") + from));
  }
  TrainController job = job_of("mm", "train_styled", nullptr);
  job.data = {folder};
  job.labels.styles = "old,proud";
  const auto made = job.run();
  ASSERT_TRUE(made) << made.error().format();
  ASSERT_EQ(made->controller->styles().size(), 2U);
  EXPECT_EQ(made->config.neural.usual_style, "old");
  job.labels.styles = "old,sleepy";
  const auto refused = job.run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "no clip is labelled 'sleepy'"));
}

TEST(TrainController, ValidateSaysWhatIsWrongBeforeAnyWork) {
  test::FakeTrainer trainer;
  const auto message = [](const TrainController& job) {
    const auto valid = job.validate();
    return valid ? std::string("fine") : valid.error().format();
  };
  EXPECT_EQ(message(job_of("mann", "valid", &trainer)), "fine");
  TrainController job = job_of("mann", "invalid", &trainer);
  job.type = nullptr;
  EXPECT_NE(message(job).find("which type"), std::string::npos);
  job = job_of("mann", "invalid", nullptr);
  EXPECT_NE(message(job).find("needs a trainer"), std::string::npos);
  job = job_of("mann", "invalid", &trainer);
  job.data.clear();
  EXPECT_NE(message(job).find("no data"), std::string::npos);
  job.data = {"/nowhere/clips"};
  EXPECT_NE(message(job).find("/nowhere/clips"), std::string::npos);
  job = job_of("mann", "invalid", &trainer);
  job.folder.clear();
  EXPECT_NE(message(job).find("no run folder"), std::string::npos);
  job = job_of("mann", "invalid", &trainer);
  job.bvh_up = 'x';
  EXPECT_NE(message(job).find("y or z"), std::string::npos);
  job = job_of("hybrid", "invalid", &trainer);
  job.labels.styles = "old";
  EXPECT_NE(message(job).find("takes no styles"), std::string::npos);
  EXPECT_NE(message(job).find("mann"), std::string::npos) << "those that do are named";
  ProcessTrainer absent("/nowhere/zoe-train");
  job = job_of("mann", "invalid", &absent);
  EXPECT_NE(message(job).find("libtorch"), std::string::npos);
}

TEST(TrainController, FoldersWithoutMotionsAreNamed) {
  const fs::path empty = zoe::test::temporary_dir("no_motions");
  TrainController job = job_of("mm", "train_none", nullptr);
  job.data = {empty};
  const auto refused = job.run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "no motion files"));
  EXPECT_TRUE(test::contains(refused.error(), empty.string()));
}

TEST(TrainController, TheLicenceOfTheFolderStaysWithTheModel) {
  const fs::path folder = test::synthetic_walks("licensed", 2, 4);
  std::ofstream(folder / "LICENSE") << "# CC0-1.0\nmore words\n";
  TrainController job = job_of("mm", "train_licensed", nullptr);
  job.data = {folder};
  EXPECT_EQ(job.run().value().config.licence, "CC0-1.0");
  job.licence = "mine";
  EXPECT_EQ(job.run().value().config.licence, "mine");
}

}  // namespace
}  // namespace zoe::author
