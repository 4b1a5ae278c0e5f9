// SPDX-License-Identifier: MIT
// Part of Zoetrope. Colours of bodies: coats by family, skin, hair and clothes of people.
#pragma once

#include "zoe/synth/body.h"

namespace zoe::synth {

struct Coat {
  Vec4 back, belly, wing;  // Linear colours. The belly is paler than the back; wings and fins have their own.
};
// choice: 0..1, which of the family's coats; shade: factor on its lightness.
Coat coat_of(BodyFamily family, float choice, float shade);

enum class Hair : std::uint8_t { kShort, kBob, kLong, kBun };

// A dressed person.
struct Look {
  Vec4 skin, lips, hair_color, iris, shirt, trousers, shoes, soles;
  Hair hair = Hair::kShort;
  bool long_sleeves = false, shorts = false;
};
Look draw_look(Random random);

// A linear colour from an sRGB number 0xRRGGBB.
Vec4 linear_color(std::uint32_t srgb);
// The colour times a factor, at most 1.
Vec4 shaded(Vec4 color, float factor);
// From a at share 0 to b at share 1.
Vec4 mixed(Vec4 a, Vec4 b, float share);

}  // namespace zoe::synth
