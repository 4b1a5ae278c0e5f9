// Averages the 4 × 4 pattern of the obscurance over pixels of equal distance: along x, then along y.
#include "occlusion.glsl"
layout(location = 0) out uint out_occlusion;
layout(binding = 0) uniform usampler2D occlusion;
#ifdef FIRST
const ivec2 kAlong = ivec2(1, 0);
#else
const ivec2 kAlong = ivec2(0, 1);
#endif
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(occlusion, 0) - 1;
  vec2 center = unpack_occlusion(texelFetch(occlusion, at, 0).r);
  float sum = 0.0, total = 0.0, steep = 24.0 / center.g;
  for (int i = -2; i < 2; ++i) {
    vec2 other = unpack_occlusion(texelFetch(occlusion, clamp(at + i * kAlong, ivec2(0), last), 0).r);
    float weight = clamp(1.2 - abs(other.g - center.g) * steep, 0.001, 1.0);
    sum += other.r * weight;
    total += weight;
  }
  out_occlusion = pack_occlusion(sum / total, center.g);
}
