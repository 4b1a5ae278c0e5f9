// The sky, where nothing else was drawn.
#include "frame.glsl"
#include "sky.glsl"
#include "lit_out.glsl"
layout(location = 1) in vec3 ray;
void main() {
  write_light(sky(view_direction(ray)));
}
