// SPDX-License-Identifier: MIT
// Part of Zoetrope. Names of the periodic signals in layouts of controllers with learned phases.
#pragma once

namespace zoe::control {

// Names of the two signals of a clip in a controller's layout, each two numbers per channel.
inline constexpr const char* kPhaseSignal = "phase";    // Amplitude times (sin, cos).
inline constexpr const char* kRhythmSignal = "rhythm";  // Amplitude, and turns a second.

}  // namespace zoe::control
