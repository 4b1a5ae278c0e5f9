// How much of the sun a place sees. Maps are fitted around what casts shadows: outside of them everything is lit.
layout(binding = 4) uniform sampler2DArrayShadow shadow_map;

#ifndef SHADOW_SAMPLES
#define SHADOW_SAMPLES 12
#endif

float sun_visibility(vec3 position, vec3 normal, vec2 pixel) {
  int num_cascades = int(frame.shadow.w);
  for (int i = 0; i < num_cascades; ++i) {
    float texel_m = frame.cascade_size[i] / frame.shadow.y;
    // Moved along the normal by the blur's reach on a surface seen at a slant, which else shadows itself.
    float slant = 1.0 - abs(dot(normal, frame.to_sun.xyz));
    vec3 moved = position + normal * (texel_m * 1.5 + (texel_m + frame.shadow.x) * slant * 0.8);
    vec4 at = frame.shadow_from_world[i] * vec4(moved, 1.0);
    // Places behind everything in the map are shadowed by whatever the map shows: 1 is its empty depth.
    vec3 coordinate = vec3(at.xy * 0.5 + 0.5, min(at.z, 1.0));
    if (any(lessThan(coordinate.xy, vec2(0.0))) || any(greaterThan(coordinate.xy, vec2(1.0)))) continue;
    // A disc of samples (Vogel's spiral), turned from pixel to pixel by Jimenez' gradient noise.
    float radius = max(frame.shadow.x / frame.cascade_size[i], 0.75 / frame.shadow.y);
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
    // One turn a pixel; the spiral itself is constant, so that compilers fold its sines.
    mat2 turned = radius * mat2(cos(turn), sin(turn), -sin(turn), cos(turn));
    float lit = 0.0;
    for (int k = 0; k < SHADOW_SAMPLES; ++k) {
      float angle = float(k) * 2.39996323;
      vec2 spiral = sqrt((float(k) + 0.5) / float(SHADOW_SAMPLES)) * vec2(cos(angle), sin(angle));
      lit += texture(shadow_map, vec4(coordinate.xy + turned * spiral, float(i), coordinate.z));
    }
    return lit / float(SHADOW_SAMPLES);
  }
  return 1.0;
}
