// Smooths edges by brightness alone: finds along which line brightness changes least, and blends along it.
// The idea is Lottes' (FXAA, 2009), in the form for fast machines.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 out_color;
layout(binding = 0) uniform sampler2D picture;

float luma(vec4 c) { return dot(c.rgb, vec3(0.299, 0.587, 0.114)) + c.a * 0.3; }

void main() {
  vec2 texel = 1.0 / vec2(textureSize(picture, 0));
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 center = texelFetch(picture, at, 0);
  float m = luma(center);
  float nw = luma(textureOffset(picture, uv, ivec2(-1, 1))), ne = luma(textureOffset(picture, uv, ivec2(1, 1)));
  float sw = luma(textureOffset(picture, uv, ivec2(-1, -1))), se = luma(textureOffset(picture, uv, ivec2(1, -1)));
  float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
  if (high - low < max(0.03, high * 0.11)) {
    out_color = center;
    return;
  }
  vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
  float least = max((nw + ne + sw + se) * 0.03, 1.0 / 128.0);
  along = clamp(along / (min(abs(along.x), abs(along.y)) + least), vec2(-8.0), vec2(8.0)) * texel;
  vec4 near_pair = 0.5 * (texture(picture, uv - along / 6.0) + texture(picture, uv + along / 6.0));
  vec4 far_pair = 0.5 * near_pair + 0.25 * (texture(picture, uv - along * 0.5) + texture(picture, uv + along * 0.5));
  float far_luma = luma(far_pair);
  out_color = far_luma < low || far_luma > high ? near_pair : far_pair;
}
