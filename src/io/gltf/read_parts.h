// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of read_gltf() behind the JSON: meshes, images, clips.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/io/gltf.h"

#include "io/gltf/accessor.h"
#include "io/gltf/document.h"
#include "io/gltf/rig.h"

namespace zoe::io::gltf {

// What every part needs. Lives for one read_gltf() call.
struct ReadContext {
  const Document& document;
  const GltfReadOptions& options;
  const Buffers& buffers;
  const AccessorReader& accessors;
  Budget& budget;
  Warnings& warnings;
};

// One mesh: all primitives merged. An empty mesh when nothing of it is triangles.
Result<Mesh> read_mesh(const ReadContext& context, int mesh_index);

// Skin influences of one primitive into the mesh's arrays, which are sized already. Takes every
// JOINTS_n/WEIGHTS_n pair; heaviest first, weights sum to 1. Returns the most influences that one
// vertex uses.
Result<std::size_t> read_influences(const ReadContext& context, const PrimitiveDef& primitive, std::size_t first_vertex,
                                    std::size_t num_vertices, Mesh& mesh);
// Narrows the arrays to what is used: 4 a vertex where that is enough.
void trim_influences(Mesh& mesh, std::size_t used);

Result<std::vector<Skin>> read_skins(const ReadContext& context, const Rig& rig);
Result<std::vector<Image>> read_images(const ReadContext& context, const std::filesystem::path& folder);
std::vector<Material> resolve_materials(const Document& document);

// Every animation as a clip at a uniform rate.
Result<std::vector<Motion>> read_clips(const ReadContext& context, const Rig& rig, const Character& character,
                                       const std::vector<int>& instance_of_node);

}  // namespace zoe::io::gltf
