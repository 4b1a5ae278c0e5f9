// SPDX-License-Identifier: MIT
// Fits patches of ground to a clip, after Holden et al. (PFNN, 2017): a patch agrees with the heights of feet in
// contact and is below feet in the air. A clip on flat ground becomes many clips on uneven ground.
#pragma once

#include <vector>

#include "zoe/core/random.h"
#include "zoe/ground/ground.h"

namespace zoe::author {

// Soles of a clip, metres: position in the plane and height of the ground that the foot would stand on.
struct FootMarks {
  std::vector<Vec3> stances;  // One for each contact of a foot part.
  std::vector<Vec3> swings;   // Some of the positions in the air.
};

struct FittedGround {
  GroundPtr ground;           // A height grid around the clip.
  float patch_error_m = 0;    // Of the patch before it was bent to the contacts: root mean square.
  float contact_error_m = 0;  // Of the result at contacts: root mean square.
  float swing_error_m = 0;    // Greatest height above a foot in the air.
};

// Bends `patch` to the marks. cell_m: of the grid.
FittedGround bend_to_marks(const Ground& patch, const FootMarks& marks, float cell_m = 0.08F);

// The `count` best of several times as many random patches, the best first; the first is always bent flat ground. Sizes
// are in proportion to the leg length.
std::vector<FittedGround> fit_grounds(const FootMarks& marks, float leg_length_m, int count, Random random);

}  // namespace zoe::author
