// SPDX-License-Identifier: MIT
// Part of Zoetrope. A motion and the body that plays it, from a file, a controller or a generator.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/character.h"
#include "zoe/scene/motion_player.h"

namespace zoe::scene {

using AnalysisPtr = std::shared_ptr<const SkeletonAnalysis>;

struct ClipOnBody {
  std::string title;
  CharacterPtr character;              // Of the motion's skeleton.
  MotionPtr motion;                    // At least one frame.
  AnalysisPtr body;                    // Analysis of the character. Null: computed when needed.
  float metres_per_unit = 1;           // Of the model: files may state no unit.
  std::filesystem::path image_folder;  // Of the character's textures.

  bool has_mesh() const { return !character->instances.empty() && !character->meshes.empty(); }
};

// A motion in metres without a mesh.
ClipOnBody make_bare_clip(Motion motion, std::string title);

// Largest extent of the joints in one of a few poses, at most 10 km. Independent of the drawing.
float measure_joints_m(const Motion& motion, float metres_per_unit);

// The time in a clip when a time line shared by several clips is at time_s: shorter clips repeat.
double clip_time_s(const Motion& motion, double time_s);

}  // namespace zoe::scene
