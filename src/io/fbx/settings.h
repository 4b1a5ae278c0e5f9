// SPDX-License-Identifier: MIT
// Part of Zoetrope. A file's global settings: unit, axes, frame rate and exporter; and the map from the file's space to
// ours.
#pragma once

#include <cstdint>
#include <string>

#include "zoe/math/affine.h"
#include "zoe/math/transform.h"

#include "io/fbx/document.h"

namespace zoe::io::fbx {

constexpr std::int64_t kTicksPerSecond = 46186158000;  // FBX time, all versions we read.

// Maps file space (any signed axis order, any unit) to ours (Y up, +Z forward, metres). It adds neither a scale nor an
// extra root: lengths are scaled one by one, roots are rotated, and a left-handed file is mirrored in every node's
// space.
class SpaceConversion {
 public:
  SpaceConversion() = default;
  // `model_from_file`: signed permutation, columns are the images of the file's axes; determinant
  // +1 or -1.
  SpaceConversion(const Affined& model_from_file, double metres_per_unit);

  double metres_per_unit() const { return metres_per_unit_; }
  bool mirrored() const { return mirrored_; }

  // A node's parent-relative transform; `root` for nodes without a parent.
  Transformd node(const Transformd& file_local, bool root) const;
  // A map between two node spaces (bind matrices, geometric offsets).
  Affined between_nodes(const Affined& file) const;
  // A matrix that maps a node's space to file world, as TransformLink does.
  Affined world_from_node(const Affined& file) const;
  // Points and directions in a node's space.
  Vec3d point(Vec3d file) const { return direction(file) * metres_per_unit_; }
  Vec3d direction(Vec3d file) const { return mirrored_ ? Vec3d{-file.x, file.y, file.z} : file; }
  // A world-space point of ours in the file's axes and unit.
  Vec3d file_from_model(Vec3d model) const;

 private:
  double metres_per_unit_ = 1;
  bool mirrored_ = false;    // Node spaces are reflected in x.
  Affined model_from_file_;  // Linear part only.
  Quatd root_rotation_;      // model_from_file without the reflection.
};

struct Settings {
  double fps = 30;
  double metres_per_unit = 0.01;
  char up_axis = 'y';
  Affined model_from_file;  // Linear part only.
  std::string application;  // "Maya", "3ds Max", …: the program that last saved the file; may be empty.
  std::string generator;    // As the file names its creator.
};

Settings read_settings(const Document& document, Warnings* warnings);

// The TimeMode that states a frame rate: a number of the enumeration, or "custom".
std::int64_t time_mode_of(double fps);

}  // namespace zoe::io::fbx
