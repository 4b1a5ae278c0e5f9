// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "motion/compressed/decode_store.h"

namespace zoe {
namespace {

// Sum over a group's rows of whole number times weight. The cursor moves to the next group.
void sum_rows(SegmentCursor& cursor, int lanes, const float* weights, float (&sums)[kRowLanes]) {
  std::fill(std::begin(sums), std::end(sums), 0.0F);
  const int num_rows = *cursor.head++;
  if (num_rows == 0) return;
  int width = *cursor.head++;
  for (int k = 0; k < num_rows; ++k) {
    if (k > 0) width = kRowWidths[cursor.head[(k - 1) / 2] >> ((k - 1) % 2 * 4) & 15];
    std::int32_t values[kRowLanes];
    read_row(cursor.rows, width, values);
    for (int i = 0; i < kRowLanes; ++i) sums[i] += static_cast<float>(values[i]) * weights[k];
    cursor.rows += row_bytes(lanes, width);
  }
  cursor.head += num_rows / 2;
}

}  // namespace

void decode_segment_scalar(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                           const DecodeTarget& out) noexcept {
  SegmentCursor cursor{segment + kSegmentPrefix, segment + rows_offset(segment),
                       static_cast<float>(segment_scale_of(segment[0]))};
  float sums[4][kRowLanes];
  for (const RotationChunk& chunk : plan.rotations) {
    for (int c = 0; c < chunk.components; ++c) {
      sum_rows(cursor, chunk.lanes, weights, sums[c]);
      for (int i = 0; i < kRowLanes; ++i) sums[c][i] *= chunk.steps[c][i] * cursor.scale;
    }
    Quat values[kRowLanes];
    for (int i = 0; i < chunk.lanes; ++i) {
      const float x = sums[0][i], y = sums[1][i], z = sums[2][i];
      const float w = chunk.components == 4 ? sums[3][i] : std::sqrt(std::max(0.0F, 1.0F - x * x - y * y - z * z));
      const auto part = [&](int r) {
        return chunk.matrix[4 * r][i] * x + chunk.matrix[4 * r + 1][i] * y + chunk.matrix[4 * r + 2][i] * z +
               chunk.matrix[4 * r + 3][i] * w;
      };
      values[i] = normalized(Quat{part(0), part(1), part(2), part(3)});
    }
    store_rotations(chunk, values, out);
  }
  for (const ScalarChunk& chunk : plan.scalars) {
    sum_rows(cursor, chunk.lanes, weights, sums[0]);
    for (int i = 0; i < kRowLanes; ++i) sums[0][i] = chunk.bases[i] + sums[0][i] * (chunk.steps[i] * cursor.scale);
    store_scalars(chunk, sums[0], out);
  }
}

}  // namespace zoe
