// SPDX-License-Identifier: MIT
// Part of Zoetrope. The training loop: step, log, validate, save, stop.
#pragma once

#include <chrono>
#include <optional>

#include "zoe/core/progress.h"
#include "zoe/train/run_request.h"

#include "train/candidates.h"
#include "train/checkpoints.h"
#include "train/loader.h"
#include "train/metrics.h"
#include "train/model.h"
#include "train/turn.h"

namespace zoe::train {

// The parts of a run, ready to start.
struct TrainerParts {
  const RunRequest& request;
  const Config& config;
  const Settings& settings;
  const BatchSource& source;
  Model& model;
  std::vector<TurnSetting> turns;
  Collective& collective;
  Loader loader;
  at::Device device;
};

class Trainer {
 public:
  explicit Trainer(TrainerParts parts);

  // Steps from the newest checkpoint. Returns its threads (0: unknown).
  Result<int> resume(Warnings& warnings);
  Result<RunSummary> run(int threads);

  // A step's loss and gradient, without changing the model: for timing.
  Result<void> rehearse();
  // The time of `steps` steps after a few others. Nothing is written.
  Result<RunSummary> time(std::int64_t steps);

 private:
  Result<void> step();
  Result<void> log();
  Result<void> validate();
  Result<void> save();
  Result<void> sample();
  Result<void> finish();
  // Writes a network of the model's present weights, said to be those of `step`.
  Result<void> write_graph(Result<nn::Graph> graph, const std::filesystem::path& file, std::int64_t step) const;
  Result<void> save_candidate();
  StepRates rates(const Turn& turn, std::int64_t step) const;
  // Averaged weights instead of the present ones while it lives.
  using Averages = std::vector<std::unique_ptr<Optimiser::UseAverage>>;
  Averages use_averages();
  void seed(std::int64_t step) const;
  bool writes() const { return parts_.request.ranks.rank == 0; }
  bool should_stop();
  void follow_clock();
  double elapsed_s() const;
  double epoch() const { return static_cast<double>(step_) / static_cast<double>(parts_.loader.steps_per_epoch()); }
  Metadata checkpoint_metadata() const;
  std::vector<NamedTensor> all_tensors() const;

  TrainerParts parts_;
  std::vector<std::unique_ptr<Turn>> turns_;
  Checkpoints checkpoints_;
  Candidates candidates_;
  std::optional<MetricLog> metrics_;
  std::optional<Progress> progress_;
  std::int64_t step_ = 0, num_steps_ = 0, first_step_ = 0, saved_step_ = -1, logged_step_ = 0;
  int threads_ = 0;
  double last_loss_ = 0;
  std::optional<double> best_loss_;
  std::int64_t best_step_ = 0, since_best_ = 0;
  double busy_s_ = 0;                                              // Time in steps, since the last log.
  std::int64_t num_samples_ = 0, tokens_ = 0, padded_tokens_ = 0;  // Of this rank, since the last log.
  std::chrono::steady_clock::time_point log_start_, run_start_;
  double earlier_s_ = 0;  // Of earlier runs of this folder.
  RunSummary summary_;
};

}  // namespace zoe::train
