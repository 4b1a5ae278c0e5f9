// Halves a picture, or quarters it: the first step reads the square roots that the lighting pass wrote.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D source;
void main() {
  vec2 texel = 1.0 / vec2(textureSize(source, 0));
  vec3 sum = vec3(0);
  for (int i = 0; i < 4; ++i) {
    // Linear filtering: each fetch is the mean of four texels.
    vec3 c = texture(source, uv + (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel).rgb;
#ifdef FIRST
    c *= c * 16.0;
#endif
    sum += c;
  }
  out_color = vec4(sum * 0.25, 1.0);
}
