// SPDX-License-Identifier: MIT
#include "demo/figure.h"

#include <array>
#include <cmath>
#include <numbers>

namespace zoe::cli {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

struct Bone {
  const char* name;
  int parent;
  Vec3 offset;      // From the parent, metres, in the rest pose: standing, arms to the sides, facing +Z.
  float thickness;  // Of the box between this joint and its parent. 0: none.
};

// Left is +X.
constexpr Bone kBones[] = {
    {"Hips", -1, {0, 0.95F, 0}, 0},
    {"Spine", 0, {0, 0.12F, 0}, 0.24F},
    {"Chest", 1, {0, 0.16F, 0}, 0.26F},
    {"Neck", 2, {0, 0.22F, 0}, 0.28F},
    {"Head", 3, {0, 0.09F, 0}, 0.09F},
    {"HeadTop", 4, {0, 0.20F, 0}, 0.16F},
    {"LeftShoulder", 2, {0.05F, 0.17F, 0}, 0},
    {"LeftArm", 6, {0.13F, 0, 0}, 0.09F},
    {"LeftForeArm", 7, {0.27F, 0, 0}, 0.09F},
    {"LeftHand", 8, {0.25F, 0, 0}, 0.07F},
    {"RightShoulder", 2, {-0.05F, 0.17F, 0}, 0},
    {"RightArm", 10, {-0.13F, 0, 0}, 0.09F},
    {"RightForeArm", 11, {-0.27F, 0, 0}, 0.09F},
    {"RightHand", 12, {-0.25F, 0, 0}, 0.07F},
    {"LeftUpLeg", 0, {0.09F, -0.05F, 0}, 0},
    {"LeftLeg", 14, {0, -0.42F, 0}, 0.14F},
    {"LeftFoot", 15, {0, -0.41F, 0}, 0.11F},
    {"LeftToe", 16, {0, -0.06F, 0.15F}, 0.08F},
    {"RightUpLeg", 0, {-0.09F, -0.05F, 0}, 0},
    {"RightLeg", 18, {0, -0.42F, 0}, 0.14F},
    {"RightFoot", 19, {0, -0.41F, 0}, 0.11F},
    {"RightToe", 20, {0, -0.06F, 0.15F}, 0.08F},
};

Quat about_x(float angle) { return from_axis_angle(Vec3{1, 0, 0}, angle); }
Quat about_y(float angle) { return from_axis_angle(Vec3{0, 1, 0}, angle); }
Quat about_z(float angle) { return from_axis_angle(Vec3{0, 0, 1}, angle); }

// Rotation of each joint at a phase of the stride (0 to 2 pi, left leg foremost at 0). A rotation about +X swings a
// hanging limb backwards.
void pose_walk(const Skeleton& skeleton, float phase, std::span<Quat> rotations) {
  const auto set = [&](const char* joint, Quat rotation) {
    rotations[static_cast<std::size_t>(skeleton.find(joint))] = rotation;
  };
  set("Hips", about_y(0.08F * std::cos(phase)));
  set("Spine", about_x(0.05F));
  set("Chest", about_y(-0.16F * std::cos(phase)));
  set("Head", about_x(-0.05F) * about_y(0.08F * std::cos(phase)));
  for (const bool left : {true, false}) {
    const std::string side = left ? "Left" : "Right";
    const float own = left ? phase : phase + kPi;
    const float outward = left ? 1.0F : -1.0F;
    const float swing = std::cos(own);
    set((side + "UpLeg").c_str(), about_x(-0.08F - 0.42F * swing));
    set((side + "Leg").c_str(), about_x(0.12F + 0.5F * (1 - std::cos(own + 0.6F)) * (0.5F - 0.5F * std::sin(own))));
    set((side + "Foot").c_str(), about_x(-0.05F + 0.18F * std::sin(own + 0.4F)));
    set((side + "Arm").c_str(), about_x(0.35F * swing) * about_z(-1.25F * outward));
    set((side + "ForeArm").c_str(), about_y(-outward * (0.35F - 0.2F * swing)));
  }
}

Motion make_walk(const SkeletonPtr& skeleton) {
  constexpr double kFps = 60;
  constexpr int kFrames = 121;
  constexpr float kStridesPerSecond = 0.9F, kSpeed = 1.3F;  // Metres per second.
  Motion motion = make_motion(skeleton, "walk", kFps, kFrames, false);
  const auto num_joints = static_cast<std::size_t>(skeleton->num_joints());
  for (int frame = 0; frame < kFrames; ++frame) {
    const float time_s = static_cast<float>(frame) / static_cast<float>(kFps);
    const float phase = 2 * kPi * kStridesPerSecond * time_s;
    const std::size_t first = static_cast<std::size_t>(frame) * num_joints;
    motion.translations[first] += Vec3{0.02F * std::sin(phase), -0.03F * std::cos(2 * phase), kSpeed * time_s};
    pose_walk(*skeleton, phase, std::span(motion.rotations).subspan(first, num_joints));
  }
  make_continuous(motion);
  return motion;
}

// Adds the four-sided prism from `from` to `to`, bound wholly to one joint.
void add_box(Mesh& mesh, Vec3 from, Vec3 to, float thickness, int joint) {
  const Vec3 along = normalized(to - from);
  const Vec3 side = normalized(cross(std::abs(along.z) < 0.9F ? Vec3{0, 0, 1} : Vec3{1, 0, 0}, along));
  const Vec3 third = cross(along, side);
  const auto corner = [&](int end, int i) {
    const float s = i == 0 || i == 3 ? -0.5F : 0.5F, t = i < 2 ? -0.5F : 0.5F;
    return (end == 0 ? from : to) + side * (s * thickness) + third * (t * thickness);
  };
  const auto add_face = [&](const std::array<Vec3, 4>& corners) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const Vec3 normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
    for (const Vec3& position : corners) {
      mesh.positions.push_back(position);
      mesh.normals.push_back(normal);
      mesh.influence_joints.push_back(static_cast<std::uint16_t>(joint));
      mesh.influence_weights.push_back(1);
    }
    for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) mesh.indices.push_back(first + i);
  };
  add_face({corner(0, 3), corner(0, 2), corner(0, 1), corner(0, 0)});
  add_face({corner(1, 0), corner(1, 1), corner(1, 2), corner(1, 3)});
  for (int i = 0; i < 4; ++i) {
    const int next = (i + 1) % 4;
    add_face({corner(0, i), corner(0, next), corner(1, next), corner(1, i)});
  }
}

}  // namespace

Result<io::Asset> make_walking_figure() {
  std::vector<JointDesc> joints;
  for (const Bone& bone : kBones) {
    joints.push_back({.name = bone.name, .parent = bone.parent, .rest_local = {.translation = bone.offset}});
  }
  auto character = std::make_shared<Character>();
  ZOE_TRY_ASSIGN(character->skeleton, Skeleton::create(std::move(joints)));
  const Skeleton& skeleton = *character->skeleton;

  Mesh mesh{.name = "body", .influences_per_vertex = 1};
  Skin skin{.name = "body"};
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const auto i = static_cast<std::size_t>(joint);
    skin.joints.push_back(joint);
    skin.joint_from_mesh.push_back(inverse(skeleton.rest_model()[i]));
    const Bone& bone = kBones[i];
    if (bone.thickness > 0) {
      const auto parent = static_cast<std::size_t>(bone.parent);
      add_box(mesh, skeleton.rest_model()[parent].t, skeleton.rest_model()[i].t, bone.thickness, bone.parent);
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  character->name = "figure";
  character->meshes.push_back(std::move(mesh));
  character->skins.push_back(std::move(skin));
  character->instances.push_back({.mesh = 0, .joint = 0, .skin = 0});
  character->materials.push_back({.name = "clay", .base_color = {0.8F, 0.45F, 0.3F, 1}});

  io::Asset asset;
  asset.clips.push_back(make_walk(character->skeleton));
  asset.character = std::move(character);
  ZOE_TRY(validate(*asset.character));
  ZOE_TRY(validate(asset.clips[0]));
  return asset;
}

}  // namespace zoe::cli
