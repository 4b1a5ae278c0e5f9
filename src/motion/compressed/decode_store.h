// SPDX-License-Identifier: MIT
// Part of Zoetrope. Last step of decoding a chunk: its numbers go to the pose, optionally mixed with its content.
#pragma once

#include "motion/compressed/decode_plan.h"

namespace zoe {

inline void store_rotations(const RotationChunk& chunk, const Quat* values, const DecodeTarget& out) {
  for (int i = 0; i < chunk.lanes; ++i) {
    Quat& q = out.rotations[chunk.joints[i]];
    q = out.mix < 1 ? nlerp(q, values[i], out.mix) : values[i];
  }
}

inline float* array_of(ScalarTarget target, const DecodeTarget& out) {
  if (target == ScalarTarget::kTranslation) return &out.translations->x;
  if (target == ScalarTarget::kScale) return out.scales != nullptr ? &out.scales->x : nullptr;
  return out.morph_weights;
}

inline void store_scalars(const ScalarChunk& chunk, const float* values, const DecodeTarget& out) {
  float* array = array_of(chunk.target, out);
  if (array == nullptr) return;
  for (int i = 0; i < chunk.lanes; ++i) {
    float& value = array[chunk.index[i]];
    value = out.mix < 1 ? value + (values[i] - value) * out.mix : values[i];
  }
}

// Start of a segment's group headers and of its rows, and its scale.
struct SegmentCursor {
  const std::uint8_t* head;
  const std::uint8_t* rows;
  float scale;
};

inline std::size_t rows_offset(const std::uint8_t* segment) {
  return static_cast<std::size_t>(segment[1]) | static_cast<std::size_t>(segment[2]) << 8 |
         static_cast<std::size_t>(segment[3]) << 16;
}
constexpr std::size_t kSegmentPrefix = 4;

}  // namespace zoe
