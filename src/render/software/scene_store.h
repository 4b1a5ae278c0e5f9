// SPDX-License-Identifier: MIT
// Meshes, textures and materials of the software rasteriser, by handle.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/render/material.h"
#include "zoe/render/picture.h"

#include "render/handle_table.h"

namespace zoe::render {

struct SoftwareTexture {
  std::vector<Picture> levels;  // The picture, then halves down to one texel.
};

// Bytes of a texture between its texels, red to alpha. Coordinates repeat. texels_per_sample: chooses the level, so
// that far surfaces do not flicker.
Vec4 sample_texture(const SoftwareTexture& texture, Vec2 uv, float texels_per_sample);

struct SoftwareMesh {
  Mesh mesh;                              // With normals.
  std::vector<MaterialHandle> materials;  // [submeshes]
  std::size_t num_palette_joints = 0;     // Least number of joints in a palette.
  float rest_size = 1;                    // Longest side of the mesh, mesh units.
};

struct SceneStore {
  SceneStore() : default_material(materials.add(MaterialDesc{})) {}
  HandleTable<MeshHandle, SoftwareMesh> meshes;
  HandleTable<TextureHandle, SoftwareTexture> textures;
  HandleTable<MaterialHandle, MaterialDesc> materials;
  MaterialHandle default_material;

  const MaterialDesc& material(MaterialHandle handle) const {
    return materials.get(handle ? handle : default_material);
  }
};

SoftwareTexture make_software_texture(const Picture& picture);
SoftwareMesh make_software_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials);

}  // namespace zoe::render
