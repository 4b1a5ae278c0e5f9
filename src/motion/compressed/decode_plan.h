// SPDX-License-Identifier: MIT
// Part of Zoetrope. A compressed clip prepared for sampling: the header's tracks in groups of eight, as the kernels
// need them.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/motion/compress.h"

#include "motion/compressed/clip_header.h"

namespace zoe {

// Up to eight joints: lanes to quaternion q by q[r] = Σ matrix[4r + c] · lane c.
struct RotationChunk {
  int lanes = 0;
  int components = 3;
  std::uint16_t joints[kRowLanes] = {};
  float steps[4][kRowLanes] = {};
  float matrix[16][kRowLanes] = {};
};

struct ScalarChunk {
  ScalarTarget target = ScalarTarget::kTranslation;
  int lanes = 0;
  std::uint32_t index[kRowLanes] = {};
  float bases[kRowLanes] = {};
  float steps[kRowLanes] = {};
};

struct DecodePlan {
  std::vector<RotationChunk> rotations;
  std::vector<ScalarChunk> scalars;
};

DecodePlan make_plan(const ClipHeader& header);

// Output of a pose. scales and morph_weights may be null: skipped.
struct DecodeTarget {
  Vec3* translations = nullptr;
  Quat* rotations = nullptr;
  Vec3* scales = nullptr;
  float* morph_weights = nullptr;
  float mix = 1;  // Below one: weight of the decoded pose; the rest is the present content of the target.
};

// Writes the animated parts of one pose. weights: one per polynomial of the segment, as many as it has points.
void decode_segment(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                    const DecodeTarget& out) noexcept;
// The plain loops, for tests and as the benchmark's peer.
void decode_segment_scalar(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                           const DecodeTarget& out) noexcept;

struct CompressedMotion::Impl {
  std::vector<std::uint8_t> bytes;
  ClipHeader header;
  SkeletonPtr skeleton;
  DecodePlan plan;
  std::vector<std::uint32_t> segment_offsets;  // Offsets in bytes.
  std::vector<float> full_basis, last_basis;   // Polynomial k at point p: [p * points + k].

  // The animated parts at frame + fraction, inside one segment; fraction in [0, 1).
  using Decoder = decltype(&decode_segment);
  void decode(int frame, float fraction, const DecodeTarget& out, Decoder decoder = &decode_segment) const noexcept;
  // All constant tracks.
  void copy_constants(const DecodeTarget& out) const noexcept;
};

}  // namespace zoe
