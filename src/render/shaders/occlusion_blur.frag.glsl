// Averages the 4 × 4 pattern of the obscurance, across what lies at the same distance.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec2 out_occlusion;
layout(binding = 0) uniform sampler2D occlusion;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(occlusion, 0) - 1;
  vec2 center = texelFetch(occlusion, at, 0).rg;
  float sum = 0.0, total = 0.0;
  for (int y = -2; y < 2; ++y) {
    for (int x = -2; x < 2; ++x) {
      vec2 other = texelFetch(occlusion, clamp(at + ivec2(x, y), ivec2(0), last), 0).rg;
      float weight = clamp(1.2 - abs(other.g - center.g) / center.g * 24.0, 0.001, 1.0);
      sum += other.r * weight;
      total += weight;
    }
  }
  out_occlusion = vec2(sum / total, center.g);
}
