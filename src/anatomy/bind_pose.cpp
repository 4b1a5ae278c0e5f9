// SPDX-License-Identifier: MIT
#include "zoe/anatomy/bind_pose.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

bool is_usable(const Affined& m) {
  const double det = determinant(m), size = length(m.x) * length(m.y) * length(m.z);
  return is_finite(m) && std::isfinite(det) && std::abs(det) > 1e-6 * size && size > 0;
}

// The nearest of the 24 rotations that map axes onto axes. Modellers turn whole bodies by quarter turns; a pose turns a
// root by any angle.
Quatd nearest_quarter_turn(Quatd turn) {
  constexpr std::array<Vec3d, 6> kAxes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  Quatd best;
  double least = 1e9;
  for (const Vec3d x : kAxes) {
    for (const Vec3d y : kAxes) {
      if (std::abs(dot(x, y)) > 0.5) continue;
      const Quatd one = rotation_of(Affined{x, y, cross(x, y), {}});
      const double angle = angle_between(one, turn);
      if (angle >= least) continue;
      least = angle;
      best = one;
    }
  }
  return best;
}

struct Bound {
  int joint = kNoJoint, depth = 0;
  Affined joint_from_mesh, model_from_mesh;  // The second as it would be if the joint rested in its bind pose.
};

std::vector<Bound> bound_joints(const Skin& skin, const Skeleton& skeleton, const std::vector<int>& depths) {
  std::vector<Bound> bound;
  for (std::size_t i = 0; i < std::min(skin.joints.size(), skin.joint_from_mesh.size()); ++i) {
    const int joint = skin.joints[i];
    const Affined joint_from_mesh = to_double(skin.joint_from_mesh[i]);
    if (joint < 0 || joint >= skeleton.num_joints() || !is_usable(joint_from_mesh)) continue;
    const Affined model_from_mesh = to_double(skeleton.rest_model()[idx(joint)]) * joint_from_mesh;
    if (is_usable(model_from_mesh)) bound.push_back({joint, depths[idx(joint)], joint_from_mesh, model_from_mesh});
  }
  return bound;
}

// The transform of the mesh at bind time. The topmost joints are the least posed ones. Of several, the transform that
// most of them agree on.
Affined model_from_mesh_at_bind(const std::vector<Bound>& bound, const Skeleton& skeleton) {
  constexpr std::size_t kMaxTops = 64;
  const int top_depth = std::ranges::min(bound, {}, &Bound::depth).depth;
  std::vector<const Bound*> tops;
  for (const Bound& one : bound)
    if (one.depth == top_depth && tops.size() < kMaxTops) tops.push_back(&one);
  const auto apart = [](const Affined& a, const Affined& b) {
    return std::max({length(a.x - b.x), length(a.y - b.y), length(a.z - b.z)}) / std::max(length(a.x), 1e-12);
  };
  const Bound* best = tops.front();
  std::ptrdiff_t most = 0;
  for (const Bound* one : tops) {
    const auto count = std::ranges::count_if(
        tops, [&](const Bound* other) { return apart(one->model_from_mesh, other->model_from_mesh) < 0.01; });
    if (count <= most) continue;
    most = count;
    best = one;
  }
  Affined found = best->model_from_mesh;
  const int parent = skeleton.parent(best->joint);
  const Affined carrier = parent == kNoJoint ? Affined{} : to_double(skeleton.rest_model()[idx(parent)]);
  // Where other joints agree with the topmost one, that is how the mesh lies.
  const auto agreeing =
      std::ranges::count_if(bound, [&](const Bound& other) { return apart(found, other.model_from_mesh) < 0.01; });
  if (!is_usable(carrier) || agreeing > 1) return found;
  // A posed root: the mesh is turned as the node above it, or by quarter turns, and the root stays where it rests.
  const Transformd placed = decompose(found), above = decompose(carrier);
  const Quatd turn = normalized(conjugate(above.rotation) * placed.rotation), straight = nearest_quarter_turn(turn);
  if (angle_between(turn, straight) < 0.01) return found;
  const Vec3d root = to_double(skeleton.rest_model()[idx(best->joint)].t);
  found = to_affine(Transformd{{}, normalized(above.rotation * straight), placed.scale});
  found.t = root - found.apply_vector(inverse(best->joint_from_mesh).t);
  return found;
}

}  // namespace

std::optional<Pose> bind_pose(const Character& character) {
  const Skeleton& skeleton = *character.skeleton;
  const std::size_t n = idx(skeleton.num_joints());
  std::vector<int> depths(n, 0);
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (const int parent = skeleton.parent(j); parent != kNoJoint) depths[idx(j)] = depths[idx(parent)] + 1;
  // The skin of the most joints first: small ones (a sword) follow it.
  std::vector<const Skin*> skins;
  for (const MeshInstance& instance : character.instances) {
    if (instance.skin < 0) continue;
    const Skin* skin = &character.skins[idx(instance.skin)];
    if (std::ranges::find(skins, skin) == skins.end()) skins.push_back(skin);
  }
  std::ranges::stable_sort(skins, std::greater<>{}, [](const Skin* skin) { return skin->joints.size(); });
  std::vector<std::optional<Affined>> bound_model(n);
  bool any = false;
  for (const Skin* skin : skins) {
    const std::vector<Bound> bound = bound_joints(*skin, skeleton, depths);
    if (bound.empty()) continue;
    const Affined model_from_mesh = model_from_mesh_at_bind(bound, skeleton);
    for (const Bound& one : bound) {
      if (bound_model[idx(one.joint)]) continue;
      bound_model[idx(one.joint)] = model_from_mesh * inverse(one.joint_from_mesh);
      any = true;
    }
  }
  if (!any) return std::nullopt;
  Pose pose = make_pose(skeleton);
  std::vector<Affined> model(n);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    const Affined above = parent == kNoJoint ? Affined{} : model[idx(parent)];
    if (!bound_model[idx(j)] || !is_usable(above)) {
      model[idx(j)] = above * to_double(to_affine(skeleton.rest_local(j)));
      continue;
    }
    Transform local = decompose(to_float(inverse(above) * *bound_model[idx(j)]));
    const Vec3 rest_scale = skeleton.rest_local(j).scale;
    if (length(local.scale - rest_scale) < 1e-3F * length(rest_scale)) local.scale = rest_scale;  // Rounding.
    pose.translations[idx(j)] = local.translation;
    pose.rotations[idx(j)] = local.rotation;
    pose.scales[idx(j)] = local.scale;
    model[idx(j)] = above * to_double(to_affine(local));  // Without shear.
    if (!is_finite(model[idx(j)])) return std::nullopt;
  }
  return pose;
}

}  // namespace zoe::anatomy
