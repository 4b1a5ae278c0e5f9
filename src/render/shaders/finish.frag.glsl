// The last pass over the picture: smooths edges and adds the glow. Colours are premultiplied by alpha. Edges are found
// by brightness alone: finds the line along which brightness changes least, and blends along it. The idea is from
// Lottes (FXAA, 2009), in the form for fast machines.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D glow;

#ifdef FXAA
// Blue contributes little and costs as much to fetch.
float luma(vec4 c) { return c.g * 0.66 + c.r * 0.34 + c.a * 0.3; }
float luma_at(ivec2 at, ivec2 last) { return luma(texelFetch(picture, clamp(at, ivec2(0), last), 0)); }

vec4 smoothed(ivec2 at, vec4 color) {
  ivec2 size = textureSize(picture, 0), last = size - 1;
  float m = luma(color);
  float nw = luma_at(at + ivec2(-1, 1), last), ne = luma_at(at + ivec2(1, 1), last);
  float sw = luma_at(at - ivec2(1, 1), last), se = luma_at(at + ivec2(1, -1), last);
  float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
  vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
  float least = max((nw + ne + sw + se) * 0.03, 1.0 / 128.0);
  along = clamp(along / (min(abs(along.x), abs(along.y)) + least), vec2(-8.0), vec2(8.0)) / vec2(size);
  // Four samples, the near pair first. A loop, because software rasterisers exit a loop early, but not a branch.
  int rounds = high - low < max(0.03, high * 0.11) ? 0 : 4;
  vec4 sum = vec4(0), near_pair = color;
  for (int i = 0; i < rounds; ++i) {
    float reach = (i < 2 ? 1.0 / 6.0 : 0.5) * ((i & 1) == 0 ? 1.0 : -1.0);
    sum += texture(picture, uv + along * reach);
    if (i == 1) near_pair = sum * 0.5;
  }
  vec4 far_pair = sum * 0.25;
  float far_luma = luma(far_pair);
  return rounds == 0 || far_luma < low || far_luma > high ? near_pair : far_pair;
}
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 color = texelFetch(picture, at, 0);
#ifdef FXAA
  color = smoothed(at, color);
#endif
#ifdef BLOOM
  // Like two exposures of one film: bright pixels gain less.
  color.rgb += (color.aaa - color.rgb) * texture(glow, uv).rgb;
#endif
  out_color = color;
}
