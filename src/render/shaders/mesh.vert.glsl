// A vertex of a mesh: morph targets, then skin, then to world space. The same for every pass that draws meshes.
#include "frame.glsl"
#include "instance.glsl"
#include "skin.glsl"
#include "surface_out.glsl"

layout(location = 0) in vec3 mesh_position;
layout(location = 1) in vec3 mesh_normal;
layout(location = 2) in vec4 mesh_tangent;
layout(location = 3) in vec2 mesh_uv;
layout(location = 4) in vec4 mesh_color;
layout(location = 5) in uvec4 joints;
layout(location = 6) in vec4 weights;
layout(location = 7) in uvec4 more_joints;
layout(location = 8) in vec4 more_weights;
layout(location = 9) in float linear_share;  // Zero where the mesh has none.

void main() {
  InstanceRecord instance = instances[first_instance + gl_InstanceID];
  vec3 position = mesh_position;
  vec3 normal = mesh_normal;
  vec3 tangent = mesh_tangent.xyz;
#ifdef MORPH
  for (uint i = 0u; i < instance.info.z; ++i) {
    vec2 entry = morph_weights[instance.info.y + i];
    uint at = (floatBitsToUint(entry.x) * uint(num_vertices) + uint(gl_VertexID)) * 2u;
    position += morph_deltas[at].xyz * entry.y;
    normal += morph_deltas[at + 1u].xyz * entry.y;
  }
#endif
#if defined(SKIN_DUAL_QUATERNION)
  skin(instance.info.x, joints, weights, more_joints, more_weights, linear_share, position, normal, tangent);
#elif defined(SKIN_LINEAR)
  skin(instance.info.x, joints, weights, more_joints, more_weights, position, normal, tangent);
#endif
  Map world = Map(instance.world[0], instance.world[1], instance.world[2]);
  write_surface(apply_point(world, position), apply_normal(world, normal), vec4(apply_vector(world, tangent), mesh_tangent.w), mesh_uv,
                mesh_color * instance.tint, instance.info.w);
}
