// Depth only. Cut-out materials discard their holes.
#ifdef TEXTURED
#include "material.glsl"
layout(location = 3) in vec2 surface_uv;
layout(location = 4) in vec4 surface_tangent;
void main() {
  if (base_color.a * texture(base_texture, surface_uv).a < material_numbers.z) discard;
}
#else
void main() {}
#endif
