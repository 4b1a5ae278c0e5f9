// Openness (8 bits) and the surface's distance (a float's upper 24 bits) in one number: cheaper to fetch than two.
uint pack_occlusion(float openness, float distance) {
  return (floatBitsToUint(distance) & ~255u) | uint(clamp(openness, 0.0, 1.0) * 255.0 + 0.5);
}
vec2 unpack_occlusion(uint bits) { return vec2(float(bits & 255u) * (1.0 / 255.0), uintBitsToFloat(bits & ~255u)); }
