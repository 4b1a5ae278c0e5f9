// SPDX-License-Identifier: MIT
// Heads by species: their surface, ears, muzzles, horns, caps over them and patches on them.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/math/portable.h"

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

void add_ears(Maker& m) {
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  for (const float side : {1.0F, -1.0F}) {
    const Skinner ear = rigid(side > 0 ? kLeftEar : kRightEar);
    switch (m.traits.species) {
      case Species::kHuman:
      case Species::kDwarf:
      case Species::kOrc:
      case Species::kZombie:
      case Species::kDemon:
        m.shapes.blob(h.point(side * 92, -6, 1.0F), {r * 0.12F, r * 0.2F, r * 0.14F}, kSkin, rigid(kHead), 0, 8);
        if (m.traits.species == Species::kDemon || m.traits.species == Species::kOrc)
          m.shapes.cone(h.point(side * 92, 2, 0.95F), h.point(side * 105, 26, 1.4F), r * 0.16F, kSkin, rigid(kHead), 8,
                        0.5F);
        break;
      case Species::kElf:
      case Species::kGoblin: {
        const float reach = m.traits.species == Species::kGoblin ? 1.95F : 1.6F;
        m.shapes.cone(h.point(side * 88, -4, 0.92F), h.point(side * 104, 16, reach), r * 0.26F, kSkin, rigid(kHead), 8,
                      0.45F);
        break;
      }
      case Species::kCat:
      case Species::kFox: {
        const Vec3 base = h.point(side * 50, 62, 0.86F),
                   tip = h.point(side * 46, 62, m.traits.species == Species::kFox ? 1.62F : 1.5F);
        m.shapes.cone(base, tip, r * 0.40F, kSkin, ear, 4, 0.7F);
        m.shapes.cone(base + Vec3{0, 0, r * 0.14F}, lerp(base, tip, 0.8F) + Vec3{0, 0, r * 0.1F}, r * 0.26F, kSkinShade,
                      ear, 4, 0.6F);
        break;
      }
      case Species::kRabbit: {
        const Vec3 base = h.point(side * 40, 70, 0.9F);
        const std::array<Vec3, 4> path{base, base + Vec3{side * r * 0.12F, r * 0.5F, 0},
                                       base + Vec3{side * r * 0.2F, r * 1.1F, -r * 0.06F},
                                       base + Vec3{side * r * 0.24F, r * 1.45F, -r * 0.12F}};
        const std::array<float, 4> radii{r * 0.17F, r * 0.25F, r * 0.22F, r * 0.05F};
        m.shapes.tube(path, radii, kSkin, ear, 8, 0.6F);
        const std::array<Vec3, 3> inner{path[0] + Vec3{0, r * 0.1F, r * 0.1F}, path[1] + Vec3{0, 0, r * 0.1F},
                                        path[2] + Vec3{0, 0, r * 0.1F}};
        const std::array<float, 3> inner_r{r * 0.08F, r * 0.14F, r * 0.1F};
        m.shapes.tube(inner, inner_r, kSkinShade, ear, 8, 0.6F);
        break;
      }
      case Species::kBear:
        m.shapes.blob(h.point(side * 62, 58, 1.05F), {r * 0.3F, r * 0.3F, r * 0.18F}, kSkin, ear, 0, 10);
        m.shapes.blob(h.point(side * 60, 58, 1.05F) + Vec3{0, 0, r * 0.1F}, {r * 0.18F, r * 0.18F, r * 0.12F},
                      kSkinShade, ear, 0, 8);
        break;
      case Species::kFrog:  // Eyes sit on top.
        m.shapes.blob(h.point(side * 36, 50, 0.98F), {r * 0.34F, r * 0.34F, r * 0.32F}, kSkin, rigid(kHead), 0, 12);
        break;
      case Species::kRobot:
        m.shapes.blob(h.point(side * 90, 0, 1.0F), {r * 0.16F, r * 0.3F, r * 0.3F}, kDark, rigid(kHead), 0.3F, 10);
        break;
      case Species::kMinotaur:
        m.shapes.cone(h.point(side * 84, 14, 0.9F), h.point(side * 92, 4, 1.5F), r * 0.22F, kSkin, ear, 8, 0.5F);
        break;
      default:
        break;
    }
  }
}

void add_horns(Maker& m) {
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  const Species s = m.traits.species;
  if (s != Species::kDemon && s != Species::kMinotaur) return;
  const bool bull = s == Species::kMinotaur;
  for (const float side : {1.0F, -1.0F}) {
    const Vec3 base = h.point(side * (bull ? 62.0F : 42.0F), bull ? 42.0F : 52.0F, 0.95F);
    const int variant = m.traits.detail;
    const Vec3 out = bull || variant % 2 == 0 ? Vec3{side, 0.15F, 0} : Vec3{side * 0.35F, 0.9F, -0.1F};
    const std::array<Vec3, 4> path{base, base + out * (r * 0.4F), base + out * (r * 0.72F) + Vec3{0, r * 0.32F, 0},
                                   base + out * (r * 0.8F) + Vec3{0, r * 0.85F, variant < 2 ? r * 0.15F : -r * 0.25F}};
    const std::array<float, 4> radii{r * 0.24F, r * 0.2F, r * 0.13F, r * 0.02F};
    m.shapes.tube(path, radii, kBone, rigid(kHead), 8);
  }
}

void add_top(Maker& m) {
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  if (m.traits.species == Species::kMushroom) {
    const Vec3 c = h.center + Vec3{0, h.radii.y * 0.35F, 0};
    const std::array<Ring, 6> cap{{{c + Vec3{0, -r * 0.05F, 0}, r * 0.9F, r * 0.9F, 0},
                                   {c + Vec3{0, -r * 0.12F, 0}, r * 1.5F, r * 1.5F, 0},
                                   {c + Vec3{0, r * 0.12F, 0}, r * 1.62F, r * 1.62F, 0},
                                   {c + Vec3{0, r * 0.55F, 0}, r * 1.36F, r * 1.36F, 0},
                                   {c + Vec3{0, r * 0.9F, 0}, r * 0.8F, r * 0.8F, 0},
                                   {c + Vec3{0, r * 1.02F, 0}, r * 0.05F, r * 0.05F, 0}}};
    m.shapes.tower(cap, kCloth, rigid(kHead), 18, false);
    for (int i = 0; i < 9; ++i) {
      const double az = (i * 40 + (i % 2) * 15) * kDegree;
      const bool upper = i % 3 == 0;
      const float ring = r * (upper ? 0.86F : 1.5F), y = r * (upper ? 0.88F : 0.34F);
      m.shapes.blob(
          c + Vec3{ring * static_cast<float>(portable_sin(az)), y, ring * static_cast<float>(portable_cos(az))},
          {r * 0.22F, r * 0.18F, r * 0.22F}, kWhite, rigid(kHead), 0, 8);
    }
  }
  if (m.traits.species == Species::kPumpkin) {
    const Vec3 top = h.point(0, 90, 0.95F);
    const std::array<Vec3, 3> stem{top, top + Vec3{r * 0.04F, r * 0.25F, 0}, top + Vec3{r * 0.2F, r * 0.42F, 0}};
    const std::array<float, 3> radii{r * 0.2F, r * 0.12F, r * 0.14F};
    m.shapes.tube(stem, radii, kTrim, rigid(kHead), 8);
    for (int i = 0; i < 8; ++i) {  // Ribs.
      std::vector<Vec3> rib;
      std::vector<float> radii_rib;
      for (int k = 0; k <= 8; ++k) {
        rib.push_back(h.point(static_cast<float>(i) * 45 + 22.5F, -80 + static_cast<float>(k) * 20, 0.985F));
        radii_rib.push_back(r * (k == 0 || k == 8 ? 0.03F : 0.09F));
      }
      m.shapes.tube(rib, radii_rib, kSkinShade, rigid(kHead), 6);
    }
  }
  if (m.traits.species == Species::kRobot) {
    const Vec3 top = h.point(0, 90, 1);
    const std::array<Vec3, 2> rod{top, top + Vec3{0, r * 0.4F, 0}};
    const std::array<float, 2> radii{r * 0.06F, r * 0.05F};
    if (m.traits.hat == Hat::kNone) {
      m.shapes.tube(rod, radii, kDark, rigid(kHead), 6);
      m.shapes.blob(rod[1], {r * 0.14F, r * 0.14F, r * 0.14F}, kGlow, rigid(kHead), 0, 8);
    }
  }
}

// A curved tail.
void add_tail(Maker& m) {
  const Frame& f = m.frame;
  const float h = f.height, r = f.arm_r;
  const Species s = m.traits.species;
  const float y = f.hip_y + 0.02F * h, z = -f.hip_z * 0.8F;
  const Skinner skin =
      along({0, 0, -1}, {kTail1, kTail2, kTail3}, {f.hip_z + 0.12F * h, f.hip_z + 0.24F * h}, 0.08F * h);
  if (s == Species::kRabbit || s == Species::kBear) {
    m.shapes.blob({0, y, z - r}, {r * 1.4F, r * 1.4F, r * 1.4F}, kWhite, rigid(kTail1), 0, 8);
    return;
  }
  if (s != Species::kCat && s != Species::kFox && s != Species::kLizard && s != Species::kDemon &&
      s != Species::kMinotaur)
    return;
  const bool bushy = s == Species::kFox, thick = s == Species::kLizard;
  const float drop = thick ? -0.5F : 0.25F;
  const std::array<Vec3, 5> path{
      Vec3{0, y, z}, Vec3{0, y + drop * 0.08F * h, z - 0.10F * h}, Vec3{0, y + drop * 0.28F * h, z - 0.2F * h},
      Vec3{0, y + drop * 0.5F * h, z - 0.28F * h}, Vec3{0, y + drop * 0.85F * h, z - 0.33F * h}};
  const std::array<float, 5> plain{r * 0.7F, r * 0.6F, r * 0.52F, r * 0.45F, r * 0.3F};
  const std::array<float, 5> bush{r * 0.6F, r * 1.3F, r * 2.0F, r * 1.7F, r * 0.2F};
  const std::array<float, 5> heavy{r * 2.0F, r * 1.5F, r * 1.1F, r * 0.7F, r * 0.15F};
  m.shapes.tube(path, bushy ? bush : thick ? heavy : plain, kSkin, skin, 10);
  if (bushy) m.shapes.blob(lerp(path[3], path[4], 0.4F), {r * 1.3F, r * 1.4F, r * 1.2F}, kWhite, rigid(kTail3), 0, 8);
  if (s == Species::kDemon)
    m.shapes.cone(path[4] - Vec3{0, 0.01F * h, 0}, path[4] + Vec3{0, 0.1F * h, -0.02F * h}, r * 1.1F, kSkinShade,
                  rigid(kTail3), 4, 0.4F);
  if (s == Species::kMinotaur) m.shapes.blob(path[4], {r * 0.9F, r * 1.2F, r * 0.9F}, kHairSlot, rigid(kTail3), 0, 8);
}

}  // namespace

Vec3 HeadShape::point(float azimuth_deg, float elevation_deg, float grow) const {
  const SineCosine az = sine_cosine(static_cast<double>(azimuth_deg) * kDegree),
                   el = sine_cosine(static_cast<double>(elevation_deg) * kDegree);
  const Vec3 unit{static_cast<float>(az.sine * el.cosine), static_cast<float>(el.sine),
                  static_cast<float>(az.cosine * el.cosine)};
  // Between the sphere and the rounded cube.
  const auto fourth = [](float v) { return v * v * v * v; };
  const float cube = std::sqrt(std::sqrt(fourth(unit.x) + fourth(unit.y) + fourth(unit.z)));
  const float out = grow * (1 + boxy * (1 / cube - 1));
  const float wide = 1 + (jaw - 1) * std::clamp(0.35F - unit.y, 0.0F, 1.0F);
  return center +
         Vec3{unit.x * radii.x * out * wide, unit.y * radii.y * out, unit.z * radii.z * out * (0.5F + 0.5F * wide)};
}

HeadShape head_shape(const Traits& traits, const Frame& frame) {
  HeadShape h{{0, frame.head_y, 0}, frame.head_radii, 0.32F, 0.92F};
  switch (traits.species) {
    case Species::kOrc:
    case Species::kMinotaur:
      h.jaw = 1.22F;
      h.boxy = 0.45F;
      break;
    case Species::kSkeleton:
      h.jaw = 0.66F;
      h.boxy = 0.25F;
      break;
    case Species::kRobot:
      h.boxy = 0.95F;
      h.jaw = 1;
      h.radii = h.radii * 0.86F;
      break;
    case Species::kPumpkin:
      h.radii = h.radii * Vec3{1.2F, 0.92F, 1.2F};
      h.boxy = 0.2F;
      h.jaw = 1;
      break;
    case Species::kFrog:
      h.radii = h.radii * Vec3{1.16F, 0.84F, 1.0F};
      h.jaw = 1.18F;
      break;
    case Species::kMushroom:
      h.radii = h.radii * Vec3{0.82F, 0.95F, 0.85F};
      h.jaw = 1.1F;
      break;
    case Species::kGhost:
      h.boxy = 0.05F;
      h.jaw = 1;
      break;
    case Species::kElf:
      h.jaw = 0.8F;
      break;
    case Species::kCat:
    case Species::kFox:
      h.jaw = 1.05F;
      h.radii = h.radii * Vec3{1.08F, 0.94F, 1};
      break;
    default:
      break;
  }
  if (traits.feminine) h.jaw *= 0.94F;
  return h;
}

void add_cap(Maker& m, const std::function<float(float)>& border_deg, float grow, Slot slot, int joint) {
  constexpr int kColumns = 33, kRows = 9;
  std::vector<Vec3> points;
  for (int row = 0; row < kRows; ++row) {
    for (int k = 0; k < kColumns; ++k) {
      const float azimuth = -180 + 360.0F * static_cast<float>(k) / (kColumns - 1);
      const float low = border_deg(azimuth);
      // The first row goes under the border: the edge has a thickness.
      const float share = static_cast<float>(std::max(0, row - 1)) / (kRows - 2);
      points.push_back(m.head.point(azimuth, 89.9F - (89.9F - low) * (1 - share), row == 0 ? 0.93F : grow));
    }
  }
  std::reverse(points.begin(), points.end());  // From the crown down, so that the outside is in front.
  m.shapes.sheet(points, kColumns, slot, rigid(joint), true);
}

void add_patch(Maker& m, float azimuth_deg, float elevation_deg, float wide_deg, float high_deg, float grow, Slot slot,
               float turn_deg) {
  constexpr int kColumns = 17, kRows = 4;
  const SineCosine turn = sine_cosine(static_cast<double>(turn_deg) * kDegree);
  const auto ts = static_cast<float>(turn.sine), tc = static_cast<float>(turn.cosine);
  std::vector<Vec3> points;
  for (int row = 0; row < kRows; ++row) {
    for (int k = 0; k < kColumns; ++k) {
      const SineCosine at = sine_cosine(2 * std::numbers::pi * k / (kColumns - 1));
      const float share = static_cast<float>(row) / (kRows - 1);
      const float x = wide_deg * share * static_cast<float>(at.cosine),
                  y = high_deg * share * static_cast<float>(at.sine);
      points.push_back(
          m.head.point(azimuth_deg + x * tc - y * ts, elevation_deg + x * ts + y * tc, grow - 0.03F * share * share));
    }
  }
  m.shapes.sheet(points, kColumns, slot, rigid(kHead), false);
}

void add_head(Maker& m) {
  constexpr int kRings = 14;
  std::vector<Vec3> points;
  constexpr int kColumns = 25;
  for (int row = 0; row <= kRings; ++row) {
    for (int k = 0; k < kColumns; ++k)
      points.push_back(m.head.point(-180 + 360.0F * static_cast<float>(k) / (kColumns - 1),
                                    90 - 180.0F * static_cast<float>(row) / kRings));
  }
  m.shapes.sheet(points, kColumns, kSkin, rigid(kHead), false);
  add_ears(m);
  add_horns(m);
  add_top(m);
  add_tail(m);
}

}  // namespace zoe::sprite::identity
