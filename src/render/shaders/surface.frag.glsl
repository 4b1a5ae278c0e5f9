// Opaque surfaces into the G-buffer.
#include "surface_in.glsl"
#include "gbuffer.glsl"
layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out uint out_id;
layout(location = 3) out vec4 out_emissive;

void main() {
  Surface s = read_surface();
  out_color = vec4(sqrt(clamp(s.color.rgb * s.occlusion, 0.0, 1.0)), s.metallic * 0.5);
  out_normal = pack_normal(s.normal, s.roughness);
  out_id = surface_id;
  out_emissive = vec4(s.emissive, 1.0);
}
