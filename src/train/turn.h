// SPDX-License-Identifier: MIT
// Part of Zoetrope. The weights that are optimised together, with their optimiser, recorded steps and sums for the log.
// Most models have one turn; a generator and its critic take turns (turn_settings.h).
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "train/model.h"
#include "train/optimiser.h"
#include "train/step_graph.h"
#include "train/turn_settings.h"

namespace zoe::train {

// What a step does besides its weights' turn.
struct StepWork {
  const Batch& batch;
  int bucket = 0;  // Batches of one bucket have one shape: each is recorded by itself.
  StepRates rates;
  bool record = false;         // As CUDA graphs, where they are available.
  std::function<void()> seed;  // Makes torch's random numbers those of the step.
};

class Turn {
 public:
  // index: among the model's turns. The weights move into one array.
  Turn(Model& model, std::size_t index, TurnSetting setting, const Settings& settings, at::Device device);
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // Loss and gradients of a batch.
  void compute(const Batch& batch);
  // The same, the average over ranks, and the optimiser's step.
  Result<void> step(const StepWork& work, Collective& collective, Warnings& warnings);

  // "critic." of the second and later turns, for names in the log.
  const std::string& prefix() const { return prefix_; }
  const TurnSetting& setting() const { return setting_; }
  Optimiser& optimiser() { return optimiser_; }

  // Means since the last clear(), over ranks: the loss first. Empty before the first step.
  std::vector<std::pair<std::string, double>> means(Collective& collective) const;
  void clear();

  // Its part of a checkpoint.
  std::vector<NamedTensor> state() const { return optimiser_.state(setting_.name); }

 private:
  struct Recorded {
    explicit Recorded(at::Device device) : graph(device) {}
    StepGraph graph;
    Batch batch;  // Its input.
  };

  void update();
  Result<void> record(const StepWork& work, Warnings& warnings);

  Model& model_;
  std::size_t index_;
  TurnSetting setting_;
  std::string prefix_, cuda_graph_;
  bool bf16_;
  at::Device device_;
  std::vector<at::Tensor> others_;  // Weights of the other turns.
  FlatWeights weights_;
  Optimiser optimiser_;
  std::vector<std::string> names_;  // Of logged values besides the loss.
  at::Tensor row_, sums_;           // [1 + values]: loss and values of a step, and sums since clear().
  std::int64_t num_summed_ = 0;
  bool may_record_;
  // A step as two graphs, with the average over ranks between: loss and gradients, by bucket, and the optimiser.
  std::map<int, std::unique_ptr<Recorded>> recorded_;
  std::unique_ptr<StepGraph> update_graph_;
};

}  // namespace zoe::train
