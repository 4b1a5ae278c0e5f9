// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses at given frames of a motion, and the gaps around them that are to be filled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/generate/in_between.h"

namespace zoe::generate {

struct KeyPose {
  int frame = 0;
  Pose pose;  // Of the motion's skeleton, metres.
};

struct KeyOptions {
  double around_s = 0.5;  // Frames this near to a key are filled, where no gaps are given.
  // Turns a pose about Y and shifts it over the ground to where the body is at that moment. False: as it is.
  bool place = true;
};

struct KeyedMotion {
  Motion motion;                    // With the key poses; frames of the gaps are as before.
  std::vector<std::uint8_t> known;  // [frames]
  std::vector<Gap> gaps;            // Runs of frames that are not known, in order.
};

// gaps: frames to fill; keys must be within them. Empty: frames around each key. Fails on two keys at one frame, on
// keys outside the motion or in frames that are kept.
Result<KeyedMotion> put_keys(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const KeyPose> keys,
                             std::span<const Gap> gaps, const KeyOptions& options = {});

// The same joint names on another skeleton, in its order. Fails with the names that are missing.
Result<Pose> pose_by_names(const Motion& source, int frame, const SkeletonPtr& skeleton);

}  // namespace zoe::generate
