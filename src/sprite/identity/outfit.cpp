// SPDX-License-Identifier: MIT
// What is worn over the trunk: skirts, belts, collars, armour, capes, scarves.
#include <algorithm>
#include <array>
#include <cmath>

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

// From the belt down to `bottom`, wider by `flare`.
void add_skirt(Maker& m, float bottom, float flare, Slot slot, bool hem) {
  const Frame& f = m.frame;
  const float top = f.waist_y + f.leg_r * 0.2F, drop = top - bottom;
  const float x = std::max(f.hip_x, f.waist_x) * 1.05F, z = std::max(f.hip_z, f.waist_z) * 1.08F + f.belly;
  std::vector<Ring> rings;
  constexpr int kSteps = 6;
  for (int i = 0; i <= kSteps; ++i) {
    const float share = static_cast<float>(i) / kSteps, wide = 0.98F + (flare - 0.98F) * share;
    rings.push_back({{0, bottom + drop * (1 - share), f.belly * (1 - share) * 0.8F}, z * wide, x * wide, 0.2F});
  }
  std::reverse(rings.begin(), rings.end());
  for (Ring& ring : rings) ring.center.y = bottom + (ring.center.y - bottom);
  m.shapes.tower(rings, slot, m.skirt(), 20, true);
  if (!hem) return;
  const Ring low = rings.front();
  const float band = std::max(drop * 0.14F, f.leg_r * 0.25F);
  const std::array<Ring, 2> border{{{low.center - Vec3{0, f.leg_r * 0.04F, 0}, low.rx * 1.025F, low.ry * 1.025F, 0.2F},
                                    {low.center + Vec3{0, band, 0}, low.rx * 1.0F, low.ry * 1.0F, 0.2F}}};
  m.shapes.tower(border, kTrim, m.skirt(), 20, true);
}

void add_belt(Maker& m, Slot slot, Slot buckle) {
  const Frame& f = m.frame;
  const float y = f.waist_y + f.leg_r * 0.1F, half = f.leg_r * 0.36F;
  const float x = std::max(f.hip_x, f.waist_x) * 1.09F, z = std::max(f.hip_z, f.waist_z) * 1.1F + f.belly * 0.95F;
  const std::array<Ring, 2> rings{
      {{{0, y - half, f.belly * 0.9F}, z, x, 0.2F}, {{0, y + half, f.belly * 0.9F}, z, x, 0.2F}}};
  m.shapes.tower(rings, slot, along({0, 1, 0}, {kHips, kSpine}, {f.waist_y}, f.leg_r), 18, true);
  m.shapes.blob({0, y, f.belly * 0.9F + z}, {half * 1.2F, half * 1.15F, half * 0.4F}, buckle, rigid(kHips), 0.9F, 8);
  if (m.traits.detail % 2 == 0)
    m.shapes.blob({x * 0.8F, y - half * 1.6F, z * 0.62F}, {half * 1.1F, half * 1.3F, half * 0.9F}, kLeather,
                  rigid(kHips), 0.6F, 10);
}

void add_collar(Maker& m, Slot slot) {
  const Frame& f = m.frame;
  const float y = f.neck_y - f.arm_r * 0.4F;
  const std::array<Ring, 3> rings{{{{0, y - f.arm_r * 0.6F, 0}, f.chest_z * 0.88F, f.chest_x * 0.86F, 0.1F},
                                   {{0, y + f.arm_r * 0.1F, 0}, f.chest_z * 0.74F, f.chest_x * 0.66F, 0},
                                   {{0, y + f.arm_r * 0.65F, 0}, f.chest_z * 0.66F, f.chest_x * 0.56F, 0}}};
  m.shapes.tower(rings, slot, rigid(kChest), 14, true);
}

// A stripe down the front of the chest, between two heights.
void add_front(Maker& m, float wide, float low, float high, Slot slot) {
  const Frame& f = m.frame;
  std::vector<Vec3> points;
  constexpr int kColumns = 7, kRows = 8;
  for (int row = 0; row < kRows; ++row) {
    const float y = high + (low - high) * static_cast<float>(row) / (kRows - 1);
    const float t = std::clamp((y - f.waist_y) / (f.shoulder_y - f.waist_y), 0.0F, 1.0F);
    const float depth = (f.waist_z + f.belly) * (1 - t) + f.chest_z * t, side = f.waist_x * (1 - t) + f.chest_x * t;
    const float shift = f.belly * (1 - t);
    for (int k = 0; k < kColumns; ++k) {
      const float u = (static_cast<float>(k) / (kColumns - 1) * 2 - 1) * wide;
      points.push_back({u * side, y, shift + depth * (std::sqrt(std::max(0.0F, 1 - u * u * 0.9F)) * 1.04F + 0.03F)});
    }
  }
  m.shapes.sheet(points, kColumns, slot, m.trunk(), true);
}

void add_armor(Maker& m) {
  const Frame& f = m.frame;
  const float span = f.shoulder_y - f.waist_y;
  // A breastplate with a ridge, shoulders, and plates over the hips.
  m.shapes.blob({0, f.waist_y + span * 0.62F, f.chest_z * 0.16F + f.belly * 0.6F},
                {f.chest_x * 0.98F, span * 0.56F, f.chest_z * 1.0F + f.belly * 0.2F}, kMetal, rigid(kChest), 0.35F, 16);
  add_front(m, 0.12F, f.waist_y + span * 0.15F, f.shoulder_y, kTrim);
  for (const float side : {1.0F, -1.0F}) {
    const Skinner shoulder = rigid(side > 0 ? kLeftArm : kRightArm);
    const float r = f.arm_r * (m.traits.detail % 2 == 0 ? 2.0F : 1.7F);
    m.shapes.blob({side * (f.shoulder_x + f.arm_r * 0.3F), f.shoulder_y + f.arm_r * 0.35F, 0}, {r * 1.05F, r * 0.9F, r},
                  kMetal, shoulder, 0.25F, 12);
    const std::array<Vec3, 2> rim{Vec3{side * (f.shoulder_x + f.arm_r * 1.2F), f.shoulder_y + f.arm_r * 0.1F, 0},
                                  Vec3{side * (f.shoulder_x + f.arm_r * 1.6F), f.shoulder_y + f.arm_r * 0.1F, 0}};
    const std::array<float, 2> rim_r{r * 0.95F, r * 0.86F};
    m.shapes.tube(rim, rim_r, kTrim, shoulder, 12);
    if (m.traits.detail == 3)
      m.shapes.cone({side * (f.shoulder_x + f.arm_r * 0.3F), f.shoulder_y + r * 0.8F, 0},
                    {side * (f.shoulder_x + f.arm_r * 1.1F), f.shoulder_y + r * 2.0F, 0}, r * 0.4F, kTrim, shoulder, 6);
  }
  add_skirt(m, f.hip_y - f.leg_r * 1.2F, 1.12F, m.traits.detail < 2 ? kCloth : kMetal, true);
  add_belt(m, kLeather, kTrim);
  add_collar(m, kMetal);
}

// Held by the shoulders, over three joints.
void add_cape(Maker& m) {
  const Frame& f = m.frame;
  constexpr int kColumns = 9, kRows = 9;
  const float top = f.shoulder_y + f.arm_r * 0.6F, bottom = f.ankle_y + (f.knee_y - f.ankle_y) * 0.7F;
  std::vector<Vec3> points;
  for (int row = 0; row < kRows; ++row) {
    const float share = static_cast<float>(row) / (kRows - 1);
    for (int k = 0; k < kColumns; ++k) {
      const float u = static_cast<float>(k) / (kColumns - 1) * 2 - 1;
      const float wide = f.shoulder_x * (0.95F + 0.5F * share),
                  fold = (k % 2 == 0 ? 0.0F : 0.05F) * share * f.height * 0.5F;
      points.push_back({u * wide, top + (bottom - top) * share + f.arm_r * 0.4F * (1 - u * u) * (1 - share),
                        -f.chest_z * (1.08F + 0.55F * share) * (1 - 0.32F * u * u * (1 - share * 0.6F)) - fold});
    }
  }
  const Skinner skin =
      along({0, -1, 0}, {kCape1, kCape2, kCape3}, {-f.shoulder_y * 0.78F, -f.shoulder_y * 0.5F}, f.shoulder_y * 0.25F);
  m.shapes.sheet(points, kColumns, kCloth2, skin, true);
  for (const float side : {1.0F, -1.0F})
    m.shapes.blob({side * f.shoulder_x * 0.8F, f.shoulder_y + f.arm_r * 0.8F, f.chest_z * 0.3F},
                  {f.arm_r * 0.5F, f.arm_r * 0.5F, f.arm_r * 0.5F}, kTrim, rigid(kChest), 0, 8);
  add_collar(m, kCloth2);
}

void add_scarf(Maker& m) {
  const Frame& f = m.frame;
  const float y = f.neck_y, r = f.arm_r;
  const std::array<Ring, 4> rings{{{{0, y - r * 1.0F, 0}, f.chest_z * 0.9F, f.chest_x * 0.82F, 0},
                                   {{0, y - r * 0.5F, 0}, f.chest_z * 1.05F, f.chest_x * 0.95F, 0},
                                   {{0, y + r * 0.3F, 0}, f.chest_z * 1.0F, f.chest_x * 0.88F, 0},
                                   {{0, y + r * 0.7F, 0}, f.chest_z * 0.7F, f.chest_x * 0.6F, 0}}};
  m.shapes.tower(rings, kCloth2, rigid(kChest), 14, false);
  const Vec3 start{f.chest_x * 0.4F, y - r * 0.2F, -f.chest_z * 0.9F};
  const std::array<Vec3, 3> tail{start, start + Vec3{r * 0.8F, -r * 1.6F, -r * 1.6F},
                                 start + Vec3{r * 1.2F, -r * 4.2F, -r * 2.4F}};
  const std::array<float, 3> radii{r * 0.8F, r * 1.0F, r * 0.8F};
  m.shapes.tube(tail, radii, kCloth2, along({0, -1, 0}, {kCape1, kCape2}, {-(start.y - r * 2)}, r * 2), 8, 0.4F);
}

}  // namespace

void add_outfit(Maker& m) {
  const Frame& f = m.frame;
  const int detail = m.traits.detail;
  switch (m.traits.outfit) {
    case Outfit::kTunic:
      add_skirt(m, f.hip_y - (f.hip_y - f.knee_y) * 0.62F, 1.22F, kCloth, detail % 2 == 0);
      add_belt(m, kLeather, kTrim);
      if (detail >= 2)
        add_front(m, 0.3F, f.shoulder_y - (f.shoulder_y - f.waist_y) * 0.4F, f.shoulder_y + f.arm_r, kCloth2);
      add_collar(m, detail < 2 ? kCloth2 : kTrim);
      break;
    case Outfit::kRobe:
      add_skirt(m, f.ankle_y * 0.9F, m.traits.build == Build::kFat ? 1.25F : 1.5F, kCloth, true);
      add_belt(m, detail % 2 == 0 ? kTrim : kLeather, kTrim);
      add_front(m, detail < 2 ? 0.26F : 0.14F, f.waist_y, f.neck_y - f.arm_r * 0.5F, detail < 2 ? kCloth2 : kTrim);
      add_collar(m, kTrim);
      break;
    case Outfit::kArmor:
      add_armor(m);
      break;
    case Outfit::kBareChest: {
      add_skirt(m, f.hip_y - (f.hip_y - f.knee_y) * 0.5F, 1.15F, kLeather, false);
      add_belt(m, kCloth, kTrim);
      // Fur on the shoulders, or a strap over the chest.
      if (detail < 2) {
        for (int i = 0; i < 9; ++i) {
          const float u = static_cast<float>(i) / 8 * 2 - 1;
          m.shapes.blob({u * f.shoulder_x, f.shoulder_y + f.arm_r * (1.0F - 0.5F * u * u),
                         (i % 2 == 0 ? 0.12F : -0.12F) * f.chest_z},
                        {f.arm_r * 1.05F, f.arm_r * 0.85F, f.chest_z * 0.85F}, kHairSlot, rigid(kChest), 0, 8);
        }
      } else {
        const std::array<Vec3, 3> strap{
            Vec3{f.chest_x * 0.75F, f.shoulder_y + f.arm_r * 0.3F, f.chest_z * 0.75F},
            Vec3{0, (f.shoulder_y + f.waist_y) / 2, f.chest_z * 1.02F + f.belly},
            Vec3{-f.waist_x * 0.85F, f.waist_y + f.leg_r * 0.3F, f.waist_z * 0.75F + f.belly}};
        const std::array<float, 3> radii{f.arm_r * 0.5F, f.arm_r * 0.5F, f.arm_r * 0.5F};
        m.shapes.tube(strap, radii, kLeather, m.trunk(), 6, 0.6F);
        m.shapes.blob(strap[1], {f.arm_r * 0.6F, f.arm_r * 0.6F, f.arm_r * 0.3F}, kMetal, m.trunk(), 0.2F, 8);
      }
      break;
    }
    case Outfit::kCoat:
      add_skirt(m, f.knee_y, 1.35F, kCloth, true);
      add_front(m, 0.34F, f.waist_y, f.shoulder_y + f.arm_r * 0.6F, kCloth2);
      add_belt(m, kLeather, kTrim);
      for (int i = 0; i < 3; ++i) {
        const float y = f.waist_y + (f.shoulder_y - f.waist_y) * (0.25F + 0.25F * static_cast<float>(i));
        for (const float side : {0.42F, -0.42F})
          m.shapes.blob({side * f.chest_x, y, f.chest_z * 0.98F + f.belly * (0.9F - 0.28F * static_cast<float>(i))},
                        {f.arm_r * 0.26F, f.arm_r * 0.26F, f.arm_r * 0.2F}, kTrim, m.trunk(), 0, 6);
      }
      add_collar(m, kCloth);
      break;
    case Outfit::kDress:
      add_skirt(m, detail % 2 == 0 ? f.ankle_y * 1.1F : f.knee_y * 0.9F, 1.75F, kCloth, true);
      add_belt(m, kTrim, kCloth2);
      add_front(m, 0.3F, f.waist_y, f.shoulder_y, kCloth2);
      break;
    case Outfit::kVest:
      add_front(m, 0.3F, f.waist_y, f.shoulder_y + f.arm_r * 0.6F, detail < 2 ? kSkin : kCloth2);
      add_skirt(m, f.hip_y - f.leg_r * 0.8F, 1.08F, kCloth, false);
      add_belt(m, detail % 2 == 0 ? kTrim : kLeather, kMetal);
      break;
  }
  if (m.traits.cape) add_cape(m);
  if (m.traits.scarf) add_scarf(m);
}

}  // namespace zoe::sprite::identity
