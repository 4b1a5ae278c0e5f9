// A line as a rectangle on the screen, with space for its soft edge and round ends.
#include "frame.glsl"
struct LineRecord {
  vec4 start;  // w: width in pixels.
  vec4 end;    // w: space, as bits.
  vec4 color;
};
layout(std430, binding = 0) readonly buffer Lines { LineRecord lines[]; };
layout(location = 0) uniform float supersampling;

layout(location = 0) out vec4 color;
layout(location = 1) noperspective out vec2 place;       // Pixels: along the line, across it.
layout(location = 2) flat out vec2 extent;               // Half the length, half the width.
layout(location = 3) noperspective out float line_depth; // Depth buffer value.
layout(location = 4) flat out uint space;

void main() {
  LineRecord line = lines[gl_InstanceID];
  space = floatBitsToUint(line.end.w);
  vec2 half_size = frame.viewport.xy * 0.5;
  vec2 a, b;
  float depth_a = 1.0, depth_b = 1.0;
  bool gone = false;
  if (space == 2u) {
    a = line.start.xy * supersampling;
    b = line.end.xy * supersampling;
    a.y = frame.viewport.y - a.y;
    b.y = frame.viewport.y - b.y;
  } else {
    vec4 clip_a = frame.clip_from_world * vec4(line.start.xyz, 1.0);
    vec4 clip_b = frame.clip_from_world * vec4(line.end.xyz, 1.0);
    // Parts behind the camera are cut off at a small distance in front of it.
    const float kLeast = 0.01;
    gone = clip_a.w < kLeast && clip_b.w < kLeast;
    if (clip_a.w < kLeast) clip_a = mix(clip_a, clip_b, (kLeast - clip_a.w) / (clip_b.w - clip_a.w));
    else if (clip_b.w < kLeast) clip_b = mix(clip_b, clip_a, (kLeast - clip_b.w) / (clip_a.w - clip_b.w));
    a = (clip_a.xy / clip_a.w + 1.0) * half_size;
    b = (clip_b.xy / clip_b.w + 1.0) * half_size;
    depth_a = clip_a.z / clip_a.w;
    depth_b = clip_b.z / clip_b.w;
  }
  float width = line.start.w * supersampling;
  vec2 axis = b - a;
  float len = length(axis);
  axis = len > 1e-4 ? axis / len : vec2(1, 0);
  vec2 across = vec2(-axis.y, axis.x);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  extent = vec2(len * 0.5, width * 0.5);
  place = corner * (vec2(len * 0.5, 0.0) + width * 0.5 + 1.0);
  line_depth = mix(depth_a, depth_b, clamp(corner.x * 0.5 + 0.5, 0.0, 1.0));
  color = line.color;
  vec2 at = (a + b) * 0.5 + axis * place.x + across * place.y;
  gl_Position = gone ? vec4(2, 2, 2, 1) : vec4(at / half_size - 1.0, 0.5, 1.0);
}
