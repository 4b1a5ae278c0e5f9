// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a judge says about a clip or a rig: checks, findings, measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zoe::certify {

enum class Check : std::uint8_t {
  kFootSlide,    // A body on its feet, none of which is at rest.
  kPenetration,  // Feet below the ground.
  kFloating,     // The body never comes down to the ground, or hangs in the air.
  kKneeFlip,     // A knee bent against its usual direction.
  kElbowFlip,
  kTwist,        // A joint turned about its own bone further than a body can.
  kSideSwap,     // Left and right limbs exchange their motions.
  kJitter,       // Noise from frame to frame.
  kSpike,        // A jump within one frame.
  kLoopSeam,     // Last and first frame of a loop differ.
  kBoneStretch,  // A bone changes its length.
  kScale,        // No body of this family has this size.
  kUp,           // The body does not stand along +Y.
  kFacing,       // The rest pose does not look along +Z.
  kWeights,      // Skin that follows joints far away.
  kRoundTrip,    // The clip changes when it is written and read.
  kSource,       // A retargeted motion differs from its source.
};
constexpr int kNumChecks = 17;
const char* to_string(Check check);

struct Finding {
  Check check = Check::kFootSlide;
  int first_frame = 0, last_frame = 0;  // Of the clip, both included.
  std::vector<int> joints;              // May be empty: the whole body.
  double value = 0, limit = 0;
  const char* unit = "";
  std::string text;  // What is wrong and what to do, one or two sentences.
};

// The worst value of a check that ran, also where it is below the limit.
struct Measure {
  Check check = Check::kFootSlide;
  double value = 0, limit = 0;
  const char* unit = "";
};

struct SkippedCheck {
  Check check = Check::kFootSlide;
  std::string reason;
};

struct Certificate {
  std::vector<Finding> findings;  // Worst first: by value over limit.
  std::vector<Measure> measures;
  std::vector<SkippedCheck> skipped;

  bool is_clean() const { return findings.empty(); }
  bool has(Check check) const;
  const Measure* measure(Check check) const;  // Null where it did not run.
};

struct CertifyOptions {
  bool loop = false;           // The clip is meant to repeat: its seam is judged.
  bool unit_is_stated = true;  // False for formats without a unit (BVH): the size is not judged.
  double tolerance = 1;        // Multiplies all limits.
  double ground_height_m = 0;  // Height of the ground.
  bool ground_is_flat = true;  // False: the clip climbs; heights are not judged.
  // Certificate of the motion that this one was made from: what is as bad in the source is no finding.
  const Certificate* source = nullptr;
};

}  // namespace zoe::certify
