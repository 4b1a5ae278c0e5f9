// SPDX-License-Identifier: MIT
// Part of Zoetrope. Present and future phases of one character, advanced by the predictions of its model (DeepPhase,
// 2022).
#pragma once

#include <span>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/features/schema.h"

namespace zoe::control {

// Columns of an output: at each time, of each channel amplitude times (sin, cos), and amplitude with cycles per second.
struct PhaseColumns {
  features::SampleTimes times{0, 0, 0};  // From the step's end; count 0: none.
  int num_channels = 0;
  int phase = 0, rhythm = 0;  // First columns, [times × 2 channels] each.
};

class PhaseTrack {
 public:
  explicit PhaseTrack(const PhaseColumns& columns);

  void reset() noexcept;
  // One step: every phase turns by the predicted frequency, then moves the fraction `stability` towards the predicted
  // phase. Its length is the predicted amplitude. A phase of zero length takes the prediction alone. Never allocates.
  void advance(std::span<const float> y, float dt_s, float stability) noexcept;

  // Amplitude times (sin, cos): present [2 channels], and from now on [times × 2 channels].
  std::span<const float> now() const { return ahead().first(static_cast<std::size_t>(2 * columns_.num_channels)); }
  std::span<const float> ahead() const { return vectors_; }
  const features::SampleTimes& times() const { return columns_.times; }
  void describe(StateArchive& archive) { archive.bits(std::span(vectors_)); }

 private:
  PhaseColumns columns_;
  std::vector<float> vectors_;
};

}  // namespace zoe::control
