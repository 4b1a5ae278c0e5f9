// SPDX-License-Identifier: MIT
// Part of Zoetrope. Maps beside the frames, exact because they come from 3D: normals, depth, body parts, optical flow,
// joints. For lights in games, and to train networks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "zoe/render/picture.h"

namespace zoe::sprite {

enum class MapKind : std::uint8_t { kNormal, kDepth, kPart, kFlow, kPose };
constexpr std::size_t kNumMaps = 5;
constexpr std::array<const char*, kNumMaps> kMapWords{"normal", "depth", "part", "flow", "pose"};
std::optional<MapKind> map_from(std::string_view word);

// Which maps are made.
struct MapSet {
  std::array<bool, kNumMaps> kinds{};
  bool has(MapKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  void add(MapKind kind) { kinds[static_cast<std::size_t>(kind)] = true; }
  bool any() const;
};

// Body parts: the red byte of the part map.
enum class BodyPart : std::uint8_t {
  kNothing,
  kTrunk,
  kHead,
  kLeftArm,
  kRightArm,
  kLeftLeg,
  kRightLeg,
  kOther,
  kWeapon
};
constexpr std::size_t kNumParts = 9;
// What the map is painted with: a colour for each part.
std::array<std::uint8_t, 3> part_color(BodyPart part);

// The 18 points of OpenPose: nose, neck, right shoulder, elbow, wrist, left ones, right hip, knee, ankle, left ones,
// eyes and ears (right first).
constexpr std::size_t kNumKeypoints = 18;
struct Keypoint {
  float x = 0, y = 0;    // Pixels of the canvas, from its top left corner.
  float depth = 0;       // Heights of the body towards the viewer, from the pivot.
  bool known = false;    // The body has such a joint.
  bool visible = false;  // No other part of the body is in front.
};

// Maps of one frame: whole canvases, of the kinds that were requested.
struct FrameMaps {
  std::array<render::Picture, kNumMaps> pictures;
  std::array<Keypoint, kNumKeypoints> keypoints;
  float facing_cos = 1, facing_sin = 0;  // Of the body's yaw from the viewer.
};

}  // namespace zoe::sprite
