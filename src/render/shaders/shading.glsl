// Light on a surface: sun, sky and ground, lamps.
#include "sky.glsl"
#include "shadow.glsl"
#include "lamps.glsl"

// Metallic-roughness reflection of one light, times the cosine. GGX (Walter et al. 2007), visibility after Hammon 2017,
// Fresnel after Schlick 1994.
vec3 reflect_light(vec3 albedo, float metallic, float roughness, vec3 n, vec3 v, vec3 l) {
  float n_l = dot(n, l);
  if (n_l <= 0.0) return vec3(0);
  vec3 h = normalize(v + l);
  float n_v = max(dot(n, v), 1e-3), n_h = max(dot(n, h), 0.0), v_h = max(dot(v, h), 0.0);
  float a = max(roughness * roughness, 0.02), a2 = a * a;
  float d = n_h * n_h * (a2 - 1.0) + 1.0;
  float distribution = a2 / (d * d);  // Without 1/pi: radiance 1 on white gives 1.
  float visibility = 0.25 / mix(2.0 * n_l * n_v, n_l + n_v, a);
  vec3 f0 = mix(vec3(0.04), albedo, metallic);
  float k = 1.0 - v_h;
  vec3 fresnel = f0 + (1.0 - f0) * (k * k * k * k * k);
  return (albedo * (1.0 - metallic) * (1.0 - fresnel) + fresnel * (distribution * visibility)) * n_l;
}

// Light from all directions onto a surface (sky_light.h).
vec3 received_light(vec3 n) {
  return frame.ambient[0].rgb + frame.ambient[1].rgb * n.y + frame.ambient[2].rgb * n.z + frame.ambient[3].rgb * n.x +
         frame.ambient[4].rgb * (n.x * n.y) + frame.ambient[5].rgb * (n.y * n.z) + frame.ambient[6].rgb * (3.0 * n.z * n.z - 1.0) +
         frame.ambient[7].rgb * (n.x * n.z) + frame.ambient[8].rgb * (n.x * n.x - n.y * n.y);
}

// surrounding_radiance() of sky_light.h, blurred more for rougher surfaces.
vec3 mirrored_light(vec3 r, float roughness) {
  vec3 horizon = mix(frame.ground_light.rgb, frame.sky_light.rgb, 0.7);
  float blur = 0.03 + 0.6 * roughness;
  vec3 base = mix(frame.ground_light.rgb, mix(horizon, frame.sky_light.rgb, max(r.y, 0.0)), smoothstep(-0.33 - blur, blur, r.y));
  float to_sun = 0.5 + 0.5 * dot(r, frame.to_sun.xyz);
  to_sun *= to_sun;
  return base * 0.75 + frame.sun_color.rgb * (0.16 * to_sun * to_sun);
}

// v: unit, from the position to the eye.
vec3 shade(vec3 position, vec3 v, vec3 albedo, float metallic, float roughness, vec3 normal, float occlusion, float sun, vec2 pixel) {
  vec3 color = reflect_light(albedo, metallic, roughness, normal, v, frame.to_sun.xyz) * frame.sun_color.rgb * sun;
  vec3 ambient = received_light(normal);
  vec3 mirror = mirrored_light(reflect(-v, normal), roughness);
  vec3 f0 = mix(vec3(0.04), albedo, metallic);
  float k = 1.0 - max(dot(normal, v), 0.0);
  vec3 fresnel = f0 + (max(vec3(1.0 - roughness), f0) - f0) * (k * k * k * k * k);
  color += (albedo * (1.0 - metallic) * ambient + fresnel * mirror) * occlusion;
#ifdef LAMPS
  color += lamps(position, albedo, metallic, roughness, normal, v, pixel);
#endif
  return color;
}
