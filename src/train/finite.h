// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers of the data that are none are refused by name, before they reach a
// model.
#pragma once

#include <span>

#include "zoe/train/batch_source.h"

namespace zoe::train {

// values: [samples.size(), steps, width] of the field. The error says field, sample, step and
// column.
Result<void> check_finite(const Field& field, Split split, std::span<const std::size_t> samples,
                          std::span<const float> values);

}  // namespace zoe::train
