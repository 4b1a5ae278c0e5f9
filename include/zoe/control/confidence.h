// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a generated pose can be trusted: a small network that was calibrated on errors of the
// generating network in motions that its training never had.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe {
class Safetensors;
}

namespace zoe::control {

// What is known of a generated pose at run time, in this order. Lengths are roots of their amounts, so that rare large
// values do not dominate.
enum class PoseSign : unsigned char {
  kSlide,         // Of the foot nearest to the ground, weighted by its height as in MANN's measure.
  kContactSlide,  // Fastest foot, times its predicted contact.
  kLowestFoot,    // Height above the contact height.
  kPositions,     // Predicted positions against those of the bones: networks that average shrink limbs.
  kVelocities,    // Predicted velocities against those of the bones.
  kFastestJoint,  // Relative to the root.
  kAcceleration,  // Mean over joints.
  kRootError,     // Desired velocity minus velocity.
  kDesiredSpeed,
  kFacingError,    // Desired facing minus facing.
  kDesiredChange,  // Desired velocity minus its mean over the last moments.
  kNearestPose,    // Distance to the nearest frame of the database: its feet and hips,
  kNearestWay,     // and its trajectory.
  kContactDoubt,   // Predicted contacts that are neither 0 nor 1.
  kOutside,        // Fraction of the network's inputs outside of its data.
  kRootSpeed,
};
constexpr std::size_t kNumPoseSigns = 16;
const char* to_string(PoseSign sign);
using PoseSigns = std::array<float, kNumPoseSigns>;

// Probability that the pose and the next moments are without artefact. One hidden layer, then a line on its logit.
struct Confidence {
  static constexpr std::size_t kMaxHidden = 64;

  PoseSigns mean{}, spread{};
  std::vector<float> hidden, hidden_bias;  // [units × kNumPoseSigns], [units]
  std::vector<float> last;                 // [units]
  float last_bias = 0;
  float scale = 1, shift = 0;  // Calibration of the logit on data of its own.

  // 0 to 1. Zero where a sign is not finite. Never allocates.
  float of(const PoseSigns& signs) const noexcept;
  float logit(const PoseSigns& signs) const noexcept;  // Before scale and shift.
};

// That of the network's pose, and that of motion matching if it took over now, from the same signs.
struct Confidences {
  Confidence network, matching;
};

// A safetensors file; reading checks everything.
Result<void> save_confidences(const std::filesystem::path& path, const Confidences& confidences);
Result<Confidences> load_confidences(const Safetensors& file);

}  // namespace zoe::control
