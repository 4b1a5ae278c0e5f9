// Data of the frame for every pass. Mirrors FrameBlock in frame_block.h: only vec4 and mat4, so that layouts agree.
layout(std140, binding = 0) uniform FrameBlock {
  mat4 clip_from_world;
  mat4 view_from_world;
  vec4 eye;            // World; w: 1 for perspective, 0 for orthographic.
  vec4 view_axis;      // World: view direction, unit.
  vec4 viewport;       // Width and height of the rendered picture, and their inverses.
  // View-space x, y at the right and upper edge, for distance 1 (perspective) or any (ortho); near or depth; unused.
  vec4 unproject;
  vec4 to_sun;         // World, unit; w: 1 with shadows.
  vec4 sun_color;      // w: exposure.
  vec4 sky_light;      // w: bloom strength.
  vec4 ground_light;   // w: bloom threshold.
  vec4 zenith_color;   // w: occlusion strength.
  vec4 horizon_color;  // w: occlusion radius, metres.
  vec4 ground_color;   // w: height.
  vec4 grid_color;     // w: cell, metres; 0: no grid.
  vec4 ground_center;  // w: fade distance.
  vec4 shadow;         // Softness (metres), texels per side, its inverse, number of cascades.
  vec4 cascade_texel;  // Size of a texel in each cascade's map, metres.
  vec4 lights;         // Number of lights, clusters in x, y, z.
  vec4 cluster_depth;  // Slice = log2(view distance) * x + y.
  mat4 shadow_from_world[4];
  vec4 ambient[9];     // See sky_light.h.
} frame;

// Depth buffer value (1 near, 0 nothing) to metres along the view axis.
#ifdef ORTHOGRAPHIC
float view_distance(float depth) { return (1.0 - depth) * frame.unproject.z; }
#else
float view_distance(float depth) { return frame.unproject.z / max(depth, 1e-7); }
#endif

// View space, z negative in front of the camera. uv: 0 to 1 from the lower left corner.
vec3 view_position(vec2 uv, float distance) {
  vec2 edge = (uv * 2.0 - 1.0) * frame.unproject.xy;
#ifdef ORTHOGRAPHIC
  return vec3(edge, -distance);
#else
  return vec3(edge * distance, -distance);
#endif
}

// The same in world space, from a vector that screen.vert.glsl interpolates: the position of a pixel at distance 1
// (perspective) or 0, relative to the eye.
#ifdef ORTHOGRAPHIC
vec3 world_position(vec3 ray, float distance) { return frame.eye.xyz + ray + frame.view_axis.xyz * distance; }
vec3 view_direction(vec3 ray) { return frame.view_axis.xyz; }
#else
vec3 world_position(vec3 ray, float distance) { return frame.eye.xyz + ray * distance; }
vec3 view_direction(vec3 ray) { return ray * inversesqrt(dot(ray, ray)); }
#endif
