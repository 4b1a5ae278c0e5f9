// SPDX-License-Identifier: MIT
// Part of Zoetrope. Several sources as one: `--data A=0.7 --data B=0.3`.
#pragma once

#include <memory>
#include <vector>

#include "zoe/train/batch_source.h"

namespace zoe::train {

struct MixedPart {
  std::string name;  // For messages.
  std::unique_ptr<BatchSource> source;
  double weight = 1;  // Of the samples that training draws, relative to the sum.
};

// The training samples of each part are drawn with its weight; validation has all of them once. Refuses parts whose
// fields or layouts differ, and parts without training samples.
Result<std::unique_ptr<BatchSource>> make_mixed_source(std::vector<MixedPart> parts);

}  // namespace zoe::train
