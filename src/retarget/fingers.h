// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fingers of a hand.
#pragma once

#include <vector>

#include "zoe/character/skeleton.h"

namespace zoe::retarget_detail {

enum class FingerKind : unsigned char { kThumb, kIndex, kMiddle, kRing, kLittle, kUnknown };

struct Finger {
  FingerKind kind = FingerKind::kUnknown;
  std::vector<int> joints;  // From its base outwards, without bones of the palm and end sites; at most three.
};

// The chains below a hand whose names say that they are fingers. `hand` may itself be the base of a finger, where the
// fingers leave the forearm.
std::vector<Finger> fingers_of(const Skeleton& skeleton, int hand);

// Whether the hand is the base of one finger of several: the fingers leave the forearm.
bool is_bare_hand(const Skeleton& skeleton, int hand);

}  // namespace zoe::retarget_detail
