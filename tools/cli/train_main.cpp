// SPDX-License-Identifier: MIT
// zoe-train: `zoe train` with libtorch linked.
#include <exception>
#include <string_view>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#ifdef ZOE_TRAIN_DATASET
#include "zoe/author/in_process_trainer.h"
#endif
#include "zoe/train/body_source.h"
#include "zoe/train/dataset_source.h"
#include "zoe/train/graph_server.h"
#include "zoe/train/joint_source.h"
#include "zoe/train/library_environment.h"
#include "zoe/train/run.h"
#include "zoe/train/torchscript.h"
#include "zoe/train/tracker_source.h"

#include "train_options.h"
#ifdef ZOE_TRAIN_DATASET
#include "controller/train_words.h"
#endif

namespace zoe::cli {
namespace {

constexpr Verb kTrainVerb{"train", "Train a model on a dataset, or on toy data",
                          "zoe train mlp --data toy -o run --set train.steps=500", nullptr};

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { train::request_stop(); };
  action.sa_flags = SA_RESTART;
  // SIGUSR1: Slurm's warning before a job's time is over.
  for (const int number : {SIGTERM, SIGINT, SIGUSR1}) ::sigaction(number, &action, nullptr);
  // A rank that has died, or a closed output pipe, must not end this process without a message.
  ::signal(SIGPIPE, SIG_IGN);
}

int train_one(const TrainOptions& options, const train::Ranks& ranks) {
  train::RunRequest request;
  request.model = options.model;
  if (options.data.size() == 1) {
    request.data = data_and_weight(options.data[0]).first;
  } else {
    for (const std::string& word : options.data) {
      const auto [folder, weight] = data_and_weight(word);
      request.mixture.push_back({folder, weight});
    }
  }
  request.folder = options.out;
  if (!options.config.empty()) request.config_file = options.config;
  request.overrides = options.settings;
  request.device = options.device;
  request.resume = options.resume;
  request.allow_changes = options.allow_changes;
  request.quiet = quiet();
  request.ranks = ranks;
#ifdef ZOE_TRAIN_DATASET
  request.open_source = train::open_dataset_source;
  if (options.model == train::kTrackerModel)
    request.open_source = [](const std::filesystem::path& folder, Warnings&) {
      return train::open_tracker_source(folder);
    };
  request.open_ragged_source = options.model == "anytop" ? train::open_body_source : train::open_joint_source;
#endif
  stop_on_signals();
  const Result<train::RunSummary> summary = train::run(request);
  // Usage errors are the same for all ranks: one reports them.
  if (!summary && ranks.rank != 0 && summary.error().code == ErrorCode::kUsage) return kWrongUsage;
  if (!summary) return print_error(summary.error());
  if (ranks.rank != 0) return kDone;
  print_warnings(summary->warnings);
  if (quiet()) return kDone;
  fmt::print("{}: {} at step {}, training loss {:.4g}", options.out, summary->reason, summary->step,
             summary->training_loss);
  if (summary->best_validation_loss)
    fmt::print(", best validation loss {:.4g} at step {}", *summary->best_validation_loss, summary->best_step);
  fmt::print("{}\n", summary->stopped ? "; --resume continues" : "");
  return kDone;
}

#ifdef ZOE_TRAIN_DATASET
// The whole of `zoe train controller`, with the trainer in this process.
int train_controller_here(const std::vector<std::string>& words) {
  author::TrainController job;
  if (const auto exit = parse_train_controller({kTrainControllerVerb, words}, job)) return *exit;
  stop_on_signals();
  job.should_stop = train::stop_requested;
  author::InProcessTrainer trainer;
  return train_controller(job, trainer);
}
#endif

int run(const std::vector<std::string>& words, const std::vector<std::string>& all_words) {
#ifdef ZOE_TRAIN_DATASET
  if (!words.empty() && words[0] == "controller") return train_controller_here({words.begin() + 1, words.end()});
#endif
  TrainOptions options;
  if (const auto exit = parse_train({kTrainVerb, words}, options)) return *exit;
  if (options.list) {
    for (const train::ModelSummary& model : train::list_models()) fmt::print("{:<14} {}\n", model.name, model.summary);
    return kDone;
  }
  if (options.show_config) {
    const Result<std::string> toml = train::default_config(options.model);
    if (!toml) return print_error(toml.error());
    fmt::print("{}", *toml);
    return kDone;
  }
  const Result<train::Ranks> ranks = train::ranks_from_environment();
  if (!ranks) return print_error(ranks.error());
  if (options.local_ranks > 1 && ranks->size == 1) return train::run_local_ranks(options.local_ranks, all_words);
  return train_one(options, *ranks);
}

}  // namespace
}  // namespace zoe::cli

int main(int argc, char** argv) {
  // BLAS and oneDNN read these when they are loaded, before main.
  if (zoe::train::set_library_environment()) ::execv("/proc/self/exe", argv);
  try {
    // Internal: used by `zoe bench nn`.
    if (argc == 2 && std::string_view(argv[1]) == "--serve-graphs") return zoe::train::serve_graphs();
    // Internal: used by `zoe export M OUT.pt`.
    if (argc == 4 && std::string_view(argv[1]) == "--export-torchscript")
      return zoe::train::serve_torchscript_export(argv[2], argv[3]);
    return zoe::cli::run({argv + 1, argv + argc}, {argv, argv + argc});
  } catch (const std::exception& error) {
    zoe::cli::print_error(error.what());
    return zoe::cli::kFailed;
  }
}
