// SPDX-License-Identifier: MIT
// Part of Zoetrope. Estimates frame rates from rounded frame times.
#pragma once

namespace zoe::io {

// The usual rate (30, 120, 24000/1001, …) whose frame time is within the tolerance; 1 /
// frame_time_s when none is.
double usual_fps(double frame_time_s, double tolerance_s);

}  // namespace zoe::io
