// SPDX-License-Identifier: MIT
// Part of Zoetrope. Planted feet in some frames of a motion only: edits keep all other frames bit for bit.
#pragma once

#include <span>

#include "zoe/anatomy/clean_feet.h"

namespace zoe::generate {

// 1 at the seam, 0 from `window` frames away, smooth between.
float fading(int frames_from_seam, int window);

// clean_feet() with weights of frames from 0 to 1. Frames of weight 0 are not changed. Fails where nothing can be
// planted: no legs, or a cycle on the spot.
Result<Motion> plant_weighted(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const float> weights,
                              const CleanFeetOptions& options = {});

// Mean sliding of feet in contact, m/s.
double mean_skate(const Motion& motion, const SkeletonAnalysis& analysis, const Contacts& contacts);

}  // namespace zoe::generate
