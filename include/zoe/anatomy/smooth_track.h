// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tracks of points, smoothed.
#pragma once

#include <cstddef>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::anatomy {

// The mean over `half` frames to either side, fewer at the ends.
void smooth_track(std::vector<Vec3>& track, std::ptrdiff_t half);

}  // namespace zoe::anatomy
