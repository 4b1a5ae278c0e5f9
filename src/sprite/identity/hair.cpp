// SPDX-License-Identifier: MIT
// Hair and beards.
#include <algorithm>
#include <array>
#include <cmath>

#include "sprite/identity/parts.h"

namespace zoe::sprite::identity {
namespace {

// Lowest elevation of hair: the forehead in front, `side` at the ears, `back` behind.
std::function<float(float)> hairline(float front, float side, float back, float jag = 0) {
  return [=](float azimuth) {
    const float a = std::abs(azimuth);
    float low = a < 38   ? front
                : a < 70 ? front + (side - front) * (a - 38) / 32
                         : side + (back - side) * (a - 70) / 110;
    if (jag > 0) {  // Locks: a saw over the azimuth.
      const float phase = a / 15 - std::floor(a / 15);
      low -= jag * (phase < 0.5F ? phase * 2 : 2 - phase * 2);
    }
    return low;
  };
}

void add_locks(Maker& m, int count, float length, float from_el, float to_el) {
  const float r = m.head.radii.x;
  for (int i = 0; i < count; ++i) {
    const float az = -170 + 340.0F * static_cast<float>(i) / static_cast<float>(count - 1) + m.random.uniform(-8, 8);
    if (std::abs(az) < 25 && from_el < 30) continue;
    const float el = m.random.uniform(from_el, to_el);
    m.shapes.cone(m.head.point(az, el, 0.95F),
                  m.head.point(az * 1.02F, el + 14, 1.0F + length * m.random.uniform(0.8F, 1.25F)), r * 0.3F, kHairSlot,
                  rigid(kHead), 6);
  }
}

void add_strand(Maker& m, Vec3 start, Vec3 middle, Vec3 end, float radius, int first, int second) {
  const std::array<Vec3, 5> path{start, lerp(start, middle, 0.6F), middle, lerp(middle, end, 0.55F), end};
  const std::array<float, 5> radii{radius * 0.6F, radius, radius * 1.1F, radius * 0.8F, radius * 0.08F};
  const float border = -(start.y + end.y) * 0.5F;
  m.shapes.tube(path, radii, kHairSlot, along({0, -1, 0}, {first, second}, {border}, std::abs(start.y - end.y) * 0.5F),
                10, 0.75F);
}

void add_beard(Maker& m) {
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  const float length = m.traits.species == Species::kDwarf ? 0.95F : 0.32F;
  // A moustache, and a drop from the jaw.
  std::vector<Vec3> points;
  constexpr int kColumns = 13;
  for (int row = 0; row < 5; ++row) {
    const float share = static_cast<float>(row) / 4;
    for (int k = 0; k < kColumns; ++k) {
      const float u = static_cast<float>(k) / (kColumns - 1) * 2 - 1;
      Vec3 p = h.point(u * 74, -24 - 44 * share + 20 * u * u * (1 - share), row == 0 ? 0.98F : 1.1F + 0.04F * share);
      p.y -= r * length * share * share * (1 - u * u * 0.8F);
      p.z += r * 0.12F * share * (1 - std::abs(u));
      points.push_back(p);
    }
  }
  m.shapes.sheet(points, kColumns, kHairSlot, rigid(kHead), true);
  for (const float side : {1.0F, -1.0F})
    m.shapes.cone(h.point(side * 3, -25, 1.06F), h.point(side * 34, -36, 1.12F), r * 0.13F, kHairSlot, rigid(kHead), 6);
}

}  // namespace

void add_hair(Maker& m) {
  if (m.traits.beard) add_beard(m);
  const Hat hat = m.traits.hat;
  if (m.traits.hair == Hair::kNone || hat == Hat::kFullHelm || hat == Hat::kHood) return;
  const HeadShape& h = m.head;
  const float r = h.radii.x;
  const bool covered = hat != Hat::kNone && hat != Hat::kCrown && hat != Hat::kMask;
  const float grow = covered ? 1.06F : 1.11F;
  switch (m.traits.hair) {
    case Hair::kNone:
      return;
    case Hair::kShort:
      add_cap(m, hairline(30, 2, -28, m.traits.detail % 2 == 0 ? 12.0F : 0.0F), grow, kHairSlot);
      if (!covered && m.traits.detail < 2)
        m.shapes.cone(h.point(-20, 60, 1.0F), h.point(28, 48, 1.34F), r * 0.34F, kHairSlot, rigid(kHead), 6);
      break;
    case Hair::kSpiky:
      add_cap(m, hairline(32, 6, -24, 14), grow, kHairSlot);
      if (!covered) {
        add_locks(m, 9, 0.5F, 26, 50);
        add_locks(m, 5, 0.55F, 58, 78);
        for (int i = -1; i <= 1; ++i)
          m.shapes.cone(h.point(static_cast<float>(i) * 24, 40, 1.0F),
                        h.point(static_cast<float>(i) * 30 + 10, 24, 1.22F), r * 0.24F, kHairSlot, rigid(kHead), 6);
      }
      break;
    case Hair::kBob:
      add_cap(m, hairline(28, -46, -52), grow + 0.03F, kHairSlot);
      break;
    case Hair::kLong:
      add_cap(m, hairline(30, -30, -48, 8), grow, kHairSlot);
      add_strand(m, h.point(180, 10, 0.9F), h.point(180, -50, 1.1F),
                 h.point(180, -60, 1.1F) - Vec3{0, h.radii.y * 1.1F, r * 0.05F}, r * 0.72F, kHead, kHair2);
      break;
    case Hair::kPonytail:
      add_cap(m, hairline(32, 0, -30), grow, kHairSlot);
      m.shapes.blob(h.point(180, 40, 1.1F), {r * 0.2F, r * 0.2F, r * 0.2F}, kTrim, rigid(kHead), 0, 8);
      add_strand(m, h.point(180, 40, 1.12F), h.point(180, 8, 1.6F), h.point(180, -50, 1.5F) - Vec3{0, r * 0.35F, 0},
                 r * 0.34F, kHair1, kHair2);
      break;
    case Hair::kMohawk:
      if (!covered) {
        for (int i = 0; i < 7; ++i) {
          const float el = 38 + static_cast<float>(i) * 20;
          m.shapes.cone(h.point(0, el, 0.9F), h.point(0, el + 6, 1.55F), r * 0.3F, kHairSlot, rigid(kHead), 6, 0.5F);
        }
      }
      break;
    case Hair::kBun:
      add_cap(m, hairline(32, 0, -30), grow, kHairSlot);
      if (!covered)
        m.shapes.blob(h.point(180, 66, 1.28F), {r * 0.42F, r * 0.4F, r * 0.42F}, kHairSlot, rigid(kHead), 0, 12);
      if (!covered) m.shapes.blob(h.point(180, 66, 1.08F), {r * 0.3F, r * 0.12F, r * 0.3F}, kTrim, rigid(kHead), 0, 12);
      break;
    case Hair::kTwinTails:
      add_cap(m, hairline(30, -14, -30), grow, kHairSlot);
      for (const float side : {1.0F, -1.0F}) {
        const Vec3 start = h.point(side * 112, 28, 1.08F);
        m.shapes.blob(start, {r * 0.2F, r * 0.2F, r * 0.2F}, kTrim, rigid(kHead), 0, 8);
        add_strand(m, start, start + Vec3{side * r * 0.6F, -r * 0.3F, -r * 0.1F},
                   start + Vec3{side * r * 0.55F, -r * 1.55F, 0}, r * 0.32F, side > 0 ? kLeftEar : kRightEar,
                   side > 0 ? kLeftEar : kRightEar);
      }
      break;
  }
}

}  // namespace zoe::sprite::identity
