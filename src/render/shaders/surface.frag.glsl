// Opaque surfaces into the G-buffer.
#include "surface_in.glsl"
#include "gbuffer_out.glsl"

void main() {
  Surface s = read_surface();
  out_color = vec4(sqrt(clamp(s.color.rgb * s.occlusion, 0.0, 1.0)), s.metallic * 0.5);
  out_normal = pack_normal(s.normal, s.roughness);
  out_id = surface_id;
  out_emissive = vec4(s.emissive, 1.0);
}
