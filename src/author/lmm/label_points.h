// SPDX-License-Identifier: MIT
// The points of styles and actions of learned motion matching, from the clips that have them.
#pragma once

#include "zoe/control/style_points.h"

#include "author/lmm/lmm_data.h"

namespace zoe::author {

// Labels whose poses are alike, in mean and deviation of every output, are near each other. Frames without a label are
// at 0; where every frame has one, their mean is. At most 4 dimensions, the principal ones; points are 1 from 0 in the
// root mean square. y: outputs of all frames.
control::StylePoints label_points(const control::MotionDatabase& database, const Frames& y);

// x with a style vector at the end of each frame: the sum of the points of its labels.
Frames with_style_vectors(const control::MotionDatabase& database, const Frames& x, const control::StylePoints& points);

}  // namespace zoe::author
