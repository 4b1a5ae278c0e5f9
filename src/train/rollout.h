// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frame-by-frame models that learn from their own outputs. A model that has only seen inputs of the
// data copies the pose and lets the root move: one step of that costs little, a second of it is a glide.
#pragma once

#include "train/models.h"

namespace zoe::train {

// A batch has runs of N consecutive samples (run_order.h). The first input of a run is the data's. In each further one
// the columns that the model predicts itself are those of its own output before; the path and the labels stay the
// data's. Gradients go through all N steps.
class Rollout {
 public:
  static void add_keys(ConfigSchema& schema);
  static Result<Rollout> create(const ModelSetup& setup);

  std::int64_t length() const { return length_; }
  // Enough samples for one run.
  bool is_used(const Batch& batch) const { return length_ > 1 && batch[0].size(0) >= length_; }

  // One step of all runs: its losses and its output, [runs, columns of y] in the data's units.
  struct Step {
    Losses losses;
    at::Tensor made;
  };
  // The mean of the losses of all steps. batch: x, y, and the phase (turns) where the model has one. Samples beyond the
  // last whole run are skipped. Where two samples do not follow one another in time (the end of a clip), the rest of
  // the run has the data's inputs.
  template <typename TakeStep>
  Losses operator()(const Batch& batch, const TakeStep& take_step) const {
    const std::int64_t runs = batch[0].size(0) / length_;
    std::vector<at::Tensor> made;
    at::Tensor alive = at::ones({runs, 1}, batch[0].options().dtype(at::kBool)), phase;
    Losses sum;
    for (std::int64_t k = 0; k < length_; ++k) {
      Batch at_k;
      for (const at::Tensor& field : batch) at_k.push_back(of_step(field, runs, k));
      if (k > 0) {
        alive = alive.logical_and(follows(of_step(batch[1], runs, k - 1), at_k[0]));
        at_k[0] = fed(at_k[0], made, alive);
        if (phase_column_ >= 0 && batch.size() > 2) {
          const at::Tensor own = phase + made.back().select(1, phase_column_).view_as(phase);
          at_k[2] = at::where(alive.unsqueeze(2), own, at_k[2]);
        }
      }
      if (batch.size() > 2) phase = at_k[2];
      Step step = take_step(at_k);
      made.push_back(step.made);
      add(sum, step.losses);
    }
    return sum;
  }

 private:
  struct Columns {  // Of one lag.
    std::int64_t lag = 0;
    at::Tensor x, y;
  };
  // [runs, 1, width] of step k of every run.
  at::Tensor of_step(const at::Tensor& field, std::int64_t runs, std::int64_t k) const;
  // [runs, 1] The data's output before is the data's input now.
  at::Tensor follows(const at::Tensor& y_before, const at::Tensor& x) const;
  at::Tensor fed(const at::Tensor& x, const std::vector<at::Tensor>& made, const at::Tensor& alive) const;
  void add(Losses& sum, const Losses& step) const;

  std::int64_t length_ = 1, phase_column_ = -1;
  std::vector<Columns> columns_;  // The first has lag 0.
};

}  // namespace zoe::train
