// SPDX-License-Identifier: MIT
#include "zoe/motion/mirror.h"

#include <fmt/format.h>

#include <cmath>

#include "motion/frame_copy.h"

namespace zoe {
namespace {

Vec3d reflect(Vec3d n, Vec3d v) { return v - n * (2.0 * dot(n, v)); }

// S·R·S for the reflection S: its axis is a pseudo-vector, so it turns the other way about the reflected axis.
Quatd reflect(Quatd q, Vec3d n) {
  const Vec3d v = -reflect(n, Vec3d{q.x, q.y, q.z});
  return {v.x, v.y, v.z, q.w};
}

// How one joint reads its partner's local pose. With model rotations G and their rest values R, the mirrored joint i of
// partner p has G_i = S·G_p·S·(S·R_p·S)⁻¹·R_i; dividing by the parent's gives the local form
// left · (S·local_p·S) · right with constants left and right.
struct JointMirror {
  std::size_t partner = 0;
  bool is_root = false;
  Quatd left, right;
  Vec3d rest, partner_rest;
  Vec3d scale_rows[3];  // Squares of the map between the two joints' axes: signed permutations move scales exactly.
};

std::vector<Quatd> rest_rotations(const Skeleton& skeleton) {
  std::vector<Quatd> model(static_cast<std::size_t>(skeleton.num_joints()));
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const Quatd local = to_double(skeleton.rest_local(i).rotation);
    const int parent = skeleton.parent(i);
    model[static_cast<std::size_t>(i)] =
        normalized(parent == kNoJoint ? local : model[static_cast<std::size_t>(parent)] * local);
  }
  return model;
}

std::vector<JointMirror> prepare(const Skeleton& skeleton, const MirrorMap& map) {
  const std::vector<Quatd> rest = rest_rotations(skeleton);
  const Vec3d n = normalized(to_double(map.plane_normal));
  // Rest-pose correction of a joint frame: C_i = (S·R_p·S)⁻¹·R_i; identity above the roots.
  const auto correction = [&](int joint) {
    if (joint == kNoJoint) return Quatd{};
    const auto p = static_cast<std::size_t>(map.partners[static_cast<std::size_t>(joint)]);
    return conjugate(reflect(rest[p], n)) * rest[static_cast<std::size_t>(joint)];
  };
  std::vector<JointMirror> out(rest.size());
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    JointMirror& joint = out[static_cast<std::size_t>(i)];
    const int partner = map.partners[static_cast<std::size_t>(i)];
    joint.partner = static_cast<std::size_t>(partner);
    joint.is_root = skeleton.parent(i) == kNoJoint;
    joint.left = conjugate(correction(skeleton.parent(i)));
    joint.right = correction(i);
    joint.rest = to_double(skeleton.rest_local(i).translation);
    joint.partner_rest = to_double(skeleton.rest_local(partner).translation);
    // Axis a of joint i, seen in partner's axes after reflection.
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < 3; ++a) {
      const Vec3d seen = reflect(n, rotate(joint.right, axes[a]));
      joint.scale_rows[a] = {seen.x * seen.x, seen.y * seen.y, seen.z * seen.z};
    }
  }
  return out;
}

}  // namespace

Result<void> validate(const MirrorMap& map, const Skeleton& skeleton, int num_morph_weights) {
  const auto is_involution = [](const std::vector<int>& partners) {
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const int p = partners[i];
      if (p < 0 || p >= static_cast<int>(partners.size())) return false;
      if (partners[static_cast<std::size_t>(p)] != static_cast<int>(i)) return false;
    }
    return true;
  };
  const auto fail = [](std::string message, std::string joint = {}) {
    return Error{ErrorCode::kUsage, "mirror map: " + std::move(message), {.joint = std::move(joint)}};
  };
  if (map.partners.size() != static_cast<std::size_t>(skeleton.num_joints())) {
    return fail("needs one partner for each joint");
  }
  if (!is_involution(map.partners)) return fail("partners do not name each other");
  if (std::abs(length(map.plane_normal) - 1.0F) > 1e-3F) return fail("the plane's normal is not a unit vector");
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const int parent = skeleton.parent(i), partner = map.partners[static_cast<std::size_t>(i)];
    const int mirrored = parent == kNoJoint ? kNoJoint : map.partners[static_cast<std::size_t>(parent)];
    if (skeleton.parent(partner) != mirrored) {
      return fail(fmt::format("its partner '{}' hangs elsewhere", skeleton.name(partner)), skeleton.name(i));
    }
  }
  if (!map.morph_partners.empty() && (map.morph_partners.size() != static_cast<std::size_t>(num_morph_weights) ||
                                      !is_involution(map.morph_partners))) {
    return fail("morph partners do not name each other");
  }
  return {};
}

Result<Motion> mirror(const Motion& motion, const MirrorMap& map) {
  if (motion.skeleton == nullptr) return Error{ErrorCode::kUsage, "mirror: the motion has no skeleton", {}};
  ZOE_TRY(validate(map, *motion.skeleton, motion.num_morph_weights));
  const std::vector<JointMirror> joints = prepare(*motion.skeleton, map);
  const Vec3d normal = normalized(to_double(map.plane_normal));
  Motion out = motion;
  const std::size_t n = joints.size();
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    const JointMirror& joint = joints[i % n];
    const std::size_t from = i - i % n + joint.partner;
    out.rotations[i] = to_float(
        normalized(joint.left * reflect(to_double(motion.rotations[from]), normal) * joint.right));
    const Vec3d t = to_double(motion.translations[from]);
    out.translations[i] = to_float(
        joint.is_root ? reflect(normal, t)
                      : joint.rest + rotate(joint.left, reflect(normal, t - joint.partner_rest)));
    if (!motion.scales.empty()) {
      const Vec3d s = to_double(motion.scales[from]);
      out.scales[i] = to_float(
          Vec3d{dot(joint.scale_rows[0], s), dot(joint.scale_rows[1], s), dot(joint.scale_rows[2], s)});
    }
  }
  const std::size_t weights = map.morph_partners.size();
  for (std::size_t i = 0; weights > 0 && i < motion.morph_weights.size(); ++i) {
    out.morph_weights[i] = motion.morph_weights[i - i % weights + static_cast<std::size_t>(map.morph_partners[i % weights])];
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
