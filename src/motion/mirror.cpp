// SPDX-License-Identifier: MIT
#include "zoe/motion/mirror.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "motion/frame_copy.h"

namespace zoe {
namespace {

Vec3d reflect(Vec3d n, Vec3d v) { return v - n * (2.0 * dot(n, v)); }

// S·R·S for the reflection S: its axis is a pseudo-vector, so it rotates in the opposite direction about the reflected
// axis.
Quatd reflect(Quatd q, Vec3d n) {
  const Vec3d v = -reflect(n, Vec3d{q.x, q.y, q.z});
  return {v.x, v.y, v.z, q.w};
}

// Conversion of a partner's local pose. With model rotations G, the mirrored joint i of partner p has G_i =
// S·G_p·S·C_i. Dividing by the parent's gives the local form left · (S·local_p·S) · right with constants left and
// right. Where the rest pose R is its own image, C_i = (S·R_p·S)⁻¹·R_i.
struct JointMirror {
  std::size_t partner = 0;
  bool is_place = false;
  bool is_loose = false;
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
  // C_i; identity above the roots and where nothing is mirrored.
  const auto correction = [&](int joint) {
    if (joint == kNoJoint || map.partners[idx(joint)] == kNoJoint) return Quatd{};
    if (!map.frames.empty()) return normalized(to_double(map.frames[idx(joint)]));
    return conjugate(reflect(rest[idx(map.partners[idx(joint)])], n)) * rest[idx(joint)];
  };
  std::vector<JointMirror> out(rest.size());
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    JointMirror& joint = out[static_cast<std::size_t>(i)];
    const int partner = map.partners[idx(i)];
    joint.is_loose = partner == kNoJoint;
    if (joint.is_loose) continue;
    joint.partner = idx(partner);
    joint.is_place = map.are_places.empty() ? skeleton.parent(i) == kNoJoint : map.are_places[idx(i)] != 0;
    joint.left = conjugate(correction(skeleton.parent(i)));
    joint.right = correction(i);
    joint.rest = to_double(map.offsets.empty() ? skeleton.rest_local(i).translation : map.offsets[idx(i)]);
    joint.partner_rest =
        to_double(map.offsets.empty() ? skeleton.rest_local(partner).translation : map.offsets[idx(partner)]);
    // Axis a of joint i, in the partner's axes after reflection.
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
      if (p == kNoJoint) continue;
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
  const std::size_t num_joints = map.partners.size();
  if (!map.frames.empty() && map.frames.size() != num_joints) return fail("needs one frame for each joint, or none");
  if (!map.are_places.empty() && map.are_places.size() != num_joints)
    return fail("needs one place mark for each joint, or none");
  if (!map.offsets.empty() && map.offsets.size() != num_joints) return fail("needs one offset for each joint, or none");
  if (std::abs(length(map.plane_normal) - 1.0F) > 1e-3F) return fail("the plane's normal is not a unit vector");
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const int parent = skeleton.parent(i), partner = map.partners[static_cast<std::size_t>(i)];
    const int mirrored = parent == kNoJoint ? kNoJoint : map.partners[static_cast<std::size_t>(parent)];
    if (parent != kNoJoint && mirrored == kNoJoint && partner != kNoJoint) {
      return fail("has a partner below a joint that has none", skeleton.name(i));
    }
    if (partner == kNoJoint) continue;
    if (skeleton.parent(partner) != mirrored) {
      return fail(fmt::format("its partner '{}' has another parent", skeleton.name(partner)), skeleton.name(i));
    }
  }
  if (!map.morph_partners.empty() &&
      (map.morph_partners.size() != static_cast<std::size_t>(num_morph_weights) || !is_involution(map.morph_partners) ||
       std::find(map.morph_partners.begin(), map.morph_partners.end(), kNoJoint) != map.morph_partners.end())) {
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
    if (joint.is_loose) continue;
    const std::size_t from = i - i % n + joint.partner;
    out.rotations[i] =
        to_float(normalized(joint.left * reflect(to_double(motion.rotations[from]), normal) * joint.right));
    const Vec3d t = to_double(motion.translations[from]);
    out.translations[i] =
        to_float(joint.is_place ? rotate(joint.left, reflect(normal, t))
                                : joint.rest + rotate(joint.left, reflect(normal, t - joint.partner_rest)));
    if (!motion.scales.empty()) {
      const Vec3d s = to_double(motion.scales[from]);
      out.scales[i] =
          to_float(Vec3d{dot(joint.scale_rows[0], s), dot(joint.scale_rows[1], s), dot(joint.scale_rows[2], s)});
    }
  }
  const std::size_t weights = map.morph_partners.size();
  for (std::size_t i = 0; weights > 0 && i < motion.morph_weights.size(); ++i) {
    out.morph_weights[i] =
        motion.morph_weights[i - i % weights + static_cast<std::size_t>(map.morph_partners[i % weights])];
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
