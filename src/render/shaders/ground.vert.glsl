// A square of flat ground around its centre, large enough for the fade.
#include "frame.glsl"
layout(location = 0) out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  place = frame.ground_center.xz + corner * frame.ground_center.w;
  gl_Position = frame.clip_from_world * vec4(place.x, frame.ground_color.w, place.y, 1.0);
}
