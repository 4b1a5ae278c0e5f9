// SPDX-License-Identifier: MIT
#include "zoe/motion/phase.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "zoe/math/fft.h"

namespace zoe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Means over windows of a track, cut at its ends.
class WindowMean {
 public:
  explicit WindowMean(std::span<const double> values) : sums_(values.size() + 1, 0.0) {
    for (std::size_t i = 0; i < values.size(); ++i) sums_[i + 1] = sums_[i] + values[i];
  }
  double around(std::size_t frame, std::size_t half_window) const {
    const std::size_t begin = frame - std::min(frame, half_window);
    const std::size_t end = std::min(frame + half_window + 1, sums_.size() - 1);
    return (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
  }

 private:
  std::vector<double> sums_;
};

// Rises from 0 to 1 around the edge over half an octave, as a raised cosine in log frequency.
double rise(double hz, double edge_hz) {
  if (!(hz > 0)) return 0;
  const double t = std::clamp(std::log2(hz / edge_hz) * 2 + 0.5, 0.0, 1.0);
  return 0.5 - 0.5 * std::cos(std::numbers::pi * t);
}

struct Bands {
  std::vector<std::complex<double>> analytic;  // [frames] of the band.
  std::vector<double> total;                   // [frames] everything above low_hz.
};

Bands split(std::span<const double> values, double fps, const PhaseOptions& options) {
  const std::size_t n = values.size();
  const auto margin = static_cast<std::size_t>(std::min(2 * fps / options.low_hz, 4.0 * static_cast<double>(n))) + 1;
  const std::size_t size = std::bit_ceil(n + 2 * margin);
  const std::size_t begin = (size - n) / 2, period = std::max<std::size_t>(2 * (n - 1), 1);
  double mean = 0;
  for (double v : values) mean += v / static_cast<double>(n);
  std::vector<std::complex<double>> band(size);
  for (std::size_t i = 0; i < size; ++i) {
    // Mirrored at both ends, repeatedly where needed.
    const std::size_t place = (i + period * (begin / period + 1) - begin) % period;
    band[i] = values[std::min(place, period - place) % n] - mean;
  }
  fft(band);
  std::vector<std::complex<double>> total(size);
  for (std::size_t k = 1; k < size; ++k) {
    const bool positive = k < size / 2;
    const double hz = static_cast<double>(positive ? k : size - k) * fps / static_cast<double>(size);
    const double above = rise(hz, options.low_hz);
    total[k] = band[k] * above;
    band[k] *= positive ? 2 * above * (1 - rise(hz, options.high_hz)) : 0.0;
  }
  band[0] = 0;
  inverse_fft(band);
  inverse_fft(total);
  Bands out;
  for (std::size_t i = begin; i < begin + n; ++i) {
    out.analytic.push_back(band[i]);
    out.total.push_back(total[i].real());
  }
  return out;
}

Result<void> check_request(double fps, const PhaseOptions& options) {
  if (fps > 0 && options.low_hz > 0 && options.high_hz > options.low_hz && options.half_window_s > 0) return {};
  return Error{ErrorCode::kUsage, "phases need fps > 0, 0 < low_hz < high_hz and half_window_s > 0", {}};
}

std::size_t window_frames(double fps, const PhaseOptions& options, std::size_t frames) {
  return static_cast<std::size_t>(std::min(std::round(options.half_window_s * fps), static_cast<double>(frames)));
}

std::vector<PhaseSample> phases_of(std::span<const double> values, double fps, const PhaseOptions& options) {
  const std::size_t n = values.size();
  const Bands bands = split(values, fps, options);
  std::vector<double> band_power(n), total_power(n);
  for (std::size_t i = 0; i < n; ++i) {
    band_power[i] = bands.analytic[i].real() * bands.analytic[i].real();
    total_power[i] = bands.total[i] * bands.total[i];
  }
  const WindowMean band_mean(band_power), total_mean(total_power);
  const std::size_t half_window = window_frames(fps, options, n);
  std::vector<PhaseSample> out(n);
  double loudest = 0;
  for (std::size_t i = 0; i < n; ++i) loudest = std::max(loudest, std::abs(bands.analytic[i]));
  const double floor = options.amplitude_floor > 0 ? options.amplitude_floor : 0.1 * loudest;
  for (std::size_t i = 0; i < n; ++i) {
    const std::complex<double> z = bands.analytic[i];
    const double amplitude = std::abs(z);
    // Below rounding there is no cycle.
    if (!(amplitude > 1e-9)) continue;
    PhaseSample& sample = out[i];
    const double turns = std::arg(z) / kTurn;
    sample.phase = static_cast<float>(turns - std::floor(turns));
    if (sample.phase >= 1) sample.phase = 0;
    sample.amplitude = static_cast<float>(amplitude);
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, n - 1);
    if (after > before) {
      const double step = std::arg(bands.analytic[after] * std::conj(bands.analytic[before])) / kTurn;
      sample.frequency_hz = static_cast<float>(step * fps / static_cast<double>(after - before));
    }
    const double share = band_mean.around(i, half_window) / std::max(total_mean.around(i, half_window), 1e-18);
    const double gate = amplitude * amplitude / (amplitude * amplitude + floor * floor);
    sample.confidence = static_cast<float>(std::min(share, 1.0) * gate);
  }
  return out;
}

}  // namespace

Vec2 phase_vector(const PhaseSample& sample) {
  const float angle = static_cast<float>(kTurn) * sample.phase;
  return {sample.amplitude * std::sin(angle), sample.amplitude * std::cos(angle)};
}

Result<std::vector<PhaseSample>> hilbert_phase(std::span<const float> values, double fps, const PhaseOptions& options) {
  ZOE_TRY(check_request(fps, options));
  if (values.empty() || !std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
    return Error{ErrorCode::kUsage, "phases need a signal of finite numbers", {}};
  }
  return phases_of(std::vector<double>(values.begin(), values.end()), fps, options);
}

Result<std::vector<PhaseSample>> contact_phases(const Contacts& contacts, double fps, const PhaseOptions& options) {
  ZOE_TRY(check_request(fps, options));
  const auto frames = static_cast<std::size_t>(contacts.num_frames);
  const auto joints = static_cast<std::size_t>(contacts.num_joints);
  if (frames == 0) return Error{ErrorCode::kUsage, "contact phases need at least one frame", {}};
  const std::size_t half_window = window_frames(fps, options, frames);
  std::vector<PhaseSample> out(frames * joints);
  std::vector<double> touching(frames), centred(frames);
  for (std::size_t joint = 0; joint < joints; ++joint) {
    for (std::size_t i = 0; i < frames; ++i) touching[i] = contacts.touching[i * joints + joint];
    const WindowMean mean(touching);
    for (std::size_t i = 0; i < frames; ++i) {
      const double m = mean.around(i, half_window), deviation = std::sqrt(std::max(0.0, m * (1 - m)));
      centred[i] = deviation > 1e-6 ? (touching[i] - m) / deviation : 0.0;
    }
    const std::vector<PhaseSample> track = phases_of(centred, fps, options);
    for (std::size_t i = 0; i < frames; ++i) out[i * joints + joint] = track[i];
  }
  return out;
}

}  // namespace zoe
