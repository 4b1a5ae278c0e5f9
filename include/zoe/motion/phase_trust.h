// SPDX-License-Identifier: MIT
// Part of Zoetrope. Decides whether the phase of a signal is meaningful, by cheap signs of a missing cycle. A flip is
// less than a cycle, and where the envelope vanishes the phase is undefined.
#pragma once

#include <span>

#include "zoe/motion/phase.h"

namespace zoe {

struct PhaseTrust {
  float backward = 1;  // Fraction of frames whose phase stands or goes backward.
  // Low envelope (its tenth percentile) over its median. 0: it vanishes.
  float envelope = 0;
  // Mean correlation of consecutive cycles at equal phases. 1 where there is no pair.
  float likeness = 0;
  float num_cycles = 0;

  // Contacts in CMU's captures: walks and runs have a likeness of 0.78 or more, cartwheels, flips and jumps of 0.53 or
  // less. Contacts are square waves, whose third harmonic makes true phases stand for a moment.
  static constexpr float kMaxBackward = 0.1F, kMinEnvelope = 0.15F, kMinLikeness = 0.6F, kMinCycles = 1;
  bool holds() const {
    return backward < kMaxBackward && envelope > kMinEnvelope && likeness > kMinLikeness && num_cycles >= kMinCycles;
  }
};

// values: the signal of the phases, [frames]. Fewer than three frames have no cycle.
PhaseTrust judge_phase(std::span<const float> values, std::span<const PhaseSample> phases);

}  // namespace zoe
