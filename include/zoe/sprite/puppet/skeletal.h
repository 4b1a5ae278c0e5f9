// SPDX-License-Identifier: MIT
// Part of Zoetrope. A puppet as a skeleton with meshes, and its files for Spine (JSON 3.8) and DragonBones (JSON 5.5).
// Meshes carry offsets beside the bones, so that a player displays the same frames.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"
#include "zoe/sprite/puppet/point.h"

namespace zoe::sprite {

struct SkeletalBone {
  std::string name;
  Point from;  // Pixels from the pivot, y down, as drawn.
  double angle_rad = 0, length = 0;
};

struct SkeletalPart {
  std::string name;
  render::Picture texture;
  Point origin;                               // Of the texture's corner, from the pivot.
  std::vector<Point> rest;                    // Vertices as drawn, from the pivot.
  std::vector<std::array<int, 3>> triangles;  // Of vertices.
  std::vector<int> bones;                     // [vertices]
};

// A bone in a frame: turn and sizes from the drawn ones.
struct SkeletalBoneKey {
  Point from;
  double turn_rad = 0, along = 1, across = 1;
};

struct SkeletalFrame {
  int duration_ms = 100;
  std::vector<SkeletalBoneKey> bones;
  std::vector<std::vector<Point>> vertices;  // [parts][vertices] from the pivot.
  std::vector<int> order;                    // Parts from the farthest to the nearest.
};

struct SkeletalClip {
  std::string name;
  bool loop = false;
  std::vector<SkeletalFrame> frames;
};

struct Skeletal {
  int width = 0, height = 0;  // Of the frames.
  bool pixel_art = false;
  std::vector<SkeletalBone> bones;
  std::vector<SkeletalPart> parts;
  std::vector<SkeletalClip> clips;
};

// Names and contents: NAME_spine.json, .atlas and .png; NAME_ske.json, NAME_tex.json and .png.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;
Result<NamedFiles> spine_files(const Skeletal& skeletal, const std::string& name);
Result<NamedFiles> dragonbones_files(const Skeletal& skeletal, const std::string& name);

}  // namespace zoe::sprite
