// How a surface is packed into eight bytes, and unpacked. Two byte targets are what software rasterisers write fastest.
//   target 0: square root of the colour; metallic / 2, or 1 for the ground
//   target 1: normal as octahedron, 12 + 12 bits; roughness
vec2 sign_not_zero(vec2 v) { return vec2(v.x >= 0.0 ? 1.0 : -1.0, v.y >= 0.0 ? 1.0 : -1.0); }

vec4 pack_normal(vec3 n, float roughness) {
  // Octahedral map (Meyer et al. 2010): project to |x| + |y| + |z| = 1, fold the lower half outwards.
  vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
  if (n.z < 0.0) p = (1.0 - abs(p.yx)) * sign_not_zero(p);
  vec2 q = floor(clamp(p * 0.5 + 0.5, 0.0, 1.0) * 4095.0 + 0.5);
  float high_x = floor(q.x / 16.0), high_y = floor(q.y / 256.0);
  return vec4(high_x, (q.x - high_x * 16.0) * 16.0 + high_y, q.y - high_y * 256.0, 255.0 * roughness) / 255.0;
}

vec3 unpack_normal(vec3 packed_normal) {
  vec3 bytes = floor(packed_normal * 255.0 + 0.5);
  float low_x = floor(bytes.y / 16.0);
  vec2 p = vec2(bytes.x * 16.0 + low_x, (bytes.y - low_x * 16.0) * 256.0 + bytes.z) / 4095.0 * 2.0 - 1.0;
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * sign_not_zero(n.xy);
  return normalize(n);
}
