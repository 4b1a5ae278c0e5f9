// Many lamps: the CPU sorts them into clusters of the view. A pixel reads only those of its own cluster.
#ifdef LAMPS
struct Lamp {
  vec4 position;   // w: range.
  vec4 color;      // w: cosine where a spot begins to fade.
  vec4 direction;  // w: cosine where it ends; below -1: no spot.
};
layout(std430, binding = 5) readonly buffer Lamps { Lamp lamp_list[]; };
layout(std430, binding = 6) readonly buffer Clusters { uint clusters[]; };  // [cluster + 1] first entries, then lamp numbers.

vec3 reflect_light(vec3 albedo, float metallic, float roughness, vec3 n, vec3 v, vec3 l);

vec3 lamps(vec3 position, vec3 albedo, float metallic, float roughness, vec3 n, vec3 v, vec2 pixel) {
  float distance = -(frame.view_from_world * vec4(position, 1.0)).z;
  ivec3 size = ivec3(frame.lights.yzw);
  int slice = clamp(int(log2(max(distance, 1e-4)) * frame.cluster_depth.x + frame.cluster_depth.y), 0, size.z - 1);
  ivec2 tile = min(ivec2(pixel * frame.viewport.zw * vec2(size.xy)), size.xy - 1);
  uint cluster = uint((slice * size.y + tile.y) * size.x + tile.x);
  vec3 color = vec3(0);
  for (uint i = clusters[cluster]; i < clusters[cluster + 1u]; ++i) {
    Lamp lamp = lamp_list[clusters[i]];
    vec3 to_lamp = lamp.position.xyz - position;
    float d2 = dot(to_lamp, to_lamp);
    float range2 = lamp.position.w * lamp.position.w;
    if (d2 >= range2) continue;
    // Inverse square, smoothly reduced to zero at the range (Karis 2013).
    float window = 1.0 - (d2 * d2) / (range2 * range2);
    vec3 l = to_lamp * inversesqrt(max(d2, 1e-8));
    float strength = window * window / max(d2, 1e-4);
    if (lamp.direction.w > -1.0) strength *= smoothstep(lamp.direction.w, lamp.color.w, dot(-l, lamp.direction.xyz));
    color += reflect_light(albedo, metallic, roughness, n, v, l) * lamp.color.rgb * strength;
  }
  return color;
}
#endif
