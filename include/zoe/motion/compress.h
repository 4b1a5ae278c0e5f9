// SPDX-License-Identifier: MIT
// Part of Zoetrope. Lossy compression of clips with a stated error in millimetres at the skin, sampled at any time.
// Clips are cut into segments of a few dozen frames. Inside a segment each animated number is a short series of
// orthonormal polynomials in time, whose integer coefficients are packed in rows of eight lanes with one bit width. A
// pose at any time needs one segment and nothing else: seeking costs as much as playing. See docs/motion.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"
#include "zoe/motion/sample.h"

namespace zoe {

struct CompressionOptions {
  // No point at shell_distance_m from a joint along one of its three axes moves further than this in model space, at
  // any frame, including the errors of all joints above it.
  double max_error_mm = 0.1;
  double shell_distance_m = 0.03;  // About the distance of the skin.
  double max_morph_error = 0.002;  // Of a morph weight, absolute.
  // 4 to 32. Longer segments are smaller (about 3 % from 16 to 32 at 120 fps) but slower to sample. 0 tries 16, 24 and
  // 32 and keeps the smallest result.
  int segment_frames = 16;
};

struct CompressionReport {
  std::size_t raw_bytes = 0;  // 40 per joint and frame (rotation 16, translation 12, scale 12) and 4 per morph weight.
  std::size_t compressed_bytes = 0;  // Everything: header and segments.
  double ratio = 0;                  // raw / compressed.
  double worst_error_mm = 0;         // Measured on the decoded result, in double, over all frames and joints.
  double mean_error_mm = 0;
  double worst_morph_error = 0;
  int segment_frames = 0;
};

class CompressedMotion {
 public:
  // Fails (kInvalid) on an invalid motion, and (kLimit) when floats cannot hold the requested precision.
  static Result<CompressedMotion> compress(const Motion& motion, const CompressionOptions& options = {},
                                           CompressionReport* report = nullptr);
  // Reads the result of bytes(). The skeleton must be the one of the compression (same joints, parents and rest pose).
  // Every number is checked here, so that sampling need not. Damaged bytes are refused.
  static Result<CompressedMotion> from_bytes(std::span<const std::byte> bytes, SkeletonPtr skeleton);

  // The whole clip as one block, for files. Little-endian.
  std::span<const std::byte> bytes() const;

  const std::string& name() const;
  double fps() const;
  double start_time_s() const;
  double duration_s() const;
  int num_frames() const;
  int num_joints() const;
  int num_morph_weights() const;
  bool has_scales() const;
  const SkeletonPtr& skeleton() const;

  // Every frame decoded: an ordinary motion again.
  Motion decompress() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit CompressedMotion(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;  // Immutable and shared: copies are cheap, threads may sample at once.
};

// Samples one pose of a compressed clip, at any time with the same effort. Owns nothing, allocates nothing. Between
// frames the stored numbers are interpolated linearly. Rotations stay unit quaternions.
struct CompressedSampleJob {
  const CompressedMotion* motion = nullptr;
  double time_s = 0;  // On the clip's own clock.
  Wrap wrap = Wrap::kClamp;

  std::span<Vec3> translations;    // [joints]
  std::span<Quat> rotations;       // [joints]
  std::span<Vec3> scales;          // [joints], or empty: skipped. Ones when the motion has no scales.
  std::span<float> morph_weights;  // [num_morph_weights], or empty: skipped.

  Result<void> validate() const;
  bool run() const noexcept;
};

}  // namespace zoe
