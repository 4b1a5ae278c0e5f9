// One triangle that covers the picture.
#include "frame.glsl"
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 ray;  // See world_position().
void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
#ifdef ORTHOGRAPHIC
  vec3 view = view_position(uv, 0.0);
#else
  vec3 view = view_position(uv, 1.0);
#endif
  ray = transpose(mat3(frame.view_from_world)) * view;
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
