// Converts light to screen colours. Light above the threshold is written for the bloom, as square roots.
#include "tone.glsl"
layout(location = 0) out vec4 out_color;
#ifdef BLOOM
layout(location = 1) out vec4 out_bright;
#endif

void write_light(vec3 radiance) {
  out_color = vec4(tone_map(radiance), 1.0);
#ifdef BLOOM
  // A soft knee. A pixel counts at most 16, because fireflies would flicker.
  vec3 c = min(radiance, vec3(16.0));
  float brightness = max(c.r, max(c.g, c.b));
  float share = smoothstep(0.0, 1.0, (brightness - frame.ground_light.w) / max(frame.ground_light.w, 0.1));
  out_bright = vec4(sqrt(c * (share * (1.0 / 16.0))), 1.0);
#endif
}
