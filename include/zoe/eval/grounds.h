// SPDX-License-Identifier: MIT
// Part of Zoetrope. Grounds to measure controllers on, by name, and from files.
#pragma once

#include <string>

#include "zoe/ground/ground.h"

namespace zoe::eval {

// "ramp:10": rises along +Z by this angle in degrees, -45 to 45. "steps:0.15": up, level and down along +Z in steps of
// this height in metres, -0.5 to 0.5, each 0.9 m long, repeated. "stairs:7", and slope, rough, gaps, beams, platforms:
// by a seed (zoe/ground/terrain.h). "hills.npy", "hills.npy:0.2": a height map with cells of 0.1 or 0.2 m
// (height_file.h). Else a file with meshes (.glb .gltf .fbx), as they are at rest; skinned ones are skipped. The
// character starts at the origin. `warnings` may be null: about holes.
Result<GroundPtr> make_ground(const std::string& words, Warnings* warnings = nullptr);

}  // namespace zoe::eval
