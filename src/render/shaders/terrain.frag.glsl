#include "frame.glsl"
#include "gbuffer_out.glsl"
#include "ground.glsl"
layout(location = 0) in vec2 place;
layout(location = 1) in vec3 ground_normal;
layout(location = 2) in float ground_sun;
void main() {
  out_color = vec4(sqrt(ground_albedo(place)), 0.8 + 0.2 * ground_sun);
  out_normal = pack_normal(normalize(ground_normal), 0.85);
  out_id = 0u;
  out_emissive = vec4(0);
}
