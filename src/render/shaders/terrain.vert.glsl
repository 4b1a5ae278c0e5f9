// The ground as heights over a grid. There is no vertex buffer: the position follows from the number of the corner.
#include "frame.glsl"
layout(location = 0) out vec2 place;
layout(location = 1) out vec3 ground_normal;
layout(location = 2) out float ground_sun;
layout(location = 4) uniform vec4 terrain_origin;  // w: cell, metres.
layout(location = 5) uniform ivec2 terrain_size;
// Height; fraction of the sun beyond the hills.
layout(std430, binding = 7) readonly buffer Corners { vec2 corners[]; };

vec2 corner_at(ivec2 corner) {
  corner = clamp(corner, ivec2(0), terrain_size - 1);
  return corners[corner.y * terrain_size.x + corner.x];
}

void main() {
  ivec2 corner = ivec2(gl_VertexID % terrain_size.x, gl_VertexID / terrain_size.x);
  vec2 here = corner_at(corner);
  vec3 position = terrain_origin.xyz + vec3(float(corner.x) * terrain_origin.w, here.x, float(corner.y) * terrain_origin.w);
  float dx = corner_at(corner + ivec2(1, 0)).x - corner_at(corner - ivec2(1, 0)).x;
  float dz = corner_at(corner + ivec2(0, 1)).x - corner_at(corner - ivec2(0, 1)).x;
  ground_normal = normalize(vec3(-dx, 2.0 * terrain_origin.w, -dz));
  ground_sun = here.y;
  place = position.xz;
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
