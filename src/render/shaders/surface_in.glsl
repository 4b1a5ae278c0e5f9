// The evaluated material of a fragment of a mesh. Shared by the opaque and the transparent pass.
#include "material.glsl"
layout(location = 0) in vec3 surface_normal;
layout(location = 1) in vec4 surface_color;
layout(location = 2) flat in uint surface_id;
#ifdef TEXTURED
layout(location = 3) in vec2 surface_uv;
layout(location = 4) in vec4 surface_tangent;
#endif

struct Surface {
  vec4 color;  // Linear, alpha not premultiplied.
  vec3 normal;
  vec3 emissive;
  float metallic, roughness, occlusion;
};

Surface read_surface() {
  Surface s;
  s.color = base_color * surface_color;
  s.normal = normalize(surface_normal);
  s.emissive = emissive_color.rgb;
  s.metallic = material_numbers.x;
  s.roughness = material_numbers.y;
  s.occlusion = 1.0;
#ifdef TEXTURED
  if (has_base_texture != 0) s.color *= texture(base_texture, surface_uv);
#ifdef ALPHA_TEST
  if (s.color.a < material_numbers.z) discard;
#endif
  if (has_texture.x != 0) {
    vec2 rough_metal = texture(metallic_roughness_texture, surface_uv).gb;
    s.roughness *= rough_metal.x;
    s.metallic *= rough_metal.y;
  }
  if (has_texture.y != 0 && dot(surface_tangent.xyz, surface_tangent.xyz) > 1e-8) {
    vec3 n = texture(normal_texture, surface_uv).xyz * 2.0 - 1.0;
    n.xy *= material_numbers.w;
    vec3 t = normalize(surface_tangent.xyz - s.normal * dot(surface_tangent.xyz, s.normal));
    vec3 b = cross(s.normal, t) * surface_tangent.w;
    s.normal = normalize(mat3(t, b, s.normal) * n);
  }
  if (has_texture.z != 0) s.occlusion = mix(1.0, texture(occlusion_texture, surface_uv).r, emissive_color.w);
  if (has_texture.w != 0) s.emissive *= texture(emissive_texture, surface_uv).rgb;
#endif
  // Seen from behind: both sides are lit as fronts.
  if (!gl_FrontFacing) s.normal = -s.normal;
  return s;
}
