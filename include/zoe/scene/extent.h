// SPDX-License-Identifier: MIT
// Part of Zoetrope. The space of a body during a clip, for cameras and the ground. Only in builds with the renderer.
#pragma once

#include <optional>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"
#include "zoe/motion/root.h"
#include "zoe/render/skeleton_body.h"

namespace zoe::scene {

// World metres.
struct BodyExtent {
  struct Sample {
    double time_s = 0;  // From the clip's start.
    Vec3 min, max;
    std::vector<Vec3> outline;  // The farthest points in 26 directions. A camera must contain them.
  };
  std::vector<Sample> samples;  // By rising time; at least one.
  float lowest_m = 0;           // Contact height of the body: a low percentile over the samples.
  float size_m = 1;             // Largest extent of the body in one sample.
  // Heading of the body's front over the clip, from +Z towards +X. None: unknown.
  std::optional<float> front_rad;
};

// Meshes count by their vertices, bones by the cones and balls that are drawn: give either `meshes` or `bones`. Objects
// that a skinned body holds (rigid meshes: swords, hats) count only near it, because the picture is of the body.
BodyExtent measure_extent(const Motion& motion, const Character* meshes, const render::SkeletonBody* bones,
                          const Affine& world_from_model);

// The front of a body during a clip: the mean of its facing, or that of the first frame where the body turns around.
float front_of(const RootTrajectory& root);

// The extent of the same body at another size.
void scale_extent(BodyExtent& extent, float factor);

}  // namespace zoe::scene
