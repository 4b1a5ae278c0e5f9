// SPDX-License-Identifier: MIT
#include "zoe/style/features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/rotation_6d.h"

namespace zoe::style {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

Quat yaw(float angle) { return from_axis_angle(Vec3{0, 1, 0}, angle); }

float wrapped(float angle) { return std::remainder(angle, 2 * kPi); }

}  // namespace

void put_rotation(std::span<float> row, int role, Quat rotation) {
  const Rotation6 six = to_6d(rotation);
  float* to = row.data() + kRotation + 6 * role;
  to[0] = six.x.x, to[1] = six.x.y, to[2] = six.x.z, to[3] = six.y.x, to[4] = six.y.y, to[5] = six.y.z;
}

Quat rotation_of(std::span<const float> row, int role) {
  const float* from = row.data() + kRotation + 6 * role;
  return from_6d(Rotation6{{from[0], from[1], from[2]}, {from[3], from[4], from[5]}});
}

void read_role_pose(const RoleBody& body, const PoseView& pose, float heading_before, anatomy::ModelPose& scratch,
                    RolePose& out) {
  anatomy::compute_model_pose(*body.skeleton, pose, scratch);
  for (int role = 0; role < kNumRoles; ++role) {
    const int joint = body.joints[idx(role)];
    out.rotations[idx(role)] = joint == kNoJoint
                                   ? out.rotations[idx(kRoleParents[idx(role)])]
                                   : normalized(scratch.rotations[idx(joint)] * conjugate(body.t_pose[idx(role)]));
  }
  out.hips = scratch.positions[idx(body.joints[kHips])];
  const Vec3 forward = rotate(out.rotations[kHips], Vec3{0, 0, 1});
  constexpr float kUpright = 0.2F;  // Below this horizontal part of the hips' forward the facing is noise.
  out.heading_rad = heading_before;
  if (std::hypot(forward.x, forward.z) > kUpright)
    out.heading_rad += wrapped(std::atan2(forward.x, forward.z) - heading_before);
}

void write_row(const RoleBody& body, const RolePose& before, const RolePose& now, float floor, double dt_s,
               std::span<float> row) {
  const Quat facing_from_model = yaw(-now.heading_rad);
  put_rotation(row, kHips, facing_from_model * now.rotations[kHips]);
  for (int role = 1; role < kNumRoles; ++role)
    put_rotation(row, role, conjugate(now.rotations[idx(kRoleParents[idx(role)])]) * now.rotations[idx(role)]);
  const auto rate = static_cast<float>(1 / dt_s);
  const Vec3 step = rotate(facing_from_model, now.hips - before.hips) / body.leg_length;
  row[kHeight] = (now.hips.y - floor) / body.leg_length;
  row[kSpeedAcross] = step.x * rate;
  row[kSpeedAlong] = step.z * rate;
  row[kTurn] = wrapped(now.heading_rad - before.heading_rad) * rate;
}

void write_pose(const RoleBody& body, std::span<const float> row, const Placement& place, anatomy::ModelPose& scratch,
                const Pose& source, Pose& out) {
  const Skeleton& skeleton = *body.skeleton;
  anatomy::compute_model_pose(skeleton, source.view(), scratch);
  std::array<Quat, kNumRoles> rotations;
  rotations[kHips] = yaw(place.heading_rad) * rotation_of(row, kHips);
  for (int role = 1; role < kNumRoles; ++role)
    rotations[idx(role)] = rotations[idx(kRoleParents[idx(role)])] * rotation_of(row, role);
  // Change of a role's joint in model space.
  const auto change = [&](int role) {
    const int joint = body.joints[idx(role)];
    return normalized(rotations[idx(role)] * body.t_pose[idx(role)] * conjugate(scratch.rotations[idx(joint)]));
  };
  out.translations = source.translations;  // The same sizes: no allocation.
  out.rotations = source.rotations;
  out.scales = source.scales;
  // From the source's rotations to the results, parents first. Rotations below a joint without a role follow it.
  const auto source_rotation = [&](int joint) { return scratch.rotations[idx(joint)]; };
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int role = body.role_of[idx(joint)], parent = skeleton.parent(joint);
    Quat wanted;
    bool given = role >= 0;
    if (given) {
      wanted = rotations[idx(role)] * body.t_pose[idx(role)];
    } else {
      for (const RoleBody::Between& between : body.between) {
        if (between.joint != joint) continue;
        wanted = slerp(change(between.below), change(between.above), between.fraction) * source_rotation(joint);
        given = true;
      }
    }
    if (!given) continue;
    Quat above;  // Model rotation of the parent in the result.
    for (int j = parent; j != kNoJoint; j = skeleton.parent(j)) above = out.rotations[idx(j)] * above;
    out.rotations[idx(joint)] =
        nearest_to(source.rotations[idx(joint)], normalized(conjugate(normalized(above)) * wanted));
  }
  const int hips = body.joints[kHips], parent = skeleton.parent(hips);
  if (parent == kNoJoint) {
    out.translations[idx(hips)] = place.hips;
    return;
  }
  const Vec3 shift = place.hips - scratch.positions[idx(parent)];
  out.translations[idx(hips)] = rotate(conjugate(source_rotation(parent)), shift);
}

Placement moved(const RoleBody& body, const Placement& from, std::span<const float> row, float floor, double dt_s) {
  const auto dt = static_cast<float>(dt_s);
  Placement to = from;
  to.heading_rad += row[kTurn] * dt;
  to.hips += rotate(yaw(to.heading_rad), Vec3{row[kSpeedAcross], 0, row[kSpeedAlong]}) * (body.leg_length * dt);
  to.hips.y = floor + row[kHeight] * body.leg_length;
  return to;
}

void role_positions(std::span<const float> row, std::span<const Vec3> offsets, std::span<Vec3> out) {
  std::array<Quat, kNumRoles> rotations;
  rotations[kHips] = rotation_of(row, kHips);
  out[kHips] = {};
  for (int role = 1; role < kNumRoles; ++role) {
    const std::size_t parent = idx(kRoleParents[idx(role)]);
    rotations[idx(role)] = rotations[parent] * rotation_of(row, role);
    out[idx(role)] = out[parent] + rotate(rotations[parent], offsets[idx(role)]);
  }
}

}  // namespace zoe::style
