// Instances and their joints, in the layout of draw_list.h.
struct InstanceRecord {
  vec4 world[3];  // Affine map as twelve numbers in memory order: columns x, y, z, t.
  vec4 tint;
  uvec4 info;     // First vec4 in palettes, first entry in morph_weights, their number, id.
};
layout(std430, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, binding = 1) readonly buffer Palettes { vec4 palettes[]; };
layout(std430, binding = 2) readonly buffer MorphWeights { vec2 morph_weights[]; };  // Target (as bits), weight.
layout(std430, binding = 3) readonly buffer MorphDeltas { vec4 morph_deltas[]; };    // [target][vertex]{position, normal}

layout(location = 0) uniform int first_instance;
layout(location = 1) uniform int num_vertices;

// Twelve numbers as an affine map.
struct Map {
  vec4 a, b, c;
};
Map blend(Map m, Map n, float weight) { return Map(m.a + n.a * weight, m.b + n.b * weight, m.c + n.c * weight); }
mat3 linear_part(Map m) { return mat3(m.a.xyz, vec3(m.a.w, m.b.xy), vec3(m.b.zw, m.c.x)); }
vec3 apply_vector(Map m, vec3 v) { return linear_part(m) * v; }
vec3 apply_point(Map m, vec3 p) { return linear_part(m) * p + m.c.yzw; }
// Normals transform by the inverse transpose. The cofactor matrix equals it up to the determinant, whose sign matters
// for mirroring maps.
vec3 apply_normal(Map m, vec3 n) {
  mat3 l = linear_part(m);
  mat3 cofactor = mat3(cross(l[1], l[2]), cross(l[2], l[0]), cross(l[0], l[1]));
  return cofactor * n * sign(dot(l[0], cofactor[0]));
}
