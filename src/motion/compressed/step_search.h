// SPDX-License-Identifier: MIT
// Part of Zoetrope. Finds how coarsely each lane may be rounded: rotations near the root move everything after them,
// twisting a bone about itself moves little.
#pragma once

#include "zoe/motion/compress.h"

#include "motion/compressed/clip_header.h"
#include "motion/compressed/lanes.h"

namespace zoe {

// Sets axes and steps of all tracks, and the order of the rotation tracks (busiest first, so that lanes with the same
// widths share rows). Afterwards `lanes` matches the header.
void search_steps(const Motion& motion, const CompressionOptions& options, ClipHeader& header, Lanes& lanes);

}  // namespace zoe
