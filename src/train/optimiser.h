// SPDX-License-Identifier: MIT
// Part of Zoetrope. AdamW over flat weights, with clipping, a guard against gradients that are not finite, and averaged
// weights.
#pragma once

#include "train/parameters.h"
#include "train/schedule.h"

namespace zoe::train {

class Optimiser {
 public:
  // fused: the single pass over memory, where available (float on a CPU).
  Optimiser(FlatWeights& weights, const Settings& settings, bool fused = true);

  // One step with weights.gradients. Gradients that are not finite change nothing.
  void step(const StepRates& rates) {
    set_rates(rates);
    apply();
  }
  // The same in two parts: numbers that change with each step, and work that does not change. The work may be recorded
  // (StepGraph) where there is a device.
  void set_rates(const StepRates& rates);
  void apply();

  // Length of the last gradient, before clipping; not finite when the step was skipped. On the
  // device.
  const at::Tensor& gradient_norm() const { return norm_; }
  // Number of skipped steps, in total and since the last good one. Waits for the device.
  std::int64_t num_skipped() const { return skipped_.item<std::int64_t>(); }
  std::int64_t skipped_in_a_row() const { return in_a_row_.item<std::int64_t>(); }

  // Its part of a checkpoint. turn: prefix of the names, where there are several optimisers.
  std::vector<NamedTensor> state(const std::string& turn = {}) const;

  // Averaged weights instead of the present ones during the lifetime of the object. No effect without an average.
  class UseAverage {
   public:
    explicit UseAverage(Optimiser& optimiser);
    ~UseAverage();
    UseAverage(const UseAverage&) = delete;
    UseAverage& operator=(const UseAverage&) = delete;

   private:
    Optimiser& optimiser_;
    at::Tensor saved_;
  };

 private:
  void apply_fused();
  void apply_on_device();
  void apply_by_operations();
  // Weight of the new weights in the average after this number of steps. The first weights have none: they are not
  // trained, and in short runs they would be a large share.
  double share_of_average(double step) const;

  FlatWeights& weights_;
  Settings settings_;
  bool fused_;
  at::Tensor means_, squares_, averages_;  // [size]; averages_ may be undefined.
  at::Tensor steps_;                       // Number of good steps, on the CPU, for the bias correction.
  at::Tensor norm_, skipped_, in_a_row_;
  StepRates rates_;
  at::Tensor numbers_;  // On the device: the rates that apply() reads there.
};

}  // namespace zoe::train
