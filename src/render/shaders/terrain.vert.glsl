// The ground as heights over a grid; no vertex buffer, the place follows from the number of the corner.
#include "frame.glsl"
#ifdef SHADOW_PASS
layout(location = 2) uniform int cascade;
#else
layout(location = 0) out vec2 place;
layout(location = 1) out vec3 ground_normal;
#endif
layout(location = 4) uniform vec4 terrain_origin;  // w: cell, metres.
layout(location = 5) uniform ivec2 terrain_size;
layout(std430, binding = 7) readonly buffer Heights { float heights[]; };

float height_at(ivec2 corner) {
  corner = clamp(corner, ivec2(0), terrain_size - 1);
  return heights[corner.y * terrain_size.x + corner.x];
}

void main() {
  ivec2 corner = ivec2(gl_VertexID % terrain_size.x, gl_VertexID / terrain_size.x);
  vec3 position = terrain_origin.xyz + vec3(float(corner.x) * terrain_origin.w, height_at(corner), float(corner.y) * terrain_origin.w);
#ifdef SHADOW_PASS
  gl_Position = frame.shadow_from_world[cascade] * vec4(position, 1.0);
#else
  float dx = height_at(corner + ivec2(1, 0)) - height_at(corner - ivec2(1, 0));
  float dz = height_at(corner + ivec2(0, 1)) - height_at(corner - ivec2(0, 1));
  ground_normal = normalize(vec3(-dx, 2.0 * terrain_origin.w, -dz));
  place = position.xz;
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
#endif
}
