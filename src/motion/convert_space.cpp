// SPDX-License-Identifier: MIT
#include "zoe/motion/convert_space.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe {
namespace {

using Turn = SpaceChange::Turn;

// The rotations permute axes, so they change numbers without rounding.
template <typename T>
Vec3T<T> turned(Turn turn, Vec3T<T> v) {
  if (turn == Turn::kYUpToZUp) return {v.x, -v.z, v.y};
  if (turn == Turn::kZUpToYUp) return {v.x, v.z, -v.y};
  return v;
}

class Converter {
 public:
  explicit Converter(const SpaceChange& change) : turn_(change.turn), scale_(static_cast<float>(change.scale)) {
    ZOE_CHECK(validate(change).has_value(), "invalid change of space");
  }
  Vec3 point(Vec3 p) const { return direction(p) * scale_; }
  Vec3 direction(Vec3 v) const { return turned(turn_, v); }
  Quat rotation(Quat q) const {
    const Vec3 v = direction({q.x, q.y, q.z});
    return {v.x, v.y, v.z, q.w};
  }
  Vec3 scale(Vec3 s) const { return turn_ == Turn::kNone ? s : Vec3{s.x, s.z, s.y}; }
  Transform transform(const Transform& t) const { return {point(t.translation), rotation(t.rotation), scale(t.scale)}; }
  // C·M·C⁻¹: the uniform scale cancels in the linear part.
  Affine affine(const Affine& m) const {
    const Turn back = SpaceChange{turn_}.inverse().turn;
    const auto column = [&](Vec3 axis) { return direction(m.apply_vector(turned(back, axis))); };
    return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1}), point(m.t)};
  }

 private:
  Turn turn_;
  float scale_;
};

void convert_mesh(const Converter& to, Mesh& mesh) {
  for (Vec3& p : mesh.positions) p = to.point(p);
  for (Vec3& v : mesh.normals) v = to.direction(v);
  for (Vec4& t : mesh.tangents) {
    const Vec3 v = to.direction({t.x, t.y, t.z});
    t = {v.x, v.y, v.z, t.w};
  }
  for (MorphTarget& target : mesh.morph_targets) {
    for (Vec3& d : target.position_deltas) d = to.point(d);
    for (Vec3& d : target.normal_deltas) d = to.direction(d);
  }
}

}  // namespace

SpaceChange SpaceChange::inverse() const {
  const Turn back = turn == Turn::kYUpToZUp ? Turn::kZUpToYUp : turn == Turn::kZUpToYUp ? Turn::kYUpToZUp : Turn::kNone;
  return {back, 1.0 / scale};
}

Result<void> validate(const SpaceChange& change) {
  if (!(change.scale > 0) || !std::isfinite(change.scale)) {
    return Error{ErrorCode::kUsage, fmt::format("scale {} is not a positive number", change.scale), {}};
  }
  return {};
}

SkeletonPtr convert_space(const Skeleton& skeleton, const SpaceChange& change) {
  const Converter to(change);
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (JointDesc& joint : joints) joint.rest_local = to.transform(joint.rest_local);
  auto result = Skeleton::create(std::move(joints));
  ZOE_CHECK(result.has_value(), "a converted skeleton left the range of float: " + result.error().format());
  return std::move(result).value();
}

Motion convert_space(const Motion& motion, const SpaceChange& change, SkeletonPtr skeleton) {
  const Converter to(change);
  ZOE_CHECK(skeleton != nullptr && skeleton->num_joints() == motion.num_joints(), "the converted skeleton is another");
  Motion out = motion;
  out.skeleton = std::move(skeleton);
  for (Vec3& t : out.translations) t = to.point(t);
  for (Quat& q : out.rotations) q = to.rotation(q);
  for (Vec3& s : out.scales) s = to.scale(s);
  return out;
}

Character convert_space(const Character& character, const SpaceChange& change) {
  const Converter to(change);
  Character out = character;
  if (character.skeleton != nullptr) out.skeleton = convert_space(*character.skeleton, change);
  for (Mesh& mesh : out.meshes) convert_mesh(to, mesh);
  for (Skin& skin : out.skins) {
    for (Affine& m : skin.joint_from_mesh) m = to.affine(m);
  }
  for (MeshInstance& instance : out.instances) {
    instance.joint_from_model_at_bind = to.affine(instance.joint_from_model_at_bind);
    instance.joint_from_mesh = to.affine(instance.joint_from_mesh);
  }
  return out;
}

}  // namespace zoe
