// SPDX-License-Identifier: MIT
// Part of Zoetrope. AdamW over flat weights, with clipping, a guard against gradients that are not
// finite, and averaged weights.
#pragma once

#include "train/parameters.h"
#include "train/schedule.h"

namespace zoe::train {

class Optimiser {
 public:
  // fused: the single pass over memory, where it can be had (float on a CPU).
  Optimiser(FlatWeights& weights, const Settings& settings, bool fused = true);

  // One step by weights.gradients. Gradients that are not finite leave everything as it was.
  void step(const StepRates& rates) {
    set_rates(rates);
    apply();
  }
  // The same in two parts: numbers that change with each step, and work that does not, which may be
  // recorded (StepGraph) where there is a device.
  void set_rates(const StepRates& rates);
  void apply();

  // Length of the last gradient, before clipping; not finite when the step was skipped. On the
  // device.
  const at::Tensor& gradient_norm() const { return norm_; }
  // Steps skipped, all and since the last good one. Waits for the device.
  std::int64_t num_skipped() const { return skipped_.item<std::int64_t>(); }
  std::int64_t skipped_in_a_row() const { return in_a_row_.item<std::int64_t>(); }

  // What a checkpoint holds of it.
  std::vector<NamedTensor> state() const;

  // Averaged weights in place of the present ones while this lives; nothing without an average.
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

  FlatWeights& weights_;
  Settings settings_;
  bool fused_;
  at::Tensor means_, squares_, averages_;  // [size]; averages_ may be undefined.
  at::Tensor steps_;                       // Good steps so far, on the CPU: bias correction.
  at::Tensor norm_, skipped_, in_a_row_;
  StepRates rates_;
  at::Tensor numbers_;  // On the device: what of the rates apply() reads there.
};

}  // namespace zoe::train
