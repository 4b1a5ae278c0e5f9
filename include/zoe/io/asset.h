// SPDX-License-Identifier: MIT
// Part of Zoetrope. The content of a file in our conventions: right-handed, Y up, +Z forward, metres, seconds.
#pragma once

#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::io {

// What the file states about itself, before conversion.
struct SourceInfo {
  std::string format;          // "bvh", "gltf", "glb", "fbx", "npz".
  std::string format_version;  // "2.0", "7400 binary"; empty when the format has none.
  std::string generator;       // Exporter, as the file names it.
  // Metres per unit of the file. Already applied to the data unless unit_known is false (BVH states no unit: numbers
  // are not changed, and metres_per_unit holds an estimate).
  double metres_per_unit = 1.0;
  bool unit_known = true;
  char up_axis = 'y';    // 'x', 'y' or 'z' in the file; the data here is Y up.
  bool up_known = true;  // False: the format does not state it (BVH), and up_axis is the assumption of the reader.
};

// A file after reading. All clips share `character->skeleton`. A rig without animation has no clips.
struct Asset {
  CharacterPtr character;
  std::vector<Motion> clips;
  SourceInfo source;
  Warnings warnings;
};

// Guards against hostile files. Every reader obeys them. Exceeding one is ErrorCode::kLimit.
struct ReadLimits {
  std::size_t max_joints = 65535;
  std::size_t max_decoded_bytes = std::size_t{8} << 30;  // Of everything that one file decodes to.
};

}  // namespace zoe::io
