// Transparent surfaces and ghosts, shaded as they are drawn, over the existing picture.
#include "frame.glsl"
#include "surface_in.glsl"
#include "shading.glsl"
#include "tone.glsl"
layout(location = 5) in vec3 surface_position;
layout(location = 0) out vec4 out_color;
void main() {
  Surface s = read_surface();
  float sun = 1.0;
#ifdef SHADOWS
  sun = sun_visibility(surface_position, s.normal, gl_FragCoord.xy);
#endif
  vec3 v = frame.eye.w > 0.5 ? normalize(frame.eye.xyz - surface_position) : -frame.view_axis.xyz;
  vec3 albedo = clamp(s.color.rgb, 0.0, 1.0);
  vec3 color = shade(surface_position, v, albedo, s.metallic, s.roughness, s.normal, s.occlusion, sun, gl_FragCoord.xy) + s.emissive;
  float alpha = clamp(s.color.a, 0.0, 1.0);
  out_color = vec4(tone_map(color) * alpha, alpha);
}
