// The sky, where nothing else was drawn.
#include "frame.glsl"
#include "sky.glsl"
#include "tone.glsl"
layout(location = 1) in vec3 ray;
layout(location = 0) out vec4 out_color;
void main() {
  vec3 color = sky(view_direction(ray));
#ifdef TONE_MAP
  color = tone_map(color);
#endif
  out_color = vec4(color, 1.0);
}
