// SPDX-License-Identifier: MIT
// Faces: eyes, brows, noses, muzzles, mouths, tusks.
#include <array>

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

// Dark sockets with a glow.
void add_sockets(Maker& m) {
  for (const float side : {1.0F, -1.0F}) {
    add_patch(m, side * 25, -2, 15, 16, 1.02F, kDark);
    add_patch(m, side * 24, -3, 5, 5, 1.05F, kGlow);
  }
  add_patch(m, 0, -22, 5, 6, 1.02F, kDark);
  for (int tooth = -2; tooth <= 2; ++tooth)
    add_patch(m, static_cast<float>(tooth) * 8, -44, 3, 7, 1.02F, tooth % 2 == 0 ? kWhite : kSkinShade);
}

void add_carved(Maker& m) {
  for (const float side : {1.0F, -1.0F}) add_patch(m, side * 27, 8, 14, 11, 1.05F, kGlow, side * -18);
  add_patch(m, 0, -8, 5, 5, 1.05F, kGlow);
  for (int i = -3; i <= 3; ++i) {
    const float x = static_cast<float>(i);
    add_patch(m, x * 9, -30 + x * x * 1.6F, 7, i % 2 == 0 ? 5.0F : 8.0F, 1.05F, kGlow);
  }
}

void add_screen(Maker& m) {
  add_patch(m, 0, 0, 44, 26, 1.02F, kDark);
  if (m.traits.eyes == 0) {
    add_patch(m, 0, 2, 26, 6, 1.06F, kGlow);
    return;
  }
  for (const float side : {1.0F, -1.0F}) add_patch(m, side * 18, 2, 8, m.traits.eyes == 1 ? 12.0F : 7.0F, 1.06F, kGlow);
}

void add_eye(Maker& m, float azimuth, float elevation, float size, float side) {
  const bool mean = m.traits.species == Species::kOrc || m.traits.species == Species::kGoblin ||
                    m.traits.species == Species::kDemon || m.traits.species == Species::kZombie ||
                    m.traits.species == Species::kMinotaur;
  switch (mean ? 1 : m.traits.eyes) {
    case 0:  // Tall and dark, with a light in it.
      add_patch(m, azimuth, elevation, size * 0.66F, size * 1.15F, 1.03F, kDark);
      add_patch(m, azimuth, elevation - size * 0.35F, size * 0.45F, size * 0.6F, 1.045F, kIris);
      add_patch(m, azimuth - size * 0.2F, elevation + size * 0.5F, size * 0.26F, size * 0.3F, 1.06F, kWhite);
      break;
    case 1:  // White with a pupil.
      add_patch(m, azimuth, elevation, size, size * (mean ? 0.85F : 1.0F), 1.03F,
                m.traits.species == Species::kDemon ? kGlow : kWhite);
      add_patch(m, azimuth - side * size * 0.15F, elevation - size * 0.05F, size * 0.5F, size * 0.6F, 1.05F,
                m.traits.species == Species::kDemon ? kDark : kIris);
      add_patch(m, azimuth - side * size * 0.15F, elevation - size * 0.05F, size * 0.25F, size * 0.32F, 1.065F, kDark);
      break;
    case 2:  // A dot.
      add_patch(m, azimuth, elevation, size * 0.5F, size * 0.62F, 1.03F, kDark);
      add_patch(m, azimuth - size * 0.14F, elevation + size * 0.22F, size * 0.16F, size * 0.18F, 1.05F, kWhite);
      break;
    default:  // Large and coloured, with lashes above.
      add_patch(m, azimuth, elevation, size * 0.86F, size * 1.2F, 1.03F, kWhite);
      add_patch(m, azimuth - side * size * 0.1F, elevation - size * 0.1F, size * 0.62F, size * 0.95F, 1.045F, kIris);
      add_patch(m, azimuth - side * size * 0.1F, elevation - size * 0.1F, size * 0.32F, size * 0.55F, 1.06F, kDark);
      add_patch(m, azimuth - size * 0.25F, elevation + size * 0.45F, size * 0.22F, size * 0.26F, 1.075F, kWhite);
      add_patch(m, azimuth, elevation + size * 1.1F, size * 0.95F, size * 0.28F, 1.075F, kDark, side * 8);
      break;
  }
}

void add_muzzle(Maker& m) {
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  const Species s = m.traits.species;
  const Skinner head = rigid(kHead);
  if (s == Species::kCat || s == Species::kFox || s == Species::kRabbit || s == Species::kBear) {
    const float reach = s == Species::kFox ? 0.62F : s == Species::kBear ? 0.46F : 0.22F;
    const Vec3 c = h.point(0, -26, 0.92F);
    if (s == Species::kFox) {
      m.shapes.cone(c - Vec3{0, 0, r * 0.1F}, c + Vec3{0, -r * 0.04F, r * reach}, r * 0.42F, kWhite, head, 12, 0.8F);
      m.shapes.blob(c + Vec3{0, r * 0.02F, r * (reach - 0.02F)}, {r * 0.12F, r * 0.1F, r * 0.1F}, kDark, head, 0, 8);
      for (const float side : {1.0F, -1.0F}) add_patch(m, side * 48, -34, 26, 18, 1.025F, kWhite);
    } else {
      m.shapes.blob(c + Vec3{0, 0, r * reach * 0.3F}, {r * 0.42F, r * 0.3F, r * (0.2F + reach * 0.5F)}, kBelly, head,
                    0.1F, 12);
      m.shapes.blob(c + Vec3{0, r * 0.16F, r * (0.2F + reach * 0.75F)}, {r * 0.13F, r * 0.1F, r * 0.09F},
                    s == Species::kBear ? kDark : kMouth, head, 0, 8);
    }
  } else if (s == Species::kLizard) {
    m.shapes.blob(h.point(0, -24, 0.9F) + Vec3{0, 0, r * 0.25F}, {r * 0.62F, r * 0.34F, r * 0.6F}, kSkin, head, 0.35F,
                  14);
    m.shapes.blob(h.point(0, -38, 0.9F) + Vec3{0, 0, r * 0.22F}, {r * 0.56F, r * 0.16F, r * 0.54F}, kBelly, head, 0.35F,
                  14);
    for (int i = 0; i < 4; ++i) {  // A crest.
      const float el = 60 + static_cast<float>(i) * 28;
      m.shapes.cone(h.point(0, el, 0.95F), h.point(0, el + 8, 1.4F), r * 0.16F, kCloth2, head, 4, 0.5F);
    }
  } else if (s == Species::kMinotaur) {
    m.shapes.blob(h.point(0, -30, 0.9F) + Vec3{0, 0, r * 0.15F}, {r * 0.62F, r * 0.4F, r * 0.42F}, kBelly, head, 0.35F,
                  14);
    for (const float side : {1.0F, -1.0F})
      m.shapes.blob(h.point(0, -27, 0.9F) + Vec3{side * r * 0.26F, 0, r * 0.54F}, {r * 0.11F, r * 0.09F, r * 0.07F},
                    kDark, head, 0, 8);
  } else if (s == Species::kGoblin) {
    m.shapes.cone(h.point(0, -2, 0.95F), h.point(0, -22, 1.55F), r * 0.22F, kSkin, head, 8);
  } else if (s == Species::kHuman || s == Species::kElf || s == Species::kDwarf || s == Species::kOrc ||
             s == Species::kZombie || s == Species::kDemon || s == Species::kCyclops) {
    const float size = s == Species::kDwarf || s == Species::kOrc || s == Species::kCyclops ? 0.2F : 0.11F;
    m.shapes.blob(h.point(0, -15, 1.02F), {r * size, r * size * 0.85F, r * size * 0.9F},
                  s == Species::kDwarf ? kSkinShade : kSkin, head, 0, 8);
  }
}

void add_mouth(Maker& m) {
  const Species s = m.traits.species;
  const float r = m.head.radii.x;
  if (s == Species::kFrog) {
    add_patch(m, 0, -22, 52, 3.5F, 1.03F, kMouth);
    add_patch(m, 0, -52, 44, 24, 1.015F, kBelly);
    return;
  }
  if (s == Species::kMinotaur || s == Species::kLizard || s == Species::kFox || m.traits.beard) return;
  if (s == Species::kCat || s == Species::kBear || s == Species::kRabbit) {
    if (s == Species::kRabbit)
      for (const float side : {1.0F, -1.0F})
        m.shapes.blob(m.head.point(0, -40, 1.02F) + Vec3{side * r * 0.08F, 0, r * 0.16F},
                      {r * 0.07F, r * 0.12F, r * 0.05F}, kWhite, rigid(kHead), 0.6F, 6);
    return;
  }
  if (s == Species::kGhost) {
    add_patch(m, 0, -28, 9, 12, 1.03F, kMouth);
    return;
  }
  const int mood = static_cast<int>(m.random.below(3));
  if (s == Species::kOrc || s == Species::kDemon || s == Species::kZombie || s == Species::kCyclops) {
    add_patch(m, 0, -38, 22, 4, 1.02F, kMouth);
    for (const float side : {1.0F, -1.0F}) {
      const bool tusk = s == Species::kOrc || s == Species::kCyclops;
      const Vec3 base = m.head.point(side * 16, tusk ? -44.0F : -36.0F, 1.0F);
      m.shapes.cone(base, base + Vec3{side * r * 0.06F, r * (tusk ? 0.34F : -0.2F), r * 0.06F}, r * 0.1F, kWhite,
                    rigid(kHead), 6);
    }
  } else if (mood == 0) {
    add_patch(m, 0, -37, 11, 7, 1.02F, kMouth);  // Open.
    add_patch(m, 0, -33.5F, 8, 2.5F, 1.04F, kWhite);
  } else {
    add_patch(m, 0, -36, mood == 1 ? 12.0F : 8.0F, 2.4F, 1.02F, kMouth);
  }
}

}  // namespace

void add_face(Maker& m) {
  const Species s = m.traits.species;
  if (s == Species::kSkeleton) return add_sockets(m);
  if (s == Species::kPumpkin) return add_carved(m);
  if (s == Species::kRobot) return add_screen(m);
  const bool large = m.traits.build == Build::kChibi || m.traits.build == Build::kSmall;
  const float size = large ? 15.0F : 13.0F;
  if (s == Species::kCyclops) {
    add_patch(m, 0, 8, 24, 22, 1.03F, kWhite);
    add_patch(m, 0, 6, 13, 14, 1.05F, kIris);
    add_patch(m, 0, 6, 7, 8, 1.065F, kDark);
    add_patch(m, -6, 13, 4, 4, 1.08F, kWhite);
    add_patch(m, 0, 31, 24, 4.5F, 1.06F, kHairSlot);
  } else {
    for (const float side : {1.0F, -1.0F}) {
      const bool frog = s == Species::kFrog;
      const float az = side * (frog ? 33.0F : 26.0F), el = frog ? 46.0F : -3.0F;
      if (frog) {
        const float r = m.head.radii.x;
        const Vec3 c = m.head.point(side * 36, 50, 0.98F);
        m.shapes.blob(c + Vec3{0, r * 0.04F, r * 0.16F}, {r * 0.27F, r * 0.27F, r * 0.22F}, kWhite, rigid(kHead), 0,
                      12);
        m.shapes.blob(c + Vec3{0, r * 0.04F, r * 0.33F}, {r * 0.13F, r * 0.16F, r * 0.09F}, kDark, rigid(kHead), 0, 10);
        continue;
      }
      add_eye(m, az, el, s == Species::kGhost ? size * 1.2F : size, side);
      const bool furry = s == Species::kCat || s == Species::kFox || s == Species::kRabbit || s == Species::kBear ||
                         s == Species::kGhost || s == Species::kMushroom;
      const bool stern = s == Species::kOrc || s == Species::kGoblin || s == Species::kDemon || s == Species::kMinotaur;
      if (!furry)
        add_patch(m, az, el + size * 1.45F, size * 0.8F, m.traits.feminine ? 2.2F : 3.4F, 1.06F,
                  s == Species::kLizard || stern ? kSkinShade : kHairSlot, stern ? side * 20.0F : side * -6.0F);
      if (furry || m.traits.feminine) add_patch(m, side * 46, -26, 8, 6, 1.02F, kBlush);
    }
  }
  add_muzzle(m);
  add_mouth(m);
}

}  // namespace zoe::sprite::identity
