// SPDX-License-Identifier: MIT
// Trunks and limbs.
#include <algorithm>
#include <array>

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

struct Sleeve {
  Slot upper, lower, hand;
};

bool is_bony(const Maker& m) { return m.traits.species == Species::kSkeleton; }
bool is_metal(const Maker& m) { return m.traits.species == Species::kRobot; }

Sleeve sleeve_of(const Maker& m) {
  switch (m.traits.outfit) {
    case Outfit::kArmor:
      return {kMetal, kMetal, kLeather};
    case Outfit::kBareChest:
      return {kSkin, m.traits.detail % 2 == 0 ? kLeather : kSkin, kSkin};
    case Outfit::kVest:
      return {m.traits.detail % 2 == 0 ? kSkin : kCloth2, m.traits.detail < 2 ? kLeather : kSkin, kSkin};
    case Outfit::kDress:
      return {kCloth, kSkin, kSkin};
    case Outfit::kTunic:
      return {kCloth2, m.traits.detail % 2 == 0 ? kLeather : kCloth2, m.traits.detail < 2 ? kSkin : kLeather};
    case Outfit::kRobe:
    case Outfit::kCoat:
      return {kCloth, kCloth, kSkin};
  }
  return {kCloth, kCloth, kSkin};
}

void add_arm(Maker& m, float side) {
  const Frame& f = m.frame;
  const bool left = side > 0;
  const int arm = left ? kLeftArm : kRightArm, fore = left ? kLeftForeArm : kRightForeArm,
            hand = left ? kLeftHand : kRightHand;
  const Sleeve sleeve = sleeve_of(m);
  const float x0 = f.shoulder_x, x1 = x0 + f.upper_arm, x2 = x1 + f.forearm, y = f.shoulder_y;
  const Skinner skin = along({side, 0, 0}, {arm, fore, hand}, {x1, x2}, f.arm_r * 1.2F);
  const auto at = [&](float x) { return Vec3{side * x, y, 0}; };
  const bool strong = m.traits.build == Build::kMuscular || m.traits.build == Build::kGiant;
  const float r = f.arm_r;
  if (is_bony(m) || is_metal(m)) {
    const std::array<Vec3, 5> bone{at(x0), at(x0 + f.upper_arm * 0.5F), at(x1), at(x1 + f.forearm * 0.5F), at(x2)};
    const std::array<float, 5> radii{r * 1.1F, r * 0.72F, r * 1.1F, r * 0.75F, r * 0.95F};
    m.shapes.tube(bone, radii, is_metal(m) ? kDark : kSkin, skin, 8);
    m.shapes.blob(at(x1), {r * 1.25F, r * 1.25F, r * 1.25F}, is_metal(m) ? kSkin : kSkinShade, rigid(fore), 0.2F, 8);
    if (is_metal(m))
      m.shapes.blob(at(x1 + f.forearm * 0.6F), {f.forearm * 0.4F, r * 1.9F, r * 1.9F}, kSkin, rigid(fore), 0.7F, 10);
  } else {
    // The shoulder is inside of the trunk.
    const std::array<Vec3, 4> upper{at(x0 - r * 0.9F), at(x0 + r * 0.3F), at(x0 + f.upper_arm * 0.55F), at(x1)};
    const std::array<float, 4> upper_r{r * 0.8F, r * (strong ? 1.32F : 1.12F), r * (strong ? 1.2F : 1.0F), r * 0.92F};
    m.shapes.tube(upper, upper_r, sleeve.upper, skin, 10);
    const std::array<Vec3, 3> lower{at(x1 - r * 0.15F), at(x1 + f.forearm * 0.4F), at(x2 + r * 0.1F)};
    const std::array<float, 3> lower_r{r * 0.93F, r * (strong ? 1.2F : 1.0F), r * 0.82F};
    m.shapes.tube(lower, lower_r, sleeve.lower, skin, 10);
    if (m.traits.outfit == Outfit::kRobe || m.traits.outfit == Outfit::kCoat) {  // Wide sleeves, and their lining.
      const float wide = m.traits.outfit == Outfit::kRobe ? 2.0F : 1.4F;
      const std::array<Vec3, 3> cuff{at(x1 + f.forearm * 0.2F), at(x1 + f.forearm * 0.7F), at(x2 + r * 0.1F)};
      const std::array<float, 3> cuff_r{r * 0.95F, r * (0.4F * wide + 0.7F), r * wide};
      m.shapes.tube(cuff, cuff_r, kCloth, rigid(fore), 10);
      const std::array<Vec3, 2> rim{at(x2 - r * 0.35F), at(x2 + r * 0.16F)};
      const std::array<float, 2> rim_r{r * wide * 0.98F, r * wide * 1.08F};
      m.shapes.tube(rim, rim_r, kTrim, rigid(fore), 10);
    }
  }
  // A fist, and a thumb ahead of it.
  const float g = f.hand_r;
  const Slot skin_slot = is_metal(m) ? kDark : sleeve.hand;
  m.shapes.blob(at(x2 + g * 0.75F), {g * 0.95F, g * 0.78F, g * 0.9F}, skin_slot, rigid(hand), 0.35F, 10);
  m.shapes.blob(at(x2 + g * 0.6F) + Vec3{0, g * 0.1F, g * 0.85F}, {g * 0.5F, g * 0.34F, g * 0.36F}, skin_slot,
                rigid(hand), 0.2F, 8);
  if (m.traits.outfit == Outfit::kArmor) {
    m.shapes.blob(at(x1), {r * 1.25F, r * 1.25F, r * 1.25F}, kTrim, rigid(fore), 0.2F, 8);
    m.shapes.blob(at(x2 - r * 0.2F), {r * 0.8F, r * 1.35F, r * 1.35F}, kMetal, rigid(fore), 0.4F, 10);
  }
}

void add_leg(Maker& m, float side) {
  const Frame& f = m.frame;
  const bool left = side > 0;
  const int up = left ? kLeftUpLeg : kRightUpLeg, low = left ? kLeftLeg : kRightLeg,
            foot = left ? kLeftFoot : kRightFoot, toe = left ? kLeftToe : kRightToe;
  const float r = f.leg_r, x = side * f.leg_x;
  const auto at = [&](float y, float z = 0) { return Vec3{x, y, z}; };
  const Skinner skin = along({0, -1, 0}, {up, low, foot}, {-f.knee_y, -f.ankle_y * 0.6F}, r * 1.2F);
  const bool bare =
      m.traits.outfit == Outfit::kDress || (m.traits.outfit == Outfit::kBareChest && m.traits.detail % 2 == 1);
  const Slot thigh = is_metal(m) ? kDark : m.traits.outfit == Outfit::kArmor ? kLeather : bare ? kSkin : kCloth2;
  const Slot boot = m.traits.outfit == Outfit::kArmor || is_metal(m) ? (is_metal(m) ? kSkin : kMetal) : kLeather;
  const float hip = f.hip_y + r * 0.4F;
  if (is_bony(m)) {
    const std::array<Vec3, 5> bone{at(hip), at((hip + f.knee_y) / 2), at(f.knee_y), at((f.knee_y + f.ankle_y) / 2),
                                   at(f.ankle_y)};
    const std::array<float, 5> radii{r * 1.15F, r * 0.75F, r * 1.2F, r * 0.75F, r};
    m.shapes.tube(bone, radii, kSkin, skin, 8);
  } else {
    const std::array<Vec3, 4> upper{at(hip), at(f.hip_y - r * 0.4F), at(f.knee_y + r * 0.3F), at(f.knee_y - r * 0.2F)};
    const std::array<float, 4> upper_r{r * 0.9F, r * 1.18F, r * 0.98F, r * 0.9F};
    m.shapes.tube(upper, upper_r, thigh, skin, 10);
    const std::array<Vec3, 3> lower{at(f.knee_y + r * 0.1F), at((f.knee_y + f.ankle_y) / 2), at(f.ankle_y * 0.7F)};
    const std::array<float, 3> lower_r{r * 0.93F, r * 0.98F, r * 0.8F};
    m.shapes.tube(lower, lower_r, thigh, skin, 10);
  }
  // Boots: a shaft with a cuff, and the foot.
  const bool barefoot = is_bony(m) || (bare && m.traits.outfit == Outfit::kBareChest) ||
                        m.traits.species == Species::kFrog || m.traits.species == Species::kGoblin;
  const Slot foot_slot = barefoot ? kSkin : boot;
  if (!barefoot) {
    const float top = f.ankle_y + (f.knee_y - f.ankle_y) * (m.traits.detail % 2 == 0 ? 0.75F : 0.45F);
    const std::array<Vec3, 3> shaft{at(f.ankle_y * 0.4F), at((f.ankle_y + top) / 2), at(top)};
    const std::array<float, 3> shaft_r{r * 1.0F, r * 1.08F, r * 1.22F};
    m.shapes.tube(shaft, shaft_r, boot, skin, 10);
    const std::array<Vec3, 2> cuff{at(top - r * 0.25F), at(top + r * 0.12F)};
    const std::array<float, 2> cuff_r{r * 1.32F, r * 1.36F};
    m.shapes.tube(cuff, cuff_r,
                  m.traits.outfit == Outfit::kArmor ? kTrim
                  : m.traits.detail < 2             ? kTrim
                                                    : boot,
                  rigid(low), 10);
  }
  const float length = f.foot_len, high = std::max(f.ankle_y * 0.9F, f.foot_r * 0.7F);
  const Skinner sole = along({0, 0, 1}, {foot, toe}, {length * 0.45F}, length * 0.3F);
  const float wide = f.foot_r * (barefoot && !is_bony(m) ? 1.25F : 1.05F);
  const std::array<Ring, 6> rings{{{at(high * 0.5F, -length * 0.34F), wide * 0.4F, high * 0.32F, 0.4F},
                                   {at(high * 0.52F, -length * 0.28F), wide * 0.75F, high * 0.5F, 0.4F},
                                   {at(high * 0.52F, length * 0.1F), wide * 0.95F, high * 0.52F, 0.4F},
                                   {at(high * 0.44F, length * 0.4F), wide * 1.08F, high * 0.44F, 0.4F},
                                   {at(high * 0.38F, length * 0.6F), wide * 0.9F, high * 0.36F, 0.4F},
                                   {at(high * 0.3F, length * 0.68F), wide * 0.4F, high * 0.18F, 0.4F}}};
  m.shapes.loft(rings, {1, 0, 0}, {0, 1, 0}, foot_slot, sole, 12);
}

}  // namespace

Skinner Maker::trunk() const {
  const Frame& f = frame;
  const float mid = (f.waist_y + f.shoulder_y) * 0.5F;
  return along({0, 1, 0}, {kHips, kSpine, kChest}, {f.waist_y, mid}, (f.shoulder_y - f.hip_y) * 0.3F);
}

// Below the hips the left side follows the left leg.
Skinner Maker::skirt() const {
  const Frame f = frame;
  return [f](Vec3 p) {
    const float down = std::clamp((f.hip_y - p.y) / (f.hip_y * 0.45F), 0.0F, 1.0F);
    const float left = std::clamp(p.x / (f.hip_x * 1.2F) + 0.5F, 0.0F, 1.0F);
    const float legs = 0.72F * down;
    return Influence{{kHips, kLeftUpLeg, kRightUpLeg, 0}, {1 - legs, legs * left, legs * (1 - left), 0}};
  };
}

void add_trunk(Maker& m) {
  const Frame& f = m.frame;
  const Outfit outfit = m.traits.outfit;
  const Slot chest = is_metal(m)                    ? kSkin
                     : outfit == Outfit::kArmor     ? kMetal
                     : outfit == Outfit::kBareChest ? kSkin
                                                    : kCloth;
  if (is_bony(m) && outfit != Outfit::kArmor && outfit != Outfit::kRobe && outfit != Outfit::kDress) {
    // A spine and four ribs.
    const std::array<Vec3, 3> spine{Vec3{0, f.hip_y, -f.chest_z * 0.3F}, Vec3{0, f.waist_y, -f.chest_z * 0.2F},
                                    Vec3{0, f.neck_y, -f.chest_z * 0.3F}};
    const std::array<float, 3> radii{f.arm_r, f.arm_r, f.arm_r};
    m.shapes.tube(spine, radii, kSkinShade, m.trunk(), 8);
    for (int rib = 0; rib < 4; ++rib) {
      const float share = static_cast<float>(rib) / 3,
                  y = f.shoulder_y + f.arm_r * 0.6F - share * (f.shoulder_y - f.waist_y) * 0.85F;
      const float grow = 1 - 0.28F * share;
      const float thick = (f.shoulder_y - f.waist_y) * 0.10F;
      m.shapes.blob({0, y, 0}, {f.chest_x * grow, thick, f.chest_z * grow}, kSkin, rigid(kChest), 0.3F, 14);
    }
    m.shapes.blob({0, (f.shoulder_y + f.waist_y) / 2, 0},
                  {f.chest_x * 0.72F, (f.shoulder_y - f.waist_y) * 0.5F, f.chest_z * 0.72F}, kDark, m.trunk(), 0.3F,
                  12);
    m.shapes.blob({0, f.hip_y, 0}, {f.hip_x * 0.85F, (f.waist_y - f.hip_y) * 0.7F, f.hip_z * 0.8F}, kCloth,
                  rigid(kHips), 0.4F, 12);
    return;
  }
  const float low = f.hip_y - f.leg_r * 0.9F, top = f.neck_y;
  const float span = f.shoulder_y - f.waist_y;
  const std::array<Ring, 8> rings{
      {{{0, low, 0}, f.hip_z * 0.55F, f.hip_x * 0.6F, 0.2F},
       {{0, f.hip_y - f.leg_r * 0.3F, 0}, f.hip_z * 0.98F, f.hip_x * 0.98F, 0.25F},
       {{0, (f.hip_y + f.waist_y) / 2, f.belly * 0.5F}, f.hip_z + f.belly * 0.5F, f.hip_x, 0.25F},
       {{0, f.waist_y + span * 0.1F, f.belly}, f.waist_z + f.belly, f.waist_x, 0.25F},
       {{0, f.waist_y + span * 0.55F, f.belly * 0.4F},
        f.chest_z + f.belly * 0.3F,
        std::max(f.chest_x * 0.96F, f.waist_x * 0.96F),
        0.3F},
       {{0, f.shoulder_y, 0}, f.chest_z * 0.96F, f.chest_x, 0.3F},
       {{0, (f.shoulder_y * 0.45F + top * 0.55F), 0}, f.chest_z * 0.72F, f.chest_x * 0.7F, 0.2F},
       {{0, top, 0}, f.chest_z * 0.34F, f.chest_x * 0.3F, 0}}};
  m.shapes.tower(std::span(rings).first(4),
                 is_metal(m)                                                                           ? kDark
                 : outfit == Outfit::kArmor                                                            ? kLeather
                 : outfit == Outfit::kBareChest || outfit == Outfit::kVest || outfit == Outfit::kTunic ? kCloth2
                                                                                                       : kCloth,
                 m.trunk(), 16, true);
  m.shapes.tower(std::span(rings).subspan(3), chest, m.trunk(), 16, true);
  // The neck, visible where the head is small.
  const float neck_r = std::min(f.head_radii.x * 0.42F, f.chest_x * 0.42F);
  const std::array<Vec3, 2> neck{Vec3{0, f.shoulder_y, 0}, Vec3{0, f.head_y - f.head_radii.y * 0.5F, 0}};
  const std::array<float, 2> neck_radii{neck_r * 1.15F, neck_r};
  m.shapes.tube(neck, neck_radii, is_metal(m) ? kDark : kSkin, rigid(kNeck), 10);
}

void add_limbs(Maker& m) {
  for (const float side : {1.0F, -1.0F}) {
    add_arm(m, side);
    add_leg(m, side);
  }
}

// A drop with a tail that trails behind, and stumps in place of arms.
void add_ghost(Maker& m) {
  const Frame& f = m.frame;
  const float base = f.knee_y * 0.4F;
  const Skinner skin = [f](Vec3 p) {
    const float down = std::clamp((f.waist_y - p.y) / (f.waist_y * 0.9F), 0.0F, 1.0F);
    if (p.y > f.waist_y) {
      const float up = std::clamp((p.y - f.waist_y) / (f.shoulder_y - f.waist_y), 0.0F, 1.0F);
      return Influence{{kHips, kSpine, kChest, 0}, {(1 - up) * (1 - up), 2 * up * (1 - up), up * up, 0}};
    }
    return Influence{{kHips, kTail1, kTail2, 0}, {1 - down, down * (1 - down * 0.6F), down * down * 0.6F, 0}};
  };
  const float wide = std::max(f.hip_x, f.chest_x) * 1.25F;
  const std::array<Ring, 7> rings{{{{0, base, -wide * 0.9F}, wide * 0.08F, wide * 0.1F, 0},
                                   {{0, base + (f.hip_y - base) * 0.35F, -wide * 0.45F}, wide * 0.42F, wide * 0.5F, 0},
                                   {{0, f.hip_y, -wide * 0.08F}, wide * 0.78F, wide * 0.92F, 0},
                                   {{0, f.waist_y, 0}, wide * 0.82F, wide * 1.0F, 0},
                                   {{0, f.shoulder_y, 0}, wide * 0.72F, wide * 0.88F, 0},
                                   {{0, f.neck_y, 0}, wide * 0.5F, wide * 0.6F, 0},
                                   {{0, f.neck_y + f.head_radii.y * 0.2F, 0}, wide * 0.3F, wide * 0.3F, 0}}};
  m.shapes.tower(rings, kSkin, skin, 16, true);
  for (const float side : {1.0F, -1.0F}) {
    m.shapes.cone({side * wide * 0.7F, f.shoulder_y - f.arm_r, f.chest_z * 0.3F},
                  {side * wide * 1.35F, f.shoulder_y - f.arm_r * 2.6F, f.chest_z * 1.1F}, f.arm_r * 1.5F, kSkin,
                  rigid(side > 0 ? kLeftShoulder : kRightShoulder), 10);
  }
  // Rags of a scarf.
  const std::array<Ring, 3> scarf{{{{0, f.neck_y - f.arm_r * 0.9F, 0}, wide * 0.74F, wide * 0.84F, 0},
                                   {{0, f.neck_y - f.arm_r * 0.2F, 0}, wide * 0.78F, wide * 0.86F, 0},
                                   {{0, f.neck_y + f.arm_r * 0.6F, 0}, wide * 0.52F, wide * 0.6F, 0}}};
  m.shapes.tower(scarf, kCloth, rigid(kChest), 16, true);
}

}  // namespace zoe::sprite::identity
