// Deferred shading of the G-buffer. The depth test excludes the sky.
#include "frame.glsl"
#include "gbuffer.glsl"
#include "shading.glsl"
#include "lit_out.glsl"
layout(location = 1) in vec3 ray;
layout(binding = 0) uniform sampler2D color_buffer;
layout(binding = 1) uniform usampler2D normal_buffer;
layout(binding = 2) uniform sampler2D depth_buffer;
layout(binding = 3) uniform usampler2D occlusion_buffer;
layout(binding = 5) uniform sampler2D emissive_buffer;

#ifdef OCCLUSION
#include "occlusion.glsl"
// Half resolution: of the four nearest values only those at this pixel's depth count.
float read_occlusion(float distance) {
  vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
  ivec2 base = ivec2(floor(at));
  vec2 f = at - vec2(base);
  ivec2 last = textureSize(occlusion_buffer, 0) - 1;
  float sum = 0.0, total = 0.0, steep = 200.0 / distance;
  for (int i = 0; i < 4; ++i) {
    ivec2 corner = ivec2(i & 1, i >> 1);
    vec2 entry = unpack_occlusion(texelFetch(occlusion_buffer, clamp(base + corner, ivec2(0), last), 0).r);
    vec2 share = mix(1.0 - f, f, vec2(corner));
    float weight = (share.x * share.y + 1e-3) / (1.0 + abs(entry.g - distance) * steep);
    sum += entry.r * weight;
    total += weight;
  }
  return sum / total;
}
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depth_buffer, at, 0).r;
  float distance = view_distance(depth);
  vec3 direction = view_direction(ray);
  vec4 packed_color = texelFetch(color_buffer, at, 0);
  uint packed_normal = texelFetch(normal_buffer, at, 0).r;
  vec3 position = world_position(ray, distance);
  vec3 normal = unpack_normal(packed_normal);
  vec3 albedo = packed_color.rgb * packed_color.rgb;
  bool is_ground = packed_color.a > 0.75;
  float metallic = is_ground ? 0.0 : packed_color.a * 2.0;
  float occlusion = 1.0, sun = 1.0;
#ifdef OCCLUSION
  occlusion = read_occlusion(distance);
#endif
#ifdef SHADOWS
  sun = sun_visibility(position, normal, gl_FragCoord.xy);
#endif
  if (is_ground) sun *= clamp(packed_color.a * 5.0 - 4.0, 0.0, 1.0);
  vec3 color = shade(position, -direction, albedo, metallic, unpack_roughness(packed_normal), normal, occlusion, sun, gl_FragCoord.xy);
#ifdef EMISSIVE
  color += texelFetch(emissive_buffer, at, 0).rgb;
#endif
  if (is_ground) {
    float away = length(position.xz - frame.ground_center.xz) / frame.ground_center.w;
    color = mix(color, sky(direction), smoothstep(0.3, 0.95, away));
  }
  write_light(color);
}
