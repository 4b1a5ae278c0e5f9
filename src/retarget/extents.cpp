// SPDX-License-Identifier: MIT
#include "retarget/extents.h"

#include <algorithm>
#include <array>
#include <limits>

#include "zoe/core/index.h"

namespace zoe::retarget_detail {
namespace {

// Axes, edges and corners of a cube. Half of them, because each is used in both directions.
constexpr std::array<Vec3, 13> kDirections{{{1, 0, 0},
                                            {0, 1, 0},
                                            {0, 0, 1},
                                            {1, 1, 0},
                                            {1, -1, 0},
                                            {1, 0, 1},
                                            {1, 0, -1},
                                            {0, 1, 1},
                                            {0, 1, -1},
                                            {1, 1, 1},
                                            {1, 1, -1},
                                            {1, -1, 1},
                                            {-1, 1, 1}}};

// The outermost of the given points in each direction.
struct Outermost {
  std::array<Vec3, 2 * kDirections.size()> points{};
  std::array<float, 2 * kDirections.size()> far{};
  bool any = false;

  void add(Vec3 p) {
    if (!any) far.fill(-std::numeric_limits<float>::max());
    any = true;
    for (std::size_t k = 0; k < kDirections.size(); ++k) {
      const float along = dot(p, kDirections[k]);
      for (const std::size_t side : {2 * k, 2 * k + 1}) {
        const float value = side % 2 == 0 ? along : -along;
        if (value <= far[side]) continue;
        far[side] = value;
        points[side] = p;
      }
    }
  }
};

}  // namespace

Extents extents_of(const Character& character) {
  const Skeleton& skeleton = *character.skeleton;
  std::vector<Outermost> found(idx(skeleton.num_joints()));
  for (const MeshInstance& instance : character.instances) {
    const Mesh& mesh = character.meshes[idx(instance.mesh)];
    if (instance.skin < 0) {
      if (instance.joint < 0 || skeleton.kind(instance.joint) != JointKind::kBone) continue;
      for (const Vec3 p : mesh.positions) found[idx(instance.joint)].add(instance.joint_from_mesh.apply_point(p));
      continue;
    }
    const Skin& skin = character.skins[idx(instance.skin)];
    const std::size_t stride = idx(mesh.influences_per_vertex);
    for (std::size_t v = 0; stride > 0 && v < mesh.positions.size(); ++v) {
      const std::size_t heaviest = mesh.influence_joints[v * stride];
      found[idx(skin.joints[heaviest])].add(skin.joint_from_mesh[heaviest].apply_point(mesh.positions[v]));
    }
  }
  anatomy::ModelPose rest;
  anatomy::compute_model_pose(skeleton, make_pose(skeleton).view(), rest);
  Extents extents(found.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    if (!found[j].any) continue;
    for (const Vec3 p : found[j].points)
      extents[j].push_back(rotate(conjugate(rest.rotations[j]), skeleton.rest_model()[j].apply_vector(p)));
  }
  return extents;
}

float lowest_of(const anatomy::ModelPose& pose, std::span<const int> joints, const Extents& extents, Vec3 up) {
  float low = std::numeric_limits<float>::max();
  for (const int joint : joints) {
    const float height = dot(pose.positions[idx(joint)], up);
    low = std::min(low, height);
    if (extents.empty()) continue;
    const Vec3 down = rotate(conjugate(pose.rotations[idx(joint)]), up);
    for (const Vec3 p : extents[idx(joint)]) low = std::min(low, height + dot(p, down));
  }
  return low;
}

}  // namespace zoe::retarget_detail
