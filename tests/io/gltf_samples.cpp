// SPDX-License-Identifier: MIT
#include "io/gltf_samples.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe::test {
namespace {

constexpr int kFrames = 30;

SkeletonPtr chain_skeleton(int num_roots) {
  std::vector<JointDesc> joints;
  for (int r = 0; r < num_roots; ++r) {
    const float side = static_cast<float>(r) * 0.5F;
    const int first = static_cast<int>(joints.size());
    joints.push_back({fmt::format("Hips{}", r), -1, {{side, 1, 0}}});
    joints.push_back({fmt::format("Spine{}", r), first, {{0, 0.3F, 0.02F}, from_axis_angle(Vec3{1, 0, 0}, 0.1F)}});
    joints.push_back({fmt::format("Head{}", r), first + 1, {{0, 0.4F, 0}}});
    joints.push_back({fmt::format("Head{}_End", r), first + 2, {{0, 0.2F, 0}}, JointKind::kEndSite});
    joints.push_back({fmt::format("Leg{}", r), first, {{0.1F, -0.5F, 0}}});
    joints.push_back({fmt::format("Leg{}_End", r), first + 4, {{0, -0.4F, 0.1F}}, JointKind::kEndSite});
  }
  return Skeleton::create(std::move(joints)).value();
}

// Every bone turns, the roots travel; end sites stay.
Motion wave(const SkeletonPtr& skeleton, std::string name) {
  Motion motion = make_motion(skeleton, std::move(name), 30.0, kFrames, false);
  for (int f = 0; f < kFrames; ++f) {
    for (int j = 0; j < skeleton->num_joints(); ++j) {
      if (skeleton->kind(j) == JointKind::kEndSite) continue;
      const auto at = static_cast<std::size_t>(f * skeleton->num_joints() + j);
      const float t = static_cast<float>(f) / 30.0F;
      const Vec3 axis = normalized(Vec3{1.0F, 0.3F * static_cast<float>(j), 0.2F});
      motion.rotations[at] =
          motion.rotations[at] * from_axis_angle(axis, 0.7F * std::sin(3 * t + static_cast<float>(j)));
      if (skeleton->parent(j) == kNoJoint) motion.translations[at] += Vec3{t * 0.5F, 0.05F * std::sin(7 * t), 0};
    }
  }
  make_continuous(motion);
  return motion;
}

// A grid of points between two heights, weighted along the way over all slots of a skin.
Mesh tube(std::string name, std::size_t num_slots, int influences) {
  Mesh mesh;
  mesh.name = std::move(name);
  constexpr std::uint32_t kRings = 10, kSides = 6;
  for (std::uint32_t r = 0; r < kRings; ++r) {
    for (std::uint32_t s = 0; s < kSides; ++s) {
      const float angle = 6.2831853F * static_cast<float>(s) / kSides, height = 0.2F * static_cast<float>(r);
      mesh.positions.push_back({0.1F * std::cos(angle), height, 0.1F * std::sin(angle)});
      mesh.normals.push_back({std::cos(angle), 0, std::sin(angle)});
      mesh.uvs.push_back({static_cast<float>(s) / kSides, static_cast<float>(r) / kRings});
      if (r + 1 < kRings) {
        const std::uint32_t i = r * kSides + s, next = r * kSides + (s + 1) % kSides;
        mesh.indices.insert(mesh.indices.end(), {i, i + kSides, next, next, i + kSides, next + kSides});
      }
    }
  }
  const auto half = static_cast<std::uint32_t>(mesh.indices.size() / 6 * 3);
  mesh.submeshes = {{0, half, 0}, {half, static_cast<std::uint32_t>(mesh.indices.size()) - half, 1}};
  mesh.influences_per_vertex = influences;
  for (std::size_t v = 0; v < mesh.positions.size() && influences > 0; ++v) {
    float sum = 0;
    for (int k = 0; k < influences; ++k) sum += 1.0F / static_cast<float>(k + 1);
    for (int k = 0; k < influences; ++k) {
      mesh.influence_joints.push_back(
          static_cast<std::uint16_t>((v / kSides + static_cast<std::size_t>(k)) % num_slots));
      mesh.influence_weights.push_back(1.0F / static_cast<float>(k + 1) / sum);
    }
  }
  return mesh;
}

Skin bind(const Skeleton& skeleton, std::vector<int> joints, std::string name) {
  Skin skin{std::move(name), std::move(joints), {}};
  for (const int joint : skin.joints)
    skin.joint_from_mesh.push_back(inverse(skeleton.rest_model()[static_cast<std::size_t>(joint)]));
  return skin;
}

}  // namespace

io::Asset make_bare_skeleton(int num_roots) {
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->name = num_roots > 1 ? "many_roots" : "bare";
  character->skeleton = chain_skeleton(num_roots);
  asset.clips.push_back(wave(character->skeleton, "wave"));
  asset.character = std::move(character);
  return asset;
}

io::Asset make_everything() {
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->name = "everything";
  const SkeletonPtr chain = chain_skeleton(1);
  std::vector<JointDesc> joints(chain->joints().begin(), chain->joints().end());
  joints.push_back(
      {"Group", -1, {{0.2F, 0, 0.1F}, from_axis_angle(Vec3{0, 1, 0}, 0.4F), {1.5F, 1, 0.5F}}, JointKind::kNode});
  character->skeleton = Skeleton::create(joints).value();
  const Skeleton& skeleton = *character->skeleton;
  character->materials = {{.name = "red", .base_color = {1, 0, 0, 1}},
                          {.name = "glow", .emissive = {0.5F, 0.5F, 0}, .alpha_mode = Material::AlphaMode::kMask}};
  character->skins = {bind(skeleton, {0, 1, 2, 4}, "body"), bind(skeleton, {0, 1, 2, 3, 4, 5, 1}, "twice")};
  character->skins[1].joint_from_mesh[6].t += Vec3{0.01F, 0, 0};  // The second binding of joint 1 differs.

  Mesh body = tube("body", 4, 4);
  MorphTarget dense{"dense", {}, std::vector<Vec3>(body.num_vertices(), {0, 0, 0.1F}), {}};
  MorphTarget sparse{"sparse", {3, 7}, {{0.1F, 0, 0}, {0, 0.2F, 0}}, {{0, 0.1F, 0}, {0.1F, 0, 0}}};
  body.morph_targets = {dense, sparse, {"nothing", {}, {}, {}}};
  character->meshes = {body, tube("eight", 7, 8), tube("rigid", 0, 0)};

  MeshInstance skinned{.mesh = 0, .joint = 6, .skin = 0};
  skinned.morph_weights = {0.25F, 0.5F, 0};
  MeshInstance eight{.mesh = 1, .joint = -1, .skin = 1};
  MeshInstance rigid{.mesh = 2, .joint = 2}, second{.mesh = 2, .joint = 2}, sheared{.mesh = 2, .joint = 4},
      loose{.mesh = 2, .joint = -1};
  second.joint_from_mesh = to_affine(Transform{{0.3F, 0, 0}, from_axis_angle(Vec3{0, 0, 1}, 0.5F), {1, 2, 1}});
  sheared.joint_from_mesh.y = {0.4F, 1, 0};
  MeshInstance follower{.mesh = 0, .joint = 6, .skin = 0, .skin_follows_joint = true};
  follower.joint_from_model_at_bind =
      to_affine(Transform{{0.1F, 0, 0}, from_axis_angle(Vec3{0, 1, 0}, 0.2F), {1, 1, 1}});
  character->instances = {skinned, eight, rigid, second, sheared, loose, follower};

  Motion motion = wave(character->skeleton, "wave");
  motion.num_morph_weights = static_cast<int>(character->num_morph_weights());
  for (int f = 0; f < motion.num_frames; ++f) {
    for (int w = 0; w < motion.num_morph_weights; ++w)
      motion.morph_weights.push_back(0.5F + 0.5F * std::sin(0.3F * static_cast<float>(f + w)));
  }
  asset.clips.push_back(std::move(motion));
  Motion still = make_motion(character->skeleton, "still", 24.0, 10, true);
  still.start_time_s = 1.0;
  asset.clips.push_back(std::move(still));
  asset.character = std::move(character);
  return asset;
}

}  // namespace zoe::test
