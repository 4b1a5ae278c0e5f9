// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "zoe/motion/compress.h"

#include "motion/compressed/analyse.h"
#include "motion/compressed/decode_plan.h"
#include "motion/compressed/segment_coder.h"
#include "motion/compressed/step_search.h"

namespace zoe {
namespace {

constexpr int kSegmentLengths[] = {16, 24, 32};
// Number of coarser scale codes (of 1/8 octave) above the expected one to try. A trial is cheap.
constexpr int kBolder = 6;

// Coarsest scale that keeps a segment within bounds. Empty when even the finest does not.
std::optional<std::uint8_t> coarsest_scale(SegmentCoder& coder, int guess) {
  double error = coder.round_with(static_cast<std::uint8_t>(guess));
  for (int step = 0; step < 4 && std::isfinite(error); ++step) {
    const int change = error > 0 ? static_cast<int>(std::floor(8.0 * std::log2(1.0 / error))) : 255;
    if (change == 0) break;
    const int next = std::clamp(guess + change, 0, 255);
    if (next == guess) break;
    guess = next;
    error = coder.round_with(static_cast<std::uint8_t>(guess));
  }
  for (int code = std::min(guess + kBolder, 255); code >= 0; --code) {
    if (coder.round_with(static_cast<std::uint8_t>(code)) <= 1.0) return static_cast<std::uint8_t>(code);
  }
  return std::nullopt;
}

template <typename T>
void append(std::vector<std::uint8_t>& out, T value) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(&value);
  out.insert(out.end(), p, p + sizeof value);
}

Result<std::vector<std::uint8_t>> encode(const Motion& motion, const CompressionOptions& options, int segment_frames) {
  // A hundredth of the bound is reserved for tracks that count as constant.
  ClipHeader header =
      analyse_tracks(motion, segment_frames, options.max_error_mm * 1e-5, options.max_morph_error * 1e-2);
  Lanes lanes(motion, header);
  search_steps(motion, options, header, lanes);
  std::vector<std::uint8_t> out = write_header(header, *motion.skeleton), segments;
  SegmentCoder coder(motion, header, lanes, options);
  int guess = 128;
  for (int segment = 0; segment < header.num_segments(); ++segment) {
    coder.select(segment);
    const std::optional<std::uint8_t> scale = coarsest_scale(coder, guess);
    if (!scale) {
      return Error{ErrorCode::kLimit,
                   fmt::format("motion '{}': {} mm cannot be held around frame {}; allow a larger error", motion.name,
                               options.max_error_mm, header.segment_first_frame(segment)),
                   {}};
    }
    guess = *scale;
    const std::size_t before = segments.size();
    coder.append_to(segments);
    append(out, static_cast<std::uint32_t>(segments.size() - before));
  }
  out.insert(out.end(), segments.begin(), segments.end());
  out.resize(out.size() + kRowSlack, 0);
  return out;
}

// Error of the decoder's actual output, measured again.
CompressionReport measure(const Motion& motion, const CompressedMotion& compressed, const CompressionOptions& options) {
  CompressionReport report;
  const Motion decoded = compressed.decompress();
  ErrorMeter meter(motion, options.shell_distance_m);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  std::vector<Transformd> local(n);
  std::vector<double> worst(n, 0.0);
  double sum = 0;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const PoseView pose = decoded.frame(frame);
    for (std::size_t i = 0; i < n; ++i) {
      local[i] = to_double(pose.joint(static_cast<int>(i)));
      local[i].rotation = normalized(local[i].rotation);
    }
    meter.set_frames(frame, 1);
    report.worst_error_mm = std::max(report.worst_error_mm, 1000.0 * meter.measure(0, local, worst, &sum));
  }
  for (std::size_t i = 0; i < motion.morph_weights.size(); ++i) {
    const double error = std::abs(static_cast<double>(decoded.morph_weights[i]) - motion.morph_weights[i]);
    report.worst_morph_error = std::max(report.worst_morph_error, error);
  }
  const auto frames = static_cast<std::size_t>(motion.num_frames);
  report.mean_error_mm = n > 0 ? 1000.0 * sum / static_cast<double>(frames * n) : 0.0;
  report.raw_bytes = frames * (40 * n + 4 * static_cast<std::size_t>(motion.num_morph_weights));
  report.compressed_bytes = compressed.bytes().size();
  report.ratio = static_cast<double>(report.raw_bytes) / static_cast<double>(report.compressed_bytes);
  report.segment_frames = compressed.impl().header.segment_frames;
  return report;
}

}  // namespace

Result<CompressedMotion> CompressedMotion::compress(const Motion& motion, const CompressionOptions& options,
                                                    CompressionReport* report) {
  ZOE_TRY(validate(motion));
  const auto usage = [](const char* what) { return Error{ErrorCode::kUsage, std::string("compress: ") + what, {}}; };
  if (motion.num_frames < 1) return usage("the motion has no frames");
  if (!(options.max_error_mm > 0) || !(options.shell_distance_m >= 0) || !(options.max_morph_error > 0)) {
    return usage("error bounds must be positive");
  }
  if (options.segment_frames != 0 && (options.segment_frames < 4 || options.segment_frames > 32)) {
    return usage("segment_frames must be 0 or 4 to 32");
  }
  // The search works in double. The decoder's floats add a small error. If the result exceeds the limit, a lower one is
  // tried.
  CompressionOptions aim = options;
  for (int attempt = 0; attempt < 4; ++attempt) {
    std::vector<std::uint8_t> best;
    for (const int length : kSegmentLengths) {
      if (options.segment_frames != 0 && length != kSegmentLengths[0]) break;
      ZOE_TRY_ASSIGN(std::vector<std::uint8_t> bytes,
                     encode(motion, aim, options.segment_frames != 0 ? options.segment_frames : length));
      if (best.empty() || bytes.size() < best.size()) best = std::move(bytes);
    }
    ZOE_TRY_ASSIGN(CompressedMotion compressed, from_bytes(std::as_bytes(std::span(best)), motion.skeleton));
    const CompressionReport measured = measure(motion, compressed, options);
    if (measured.worst_error_mm <= options.max_error_mm && measured.worst_morph_error <= options.max_morph_error) {
      if (report != nullptr) *report = measured;
      return compressed;
    }
    const double skin = measured.worst_error_mm / options.max_error_mm;
    const double morph = measured.worst_morph_error / options.max_morph_error;
    if (skin > 1) aim.max_error_mm *= 0.97 / skin;
    if (morph > 1) aim.max_morph_error *= 0.97 / morph;
  }
  return Error{
      ErrorCode::kLimit,
      fmt::format("motion '{}': float numbers this far from the origin cannot hold {} mm; allow a larger error",
                  motion.name, options.max_error_mm),
      {}};
}

}  // namespace zoe
