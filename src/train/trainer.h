// SPDX-License-Identifier: MIT
// Part of Zoetrope. The training loop: step, log, validate, save, stop.
#pragma once

#include <chrono>
#include <optional>

#include "zoe/core/progress.h"
#include "zoe/train/run_request.h"

#include "train/checkpoints.h"
#include "train/loader.h"
#include "train/metrics.h"
#include "train/model.h"
#include "train/optimiser.h"
#include "train/step_graph.h"

namespace zoe::train {

// The parts of a run, ready to start.
struct TrainerParts {
  const RunRequest& request;
  const Config& config;
  const Settings& settings;
  const BatchSource& source;
  Model& model;
  FlatWeights& weights;
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

 private:
  Result<void> step();
  Result<void> log();
  Result<void> validate();
  Result<void> save();
  Result<void> finish();
  // Loss, gradients and row_ of a batch.
  void compute(const Batch& batch);
  // The optimiser's step, and row_ added to sums_.
  void update();
  void seed(std::int64_t step) const;
  Result<void> record_step();
  bool writes() const { return parts_.request.ranks.rank == 0; }
  bool should_stop();
  double epoch() const { return static_cast<double>(step_) / static_cast<double>(parts_.loader.steps_per_epoch()); }
  Metadata checkpoint_metadata() const;
  std::vector<NamedTensor> all_tensors() const;

  TrainerParts parts_;
  Optimiser optimiser_;
  Checkpoints checkpoints_;
  std::optional<MetricLog> metrics_;
  std::optional<Progress> progress_;
  std::int64_t step_ = 0, num_steps_ = 0, first_step_ = 0, saved_step_ = -1, logged_step_ = 0;
  int threads_ = 0;
  std::vector<std::string> value_names_;  // Names of logged values besides the loss.
  at::Tensor row_, sums_;                 // [1 + values]: loss and values of a step, and sums since the last log.
  // A step as two graphs, with the average over ranks between. Empty where it is not recorded.
  std::unique_ptr<StepGraph> compute_graph_, update_graph_;
  Batch graph_batch_;  // Input of compute_graph_.
  double last_loss_ = 0, gradient_norm_ = 0;
  std::optional<double> best_loss_;
  std::int64_t best_step_ = 0, since_best_ = 0;
  double busy_s_ = 0;  // Time in steps, since the last log.
  std::chrono::steady_clock::time_point log_start_;
  RunSummary summary_;
};

}  // namespace zoe::train
