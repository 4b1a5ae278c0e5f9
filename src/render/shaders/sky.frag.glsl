// The sky, where nothing else was drawn.
#include "frame.glsl"
#include "sky.glsl"
#include "tone.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 ray = transpose(mat3(frame.view_from_world)) * view_position(uv, 1.0);
  vec3 color = sky(frame.eye.w > 0.5 ? normalize(ray) : frame.view_axis.xyz);
#ifdef TONE_MAP
  color = tone_map(color);
#endif
  out_color = vec4(color, 1.0);
}
