#include "frame.glsl"
#include "gbuffer.glsl"
#include "ground.glsl"
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out uint out_id;
layout(location = 3) out vec4 out_emissive;
void main() {
  out_color = vec4(sqrt(ground_albedo(place)), 1.0);
  out_normal = pack_normal(vec3(0, 1, 0), 0.85);
  out_id = 0u;
  out_emissive = vec4(0);
}
