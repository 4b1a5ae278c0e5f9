// Transparent surfaces and ghosts, shaded as they are drawn, over what is already there.
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
  vec3 color = shade(surface_position, clamp(s.color.rgb, 0.0, 1.0), s.metallic, s.roughness, s.normal, s.occlusion, sun, gl_FragCoord.xy) + s.emissive;
#ifdef TONE_MAP
  color = tone_map(color);
#endif
  float alpha = clamp(s.color.a, 0.0, 1.0);
  out_color = vec4(color * alpha, alpha);
}
