// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a body must be brought back to its stance for its skin to hold.
#pragma once

#include <functional>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"

namespace zoe::retarget_detail {

struct Ease {
  std::vector<float> share;  // [frames] 0 to 1, see Transfer::run(). Empty: none.
  // [frames] of arms of upright bodies, as a fraction of that. Empty: none.
  std::vector<float> of_arms;

  float at(std::size_t frame) const { return share.empty() ? 0.0F : share[frame]; }
  float arms_at(std::size_t frame) const { return of_arms.empty() ? 0.0F : at(frame) * of_arms[frame]; }
};

// The clip retargeted with this ease.
using EasedClip = std::function<Motion(const Ease&)>;

// On all fours: the least ease with which no frame stretches the skin by more than `allowed`, smooth in time. Frames
// that no ease mends have none. Empty where `clip` (without any) is within it.
Ease find_ease(const Character& character, double allowed, const Motion& clip, const EasedClip& with_ease);

// Upright: the least ease with which the clip as a whole is within `allowed` (measure_skin_stretch()), more in frames
// that stretch the skin more; of the trunk alone where that is enough, because hands have goals. Empty where none is.
// free_arms: [frames] 0 to 1, see Ease::of_arms: hands on the ground stay there.
Ease find_upright_ease(const Character& character, double allowed, const Motion& clip,
                       const std::vector<float>& free_arms, const EasedClip& with_ease);

}  // namespace zoe::retarget_detail
