// Supersampling's last step: the mean of the block of pixels behind each pixel.
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) uniform int factor;
void main() {
  ivec2 base = ivec2(gl_FragCoord.xy) * factor;
  vec4 sum = vec4(0);
  for (int y = 0; y < factor; ++y)
    for (int x = 0; x < factor; ++x) sum += texelFetch(picture, base + ivec2(x, y), 0);
  out_color = sum / float(factor * factor);
}
