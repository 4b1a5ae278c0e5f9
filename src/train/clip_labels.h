// SPDX-License-Identifier: MIT
// Part of Zoetrope. Labels of a dataset's samples, by which draws are balanced.
#pragma once

#include <string>
#include <vector>

#include "zoe/dataset/dataset.h"
#include "zoe/train/batch_source.h"

namespace zoe::train {

// Collects one value after another.
class ClipLabels {
 public:
  // `actor`, `clip`, `skeleton`, or a choice of labels: "happy|angry|sad" is the first of them that holds at the row.
  ClipLabels(const dataset::Dataset& data, const std::string& name);
  // The next sample: a row of a clip of data.clips().
  void add(int clip_index, int row);
  // Refuses a name that no sample has.
  Result<SampleLabels> finish() &&;

 private:
  std::string value_of(int clip_index, int row) const;

  const dataset::Dataset& data_;
  std::string name_;
  std::vector<std::string> choice_;
  SampleLabels all_;
  std::size_t num_found_ = 0;
};

}  // namespace zoe::train
