// Ambient obscurance at half resolution (McGuire et al. 2011, "Alchemy"): how much of what is near stands above the surface.
#include "frame.glsl"
#include "gbuffer.glsl"
layout(location = 0) in vec2 uv;
layout(location = 0) out vec2 out_occlusion;  // Openness; distance of the surface, for the filters behind.
layout(binding = 1) uniform sampler2D normal_buffer;
layout(binding = 2) uniform sampler2D depth_buffer;
#ifndef OCCLUSION_SAMPLES
#define OCCLUSION_SAMPLES 12
#endif

void main() {
  ivec2 size = textureSize(depth_buffer, 0);
  ivec2 at = min(ivec2(gl_FragCoord.xy) * 2, size - 1);
  float depth = texelFetch(depth_buffer, at, 0).r;
  float distance = view_distance(depth);
  if (depth <= 0.0) {
    out_occlusion = vec2(1.0, 1e4);
    return;
  }
  vec2 inverse_size = 1.0 / vec2(size);
  vec3 position = view_position((vec2(at) + 0.5) * inverse_size, distance);
  vec3 normal = mat3(frame.view_from_world) * unpack_normal(texelFetch(normal_buffer, at, 0).rgb);
  float radius = frame.horizon_color.w;
  // Pixels that the radius covers here; no wider than the caches like.
  float reach = radius / (frame.unproject.y * (frame.eye.w > 0.5 ? distance : 1.0)) * 0.5 * float(size.y);
  reach = min(reach, 0.25 * float(size.y));
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  // A 4 × 4 pattern of turns, which the blur behind averages out exactly.
  float turn = float((cell.x * 4 + cell.y * 7 + (cell.x ^ cell.y) * 2) & 15) * (6.2831853 / 16.0);
  mat2 turned = reach * mat2(cos(turn), sin(turn), -sin(turn), cos(turn));
  float sum = 0.0;
  for (int i = 0; i < OCCLUSION_SAMPLES; ++i) {
    float angle = float(i) * 2.39996323;
    vec2 spiral = (float(i) + 0.5) / float(OCCLUSION_SAMPLES) * vec2(cos(angle), sin(angle));
    ivec2 other_at = at + ivec2(round(turned * spiral));
    other_at = clamp(other_at, ivec2(0), size - 1);
    float other_depth = texelFetch(depth_buffer, other_at, 0).r;
    vec3 v = view_position((vec2(other_at) + 0.5) * inverse_size, view_distance(other_depth)) - position;
    float v2 = dot(v, v);
    float fade = max(1.0 - v2 / (radius * radius), 0.0);
    sum += fade * fade * max(dot(v, normal) - 0.004 * distance, 0.0) * inversesqrt(v2 + 1e-5);
  }
  float openness = 1.0 - min(frame.zenith_color.w * 5.0 * sum / float(OCCLUSION_SAMPLES), 1.0);
  out_occlusion = vec2(openness, distance);
}
