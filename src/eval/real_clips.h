// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of a dataset as motions on a controller's body.
#pragma once

#include <functional>

#include "zoe/control/body.h"
#include "zoe/dataset/dataset.h"
#include "zoe/motion/motion.h"

namespace zoe::eval {

struct RealClip {
  const dataset::ClipRecord& record;
  const Motion& motion;               // World space, begins at the origin.
  std::span<const PlanarRoot> roots;  // [frames]
};
// Clips of the body's skeleton of at least 30 frames, without mirrored ones. Fails where there is no such skeleton.
Result<void> for_each_real_clip(const dataset::Dataset& data, const control::Body& body,
                                const std::function<void(const RealClip&)>& visit);
// The same for one skeleton of the data. Fails on a layout whose output is no pose.
Result<void> for_each_clip(const dataset::Dataset& data, const dataset::Group& of,
                           const std::function<void(const RealClip&)>& visit);

}  // namespace zoe::eval
