// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of an identity's body. Each adds its shapes.
#pragma once

#include "zoe/core/random.h"

#include "sprite/identity/frame.h"
#include "sprite/identity/shape.h"

namespace zoe::sprite::identity {

// The surface of a head, by angles: azimuth 0 is the front, positive to the left (+x); elevation -90 to 90 degrees.
struct HeadShape {
  Vec3 center, radii;
  float boxy = 0.3F;
  float jaw = 1;  // Width of the lower half, as a ratio.
  // grow: distance from the centre as a ratio of the surface's.
  Vec3 point(float azimuth_deg, float elevation_deg, float grow = 1) const;
};
HeadShape head_shape(const Traits& traits, const Frame& frame);

struct Maker {
  const Traits& traits;
  const Frame& frame;
  HeadShape head;
  Shapes& shapes;
  Random random;

  // Of the trunk's surface and of skirts, which follow the legs.
  Skinner trunk() const;
  Skinner skirt() const;
};

void add_trunk(Maker& maker);
void add_ghost(Maker& maker);
void add_limbs(Maker& maker);
void add_outfit(Maker& maker);
void add_head(Maker& maker);
void add_face(Maker& maker);
void add_hair(Maker& maker);
void add_hat(Maker& maker);

// A surface over the head between a border and the crown. border_deg(azimuth): lowest elevation of that azimuth.
void add_cap(Maker& maker, const std::function<float(float)>& border_deg, float grow, Slot slot, int joint = kHead);
// An ellipse on the head's surface.
void add_patch(Maker& maker, float azimuth_deg, float elevation_deg, float wide_deg, float high_deg, float grow,
               Slot slot, float turn_deg = 0);

// In a hand's slot: the handle at the origin, the blade along +z.
void add_weapon(Shapes& shapes, Weapon weapon, float size);
// On the left forearm's outer side, in the slot's axes.
void add_shield(Shapes& shapes, int detail, float size);

}  // namespace zoe::sprite::identity
