// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Error at the skin, measured apart from the encoder's own meter.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::test {

// Largest displacement, millimetres, over frames and joints of the points at shell_distance_m on the three axes of a
// joint: each point carried up the chain of parents by rotation, scale and translation, in double.
double worst_skin_error_mm(const Motion& a, const Motion& b, double shell_distance_m);

}  // namespace zoe::test
