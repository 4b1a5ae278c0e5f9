#include "frame.glsl"
#include "gbuffer_out.glsl"
#include "ground.glsl"
layout(location = 0) in vec2 place;
void main() {
  out_color = vec4(sqrt(ground_albedo(place)), 1.0);
  out_normal = pack_normal(vec3(0, 1, 0), 0.85);
  out_id = 0u;
  out_emissive = vec4(0);
}
