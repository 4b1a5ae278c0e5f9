// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a BodyState tells: poses, bones, contacts with the floor.
#include <algorithm>

#include "physics/state_inside.h"

namespace zoe::physics {

void BodyState::read_pose(Pose& out) const {
  const Inside& s = *inside_;
  const BodyModel::Inside& m = s.parts();
  const Skeleton& skeleton = *m.skeleton;
  out.translations = s.pose.translations, out.rotations = s.pose.rotations, out.scales = s.pose.scales;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    const int parent = skeleton.parent(joint), bone = m.plan.bone_of_joint[idx(joint)];
    const Quatd above = parent == kNoJoint ? Quatd{} : s.rotations[idx(parent)];
    const Affine above_affine = parent == kNoJoint ? Affine{} : s.affine[idx(parent)];
    if (bone >= 0 && m.plan.bones[idx(bone)].joint == joint) {
      out.rotations[idx(joint)] = to_float(normalized(conjugate(above) * bone_rotation(bone)));
      if (bone == 0) {
        const Vec3d at = (bone_origin_m(0) + Vec3d{0, s.ground_y_m, 0}) / m.plan.metres_per_unit;
        out.translations[idx(joint)] = to_float(inverse(to_double(above_affine)).apply_point(at));
      }
    }
    s.rotations[idx(joint)] = above * to_double(out.rotations[idx(joint)]);
    s.affine[idx(joint)] = above_affine * to_affine(out.view().joint(joint));
  }
}

int BodyState::num_bones() const { return static_cast<int>(inside_->parts().plan.bones.size()); }
Vec3d BodyState::bone_origin_m(int bone) const {
  return read_vec(inside_->data->xpos + 3 * inside_->body_of(idx(bone)));
}
Quatd BodyState::bone_rotation(int bone) const {
  return read_quat(inside_->data->xquat + 4 * inside_->body_of(idx(bone)));
}
Vec3d BodyState::target_origin_m(int bone) const { return inside_->target_origin_m(bone); }
Quatd BodyState::target_rotation(int bone) const {
  return to_double(inside_->posed.rotations[idx(inside_->parts().plan.bones[idx(bone)].joint)]);
}
Vec3d BodyState::bone_velocity_m_s(int bone) const {
  mjtNum velocity[6];
  mj_objectVelocity(inside_->engine(), inside_->data.get(), mjOBJ_BODY, inside_->body_of(idx(bone)), velocity, 0);
  return read_vec(velocity + 3);
}
// From the velocities of the joints: the engine's own velocities are one step older.
void BodyState::read_bones(std::span<BoneMotion> out) const {
  const Inside& s = *inside_;
  const BodyModel::Inside& m = s.parts();
  ZOE_CHECK(out.size() == m.plan.bones.size(), "BodyState::read_bones: wrong size");
  for (std::size_t b = 0; b < out.size(); ++b) {
    BoneMotion& bone = out[b];
    bone.position_m = bone_origin_m(static_cast<int>(b)), bone.rotation = bone_rotation(static_cast<int>(b));
    const mjtNum* speed = s.qvel() + m.dof_of_bone[b];
    if (b == 0) {
      bone.velocity_m_s = read_vec(speed), bone.spin_rad_s = rotate(bone.rotation, read_vec(speed + 3));
      continue;
    }
    const BoneMotion& parent = out[idx(m.plan.bones[b].parent)];
    const Vec3d arm = bone.position_m - parent.position_m;
    bone.velocity_m_s = parent.velocity_m_s + cross(parent.spin_rad_s, arm);
    bone.spin_rad_s = parent.spin_rad_s + rotate(bone.rotation, read_vec(speed));
  }
}

Vec3d BodyState::centre_of_mass_m() const { return read_vec(inside_->data->subtree_com + 3 * inside_->body_of(0)); }

double BodyState::deepest_contact_m() const {
  double deepest = 0;
  for (int i = 0; i < inside_->data->ncon; ++i) {
    const mjContact& contact = inside_->data->contact[i];
    const int a = inside_->engine()->geom_bodyid[contact.geom1], b = inside_->engine()->geom_bodyid[contact.geom2];
    const bool with_floor = (a == 0) != (b == 0);
    if (with_floor) deepest = std::max(deepest, -contact.dist);
  }
  return deepest;
}

bool BodyState::touches_floor(int bone) const {
  const int body = inside_->body_of(idx(bone));
  for (int i = 0; i < inside_->data->ncon; ++i) {
    const mjContact& contact = inside_->data->contact[i];
    const int a = inside_->engine()->geom_bodyid[contact.geom1], b = inside_->engine()->geom_bodyid[contact.geom2];
    if ((a == 0 && b == body) || (b == 0 && a == body)) return contact.dist < 0;
  }
  return false;
}

Vec3d BodyState::target_centre_of_mass_m() const { return inside_->com; }

double BodyState::ground_m(Vec3d at) const { return inside_->simulation->height_m(at.x, at.z); }

}  // namespace zoe::physics
