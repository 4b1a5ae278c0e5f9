// SPDX-License-Identifier: MIT
// Hats, helmets, hoods and masks.
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/math/portable.h"

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

std::function<float(float)> band(float front, float back) {
  return [=](float azimuth) { return front + (back - front) * std::abs(azimuth) / 180; };
}

// A disc around the head with an upturned border.
void add_brim(Maker& m, float elevation_deg, float reach, float rise, Slot slot) {
  const Vec3 at = m.head.point(90, elevation_deg, 1);
  const float y = at.y, r = m.head.radii.x, z = m.head.radii.z;
  const Skinner head = rigid(kHead);
  const std::array<Ring, 4> rings{{{{0, y - r * 0.05F, 0}, z * 0.9F, r * 0.9F, 0.1F},
                                   {{0, y + r * rise - r * 0.05F, 0}, z * reach, r * reach, 0.05F},
                                   {{0, y + r * rise + r * 0.04F, 0}, z * reach, r * reach, 0.05F},
                                   {{0, y + r * 0.1F, 0}, z * 0.9F, r * 0.9F, 0.1F}}};
  m.shapes.tower(rings, slot, head, 20, false);
}

void add_pointed(Maker& m) {
  const float r = m.head.radii.x, z = m.head.radii.z, y = m.head.point(90, 24, 1).y;
  add_brim(m, 24, m.traits.detail < 2 ? 1.75F : 1.5F, -0.04F, kCloth);
  const float tall = r * (m.traits.detail % 2 == 0 ? 2.0F : 1.5F);
  const std::array<Ring, 6> cone{{{{0, y, 0}, z * 1.08F, r * 1.08F, 0.1F},
                                  {{0, y + tall * 0.22F, -z * 0.03F}, z * 0.94F, r * 0.94F, 0.05F},
                                  {{0, y + tall * 0.5F, -z * 0.14F}, z * 0.56F, r * 0.56F, 0},
                                  {{r * 0.04F, y + tall * 0.76F, -z * 0.34F}, z * 0.3F, r * 0.3F, 0},
                                  {{r * 0.1F, y + tall * 0.92F, -z * 0.62F}, z * 0.15F, r * 0.15F, 0},
                                  {{r * 0.16F, y + tall * 0.96F, -z * 0.86F}, z * 0.02F, r * 0.02F, 0}}};
  m.shapes.tower(cone, kCloth, rigid(kHead), 16, false);
  const std::array<Ring, 2> ribbon{
      {{{0, y + r * 0.05F, 0}, z * 1.12F, r * 1.12F, 0.1F}, {{0, y + r * 0.26F, 0}, z * 1.08F, r * 1.08F, 0.1F}}};
  m.shapes.tower(ribbon, kTrim, rigid(kHead), 16, false);
  m.shapes.blob({0, y + r * 0.16F, z * 1.1F}, {r * 0.16F, r * 0.16F, r * 0.06F}, kGlow, rigid(kHead), 0.3F, 8);
}

void add_hood(Maker& m) {
  add_cap(
      m,
      [](float azimuth) {
        const float a = std::abs(azimuth);
        return a < 45 ? 38.0F : a < 62 ? 38 - (a - 45) * 5.4F : -54.0F;
      },
      1.16F, kCloth);
  // Its border, and a tip behind.
  std::vector<Vec3> rim;
  std::vector<float> radii;
  for (int i = 0; i <= 12; ++i) {
    const double t = std::numbers::pi * i / 12;
    const float az = -56 * static_cast<float>(portable_cos(t)), el = -50 + 88 * static_cast<float>(portable_sin(t));
    rim.push_back(m.head.point(az, el, 1.15F));
    radii.push_back(m.head.radii.x * 0.1F);
  }
  m.shapes.tube(rim, radii, m.traits.detail % 2 == 0 ? kTrim : kCloth, rigid(kHead), 6);
  m.shapes.cone(m.head.point(180, 40, 0.95F), m.head.point(180, 30, 1.55F), m.head.radii.x * 0.62F, kCloth,
                rigid(kHead), 10);
  const Frame& f = m.frame;  // A collar on the shoulders.
  const float y = f.neck_y;
  const std::array<Ring, 3> collar{{{{0, y - f.arm_r * 1.4F, 0}, f.chest_z * 1.12F, f.shoulder_x * 1.08F, 0.2F},
                                    {{0, y - f.arm_r * 0.2F, 0}, f.chest_z * 0.95F, f.chest_x * 0.9F, 0.1F},
                                    {{0, y + f.arm_r * 0.9F, 0}, f.chest_z * 0.62F, f.chest_x * 0.55F, 0}}};
  m.shapes.tower(collar, kCloth, rigid(kChest), 14, false);
}

void add_helmet(Maker& m, bool horned) {
  const float r = m.head.radii.x;
  add_cap(
      m, [](float a) { return std::abs(a) < 48   ? 22.0F
                              : std::abs(a) < 60 ? 22 - (std::abs(a) - 48) * 4
                                                 : -26.0F; },
      1.14F, kMetal);
  std::vector<Vec3> rim;
  std::vector<float> radii;
  for (int i = -4; i <= 4; ++i) {
    rim.push_back(m.head.point(static_cast<float>(i) * 12, 23, 1.15F));
    radii.push_back(r * 0.08F);
  }
  m.shapes.tube(rim, radii, kTrim, rigid(kHead), 6);
  if (horned) {
    for (const float side : {1.0F, -1.0F}) {
      const Vec3 base = m.head.point(side * 78, 32, 1.05F);
      const std::array<Vec3, 4> path{base, base + Vec3{side * r * 0.45F, r * 0.06F, 0},
                                     base + Vec3{side * r * 0.72F, r * 0.36F, 0},
                                     base + Vec3{side * r * 0.68F, r * 0.86F, 0}};
      const std::array<float, 4> horn{r * 0.26F, r * 0.22F, r * 0.15F, r * 0.02F};
      m.shapes.tube(path, horn, kBone, rigid(kHead), 8);
      m.shapes.blob(base, {r * 0.16F, r * 0.3F, r * 0.3F}, kTrim, rigid(kHead), 0.2F, 10);
    }
  } else if (m.traits.detail % 2 == 0) {  // A plume.
    const Vec3 top = m.head.point(0, 84, 1.12F);
    const std::array<Vec3, 4> path{top, top + Vec3{0, r * 0.5F, -r * 0.15F}, top + Vec3{0, r * 0.5F, -r * 0.75F},
                                   top + Vec3{0, -r * 0.1F, -r * 1.25F}};
    const std::array<float, 4> plume{r * 0.12F, r * 0.28F, r * 0.34F, r * 0.05F};
    m.shapes.tube(path, plume, kCloth, along({0, 0, -1}, {kHead, kHair1}, {r * 0.7F}, r * 0.6F), 8, 0.6F);
  } else {  // A nose guard and a crest.
    m.shapes.cone(m.head.point(0, 34, 1.12F), m.head.point(0, -16, 1.16F), r * 0.15F, kMetal, rigid(kHead), 4, 0.5F);
  }
}

void add_full_helm(Maker& m) {
  const float r = m.head.radii.x * 1.13F, z = m.head.radii.z * 1.15F, h = m.head.radii.y;
  const Vec3 c = m.head.center;
  const std::array<Ring, 6> rings{{{c + Vec3{0, -h * 1.0F, 0}, z * 0.8F, r * 0.8F, 0.3F},
                                   {c + Vec3{0, -h * 0.6F, z * 0.04F}, z * 1.02F, r * 0.98F, 0.35F},
                                   {c + Vec3{0, h * 0.35F, 0}, z * 1.0F, r * 1.0F, 0.35F},
                                   {c + Vec3{0, h * 0.8F, 0}, z * 0.86F, r * 0.86F, 0.3F},
                                   {c + Vec3{0, h * 1.08F, 0}, z * 0.5F, r * 0.5F, 0.1F},
                                   {c + Vec3{0, h * 1.14F, 0}, z * 0.05F, r * 0.05F, 0}}};
  m.shapes.tower(rings, kMetal, rigid(kHead), 18, true);
  const HeadShape before = m.head;
  m.head = {c, {r * 1.0F, h * 1.12F, z * 1.0F}, 0.5F, 1};
  add_patch(m, 0, 2, 56, 5.5F, 1.06F, kDark);  // The slit, and breaths.
  for (const float side : {1.0F, -1.0F}) {
    add_patch(m, side * 20, 2, 6, 3.4F, 1.085F, m.traits.eyes % 2 == 0 ? kGlow : kWhite);
    for (int i = 0; i < 3; ++i) add_patch(m, side * (14 + 10 * static_cast<float>(i)), -28, 2.6F, 7, 1.06F, kDark);
  }
  add_patch(m, 0, -14, 4.5F, 34, 1.07F, kTrim);
  m.head = before;
  if (m.traits.detail % 2 == 0) {
    const Vec3 top = c + Vec3{0, h * 1.1F, 0};
    const std::array<Vec3, 4> path{top, top + Vec3{0, r * 0.55F, -r * 0.2F}, top + Vec3{0, r * 0.4F, -r * 0.95F},
                                   top + Vec3{0, -r * 0.4F, -r * 1.4F}};
    const std::array<float, 4> plume{r * 0.12F, r * 0.28F, r * 0.32F, r * 0.05F};
    m.shapes.tube(path, plume, kCloth, along({0, 0, -1}, {kHead, kHair1}, {r * 0.8F}, r * 0.6F), 8, 0.6F);
  }
}

void add_crown(Maker& m) {
  const bool fungus = m.traits.species == Species::kRabbit;
  const float el = fungus ? 48.0F : 36.0F, r = m.head.radii.x;
  const Vec3 at = m.head.point(90, el, 1.1F);
  const float y = at.y, x = at.x, z = m.head.point(0, el, 1.1F).z;
  const std::array<Ring, 4> rings{{{{0, y - r * 0.1F, 0}, z * 0.96F, x * 0.96F, 0},
                                   {{0, y - r * 0.1F, 0}, z * 1.06F, x * 1.06F, 0},
                                   {{0, y + r * 0.2F, 0}, z * 1.1F, x * 1.1F, 0},
                                   {{0, y + r * 0.2F, 0}, z * 0.98F, x * 0.98F, 0}}};
  m.shapes.tower(rings, kTrim, rigid(kHead), 20, false);
  for (int i = 0; i < 7; ++i) {
    const SineCosine a = sine_cosine(2 * std::numbers::pi * i / 7);
    const Vec3 base{x * 1.05F * static_cast<float>(a.sine), y + r * 0.1F, z * 1.05F * static_cast<float>(a.cosine)};
    m.shapes.cone(base, base + Vec3{base.x * 0.12F, r * 0.52F, base.z * 0.12F}, r * 0.2F, kTrim, rigid(kHead), 4);
    m.shapes.blob(base + Vec3{base.x * 0.06F, 0, base.z * 0.06F}, {r * 0.08F, r * 0.08F, r * 0.08F},
                  i % 2 == 0 ? kGlow : kCloth, rigid(kHead), 0, 6);
  }
}

void add_bandana(Maker& m) {
  const float r = m.head.radii.x;
  add_cap(m, band(24, 2), 1.13F, kCloth);
  const Vec3 knot = m.head.point(180, 6, 1.12F);
  m.shapes.blob(knot, {r * 0.14F, r * 0.14F, r * 0.14F}, kCloth, rigid(kHead), 0, 8);
  for (const float side : {1.0F, -1.0F})
    m.shapes.cone(knot, knot + Vec3{side * r * 0.35F, -r * 0.55F, -r * 0.4F}, r * 0.18F, kCloth, rigid(kHair1), 6,
                  0.5F);
  for (int i = -2; i <= 2; ++i) add_patch(m, static_cast<float>(i) * 34, 46, 6, 5, 1.15F, kCloth2);
}

void add_mask(Maker& m) {
  add_cap(m, band(24, -40), 1.1F, kCloth);
  // A wrap over nose and mouth.
  std::vector<Vec3> wrap;
  constexpr int kColumns = 25;
  for (int row = 0; row < 5; ++row) {
    for (int k = 0; k < kColumns; ++k)
      wrap.push_back(m.head.point(-180 + 360.0F * static_cast<float>(k) / (kColumns - 1),
                                  -18 - static_cast<float>(row) * 16, row == 0 ? 0.99F : 1.1F));
  }
  m.shapes.sheet(wrap, kColumns, kCloth, rigid(kHead), true);
  add_patch(m, 0, 34, 30, 8, 1.13F, m.traits.job == Job::kNinja ? kMetal : kCloth2);
  const float r = m.head.radii.x;
  const Vec3 knot = m.head.point(180, 20, 1.1F);
  for (const float side : {0.4F, -0.2F})
    m.shapes.cone(knot, knot + Vec3{side * r, -r * 0.5F, -r * 0.8F}, r * 0.2F, kCloth2, rigid(kHair1), 6, 0.4F);
}

void add_round_hat(Maker& m) {
  const float r = m.head.radii.x;
  switch (m.traits.hat) {
    case Hat::kStraw:
      add_brim(m, 26, 1.75F, -0.12F, kBone);
      add_cap(m, band(26, 26), 1.12F, kBone);
      break;
    case Hat::kTricorne: {
      add_cap(m, band(28, 28), 1.16F, kCloth2);
      // A brim that is turned up at three sides, with points between them.
      constexpr int kColumns = 37, kRows = 4;
      const float y = m.head.point(90, 26, 1).y, z = m.head.radii.z;
      std::vector<Vec3> brim;
      for (int row = 0; row < kRows; ++row) {
        const float t = static_cast<float>(row) / (kRows - 1);
        for (int k = 0; k < kColumns; ++k) {
          const double az = 2 * std::numbers::pi * k / (kColumns - 1);
          const auto tip = static_cast<float>(portable_cos(az * 1.5)),
                     side = static_cast<float>(portable_sin(az * 1.5));
          const float reach = 0.98F + t * (0.2F + 0.42F * tip * tip), rise = r * t * (0.08F + 0.62F * side * side);
          brim.push_back({r * reach * static_cast<float>(portable_sin(az)), y + rise,
                          z * reach * static_cast<float>(portable_cos(az))});
        }
      }
      m.shapes.sheet(brim, kColumns, kCloth2, rigid(kHead), true);
      const std::vector<Vec3> edge(brim.end() - kColumns, brim.end());
      const std::vector<float> radii(kColumns, r * 0.07F);
      m.shapes.tube(edge, radii, kTrim, rigid(kHead), 6);
      break;
    }
    case Hat::kFeathered: {
      add_brim(m, 30, 1.4F, 0.1F, kCloth);
      add_cap(m, band(30, 30), 1.2F, kCloth);
      const Vec3 base = m.head.point(-80, 36, 1.2F);
      const std::array<Vec3, 4> path{base, base + Vec3{-r * 0.1F, r * 0.45F, -r * 0.2F},
                                     base + Vec3{-r * 0.1F, r * 0.75F, -r * 0.65F},
                                     base + Vec3{0, r * 0.7F, -r * 1.15F}};
      const std::array<float, 4> feather{r * 0.05F, r * 0.18F, r * 0.17F, r * 0.02F};
      m.shapes.tube(path, feather, kTrim, along({0, 0, -1}, {kHead, kHair1}, {r * 0.5F}, r * 0.5F), 6, 0.4F);
      break;
    }
    case Hat::kCook: {
      const float y = m.head.point(90, 30, 1).y, z = m.head.radii.z;
      const std::array<Ring, 3> tower{{{{0, y, 0}, z * 1.06F, r * 1.06F, 0.1F},
                                       {{0, y + r * 0.5F, 0}, z * 1.02F, r * 1.02F, 0.1F},
                                       {{0, y + r * 0.6F, 0}, z * 0.9F, r * 0.9F, 0}}};
      m.shapes.tower(tower, kWhite, rigid(kHead), 16, false);
      m.shapes.blob({0, y + r * 0.85F, 0}, {r * 1.3F, r * 0.5F, z * 1.3F}, kWhite, rigid(kHead), 0.2F, 16);
      break;
    }
    default:
      break;
  }
}

}  // namespace

void add_hat(Maker& m) {
  switch (m.traits.hat) {
    case Hat::kNone:
      return;
    case Hat::kPointed:
      return add_pointed(m);
    case Hat::kHood:
      return add_hood(m);
    case Hat::kHelmet:
    case Hat::kHornedHelm:
      return add_helmet(m, m.traits.hat == Hat::kHornedHelm);
    case Hat::kFullHelm:
      return add_full_helm(m);
    case Hat::kCrown:
      return add_crown(m);
    case Hat::kBandana:
      return add_bandana(m);
    case Hat::kMask:
      return add_mask(m);
    default:
      return add_round_hat(m);
  }
}

}  // namespace zoe::sprite::identity
