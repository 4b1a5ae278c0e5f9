// SPDX-License-Identifier: MIT
// Part of Zoetrope. What sprites are asked for: a character, its clips, the view and the look.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/motion/motion.h"
#include "zoe/sprite/exposure.h"
#include "zoe/sprite/feel.h"
#include "zoe/sprite/look.h"
#include "zoe/sprite/maps.h"

namespace zoe::sprite {

enum class RootMotion : std::uint8_t {
  kAuto,    // Removed where the body travels: loops, and clips of more than 1.5 heights.
  kKeep,    // The body leaves the pivot.
  kRemove,  // Always removed, along the straight line from the first to the last pose.
};

struct Clip {
  std::string name;
  std::shared_ptr<const Motion> motion;
  std::vector<Exposure> exposures;  // At least one.
  bool loop = false;
  Feel feel = kNoFeel;  // No value below 0.
};

struct Request {
  CharacterPtr character;
  std::filesystem::path image_folder;
  float metres_per_unit = 1;
  SkeletonAnalysis body;
  std::vector<Clip> clips;  // They share scale, pivot and palette.

  int num_directions = 1;      // 1, 2, 4, 8, 16.
  bool mirror = false;         // Western directions are not drawn: the eastern ones are flipped (FrameSet::mirrored).
  int size_px = 128;           // Canvas, width and height; 8 to 2048.
  float pitch_deg = 0;         // Of the camera above the horizon, 0 to 90.
  float turn_deg = -1;         // Towards the viewer in side views; below 0: 20 for one and two directions, else 0.
  float pixels_per_metre = 0;  // 0: all poses from all directions fill the canvas.
  RootMotion root = RootMotion::kAuto;
  bool effects = false;          // Slash arcs as a layer of its own.
  int num_weapon_instances = 0;  // Last mesh instances of the character that are weapons (weapon.h).
  Look look;
  MapSet maps;  // Frame::maps.
};

}  // namespace zoe::sprite
