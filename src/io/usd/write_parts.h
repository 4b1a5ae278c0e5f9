// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of the USD writer: names and bindings first, then one function per type of prim.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zoe/io/usd.h"

#include "io/usd/text_writer.h"

namespace zoe::io::usd {

// A Skeleton prim. Skins whose bind poses differ need several; all have the same joints and animation.
struct OutSkeleton {
  std::string path;
  std::vector<std::optional<Affined>> model_from_joint_at_bind;  // Empty where no skin says: the rest pose.
};

struct OutBinding {
  int skeleton = -1;        // -1: a plain mesh.
  Affined model_from_mesh;  // geomBindTransform, or the prim's transform.
};

struct OutStage {
  const Character& character;
  std::span<const Motion> clips;
  Warnings& warnings;
  std::string root;                      // Path of the default prim.
  Names names;                           // Of the root's children.
  std::vector<std::string> joint_paths;  // "Hips/Spine".
  std::vector<OutSkeleton> skeletons;
  std::vector<OutBinding> bindings;                   // One per instance.
  std::vector<std::string> material_paths;            // One per material.
  std::vector<std::vector<std::string>> shape_names;  // Blend shape tokens, per instance.
  std::vector<UsdTexture> textures;
};

OutStage plan_stage(const Character& character, std::span<const Motion> clips, Warnings& warnings);

// Skeletons and, below the first, all animations.
void write_skeletons(const OutStage& stage, TextWriter& out);
void write_animation(const OutStage& stage, const Motion& clip, const std::string& name, TextWriter& out);
void write_mesh(const OutStage& stage, std::size_t instance, const std::string& name, TextWriter& out);
void write_materials(OutStage& stage, const std::string& texture_folder, TextWriter& out);

// Time code of a frame; the stage counts frames of the first clip.
double time_code(const OutStage& stage, const Motion& clip, int frame);

}  // namespace zoe::io::usd
