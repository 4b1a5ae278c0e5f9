// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network with a safety net. Each pose that the network generates has a confidence. While it is
// low, motion matching moves the character, and the network watches the displayed poses until it can be trusted again.
#pragma once

#include <cstdint>

#include "zoe/control/confidence.h"
#include "zoe/control/match/database.h"
#include "zoe/control/match/match_options.h"
#include "zoe/control/neural.h"

namespace zoe::control {

constexpr const char* kConfidenceFile = "confidence.safetensors";

struct HybridOptions {
  float threshold = 0.85F;     // Below it matching takes over, in the same step: the pose is not displayed.
  float gain = 0.25F;          // Matching must be this much more reliable: a hand-over costs a spike itself.
  float hysteresis = 0.05F;    // The network returns above threshold + hysteresis,
  float trusted_s = 0.2F;      // for this time,
  float least_match_s = 0.4F;  // and not sooner than this after a hand-over to matching.
  float blend_s = 0.4F;        // Of a hand-over to the network.
};

struct HybridParts {
  NeuralParts neural;  // One frame at a time.
  MotionDatabasePtr database;
  MatchOptions match;
  Confidences confidence;
  HybridOptions options;
};
// Those of matching beside a network of these options: the same springs, facing a little faster.
MatchOptions hybrid_match_options(const NeuralOptions& options);
// Fails where the parts do not fit together. The rate of the database must be a multiple of the network's.
Result<ControllerPtr> make_hybrid_controller(HybridParts parts);

// Which of the two moves the character. kByConfidence unless forced, which calibration does.
enum class HybridMode : unsigned char { kByConfidence, kNetwork, kMatching };

struct HybridReport {
  float confidence = 1;        // Of the network's last pose.
  float match_confidence = 1;  // Of matching, if it took over or goes on.
  bool matching = false;
  int num_hand_overs = 0;      // In both directions.
  std::int64_t num_poses = 0;  // Of the network: steps in which the character does not stand.
  PoseSigns signs{};
};
// For a state of such a controller. Checked.
const HybridReport& hybrid_report(const ControllerState& state);
void force_hybrid(ControllerState& state, HybridMode mode);

}  // namespace zoe::control
