// Spheres, capsules and tapered limbs, all from one mesh: a sphere cut at its equator, each half moved to its end.
#include "frame.glsl"
#include "surface_out.glsl"

struct ConeRecord {
  vec4 start;  // w: radius.
  vec4 end;
  vec4 color;
  uvec4 id;
};
layout(std430, binding = 4) readonly buffer Cones { ConeRecord cones[]; };
layout(location = 0) uniform int first_instance;

layout(location = 0) in vec3 direction;  // On the unit sphere; y along the limb.
layout(location = 1) in float at_end;    // 0 or 1.

void main() {
  ConeRecord cone = cones[first_instance + gl_InstanceID];
  vec3 axis = cone.end.xyz - cone.start.xyz;
  float len = length(axis);
  vec3 y = len > 1e-6 ? axis / len : vec3(0, 1, 0);
  vec3 x = normalize(abs(y.x) < 0.9 ? cross(y, vec3(1, 0, 0)) : cross(y, vec3(0, 0, 1)));
  vec3 z = cross(x, y);
  // The side touches both spheres: its normal tilts towards the thinner end by asin((r0 - r1) / length).
  float lean = len > 1e-6 ? clamp((cone.start.w - cone.end.w) / len, -0.95, 0.95) : 0.0;
  vec3 local = direction;
  float elevation = asin(clamp(local.y, -1.0, 1.0));
  // The halves keep their poles. The equator moves to the start of the side.
  float target = asin(lean);
  elevation = at_end > 0.5 ? mix(target, 1.57079633, elevation / 1.57079633) : mix(target, -1.57079633, -elevation / 1.57079633);
  vec2 around = normalize(direction.xz + vec2(1e-9, 0));
  local = vec3(around.x * cos(elevation), sin(elevation), around.y * cos(elevation));
  vec3 normal = mat3(x, y, z) * local;
  vec4 center = at_end > 0.5 ? cone.end : cone.start;
  write_surface(center.xyz + normal * center.w, normal, vec4(0), vec2(0), cone.color, cone.id.x);
}
