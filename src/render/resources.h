// SPDX-License-Identifier: MIT
// Uploaded objects, by handle.
#pragma once

#include "zoe/render/material.h"
#include "zoe/render/picture.h"

#include "render/gl/objects.h"
#include "render/gpu_mesh.h"
#include "render/handle_table.h"

namespace zoe::render {

struct Resources {
  HandleTable<MeshHandle, GpuMesh> meshes;
  HandleTable<TextureHandle, gl::Texture> textures;
  HandleTable<MaterialHandle, MaterialDesc> materials;
  MaterialHandle default_material;  // For submeshes without a material.

  const MaterialDesc& material(MaterialHandle handle) const {
    return materials.get(handle ? handle : default_material);
  }
};

// With mip levels, repeating, trilinear.
gl::Texture make_texture(const Picture& picture, ColorSpace color_space);

}  // namespace zoe::render
