// SPDX-License-Identifier: MIT
// Weapons: the grip at the origin, along +z, the edge towards ±y. Bows lie along z and bulge towards +x.
#include <array>
#include <numbers>

#include "zoe/math/portable.h"

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

const Skinner kFixed = rigid(0);

void add_shaft(Shapes& s, float from, float to, float radius, Slot slot) {
  const std::array<Vec3, 3> path{Vec3{0, 0, from}, Vec3{0, 0, (from + to) / 2}, Vec3{0, 0, to}};
  const std::array<float, 3> radii{radius, radius, radius};
  s.tube(path, radii, slot, kFixed, 8);
}

// Flat across x.
void add_edge(Shapes& s, float from, float to, float wide, float thick, Slot slot) {
  const std::array<Ring, 4> rings{{{{0, 0, from}, thick, wide, 0},
                                   {{0, 0, from + (to - from) * 0.5F}, thick, wide * 0.94F, 0},
                                   {{0, 0, to - wide * 1.6F}, thick, wide * 0.86F, 0},
                                   {{0, 0, to}, thick * 0.1F, wide * 0.02F, 0}}};
  s.loft(rings, {1, 0, 0}, {0, 1, 0}, slot, kFixed, 8);
}

}  // namespace

void add_weapon(Shapes& s, Weapon weapon, float size) {
  switch (weapon) {
    case Weapon::kNone:
      return;
    case Weapon::kSword:
    case Weapon::kGreatsword:
    case Weapon::kDagger: {
      const float blade = size * (weapon == Weapon::kSword ? 0.52F : weapon == Weapon::kGreatsword ? 0.82F : 0.27F);
      const float wide = size * (weapon == Weapon::kGreatsword ? 0.06F : 0.042F),
                  grip = size * (weapon == Weapon::kGreatsword ? 0.12F : 0.07F);
      add_shaft(s, -grip, grip * 0.9F, size * 0.017F, kLeather);
      s.blob({0, 0, -grip}, {size * 0.026F, size * 0.026F, size * 0.026F}, kTrim, kFixed, 0, 8);
      s.blob({0, 0, grip}, {size * 0.022F, wide * 2.1F, size * 0.022F}, kTrim, kFixed, 0.5F, 8);
      add_edge(s, grip, grip + blade, wide, size * 0.012F, kBlade);
      break;
    }
    case Weapon::kAxe:
      add_shaft(s, -size * 0.12F, size * 0.46F, size * 0.018F, kWood);
      for (const float side : {1.0F, -1.0F}) {
        const float reach = side > 0 ? 0.17F : 0.12F;
        const std::array<Ring, 3> head{
            {{{0, side * size * 0.01F, size * 0.37F}, size * 0.022F, size * 0.04F, 0.3F},
             {{0, side * size * reach * 0.6F, size * 0.37F}, size * 0.014F, size * 0.085F, 0.3F},
             {{0, side * size * reach, size * 0.37F}, size * 0.003F, size * 0.12F, 0.3F}}};
        if (side > 0) {
          s.loft(head, {0, 0, 1}, {1, 0, 0}, kBlade, kFixed, 10);
        } else {
          s.loft(head, {1, 0, 0}, {0, 0, 1}, kBlade, kFixed, 10);
        }
      }
      s.blob({0, 0, size * 0.46F}, {size * 0.026F, size * 0.026F, size * 0.03F}, kTrim, kFixed, 0, 8);
      break;
    case Weapon::kMace:
      add_shaft(s, -size * 0.1F, size * 0.3F, size * 0.018F, kWood);
      s.blob({0, 0, size * 0.36F}, {size * 0.075F, size * 0.075F, size * 0.075F}, kBlade, kFixed, 0.1F, 12);
      for (int i = 0; i < 6; ++i) {
        const SineCosine a = sine_cosine(2 * std::numbers::pi * i / 6);
        const Vec3 out{static_cast<float>(a.cosine), static_cast<float>(a.sine), 0.1F};
        s.cone(Vec3{0, 0, size * 0.36F} + out * (size * 0.06F), Vec3{0, 0, size * 0.36F} + out * (size * 0.12F),
               size * 0.028F, kTrim, kFixed, 6);
      }
      break;
    case Weapon::kHammer:
      add_shaft(s, -size * 0.12F, size * 0.42F, size * 0.02F, kWood);
      s.blob({0, 0, size * 0.42F}, {size * 0.075F, size * 0.15F, size * 0.085F}, kBlade, kFixed, 0.9F, 12);
      s.blob({0, 0, size * 0.42F}, {size * 0.08F, size * 0.03F, size * 0.09F}, kTrim, kFixed, 0.9F, 12);
      break;
    case Weapon::kSpear:
    case Weapon::kPitchfork:
      add_shaft(s, -size * 0.4F, size * 0.5F, size * 0.016F, kWood);
      if (weapon == Weapon::kSpear) {
        add_edge(s, size * 0.48F, size * 0.72F, size * 0.05F, size * 0.014F, kBlade);
        s.blob({0, 0, size * 0.48F}, {size * 0.026F, size * 0.05F, size * 0.02F}, kTrim, kFixed, 0.2F, 8);
      } else {
        s.blob({0, 0, size * 0.5F}, {size * 0.016F, size * 0.11F, size * 0.018F}, kBlade, kFixed, 0.4F, 8);
        for (const float y : {-0.09F, 0.0F, 0.09F})
          s.cone({0, y * size, size * 0.5F}, {0, y * size, size * 0.68F}, size * 0.02F, kBlade, kFixed, 6);
      }
      break;
    case Weapon::kStaff: {
      add_shaft(s, -size * 0.42F, size * 0.45F, size * 0.02F, kWood);
      const std::array<Vec3, 4> hook{Vec3{0, 0, size * 0.43F}, Vec3{0, size * 0.09F, size * 0.5F},
                                     Vec3{0, size * 0.09F, size * 0.62F}, Vec3{0, 0, size * 0.68F}};
      const std::array<float, 4> radii{size * 0.022F, size * 0.026F, size * 0.022F, size * 0.012F};
      s.tube(hook, radii, kWood, kFixed, 8);
      s.blob({0, 0, size * 0.55F}, {size * 0.06F, size * 0.06F, size * 0.06F}, kGlow, kFixed, 0.1F, 12);
      break;
    }
    case Weapon::kWand:
      add_shaft(s, -size * 0.06F, size * 0.28F, size * 0.014F, kWood);
      s.blob({0, 0, size * 0.3F}, {size * 0.045F, size * 0.045F, size * 0.045F}, kGlow, kFixed, 0, 10);
      break;
    case Weapon::kBow: {
      std::vector<Vec3> arc;
      std::vector<float> radii;
      for (int i = 0; i <= 10; ++i) {
        const float u = static_cast<float>(i) / 5 - 1;
        arc.push_back({size * (0.05F - 0.16F * u * u), 0, u * size * 0.36F});
        radii.push_back(size * (0.024F - 0.012F * u * u));
      }
      s.tube(arc, radii, kWood, kFixed, 8);
      const std::array<Vec3, 2> string{arc.front(), arc.back()};
      const std::array<float, 2> thin{size * 0.006F, size * 0.006F};
      s.tube(string, thin, kWhite, kFixed, 4);
      s.blob({size * 0.04F, 0, 0}, {size * 0.03F, size * 0.03F, size * 0.05F}, kLeather, kFixed, 0.3F, 8);
      break;
    }
    case Weapon::kPan:
      add_shaft(s, -size * 0.08F, size * 0.18F, size * 0.018F, kWood);
      {
        const std::array<Ring, 3> pan{{{{-size * 0.015F, 0, size * 0.29F}, size * 0.12F, size * 0.12F, 0},
                                       {{size * 0.01F, 0, size * 0.29F}, size * 0.13F, size * 0.13F, 0},
                                       {{size * 0.025F, 0, size * 0.29F}, size * 0.12F, size * 0.12F, 0}}};
        s.loft(pan, {0, 1, 0}, {0, 0, 1}, kBlade, kFixed, 16);
      }
      break;
  }
}

void add_shield(Shapes& s, int detail, float size) {
  const float r = size * (detail % 2 == 0 ? 0.2F : 0.23F);
  // A disc or a heater in the plane of y and z, outside of the arm.
  const float boxy = detail % 2 == 0 ? 0.0F : 0.7F, high = detail % 2 == 0 ? 1.0F : 1.25F;
  const std::array<Ring, 4> rim{{{{size * 0.03F, 0, 0}, r * 0.9F, r * 0.9F * high, boxy},
                                 {{size * 0.035F, 0, 0}, r, r * high, boxy},
                                 {{size * 0.055F, 0, 0}, r, r * high, boxy},
                                 {{size * 0.065F, 0, 0}, r * 0.86F, r * 0.86F * high, boxy}}};
  s.loft(rim, {0, 1, 0}, {0, 0, 1}, kTrim, kFixed, 20);
  const std::array<Ring, 3> face{{{{size * 0.06F, 0, 0}, r * 0.86F, r * 0.86F * high, boxy},
                                  {{size * 0.085F, 0, 0}, r * 0.6F, r * 0.6F * high, boxy},
                                  {{size * 0.095F, 0, 0}, r * 0.05F, r * 0.05F, boxy}}};
  s.loft(face, {0, 1, 0}, {0, 0, 1}, kCloth, kFixed, 20);
  s.blob({size * 0.095F, 0, 0}, {size * 0.035F, r * 0.28F, r * 0.28F}, kBlade, kFixed, 0.1F, 10);
}

}  // namespace zoe::sprite::identity
