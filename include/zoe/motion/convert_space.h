// SPDX-License-Identifier: MIT
// Part of Zoetrope. Converts whole characters and clips to another unit or up axis, for other programs.
#pragma once

#include "zoe/character/character.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// A change of coordinates p' = scale · turn · p, applied to model space and to every joint's own axes (M' = C·M·C⁻¹),
// so that it is exactly invertible and keeps uneven scales. Inside the engine everything is metres, Y up; this is for
// the border.
struct SpaceChange {
  enum class Turn : unsigned char {
    kNone,
    kYUpToZUp,  // (x, y, z) → (x, -z, y)
    kZUpToYUp,  // (x, y, z) → (x, z, -y)
  } turn = Turn::kNone;
  double scale = 1.0;  // > 0, finite.

  SpaceChange inverse() const;
};

Result<void> validate(const SpaceChange& change);

// Checked: change must be valid.
SkeletonPtr convert_space(const Skeleton& skeleton, const SpaceChange& change);
// `skeleton` is the converted one, shared by all clips of a character.
Motion convert_space(const Motion& motion, const SpaceChange& change, SkeletonPtr skeleton);
Character convert_space(const Character& character, const SpaceChange& change);

}  // namespace zoe
