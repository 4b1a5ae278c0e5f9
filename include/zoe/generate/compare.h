// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a learned codec costs and loses, beside curve compression at the same error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::generate {

// Distances of joints between two motions of one skeleton and rate, in model space, over the frames that both have.
// With `relative` both are first moved onto the same root joint, frame by frame: the error of poses without that of
// paths.
struct JointErrors {
  double mean_mm = 0, worst_mm = 0;
};
JointErrors joint_errors(const Motion& truth, const Motion& other, bool relative);

struct CompressionRow {
  std::string name;
  std::size_t bytes = 0;
  double ratio = 0;                 // Of the raw clip's bytes: 40 per joint and frame.
  JointErrors errors, pose_errors;  // With the path, and without it.
};
std::size_t raw_bytes(const Motion& motion);

// Curve compression (zoe/motion/compress.h) whose mean joint error is `target_mm`, by bisection of its bound. relative:
// the error of poses without that of paths.
Result<CompressionRow> curves_at(const Motion& motion, double target_mm, bool relative);
// Curve compression with a bound.
Result<CompressionRow> curves_within(const Motion& motion, double max_error_mm);

}  // namespace zoe::generate
