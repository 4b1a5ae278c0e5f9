// Moves a vertex by its joints. Linear: three vec4 per joint. Dual quaternion: five (rotation, dual part, stretch as
// three).
#ifdef SKIN_LINEAR
Map palette_map(uint first, uint joint) {
  uint at = first + joint * 3u;
  return Map(palettes[at], palettes[at + 1u], palettes[at + 2u]);
}
void skin(uint first, uvec4 joints, vec4 weights, uvec4 more_joints, vec4 more_weights, inout vec3 position, inout vec3 normal, inout vec3 tangent) {
  Map m = Map(vec4(0), vec4(0), vec4(0));
  for (int i = 0; i < 4; ++i) m = blend(m, palette_map(first, joints[i]), weights[i]);
#ifdef EIGHT_INFLUENCES
  for (int i = 0; i < 4; ++i) m = blend(m, palette_map(first, more_joints[i]), more_weights[i]);
#endif
  position = apply_point(m, position);
  normal = apply_normal(m, normal);
  tangent = apply_vector(m, tangent);
}
#endif

#ifdef SKIN_DUAL_QUATERNION
vec3 turn(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}
void add_joint(uint first, uint joint, float weight, inout vec4 reference, inout vec4 real, inout vec4 dual, inout Map stretch) {
  uint at = first + joint * 5u;
  vec4 q = palettes[at];
  // q and -q are one rotation: takes the one on the side of the heaviest joint.
  if (reference == vec4(0)) reference = q;
  float signed_weight = dot(reference, q) < 0.0 ? -weight : weight;
  real += q * signed_weight;
  dual += palettes[at + 1u] * signed_weight;
  stretch = blend(stretch, Map(palettes[at + 2u], palettes[at + 3u], palettes[at + 4u]), weight);
}
// The same motion as a matrix, for the linear share of a vertex.
void add_linear(uint first, uint joint, float weight, vec3 position, vec3 normal, vec3 tangent, inout vec3 sums[3]) {
  uint at = first + joint * 5u;
  vec4 q = palettes[at];
  vec4 d = palettes[at + 1u];
  Map stretch = Map(palettes[at + 2u], palettes[at + 3u], palettes[at + 4u]);
  vec3 shift = 2.0 * (q.w * d.xyz - d.w * q.xyz + cross(q.xyz, d.xyz));
  sums[0] += weight * (turn(q, apply_point(stretch, position)) + shift);
  sums[1] += weight * turn(q, apply_normal(stretch, normal));
  sums[2] += weight * turn(q, apply_vector(stretch, tangent));
}
// Two phases (Kavan et al. 2008, 4.2): stretches blended linearly in mesh space, then the rigid motion.
void skin(uint first, uvec4 joints, vec4 weights, uvec4 more_joints, vec4 more_weights, float linear_share, inout vec3 position,
          inout vec3 normal, inout vec3 tangent) {
  vec4 reference = vec4(0), real = vec4(0), dual = vec4(0);
  Map stretch = Map(vec4(0), vec4(0), vec4(0));
  vec3 linear[3] = vec3[3](vec3(0), vec3(0), vec3(0));
  for (int i = 0; i < 4; ++i) add_joint(first, joints[i], weights[i], reference, real, dual, stretch);
#ifdef EIGHT_INFLUENCES
  for (int i = 0; i < 4; ++i) add_joint(first, more_joints[i], more_weights[i], reference, real, dual, stretch);
#endif
  int rounds = linear_share > 0.0 ? 4 : 0;
  for (int i = 0; i < rounds; ++i) add_linear(first, joints[i], weights[i], position, normal, tangent, linear);
#ifdef EIGHT_INFLUENCES
  for (int i = 0; i < rounds; ++i) add_linear(first, more_joints[i], more_weights[i], position, normal, tangent, linear);
#endif
  float scale = 1.0 / length(real);
  real *= scale;
  dual *= scale;
  vec3 shift = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
  position = mix(turn(real, apply_point(stretch, position)) + shift, linear[0], linear_share);
  normal = mix(turn(real, apply_normal(stretch, normal)), linear[1], linear_share);
  tangent = mix(turn(real, apply_vector(stretch, tangent)), linear[2], linear_share);
}
#endif
