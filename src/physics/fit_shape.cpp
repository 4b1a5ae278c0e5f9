// SPDX-License-Identifier: MIT
#include "physics/fit_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/symmetric_eigen.h"

namespace zoe::physics {
namespace {

// Range of values without a fraction of the outermost ones on each side. Loose vertices must not make a bone longer.
std::pair<double, double> inner_range(std::vector<double>& values, double cut) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return {values[static_cast<std::size_t>(cut * last)], values[static_cast<std::size_t>((1 - cut) * last)]};
}

constexpr std::size_t kMostPoints = 2000;  // Of one bone: more change nothing.

}  // namespace

BoneShape fit_capsule(std::span<const Vec3d> points, Vec3d axis) {
  std::vector<double> along;
  Vec3d middle{};
  for (const Vec3d& p : points) along.push_back(dot(p, axis)), middle += p;
  middle = middle / static_cast<double>(points.size());
  middle -= axis * dot(middle, axis);
  double sum = 0;
  for (const Vec3d& p : points) {
    const Vec3d across = p - axis * dot(p, axis) - middle;
    sum += dot(across, across);
  }
  const auto [low, high] = inner_range(along, 0.02);
  BoneShape shape;
  shape.from_skin = true;
  // A flat or thin part must still have a volume.
  const double across = std::sqrt(sum / static_cast<double>(points.size()));
  shape.radius_m = std::max(across, 0.05 * (high - low));
  const double centre = 0.5 * (low + high), half = std::max(0.5 * (high - low) - shape.radius_m, 0.0);
  if (half == 0) shape.radius_m = std::min(shape.radius_m, 0.5 * (across + 0.5 * (high - low)) + 1e-4);
  shape.from = middle + axis * (centre - half);
  shape.to = middle + axis * (centre + half);
  return shape;
}

Vec3d main_axis(std::span<const Vec3d> points) {
  Vec3d mean{};
  for (const Vec3d& p : points) mean += p;
  mean = mean / static_cast<double>(points.size());
  double s[9] = {}, vectors[9];
  for (const Vec3d& p : points) {
    const Vec3d d = p - mean;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) s[i * 3 + k] += d[i] * d[k];
  }
  symmetric_eigen(3, s, vectors);
  std::size_t best = 0;
  for (std::size_t i = 1; i < 3; ++i) best = s[i * 4] > s[best * 4] ? i : best;
  return normalized(Vec3d{vectors[best * 3], vectors[best * 3 + 1], vectors[best * 3 + 2]}, Vec3d{0, 1, 0});
}

BoneShape fit_box(std::span<const Vec3d> points, Quatd bone_from_box) {
  BoneShape shape;
  shape.is_box = true;
  shape.from_skin = true;
  shape.rotation = bone_from_box;
  Vec3d centre;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3d axis{};
    axis[i] = 1;
    std::vector<double> along;
    for (const Vec3d& p : points) along.push_back(dot(p, rotate(bone_from_box, axis)));
    const auto [low, high] = inner_range(along, 0.01);
    centre[i] = 0.5 * (low + high);
    shape.half_size[i] = std::max(0.5 * (high - low), 1e-3);
  }
  shape.centre = rotate(bone_from_box, centre);
  return shape;
}

std::vector<std::vector<Vec3d>> skin_points(const Character& character, std::span<const Affine> model_from_joint,
                                            std::span<const int> bone_of_joint, std::span<const Quatd> rotations,
                                            std::span<const Vec3d> origins_m, double metres_per_unit) {
  std::vector<std::vector<Vec3d>> points(rotations.size());
  const auto add = [&](int joint, Vec3 model) {
    const int bone = joint < 0 ? -1 : bone_of_joint[idx(joint)];
    if (bone < 0 || !is_finite(model)) return;
    const Vec3d offset = to_double(model) * metres_per_unit - origins_m[idx(bone)];
    points[idx(bone)].push_back(rotate(conjugate(rotations[idx(bone)]), offset));
  };
  for (const MeshInstance& instance : character.instances) {
    const Mesh& mesh = character.meshes[idx(instance.mesh)];
    const Skin* skin = instance.skin < 0 ? nullptr : &character.skins[idx(instance.skin)];
    if (skin != nullptr && mesh.influences_per_vertex < 1) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      if (skin == nullptr) {
        if (instance.joint < 0) break;
        const Affine model_from_mesh = model_from_joint[idx(instance.joint)] * instance.joint_from_mesh;
        add(instance.joint, model_from_mesh.apply_point(mesh.positions[v]));
        continue;
      }
      // Influences are sorted: the first has the largest weight.
      const std::size_t entry = mesh.influence_joints[v * idx(mesh.influences_per_vertex)];
      const int joint = skin->joints[entry];
      add(joint, (model_from_joint[idx(joint)] * skin->joint_from_mesh[entry]).apply_point(mesh.positions[v]));
    }
  }
  for (std::vector<Vec3d>& of_bone : points) {
    const std::size_t step = of_bone.size() / kMostPoints + 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < of_bone.size(); i += step) of_bone[kept++] = of_bone[i];
    of_bone.resize(kept);
  }
  return points;
}

double BoneShape::volume_m3() const {
  if (is_box) return 8 * half_size.x * half_size.y * half_size.z;
  return std::numbers::pi * radius_m * radius_m * (distance(from, to) + 4.0 / 3.0 * radius_m);
}

Vec3d BoneShape::centre_of_volume() const { return is_box ? centre : (from + to) * 0.5; }

double BoneShape::lowest_y(Quatd world_from_bone, Vec3d origin) const {
  if (!is_box) return origin.y + std::min(rotate(world_from_bone, from).y, rotate(world_from_bone, to).y) - radius_m;
  const Quatd world_from_box = world_from_bone * rotation;
  double reach = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3d axis{};
    axis[i] = half_size[i];
    reach += std::abs(rotate(world_from_box, axis).y);
  }
  return origin.y + rotate(world_from_bone, centre).y - reach;
}

}  // namespace zoe::physics
