// SPDX-License-Identifier: MIT
#include "zoe/generate/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/character/pose.h"
#include "zoe/motion/compress.h"

namespace zoe::generate {

JointErrors joint_errors(const Motion& truth, const Motion& other, bool relative) {
  ZOE_CHECK(truth.num_joints() == other.num_joints(), "motions of one skeleton");
  JointErrors errors;
  const auto joints = static_cast<std::size_t>(truth.num_joints());
  std::vector<Affine> a(joints), b(joints);
  const int frames = std::min(truth.num_frames, other.num_frames);
  for (int frame = 0; frame < frames; ++frame) {
    compute_model_from_joint(*truth.skeleton, truth.frame(frame), a);
    compute_model_from_joint(*other.skeleton, other.frame(frame), b);
    const Vec3 shift = relative ? b[0].t - a[0].t : Vec3{};
    for (std::size_t j = 0; j < joints; ++j) {
      const double apart = 1000 * static_cast<double>(length(b[j].t - a[j].t - shift));
      errors.mean_mm += apart;
      errors.worst_mm = std::max(errors.worst_mm, apart);
    }
  }
  if (frames > 0) errors.mean_mm /= static_cast<double>(frames) * static_cast<double>(joints);
  return errors;
}

std::size_t raw_bytes(const Motion& motion) {
  return static_cast<std::size_t>(motion.num_frames) * static_cast<std::size_t>(motion.num_joints()) * 40;
}

Result<CompressionRow> curves_within(const Motion& motion, double max_error_mm) {
  ZOE_TRY_ASSIGN(const CompressedMotion curves,
                 CompressedMotion::compress(motion, {.max_error_mm = max_error_mm, .segment_frames = 32}));
  CompressionRow row{fmt::format("curves, at most {:.3g} mm", max_error_mm), curves.bytes().size()};
  row.ratio = static_cast<double>(raw_bytes(motion)) / static_cast<double>(row.bytes);
  const Motion decoded = curves.decompress();
  row.errors = joint_errors(motion, decoded, false);
  row.pose_errors = joint_errors(motion, decoded, true);
  return row;
}

Result<CompressionRow> curves_at(const Motion& motion, double target_mm, bool relative) {
  // The mean error grows with the bound. Twelve halvings of its logarithm find it to 1 %.
  double low = std::log(std::max(0.2 * target_mm, 1e-3)), high = std::log(std::max(60 * target_mm, 1.0));
  CompressionRow best;
  for (int round = 0; round < 12; ++round) {
    const double middle = 0.5 * (low + high);
    Result<CompressionRow> row = curves_within(motion, std::exp(middle));
    if (!row) return row;
    const bool fits = (relative ? row->pose_errors : row->errors).mean_mm <= target_mm;
    (fits ? low : high) = middle;
    if (fits && (best.bytes == 0 || row->bytes < best.bytes)) best = std::move(*row);
  }
  if (best.bytes == 0) return Error{ErrorCode::kUnsupported, "curves do not reach this error", {}};
  return best;
}

}  // namespace zoe::generate
