// SPDX-License-Identifier: MIT
// Part of Zoetrope. Phases of signals with a confidence, and phases of single contacts.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/contacts.h"

namespace zoe {

struct PhaseSample {
  float phase = 0;         // Cycles, [0, 1); zero at the signal's crests.
  float amplitude = 0;     // Of the part inside the band, the signal's unit.
  float frequency_hz = 0;  // Cycles per second. Slips of the phase give values outside the band.
  // [0, 1]: the band's fraction of the signal's power within the window, times a gate that closes where the band is
  // silent.
  float confidence = 0;
};

// (sin, cos) of the phase times the amplitude: continuous, and constant where nothing moves. The input of networks.
Vec2 phase_vector(const PhaseSample& sample);

struct PhaseOptions {
  double low_hz = 0.4, high_hz = 4.0;  // Band of the cycle, with edges half an octave wide; drift below it is ignored.
  double half_window_s = 1.0;          // Window for the measurement of power and of the level of contacts.
  // Band amplitude at which the gate is half open, the signal's unit. 0: a tenth of the largest one in the track.
  float amplitude_floor = 0;
};

// From the analytic signal of the band (Hilbert transform). The ends are mirrored; within two cycles of them phases are
// off by up to a tenth of a cycle. Fails on an empty or non-finite signal, fps <= 0, or not 0 < low_hz < high_hz.
Result<std::vector<PhaseSample>> hilbert_phase(std::span<const float> values, double fps,
                                               const PhaseOptions& options = {});

// One phase per contact, [frames × joints], after Starke et al., "Local motion phases" (2020). Each contact's on and
// off is centred and scaled by its mean and deviation within the window, so feet of different rhythm keep their own
// cycles. Zero is the middle of the stance. A joint that always or never touches has amplitude and confidence zero.
// Harmonics of the on-off signal inside the band bend phases by up to a tenth of a cycle. high_hz below twice the pace
// avoids it.
Result<std::vector<PhaseSample>> contact_phases(const Contacts& contacts, double fps, const PhaseOptions& options = {});

}  // namespace zoe
