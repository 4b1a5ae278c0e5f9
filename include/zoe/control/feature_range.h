// SPDX-License-Identifier: MIT
// Part of Zoetrope. The trust region of a network: what its inputs and outputs were in training. A controller feeds
// outputs back as inputs. Numbers outside the data give outputs further outside, until the body breaks. So both are
// limited to the region, and a state cannot leave it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe {
class Safetensors;
}

namespace zoe::control {

struct ColumnRange {
  std::vector<float> low, high;  // [width] Empty: no limits.

  // values: [rows × width], each column into its range. NaN stays: the base class restarts a character with any. Never
  // allocates.
  void limit(std::span<float> values) const noexcept;
};

struct FeatureRange {
  ColumnRange input, output;

  // Four lines of numbers, for the metadata of a network's file (kRangeKey).
  std::string to_text() const;
  static Result<FeatureRange> parse(const std::string& text);
};
constexpr const char* kRangeKey = "range";

// Of a network's file. Files of earlier versions have no range: then it is the mean and 20 deviations to either side.
// Without a normalisation there are no limits.
Result<FeatureRange> read_feature_range(const Safetensors& network_file);

}  // namespace zoe::control
