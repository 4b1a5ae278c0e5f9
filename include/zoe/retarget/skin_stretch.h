// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a motion stretches a character's skin: whether it tears.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"

namespace zoe {

struct SkinStretch {
  // Length of the skin's edges over their length in the bind pose, at the 99.5th percentile of edges and frames, and at
  // worst. Edges shorter than 0.2 % of the body count as that long. 1 without a skin.
  double p995 = 1, worst = 1;
  int frame = -1;                                // Of the worst edge.
  int joint = kNoJoint, other_joint = kNoJoint;  // The joints that move the ends of the worst edge most.
};

// At most `max_frames` frames, evenly spread over all clips. The clips have the character's skeleton.
SkinStretch measure_skin_stretch(const Character& character, std::span<const Motion> clips, int max_frames = 48);

// The same for single frames of one clip: the 99.5th percentile of the edges in each. Empty without a skin.
std::vector<double> measure_frame_stretch(const Character& character, const Motion& clip, std::span<const int> frames);

// The largest p995 that is no tear: 1.3 times what the character's own clips show, at least 1.3; 2 where it has none.
double allowed_stretch(const Character& character, std::span<const Motion> own_clips);

}  // namespace zoe
