// SPDX-License-Identifier: MIT
#include "ik/fabrik_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ik/fabrik_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "ik/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::kernels {
namespace HWY_NAMESPACE {

using namespace zoe::simd::HWY_NAMESPACE;

inline bool any_less(F a, F b) {
  alignas(64) float lanes[kBlock];
  store(lanes, select_less(a, b, set(1.0F), set(0.0F)));
  float sum = 0;
  for (std::size_t i = 0; i < kLanes; ++i) sum += lanes[i];
  return sum > 0;
}

// The point at `distance` from `from`, in the direction of `to`.
inline Vec3s at_distance(Vec3s from, Vec3s to, F distance) {
  const Vec3s d = to - from;
  return mul_add(d, distance / square_root(maximum(dot(d, d), set(1e-20F))), from);
}

struct Chains {
  std::size_t num_joints = 0;
  Vec3s position[kMaxIkChain];
  F length[kMaxIkChain];  // Length of the bone from joint i to i + 1.
};

// Start of the iteration: the chain turned as a whole so that its tip is on the line to the target, or a triangle of
// about its length where it is nearly straight. See FabrikSolver::point_at_goal.
inline void point_at(Chains& chain, Vec3s target, Vec3s pole, F longest) {
  const std::size_t last = chain.num_joints - 1;
  const Vec3s root = chain.position[0];
  const Vec3s to = normalized(target - root);
  Vec3s from = normalized(chain.position[last] - root);
  from = select_less(dot(from, from), set(0.5F), to, from);
  const Quats turn_all = arc(from, to, perpendicular(from));
  F bulge = set(0.0F);
  for (std::size_t i = 1; i <= last; ++i) {
    const Vec3s d = rotate(turn_all, chain.position[i] - root);
    const Vec3s off = d - to * dot(d, to);
    bulge = maximum(bulge, dot(off, off));
    chain.position[i] = root + d;
  }
  const Vec3s pole_side = pole - to * dot(pole, to);
  const Vec3s side = select_less(dot(pole_side, pole_side), set(1e-12F), perpendicular(to), normalized(pole_side));
  const F distance = length(target - root);
  const F height = set(0.5F) * square_root(maximum(longest * longest - distance * distance, set(0.0F)));
  const F straight = set(0.04F) * height * height, per_longest = set(1.0F) / maximum(longest, set(1e-20F));
  F along = set(0.0F);
  for (std::size_t i = 1; i < last; ++i) {
    along = along + chain.length[i - 1];
    const F share = along * per_longest;
    const F off = (height + height) * minimum(share, set(1.0F) - share);
    chain.position[i] = select_less(bulge, straight, root + to * (distance * share) + side * off, chain.position[i]);
  }
}

inline void reach(Chains& chain, Vec3s target, const FabrikSettings& settings) {
  const std::size_t last = chain.num_joints - 1;
  const F tolerance_square = set(settings.tolerance_m * settings.tolerance_m);
  Vec3s next[kMaxIkChain];
  Vec3s last_left = target - target;
  F gain = set(1.0F), farthest = set(0.0F);
  for (std::size_t i = 0; i < last; ++i) farthest = mul_add(chain.length[i], set(kMaxFabrikOvershoot), farthest);
  for (int iteration = 0; iteration < settings.max_iterations; ++iteration) {
    const Vec3s left = target - chain.position[last];
    const F error = dot(left, left);
    if (iteration > 0 && !any_less(tolerance_square, error)) return;
    // Secant steps: see FabrikSolver::solve_free.
    const F before = dot(last_left, last_left);
    const F kept = dot(left, last_left) / maximum(before, set(1e-20F));
    const F faster = gain / maximum(set(1.0F) - kept, set(0.1F));
    gain = select_less(before, set(1e-20F), set(1.0F), minimum(maximum(faster, set(1.0F)), set(kMaxFabrikGain)));
    last_left = iteration == 0 ? last_left : left;
    const F beyond = minimum(gain - set(1.0F), farthest / maximum(length(left), set(1e-20F)));
    next[last] = iteration == 0 ? target : mul_add(left, beyond, target);
    for (std::size_t i = last; i-- > 1;) next[i] = at_distance(next[i + 1], chain.position[i], chain.length[i]);
    next[0] = chain.position[0];
    for (std::size_t i = 0; i < last; ++i) next[i + 1] = at_distance(next[i], next[i + 1], chain.length[i]);
    // Characters that have converged stay where a single solve would have left them. The first round always counts: it
    // restores the lengths of the bones after point_at.
    const F gate = iteration == 0 ? set(-1.0F) : tolerance_square;
    for (std::size_t i = 1; i <= last; ++i) chain.position[i] = select_less(gate, error, next[i], chain.position[i]);
  }
}

// Turns the inner joints about the line from root to tip until their mean is on the pole's side.
inline void turn_to_pole(Chains& chain, Vec3s pole, float pole_weight) {
  const std::size_t last = chain.num_joints - 1;
  const Vec3s root = chain.position[0], line = normalized(chain.position[last] - root);
  Vec3s mean{set(0.0F), set(0.0F), set(0.0F)};
  for (std::size_t i = 1; i < last; ++i) mean = mean + (chain.position[i] - root);
  const Vec3s side = mean - line * dot(mean, line), wanted = pole - line * dot(pole, line);
  const F weak = minimum(dot(side, side), dot(wanted, wanted));
  const Vec3s a = normalized(side), b = normalized(wanted);
  const Quats none{set(0.0F), set(0.0F), set(0.0F), set(1.0F)};
  const Quats whole = turn(line, dot(cross(a, b), line), dot(a, b));
  const Quats q = slerp(none, whole, select_less(weak, set(1e-12F), set(0.0F), set(pole_weight)));
  for (std::size_t i = 1; i < last; ++i) chain.position[i] = root + rotate(q, chain.position[i] - root);
}

// The rotation that points a bone in the desired direction and keeps its twist against the rest pose: see aim_bone in
// ik/chain.h.
inline Quats aim(Quats rest, Quats current, Vec3s bone, Vec3s wanted) {
  const Quats relative = conjugate(rest) * current;
  const F along = dot(Vec3s{relative.x, relative.y, relative.z}, bone);
  const Quats twist = normalized(Quats{bone.x * along, bone.y * along, bone.z * along, relative.w});
  const Vec3s from = rotate(rest, bone);
  return normalized(arc(from, wanted, perpendicular(from)) * rest * twist);
}

void fabrik_block(const FabrikSettings& settings, const int* parents, const Quat* rests, const float* targets,
                  const float* poles, float* pose, float* missing_m) {
  const int* joints = settings.chain.data();
  Chains chain;
  chain.num_joints = settings.chain.size();
  const std::size_t last = chain.num_joints - 1;
  for (std::size_t lane = 0; lane < kBlock; lane += kLanes) {
    const Frames base = ancestor_from(pose + lane, parents, -1, parents[joints[0]]);
    Frames frame = base * load_frame(joint_of(pose + lane, joints[0]));
    chain.position[0] = frame.position;
    F longest = set(0.0F);
    for (std::size_t i = 1; i <= last; ++i) {
      const Frames local = load_frame(joint_of(pose + lane, joints[i]));
      chain.length[i - 1] = length(local.position);
      longest = longest + chain.length[i - 1];
      frame = frame * local;
      chain.position[i] = frame.position;
    }

    const Vec3s root = chain.position[0], target = load_vec(targets + lane);
    const Vec3s pole = poles != nullptr ? load_vec(poles + lane) : Vec3s{set(0.0F), set(0.0F), set(0.0F)};
    const Vec3s away = target - root;
    const F distance = length(away);
    // Out of reach: the target is moved to the end of the stretched chain.
    const Vec3s direction = away * (set(1.0F) / maximum(distance, set(1e-20F)));
    const Vec3s goal = root + direction * minimum(distance, longest);
    point_at(chain, goal, pole, longest);
    F along = set(0.0F);
    for (std::size_t i = 1; i <= last; ++i) {
      along = along + chain.length[i - 1];
      chain.position[i] = select_less(distance, longest, chain.position[i], root + direction * along);
    }
    reach(chain, goal, settings);
    if (poles != nullptr && last > 1) turn_to_pole(chain, pole, settings.pole_weight);
    const Vec3s left = target - chain.position[last];
    store(missing_m + lane, length(left));

    Quats parent = base.rotation;
    for (std::size_t i = 0; i < last; ++i) {
      float* joint = joint_of(pose + lane, joints[i]);
      const Quats local = load_frame(joint).rotation;
      const Vec3s bone = normalized(load_vec(joint_of(pose + lane, joints[i + 1])));
      const Vec3s wanted = normalized(rotate(conjugate(parent), chain.position[i + 1] - chain.position[i]));
      const Quats aimed = aim(set(rests[i]), local, bone, wanted);
      // A bone without length has no direction: its rotation stays.
      const F usable = select_less(set(1e-9F), chain.length[i], set(settings.weight), set(0.0F));
      store_rotation(nlerp(local, aimed, usable), joint);
      parent = parent * nlerp(local, aimed, select_less(set(1e-9F), chain.length[i], set(1.0F), set(0.0F)));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::kernels {

HWY_EXPORT(fabrik_block);

void fabrik_block(const FabrikSettings& settings, const int* parents, const Quat* rests, const float* targets,
                  const float* poles, float* pose, float* missing_m) {
  HWY_DYNAMIC_DISPATCH(fabrik_block)(settings, parents, rests, targets, poles, pose, missing_m);
}

}  // namespace zoe::kernels
#endif  // HWY_ONCE
