// SPDX-License-Identifier: MIT
#include "control/neural/phase_track.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/control/step_constants.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

constexpr float kMaxAmplitude = 1e6F;

// Any float into [0, limit].
float size_of(float value, float limit) { return std::isfinite(value) ? std::min(std::abs(value), limit) : 0.0F; }

}  // namespace

PhaseTrack::PhaseTrack(const PhaseColumns& columns)
    : columns_(columns), vectors_(static_cast<std::size_t>(columns.times.count * 2 * columns.num_channels)) {}

void PhaseTrack::reset() noexcept { std::fill(vectors_.begin(), vectors_.end(), 0.0F); }

void PhaseTrack::advance(std::span<const float> y, float dt_s, float stability) noexcept {
  constexpr float kTurn = 2 * std::numbers::pi_v<float>;
  const float* phases = y.data() + columns_.phase;
  const float* rhythms = y.data() + columns_.rhythm;
  for (std::size_t i = 0; i < vectors_.size(); i += 2) {
    float &sine = vectors_[i], &cosine = vectors_[i + 1];
    const float amplitude = size_of(rhythms[i], kMaxAmplitude), pace_hz = size_of(rhythms[i + 1], kMostRhythm_hz);
    const float wanted_sine = phases[i], wanted_cosine = phases[i + 1];
    const bool was_silent = !(portable_hypot(sine, cosine) > kSilentPhase);
    float angle = was_silent ? 0 : portable_atan2(sine, cosine) + kTurn * pace_hz * dt_s;
    if (std::isfinite(wanted_sine) && std::isfinite(wanted_cosine) &&
        portable_hypot(wanted_sine, wanted_cosine) > kSilentPhase) {
      const float off = portable_atan2(wanted_sine, wanted_cosine) - angle;
      angle += std::remainder(off, kTurn) * (was_silent ? 1.0F : stability);
    }
    sine = amplitude * portable_sin(angle);
    cosine = amplitude * portable_cos(angle);
  }
}

}  // namespace zoe::control
