// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

// Half-width of a bone as a fraction of its length, and the position of its thickest part along the bone.
constexpr float kWidth = 0.1F, kWaist = 0.15F;
// Size of the octahedron of a tip without children, as a fraction of the skeleton's size.
constexpr float kTipSize = 0.01F;

// Flat-shaded octahedron from one end to the other, all vertices bound to one joint.
void append_octahedron(Mesh& mesh, Vec3 from, Vec3 to, float half_width, std::uint16_t joint) {
  const Vec3 along = to - from;
  const Vec3 direction = normalized(along, {0, 1, 0});
  const Vec3 side =
      normalized(cross(direction, std::abs(direction.y) < 0.9F ? Vec3{0, 1, 0} : Vec3{1, 0, 0})) * half_width;
  const Vec3 front = cross(direction, side);
  const Vec3 waist = from + along * kWaist;
  const std::array<Vec3, 4> ring{waist + side, waist + front, waist - side, waist - front};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 a = ring[i], b = ring[(i + 1) % 4];
    for (const std::array<Vec3, 3>& triangle : {std::array<Vec3, 3>{a, b, to}, std::array<Vec3, 3>{b, a, from}}) {
      const Vec3 normal = normalized(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]), {0, 1, 0});
      for (const Vec3 corner : triangle) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
        mesh.normals.push_back(normal);
        mesh.influence_joints.insert(mesh.influence_joints.end(), {joint, 0, 0, 0});
        mesh.influence_weights.insert(mesh.influence_weights.end(), {1.0F, 0.0F, 0.0F, 0.0F});
      }
    }
  }
}

float extent_of(const Skeleton& skeleton) {
  Vec3 low{}, high{};
  for (const Affine& joint : skeleton.rest_model()) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], joint.t[c]);
      high[c] = std::max(high[c], joint.t[c]);
    }
  }
  return std::max(length(high - low), 1e-3F);
}

}  // namespace

Mesh make_skeleton_mesh(const Skeleton& skeleton, std::span<const int> joints) {
  Mesh mesh;
  mesh.name = "skeleton";
  mesh.influences_per_vertex = 4;
  std::vector<int> slot(static_cast<std::size_t>(skeleton.num_joints()), -1);
  for (std::size_t i = 0; i < joints.size(); ++i) slot[static_cast<std::size_t>(joints[i])] = static_cast<int>(i);
  std::vector<bool> has_child(slot.size(), false);
  const std::span<const Affine> rest = skeleton.rest_model();
  const float tip = extent_of(skeleton) * kTipSize;
  for (const int joint : joints) {
    const int parent = skeleton.parent(joint);
    if (parent < 0 || slot[static_cast<std::size_t>(parent)] < 0) continue;
    const Vec3 from = rest[static_cast<std::size_t>(parent)].t, to = rest[static_cast<std::size_t>(joint)].t;
    const float bone_length = distance(from, to);
    if (!(bone_length > tip * 0.1F)) continue;
    has_child[static_cast<std::size_t>(parent)] = true;
    append_octahedron(mesh, from, to, bone_length * kWidth,
                      static_cast<std::uint16_t>(slot[static_cast<std::size_t>(parent)]));
  }
  for (const int joint : joints) {
    if (has_child[static_cast<std::size_t>(joint)]) continue;
    const Vec3 at = rest[static_cast<std::size_t>(joint)].t;
    append_octahedron(mesh, at, at + Vec3{0, tip, 0}, tip * 0.3F,
                      static_cast<std::uint16_t>(slot[static_cast<std::size_t>(joint)]));
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), -1});
  return mesh;
}

}  // namespace zoe::io::gltf
