// Scene plus bloom, to the screen's range. Colours come and go multiplied by alpha.
#include "frame.glsl"
#include "tone.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D scene;
layout(binding = 1) uniform sampler2D bloom;
void main() {
  vec4 color = texelFetch(scene, ivec2(gl_FragCoord.xy), 0);
  vec3 glow = texture(bloom, uv).rgb * frame.sky_light.w;
  vec3 radiance = color.a > 0.0 ? color.rgb / color.a : vec3(0);
  out_color = vec4(tone_map(radiance + glow) * color.a, color.a);
}
