// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feel: how strongly a clip is exaggerated, as hand-made game animation is.
//
//   clip.feel = sprite::feel_of(sprite::Pace::kArcade, {.smear = 0.5F});  // The rest by the pace.
#pragma once

namespace zoe::sprite {

enum class Pace : unsigned char;

// Strengths, 0 (none) to 2; 1 is the usual strength. Below 0: by the pace.
struct Feel {
  float smear = -1;   // Fast limbs and weapons are drawn out along their path.
  float squash = -1;  // The body stretches where it is fast and is squashed where it lands; its volume is kept.
  float follow = -1;  // Hair, ears, tails and capes lag behind and swing out.
  float impact = -1;  // From 0.5: a drawing in two tones at the moment of each hit.
  friend bool operator==(const Feel&, const Feel&) = default;
};
constexpr Feel kNoFeel{0, 0, 0, 0};

// Replaces values below 0 by those of the pace: smooth has follow-through alone, arcade has all, snappy has less and no
// impact drawings.
Feel feel_of(Pace pace, const Feel& stated);

}  // namespace zoe::sprite
