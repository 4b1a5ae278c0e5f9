// SPDX-License-Identifier: MIT
// Light from all directions, as spherical harmonics, instead of an image of the surroundings. CPU only.
#pragma once

#include "zoe/math/vec.h"

namespace zoe::render {

struct Environment;

// Radiance of the surroundings: ground, a brighter horizon, sky, and a wide glow around the sun.
// direction: unit, world. shaders/shading.glsl mirrors it for reflections.
Vec3 surrounding_radiance(const Environment& environment, Vec3 direction);

// Light that a surface receives from all directions, by its normal: second-order harmonics of the radiance, convolved
// with the cosine and divided by pi (Ramamoorthi and Hanrahan 2001), so that radiance 1 in all directions gives 1.
struct SkyLight {
  Vec4 terms[9];  // Factors of 1, y, z, x, xy, yz, 3 z² - 1, xz, x² - y² of the unit normal; w
                  // unused.
};
SkyLight make_sky_light(const Environment& environment);
// The formula of the shader.
Vec3 received_light(const SkyLight& light, Vec3 normal);

}  // namespace zoe::render
