// SPDX-License-Identifier: MIT
#include "zoe/physics/body_mesh.h"

#include <array>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"

namespace zoe::physics {
namespace {

constexpr int kAround = 16, kCap = 5;  // Sides of a capsule, and rings of each of its ends.

// Adds shapes in metres of a bone's frame; what they become in the mesh follows from its joint.
struct ShapeWriter {
  Mesh& mesh;
  Affine mesh_from_bone;
  std::uint16_t joint = 0;

  std::uint32_t add_vertex(Vec3d point, Vec3d normal) {
    mesh.positions.push_back(mesh_from_bone.apply_point(to_float(point)));
    mesh.normals.push_back(normalized(mesh_from_bone.apply_vector(to_float(normal)), Vec3{0, 1, 0}));
    mesh.influence_joints.push_back(joint);
    mesh.influence_weights.push_back(1);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  }

  void add_capsule(const BoneShape& shape) {
    const Vec3d along = normalized(shape.to - shape.from, Vec3d{0, 1, 0});
    const Vec3d side = normalized(cross(std::abs(along.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0}, along));
    const Vec3d third = cross(along, side);
    std::uint32_t first = 0;
    for (int ring = 0; ring < 2 * kCap; ++ring) {
      // From pole to pole; the two middle rings are the ends of the cylinder.
      const bool is_second = ring >= kCap;
      const double height = (ring - (is_second ? kCap : kCap - 1)) * std::numbers::pi / 2 / (kCap - 1);
      for (int i = 0; i < kAround; ++i) {
        const double angle = 2 * std::numbers::pi * i / kAround;
        const Vec3d normal =
            (side * std::cos(angle) + third * std::sin(angle)) * std::cos(height) + along * std::sin(height);
        const std::uint32_t at = add_vertex((is_second ? shape.to : shape.from) + normal * shape.radius_m, normal);
        if (ring == 0 && i == 0) first = at;
      }
    }
    for (std::uint32_t ring = 0; ring + 1 < 2 * kCap; ++ring)
      for (std::uint32_t i = 0; i < kAround; ++i) {
        const std::uint32_t a = first + ring * kAround + i, b = first + ring * kAround + (i + 1) % kAround;
        for (const std::uint32_t corner : {a, b, b + kAround, a, b + kAround, a + kAround})
          mesh.indices.push_back(corner);
      }
  }

  void add_box(const BoneShape& shape) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double sign : {-1.0, 1.0}) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        Vec3d normal{};
        normal[axis] = sign;
        std::array<std::uint32_t, 4> corners{};
        for (std::size_t i = 0; i < 4; ++i) {
          Vec3d at{};
          at[axis] = sign * shape.half_size[axis];
          at[u] = (i == 1 || i == 2 ? 1 : -1) * sign * shape.half_size[u];
          at[v] = (i >= 2 ? 1 : -1) * shape.half_size[v];
          corners[i] = add_vertex(shape.centre + rotate(shape.rotation, at), rotate(shape.rotation, normal));
        }
        for (const std::size_t i : {0U, 1U, 2U, 0U, 2U, 3U}) mesh.indices.push_back(corners[i]);
      }
  }
};

Vec4 colour_of(BoneRole role) {
  switch (role) {
    case BoneRole::kTrunk:
      return {0.55F, 0.58F, 0.62F, 1};
    case BoneRole::kHead:
      return {0.75F, 0.55F, 0.25F, 1};
    case BoneRole::kLeg:
      return {0.16F, 0.35F, 0.65F, 1};
    case BoneRole::kFoot:
      return {0.6F, 0.12F, 0.1F, 1};
    case BoneRole::kToe:
      return {0.75F, 0.3F, 0.2F, 1};
    case BoneRole::kArm:
      return {0.15F, 0.5F, 0.3F, 1};
    case BoneRole::kOther:
      break;
  }
  return {0.4F, 0.3F, 0.5F, 1};
}

}  // namespace

CharacterPtr make_body_mesh(const BodyPlan& plan, const SkeletonPtr& skeleton) {
  auto character = std::make_shared<Character>();
  character->name = "body", character->skeleton = skeleton;
  Mesh mesh{.name = "shapes", .influences_per_vertex = 1};
  Skin skin{.name = "shapes"};
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const Affine& rest = skeleton->rest_model()[idx(plan.bones[b].joint)];
    skin.joints.push_back(plan.bones[b].joint);
    skin.joint_from_mesh.push_back(inverse(rest));
  }
  for (const BoneRole role : {BoneRole::kTrunk, BoneRole::kHead, BoneRole::kLeg, BoneRole::kFoot, BoneRole::kToe,
                              BoneRole::kArm, BoneRole::kOther}) {
    const std::size_t first = mesh.indices.size();
    for (std::size_t b = 0; b < plan.bones.size(); ++b) {
      const Bone& bone = plan.bones[b];
      if (bone.role != role) continue;
      Affine place = skeleton->rest_model()[idx(bone.joint)];
      // Shapes are in metres, whatever scale the joint has.
      const double scale = std::cbrt(std::abs(static_cast<double>(determinant(place)))) * plan.metres_per_unit;
      if (!(scale > 0)) continue;
      for (Vec3* axis : {&place.x, &place.y, &place.z}) *axis = *axis / static_cast<float>(scale);
      ShapeWriter writer{mesh, place, static_cast<std::uint16_t>(b)};
      if (bone.shape.is_box)
        writer.add_box(bone.shape);
      else
        writer.add_capsule(bone.shape);
    }
    if (mesh.indices.size() == first) continue;
    mesh.submeshes.push_back({static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(mesh.indices.size() - first),
                              static_cast<int>(character->materials.size())});
    character->materials.push_back({.name = to_string(role), .base_color = colour_of(role)});
  }
  character->meshes.push_back(std::move(mesh));
  character->skins.push_back(std::move(skin));
  character->instances.push_back({.mesh = 0, .skin = 0});
  return character;
}

}  // namespace zoe::physics
