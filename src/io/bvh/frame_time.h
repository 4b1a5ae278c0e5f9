// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frame rates from the rounded frame times of BVH files.
#pragma once

#include <string_view>

namespace zoe::io::bvh {

// The frame rate that a frame time means, given as the file spells it: "0.0083333" is 120, "0.041708" is 23.976. A time
// that fits no usual rate within its printed digits keeps its own value. 0 when the text is no time above zero.
double fps_of_frame_time(std::string_view text);

}  // namespace zoe::io::bvh
