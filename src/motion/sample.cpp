// SPDX-License-Identifier: MIT
#include "zoe/motion/sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "motion/lerp_kernels.h"

namespace zoe {
namespace {

constexpr double kSnap = 1e-6;  // Fraction of a frame.

// The first defect of a job, or nullptr.
const char* problem(const SampleJob& job) noexcept {
  if (job.motion == nullptr) return "has no motion";
  if (job.motion->num_frames < 1) return "the motion has no frames";
  if (!std::isfinite(job.time_s)) return "the time is not finite";
  const auto n = static_cast<std::size_t>(job.motion->num_joints());
  if (job.translations.size() != n) return "translations must have one entry per joint";
  if (job.rotations.size() != n) return "rotations must have one entry per joint";
  if (!job.scales.empty() && job.scales.size() != n) return "scales must be empty or have one entry per joint";
  if (!job.morph_weights.empty() &&
      job.morph_weights.size() != static_cast<std::size_t>(job.motion->num_morph_weights)) {
    return "morph weights must be empty or have one entry per weight";
  }
  return nullptr;
}

template <typename T>
std::span<const T> row(const std::vector<T>& values, int frame, std::size_t width) {
  return std::span(values).subspan(static_cast<std::size_t>(frame) * width, width);
}

template <typename T>
void copy(std::span<const T> from, std::span<T> to) {
  if (!to.empty()) std::memcpy(static_cast<void*>(to.data()), from.data(), from.size_bytes());
}

std::span<const float> floats(std::span<const Vec3> v) { return {&v.data()->x, v.size() * 3}; }
std::span<float> floats(std::span<Vec3> v) { return {&v.data()->x, v.size() * 3}; }

}  // namespace

FramePosition find_frame(int num_frames, double fps, double start_time_s, double time_s, Wrap wrap) noexcept {
  const int last = num_frames - 1;
  const double period = wrap == Wrap::kLoopClosed ? num_frames : last;
  double position = (time_s - start_time_s) * fps;
  if (wrap == Wrap::kClamp || period <= 0) {
    position = std::clamp(position, 0.0, static_cast<double>(last));
  } else if (position < 0 || position > period) {
    // The end itself stays the end. Only beyond it the next cycle begins.
    position = std::fmod(position, period);
    if (position < 0) position += period;
  }
  const double nearest = std::round(position);
  if (std::abs(position - nearest) <= kSnap) position = nearest;
  const int frame = std::min(static_cast<int>(position), num_frames);
  const auto fraction = static_cast<float>(position - frame);
  const int next = frame + (fraction > 0 ? 1 : 0);
  // Only kLoopClosed reaches beyond the last frame, and there the first one follows.
  return {frame > last ? 0 : frame, next > last ? 0 : next, fraction};
}

Result<void> SampleJob::validate() const {
  if (const char* what = problem(*this)) return Error{ErrorCode::kUsage, std::string("SampleJob: ") + what, {}};
  return {};
}

bool SampleJob::run() const noexcept {
  if (problem(*this) != nullptr) return false;
  const Motion& m = *motion;
  const auto n = static_cast<std::size_t>(m.num_joints());
  const auto num_weights = morph_weights.size();
  const auto [a, b, t] = find_frame(m, time_s, wrap);
  if (scales.size() == n && m.scales.empty()) std::fill(scales.begin(), scales.end(), Vec3{1, 1, 1});
  const bool with_scales = !scales.empty() && !m.scales.empty();
  if (t == 0) {
    copy(row(m.translations, a, n), translations);
    copy(row(m.rotations, a, n), rotations);
    if (with_scales) copy(row(m.scales, a, n), scales);
    if (num_weights > 0) copy(row(m.morph_weights, a, num_weights), morph_weights);
    return true;
  }
  if (n > 0) {
    lerp_floats(floats(row(m.translations, a, n)), floats(row(m.translations, b, n)), t, floats(translations));
    if (interpolation == Interpolation::kNlerp) {
      nlerp_quats(row(m.rotations, a, n), row(m.rotations, b, n), t, rotations);
    } else {
      const auto qa = row(m.rotations, a, n), qb = row(m.rotations, b, n);
      for (std::size_t i = 0; i < n; ++i) rotations[i] = slerp(qa[i], qb[i], t);
    }
    if (with_scales) lerp_floats(floats(row(m.scales, a, n)), floats(row(m.scales, b, n)), t, floats(scales));
  }
  if (num_weights > 0) {
    lerp_floats(row(m.morph_weights, a, num_weights), row(m.morph_weights, b, num_weights), t, morph_weights);
  }
  return true;
}

void sample(const Motion& motion, double time_s, Wrap wrap, Pose& out) {
  SampleJob job;
  job.motion = &motion;
  job.time_s = time_s;
  job.wrap = wrap;
  job.translations = out.translations;
  job.rotations = out.rotations;
  job.scales = out.scales;
  ZOE_CHECK(job.run(), "the pose does not fit the motion, or the motion is empty");
}

}  // namespace zoe
