// SPDX-License-Identifier: MIT
// Part of Zoetrope. First step of compression: finds the tracks that move, and their references.
#pragma once

#include "motion/compressed/clip_header.h"

namespace zoe {

// Everything of the header but lane axes, steps and track order. tolerance_m: the limit of "not moving", metres (and
// metres at one metre's distance for rotations); morph_tolerance the same for weights.
ClipHeader analyse_tracks(const Motion& motion, int segment_frames, double tolerance_m, double morph_tolerance);

// The code whose rotation is nearest to q; the sign of q does not matter.
template <typename Int>
std::array<Int, 3> vector_part_code(Quatd q, double unit) {
  q = canonical(q);
  const auto code = [&](double v) { return static_cast<Int>(std::lround(v * unit)); };
  return {code(q.x), code(q.y), code(q.z)};
}

}  // namespace zoe
