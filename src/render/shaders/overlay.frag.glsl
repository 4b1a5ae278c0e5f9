#include "frame.glsl"
layout(location = 0) in vec4 color;
layout(location = 1) noperspective in vec2 place;
layout(location = 2) flat in vec2 extent;
layout(location = 3) noperspective in float line_depth;
layout(location = 4) flat in uint space;
layout(location = 0) out vec4 out_color;
layout(binding = 2) uniform sampler2D depth_buffer;
void main() {
  float from_axis = length(vec2(max(abs(place.x) - extent.x, 0.0), place.y));
  float alpha = color.a * clamp(extent.y + 0.5 - from_axis, 0.0, 1.0);
  if (space != 2u) {
    float there = texelFetch(depth_buffer, ivec2(gl_FragCoord.xy), 0).r;
    // Slightly in front of its surface.
    bool hidden = there > line_depth * 1.002 + 1e-6;
    if (hidden) alpha *= space == 1u ? 0.3 : 0.0;
  }
  out_color = vec4(color.rgb * alpha, alpha);
}
