// Adds a smaller level, smoothed by a tent filter, to the next larger one. The last step gives screen colours.
#include "frame.glsl"
#include "tone.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D smaller;
layout(binding = 1) uniform sampler2D larger;
void main() {
  vec2 texel = 1.0 / vec2(textureSize(smaller, 0));
  vec3 sum = vec3(0);
  for (int i = 0; i < 4; ++i) sum += texture(smaller, uv + (vec2(i & 1, i >> 1) - 0.5) * texel).rgb;
  sum *= 0.25;
#ifdef LAST
  sum = tone_map((sum + texelFetch(larger, ivec2(gl_FragCoord.xy), 0).rgb) * frame.sky_light.w);
#endif
  out_color = vec4(sum, 1.0);
}
