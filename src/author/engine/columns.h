// SPDX-License-Identifier: MIT
// Part of Zoetrope. The meaning of a network's columns as JSON.
#pragma once

#include "zoe/control/feature_range.h"
#include "zoe/features/layout.h"

#include "author/engine/json_numbers.h"

namespace zoe::author {

// Mean and deviation that the network normalises by; empty: it does not.
struct ColumnNumbers {
  std::vector<float> means, deviations;  // [width]
  control::ColumnRange range;
};

// {name, frames, width, channels: […], columns: […]} of one block. Fails on channels that the exported step does not
// have.
Result<Json> describe_block(const features::Layout& layout, features::BlockKind kind, const std::string& port,
                            const ColumnNumbers& numbers);

}  // namespace zoe::author
