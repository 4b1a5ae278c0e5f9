// SPDX-License-Identifier: MIT
// Part of Zoetrope. Refuses numbers of the data that are not finite, by name, before they reach a model.
#pragma once

#include <span>

#include "zoe/train/batch_source.h"

namespace zoe::train {

// values: [samples.size(), steps, width] of the field. The error contains field, sample, step and column.
Result<void> check_finite(const Field& field, Split split, std::span<const std::size_t> samples,
                          std::span<const float> values);

}  // namespace zoe::train
