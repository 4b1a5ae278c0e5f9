// From vertex to fragment. Only the needed numbers, because software rasterisers interpolate each of them at a cost.
#ifndef SHADOW_PASS
layout(location = 0) out vec3 surface_normal;
layout(location = 1) out vec4 surface_color;
layout(location = 2) flat out uint surface_id;
#endif
#ifdef TEXTURED
layout(location = 3) out vec2 surface_uv;
layout(location = 4) out vec4 surface_tangent;
#endif
#ifdef BLEND_PASS
layout(location = 5) out vec3 surface_position;
#endif
#ifdef SHADOW_PASS
layout(location = 2) uniform int cascade;
#endif

void write_surface(vec3 position, vec3 normal, vec4 tangent, vec2 uv, vec4 color, uint id) {
#ifdef SHADOW_PASS
  gl_Position = frame.shadow_from_world[cascade] * vec4(position, 1.0);
#else
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
  surface_normal = normalize(normal);
  surface_color = color;
  surface_id = id;
#endif
#ifdef TEXTURED
  surface_uv = uv;
  surface_tangent = tangent;
#endif
#ifdef BLEND_PASS
  surface_position = position;
#endif
}
