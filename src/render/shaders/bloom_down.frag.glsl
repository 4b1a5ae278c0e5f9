// Halves (or quarters, from the scene) a picture; the first step keeps only what is brighter than the threshold.
#include "frame.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D source;
void main() {
  vec2 texel = 1.0 / vec2(textureSize(source, 0));
  vec3 sum = vec3(0);
  for (int i = 0; i < 4; ++i) {
    // Linear filtering: each fetch is the mean of four texels.
    vec3 c = texture(source, uv + (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel).rgb;
#ifdef FIRST
    // A soft knee, and no pixel counts for more than 16: fireflies would flicker.
    c = min(c, vec3(16.0));
    float brightness = max(c.r, max(c.g, c.b));
    c *= smoothstep(0.0, 1.0, (brightness - frame.ground_light.w) / max(frame.ground_light.w, 0.1)) * 1.0;
#endif
    sum += c;
  }
  out_color = vec4(sum * 0.25, 1.0);
}
