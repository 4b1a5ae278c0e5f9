// SPDX-License-Identifier: MIT
// Part of Zoetrope. How high a character is, for paths that keep their distance and for capsules of flesh.
#pragma once

#include "zoe/control/controller.h"

namespace zoe::control {

// From the lowest to the highest joint, in the rest pose or as the character begins, whichever is more: bodies of some
// files lie in their rest pose. At least 1 mm. Allocates.
float body_height_m(const Controller& controller);
// The same of a skeleton that begins in a pose.
float body_height_m(const Skeleton& skeleton, PoseView start);

}  // namespace zoe::control
