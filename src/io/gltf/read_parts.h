// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of read_gltf() behind the JSON: meshes, images, clips.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/io/gltf.h"

#include "io/gltf/accessor.h"
#include "io/gltf/document.h"
#include "io/gltf/repair.h"
#include "io/gltf/rig.h"

namespace zoe::io::gltf {

// Shared by all parts. Exists during one read_gltf() call.
struct ReadContext {
  const Document& document;
  const GltfReadOptions& options;
  const Buffers& buffers;
  const AccessorReader& accessors;
  Budget& budget;
  Warnings& warnings;
};

// One mesh: all primitives merged. Empty where nothing of it is triangles.
Result<Mesh> read_mesh(const ReadContext& context, int mesh_index);

// Skin influences of one primitive into the mesh's arrays, which are already sized. Reads every JOINTS_n/WEIGHTS_n
// pair, sorts heaviest first, and normalises weights to a sum of 1. Infinities and NaN count as zero. Returns the
// largest number of influences of a vertex.
Result<std::size_t> read_influences(const ReadContext& context, const PrimitiveDef& primitive, std::size_t first_vertex,
                                    std::size_t num_vertices, Mesh& mesh, WeightFaults& faults);
// Narrows the arrays to the used width: 4 per vertex where that is enough.
void trim_influences(Mesh& mesh, std::size_t used);

Result<std::vector<Skin>> read_skins(const ReadContext& context, const Rig& rig);
Result<std::vector<Image>> read_images(const ReadContext& context, const std::filesystem::path& folder);
std::vector<Material> resolve_materials(const Document& document);

// Every animation as a clip at a uniform rate.
Result<std::vector<Motion>> read_clips(const ReadContext& context, const Rig& rig, const Character& character,
                                       const std::vector<int>& instance_of_node);

}  // namespace zoe::io::gltf
