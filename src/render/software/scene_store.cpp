// SPDX-License-Identifier: MIT
#include "render/software/scene_store.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/box.h"

#include "render/gpu_mesh.h"
#include "render/software/noise.h"

namespace zoe::render {
namespace {

// Each texel is the mean of up to four.
Picture halved(const Picture& picture) {
  Picture out = make_picture(std::max(1, picture.width / 2), std::max(1, picture.height / 2), 0, 0, 0, 0);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const int x0 = std::min(2 * x, picture.width - 1), x1 = std::min(2 * x + 1, picture.width - 1);
      const int y0 = std::min(2 * y, picture.height - 1), y1 = std::min(2 * y + 1, picture.height - 1);
      for (int k = 0; k < 4; ++k) {
        const int sum =
            picture.pixel(x0, y0)[k] + picture.pixel(x1, y0)[k] + picture.pixel(x0, y1)[k] + picture.pixel(x1, y1)[k];
        out.pixel(x, y)[k] = static_cast<std::uint8_t>((sum + 2) / 4);
      }
    }
  }
  return out;
}

int wrapped(int value, int size) {
  const int rest = value % size;
  return rest < 0 ? rest + size : rest;
}

}  // namespace

Vec4 sample_texture(const SoftwareTexture& texture, Vec2 uv, float texels_per_sample) {
  if (!(std::abs(uv.x) < 1e6F) || !(std::abs(uv.y) < 1e6F)) uv = {};
  std::size_t level = 0;
  for (float texels = texels_per_sample; texels > 1.5F && level + 1 < texture.levels.size(); texels *= 0.5F) ++level;
  const Picture& picture = texture.levels[level];
  // Whole repeats are removed first: they would cost precision.
  const float u = uv.x - static_cast<float>(floor_to_int(uv.x)), v = uv.y - static_cast<float>(floor_to_int(uv.y));
  const float x = u * static_cast<float>(picture.width) - 0.5F, y = v * static_cast<float>(picture.height) - 0.5F;
  const int x0 = floor_to_int(x), y0 = floor_to_int(y);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  const int left = wrapped(x0, picture.width), right = wrapped(x0 + 1, picture.width);
  const int top = wrapped(y0, picture.height), bottom = wrapped(y0 + 1, picture.height);
  const std::uint8_t *a = picture.pixel(left, top), *b = picture.pixel(right, top), *c = picture.pixel(left, bottom),
                     *d = picture.pixel(right, bottom);
  const auto mix = [&](int k) {
    const float upper = static_cast<float>(a[k]) + (static_cast<float>(b[k]) - static_cast<float>(a[k])) * fx;
    const float lower = static_cast<float>(c[k]) + (static_cast<float>(d[k]) - static_cast<float>(c[k])) * fx;
    return upper + (lower - upper) * fy;
  };
  return {mix(0), mix(1), mix(2), mix(3)};
}

SoftwareTexture make_software_texture(const Picture& picture) {
  SoftwareTexture texture;
  texture.levels.push_back(picture.width > 0 && picture.height > 0 ? picture : make_picture(1, 1, 255, 255, 255, 255));
  while (std::max(texture.levels.back().width, texture.levels.back().height) > 1)
    texture.levels.push_back(halved(texture.levels.back()));
  return texture;
}

SoftwareMesh make_software_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) {
  SoftwareMesh made{.mesh = mesh, .materials = {}};
  if (made.mesh.normals.empty()) made.mesh.normals = smooth_normals(mesh);
  for (const Submesh& submesh : mesh.submeshes) {
    const auto index = static_cast<std::size_t>(submesh.material);
    made.materials.push_back(submesh.material >= 0 && index < materials.size() ? materials[index] : MaterialHandle{});
  }
  for (std::size_t i = 0; i < mesh.influence_joints.size(); ++i) {
    if (mesh.influence_weights[i] > 0)
      made.num_palette_joints = std::max(made.num_palette_joints, std::size_t{mesh.influence_joints[i]} + 1);
  }
  const Box3 box = box_of(mesh.positions);
  made.rest_size = box.empty() ? 1.0F : std::max(box.longest_side(), 1e-6F);
  return made;
}

}  // namespace zoe::render
