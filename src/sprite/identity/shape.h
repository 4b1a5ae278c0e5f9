// SPDX-License-Identifier: MIT
// Part of Zoetrope. The geometry of identities: lofts, blobs, sheets and spikes with colours and skin influences.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "zoe/character/character.h"

namespace zoe::sprite::identity {

// Colours of an identity: one material each.
enum Slot : std::uint8_t {
  kSkin,
  kSkinShade,
  kHairSlot,
  kCloth,
  kCloth2,
  kTrim,
  kLeather,
  kMetal,
  kDark,
  kWhite,
  kIris,
  kMouth,
  kGlow,
  kWood,
  kBlade,
  kBone,
  kBelly,
  kBlush,
  kNumSlots
};

// Up to four joints of the skeleton.
struct Influence {
  std::array<int, 4> joints{};
  std::array<float, 4> weights{1, 0, 0, 0};
};
using Skinner = std::function<Influence(Vec3)>;
Skinner rigid(int joint);
// Blends from one joint to the next along an axis, over `width`. borders[i] is between joints i and i + 1.
Skinner along(Vec3 axis, std::vector<int> joints, std::vector<float> borders, float width);

// An ellipse or rounded rectangle in space.
struct Ring {
  Vec3 center;
  float rx = 0, ry = 0;  // Along the axes of the loft.
  float boxy = 0;        // 0 ellipse, 1 rounded rectangle.
};

class Shapes {
 public:
  // Rings one after the other, closed where `caps`. across, up: unit axes of the rings, which turn about no axis; the
  // loft runs along cross(across, up).
  void loft(std::span<const Ring> rings, Vec3 across, Vec3 up, Slot slot, const Skinner& skin, int segments = 12,
            bool caps = true);
  // Along y: the usual direction of bodies.
  void tower(std::span<const Ring> rings, Slot slot, const Skinner& skin, int segments = 16, bool caps = true) {
    loft(rings, {0, 0, 1}, {1, 0, 0}, slot, skin, segments, caps);
  }
  // Along a path of points with a radius each; the section is round.
  void tube(std::span<const Vec3> points, std::span<const float> radii, Slot slot, const Skinner& skin,
            int segments = 8, float flat = 1);
  void blob(Vec3 center, Vec3 radii, Slot slot, const Skinner& skin, float boxy = 0, int segments = 12);
  void cone(Vec3 base, Vec3 tip, float radius, Slot slot, const Skinner& skin, int segments = 8, float flat = 1);
  // A grid of points, drawn from both sides. rows × columns.
  void sheet(std::span<const Vec3> points, int columns, Slot slot, const Skinner& skin, bool both_sides = true);

  bool empty() const { return positions_.empty(); }
  // Influences and materials in one mesh. num_joints: of the skeleton, whose numbers are those of the skin.
  Mesh build(const std::string& name) const;
  // Without influences.
  Mesh build_rigid(const std::string& name) const;

 private:
  std::uint32_t add(Vec3 position, const Skinner& skin);
  void triangle(Slot slot, std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::vector<Vec3> positions_;
  std::vector<Influence> influences_;
  std::array<std::vector<std::uint32_t>, kNumSlots> indices_;
};

}  // namespace zoe::sprite::identity
