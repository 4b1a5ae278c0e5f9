// SPDX-License-Identifier: MIT
// Part of Zoetrope. Classes of samples that are drawn with given frequencies: several datasets with weights, or pairs
// of labels that come equally often.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/train/batch_source.h"

#include "train/sample_order.h"

namespace zoe::train {

struct SampleClass {
  double weight = 1;  // Of draws, relative to the sum over classes.
  std::vector<std::size_t> samples;
};

// Classes of a source: its parts with their weights, and within each the pairs of two labels, equally often. labels:
// empty, or two names of the source's labels. Empty where all samples are alike.
Result<std::vector<SampleClass>> sample_classes(const BatchSource& source, const std::vector<std::string>& labels);

// An epoch has as many draws as there are samples. Its numbers of draws of each class are exact, up to rounding. Inside
// a class samples are shuffled, and none repeats before all have come.
class ClassOrder final : public SampleOrder {
 public:
  ClassOrder(std::vector<SampleClass> classes, std::size_t batch, std::uint64_t seed);

  std::int64_t steps_per_epoch() const override { return steps_per_epoch_; }
  StepSamples at(std::int64_t step, int rank, int num_ranks) override;

 private:
  std::vector<SampleClass> classes_;
  std::vector<std::size_t> draws_;  // Of each class in an epoch.
  std::size_t batch_;
  std::uint64_t seed_;
  std::int64_t steps_per_epoch_ = 1, epoch_ = -1;
  std::vector<std::size_t> order_, share_;
};

}  // namespace zoe::train
