// The fraction of the sun that is visible at a position. Maps are fitted around the casters: everything outside of them
// is lit. Also written for software rasterisers, which run both sides of a branch but exit a loop as soon as no pixel
// of a group needs it: cascades are selected with constant indices, and the taps are a loop without rounds where there
// is no shadow.
layout(binding = 4) uniform sampler2DArrayShadow shadow_map;

#ifndef SHADOW_SAMPLES
#define SHADOW_SAMPLES 12
#endif
#ifndef SHADOW_CASCADES
#define SHADOW_CASCADES 1
#endif

// A unit vector from a number in [0, 1), around the circle nearly evenly: the rim of a square, without sines.
vec2 around_circle(float turn) {
  vec2 rim = abs(fract(vec2(turn, turn + 0.25)) * 4.0 - 2.0) - 1.0;
  return rim * inversesqrt(dot(rim, rim));
}

float sun_visibility(vec3 position, vec3 normal, vec2 pixel) {
  float facing = dot(normal, frame.to_sun.xyz);
  vec4 found = vec4(0);  // Position in the map, layer.
  float texel_m = 1.0;
  bool inside = false;
  for (int i = SHADOW_CASCADES - 1; i >= 0; --i) {
    // Moved along the normal by the blur's reach on a slanted surface, which would otherwise shadow itself.
    float offset = frame.cascade_texel[i] * 1.5 + (frame.cascade_texel[i] + frame.shadow.x) * (1.0 - abs(facing)) * 0.8;
    vec3 at = (frame.shadow_from_world[i] * vec4(position + normal * offset, 1.0)).xyz;
    // Positions behind everything in the map are shadowed by any content of the map: 1 is its empty depth.
    if (max(abs(at.x), abs(at.y)) < 1.0) {
      found = vec4(at.xy * 0.5 + 0.5, float(i), min(at.z, 1.0));
      texel_m = frame.cascade_texel[i];
      inside = true;
    }
  }
  // A disc of samples (Vogel's spiral), rotated from pixel to pixel by Jimenez' gradient noise, from the rim inwards.
  // Where the first ones agree the position is not at the edge of a shadow.
  const int first = min(SHADOW_SAMPLES, 5);
  const float golden_cos = -0.73736888, golden_sin = 0.67549030;
  int rounds = inside && facing > 0.0 ? SHADOW_SAMPLES : 0;
  vec2 spoke = around_circle(fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))))) * max(frame.shadow.x / texel_m, 0.75) * frame.shadow.z;
  float lit = 0.0;
  int taken = 0;
  while (taken < rounds) {
    float reach = sqrt(1.0 - (float(taken) + 0.5) * (1.0 / float(SHADOW_SAMPLES)));
    lit += texture(shadow_map, vec4(found.xy + spoke * reach, found.zw));
    spoke = vec2(spoke.x * golden_cos - spoke.y * golden_sin, spoke.x * golden_sin + spoke.y * golden_cos);
    ++taken;
    if (taken == first && (lit < 0.01 || lit > float(first) - 0.01)) rounds = first;
  }
  return taken > 0 ? lit / float(taken) : 1.0;
}
