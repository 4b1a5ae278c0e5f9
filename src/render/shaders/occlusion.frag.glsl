// Ambient obscurance at half resolution (McGuire et al. 2011, "Alchemy"): the fraction of the neighbourhood that is
// above the surface.
#include "frame.glsl"
#include "gbuffer.glsl"
#include "occlusion.glsl"
layout(location = 0) out uint out_occlusion;
layout(binding = 1) uniform usampler2D normal_buffer;
layout(binding = 2) uniform sampler2D depth_buffer;
#ifndef OCCLUSION_SAMPLES
#define OCCLUSION_SAMPLES 12
#endif

void main() {
  ivec2 size = textureSize(depth_buffer, 0), last = size - 1;
  ivec2 at = min(ivec2(gl_FragCoord.xy) * 2, last);
  float depth = texelFetch(depth_buffer, at, 0).r;
  float distance = view_distance(depth);
  // view_position() of a pixel, as one product and one sum.
  vec2 scale = 2.0 * frame.unproject.xy * frame.viewport.zw, shift = (frame.viewport.zw - 1.0) * frame.unproject.xy;
#ifdef ORTHOGRAPHIC
#define PLACE(pixel, d) vec3(vec2(pixel) * scale + shift, -(d))
#else
#define PLACE(pixel, d) vec3((vec2(pixel) * scale + shift) * (d), -(d))
#endif
  vec3 position = PLACE(at, distance);
  vec3 normal = mat3(frame.view_from_world) * unpack_normal(texelFetch(normal_buffer, at, 0).r);
  float radius = frame.horizon_color.w, fall = 1.0 / (radius * radius);
  // Pixels that the radius covers here, limited for the sake of the caches.
#ifdef ORTHOGRAPHIC
  float reach = radius / frame.unproject.y * 0.5 * float(size.y);
#else
  float reach = radius / (frame.unproject.y * distance) * 0.5 * float(size.y);
#endif
  reach = min(reach, 0.25 * float(size.y));
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  // A 4 × 4 pattern of rotations, which the following blur averages out exactly.
  float turn = float((cell.x * 4 + cell.y * 7 + (cell.x ^ cell.y) * 2) & 15) * (6.2831853 / 16.0);
  vec2 spoke = vec2(cos(turn), sin(turn)) * reach * (1.0 / float(OCCLUSION_SAMPLES));
  const float golden_cos = -0.73736888, golden_sin = 0.67549030;
  float bias = 0.004 * distance;
  float sum = 0.0;
  // A loop without rounds over the sky: software rasterisers exit a loop early, but not a branch.
  int rounds = depth > 0.0 ? OCCLUSION_SAMPLES : 0;
  for (int i = 0; i < rounds; ++i) {
    ivec2 other_at = clamp(at + ivec2(round(spoke * (float(i) + 0.5))), ivec2(0), last);
    float other = view_distance(texelFetch(depth_buffer, other_at, 0).r);
    vec3 v = PLACE(other_at, other) - position;
    float v2 = dot(v, v);
    float fade = max(1.0 - v2 * fall, 0.0);
    sum += fade * fade * max(dot(v, normal) - bias, 0.0) * inversesqrt(v2 + 1e-5);
    spoke = vec2(spoke.x * golden_cos - spoke.y * golden_sin, spoke.x * golden_sin + spoke.y * golden_cos);
  }
  float openness = 1.0 - min(frame.zenith_color.w * 5.0 * sum / float(OCCLUSION_SAMPLES), 1.0);
  out_occlusion = depth > 0.0 ? pack_occlusion(openness, distance) : pack_occlusion(1.0, 1e4);
}
