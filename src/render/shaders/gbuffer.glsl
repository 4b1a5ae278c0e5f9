// Packs a surface into eight bytes, and unpacks it. Software rasterisers write two small targets fastest.
//   target 0: square root of the colour; metallic / 2, or for the ground 0.8 to 1 by the fraction of the sun beyond the hills
//   target 1: normal as octahedron, 12 + 12 bits; roughness, 8 bits
vec2 sign_not_zero(vec2 v) { return vec2(v.x >= 0.0 ? 1.0 : -1.0, v.y >= 0.0 ? 1.0 : -1.0); }

uint pack_normal(vec3 n, float roughness) {
  // Octahedral map (Meyer et al. 2010): project to |x| + |y| + |z| = 1, fold the lower half outwards.
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  if (n.z < 0.0) p = (1.0 - abs(p.yx)) * sign_not_zero(p);
  uvec2 q = uvec2(clamp(p * 0.5 + 0.5, 0.0, 1.0) * 4095.0 + 0.5);
  return q.x | q.y << 12 | uint(clamp(roughness, 0.0, 1.0) * 255.0 + 0.5) << 24;
}

vec3 unpack_normal(uint bits) {
  vec2 p = vec2(bits & 4095u, (bits >> 12) & 4095u) * (2.0 / 4095.0) - 1.0;
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * sign_not_zero(n.xy);
  return n * inversesqrt(dot(n, n));
}
float unpack_roughness(uint bits) { return float(bits >> 24) * (1.0 / 255.0); }
