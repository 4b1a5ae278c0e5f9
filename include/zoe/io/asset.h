// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a file holds, in our conventions: right-handed, Y up, +Z forward, metres, seconds.
#pragma once

#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::io {

// What the file said about itself, before conversion.
struct SourceInfo {
  std::string format;          // "bvh", "gltf", "glb", "fbx", "npz".
  std::string format_version;  // "2.0", "7400 binary"; empty when the format has none.
  std::string generator;       // Exporter, as the file names it.
  // Metres in one unit of the file; already applied to the data unless unit_known is false (BVH states no unit: numbers
  // are kept as they are, and metres_per_unit holds the guess for people to see).
  double metres_per_unit = 1.0;
  bool unit_known = true;
  char up_axis = 'y';    // 'x', 'y' or 'z' in the file; the data here is Y up.
  bool up_known = true;  // False: the format does not say (BVH), and up_axis is what it was read as.
};

// A file after reading. `character->skeleton` is shared by all clips; a clip-less rig has no clips.
struct Asset {
  CharacterPtr character;
  std::vector<Motion> clips;
  SourceInfo source;
  Warnings warnings;
};

// Guards against hostile files; every reader obeys it. Exceeding one is ErrorCode::kLimit.
struct ReadLimits {
  std::size_t max_joints = 65535;
  std::size_t max_decoded_bytes = std::size_t{8} << 30;  // Of everything one file turns into.
};

}  // namespace zoe::io
