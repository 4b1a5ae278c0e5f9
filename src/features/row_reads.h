// SPDX-License-Identifier: MIT
// Which numbers of the rows around a sample a block reads.
#pragma once

#include <span>
#include <vector>

#include "zoe/features/gather_op.h"
#include "zoe/features/schema.h"

namespace zoe::features {

// The rows around a sample, one a frame.
struct RowWindow {
  double fps = 30;
  int past_frames = 0, future_frames = 0;
  int width = 0;  // Numbers of a row.
};
// Of a block with these steps, by frame, then by column.
std::vector<RowRead> find_reads(std::span<const GatherOp> ops, const SampleTimes& steps, const RowWindow& window);

}  // namespace zoe::features
