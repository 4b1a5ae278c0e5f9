// SPDX-License-Identifier: MIT
#include "zoe/render/skeleton_body.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/box.h"

namespace zoe::render {
namespace {

std::vector<int> count_children(const Skeleton& skeleton) {
  std::vector<int> counts(static_cast<std::size_t>(skeleton.num_joints()), 0);
  for (const int parent : skeleton.parents()) {
    if (parent >= 0) ++counts[static_cast<std::size_t>(parent)];
  }
  return counts;
}

// The part of the body below each joint: the length of all bones below it.
std::vector<float> lengths_below(const Skeleton& skeleton, std::span<const Affine> reference) {
  std::vector<float> below(reference.size(), 0);
  for (int joint = skeleton.num_joints() - 1; joint >= 0; --joint) {
    const int parent = skeleton.parent(joint);
    if (parent < 0) continue;
    const auto j = static_cast<std::size_t>(joint), p = static_cast<std::size_t>(parent);
    below[p] += below[j] + distance(reference[j].t, reference[p].t);
  }
  return below;
}

}  // namespace

// A head is a seventh of a person's height, an egg above its joint: along its own bone where there
// is one, else along the neck.
SkeletonBody::Skull SkeletonBody::make_skull(const Skeleton& skeleton, std::span<const Affine> reference, int head,
                                             float size) {
  if (head == kNoJoint || skeleton.parent(head) < 0) return {};
  const auto place = [&](int joint) { return reference[static_cast<std::size_t>(joint)].t; };
  const Vec3 neck = place(skeleton.parent(head));
  Vec3 up = place(head) - neck;
  for (int joint = head + 1; joint < skeleton.num_joints(); ++joint) {
    const Vec3 bone = place(joint) - place(head);
    if (skeleton.parent(joint) == head && length(bone) > 0.02F * size && dot(bone, up) > 0) {
      up = bone;
      break;
    }
  }
  if (length(up) < 1e-3F * size) return {};
  up = up * (1 / length(up));
  const Affine joint_from_model = inverse(reference[static_cast<std::size_t>(head)]);
  return {head, joint_from_model.apply_point(place(head) + up * (0.02F * size)),
          joint_from_model.apply_point(place(head) + up * (0.07F * size)), 0.038F * size, 0.05F * size};
}

SkeletonBody::SkeletonBody(const Skeleton& skeleton, std::span<const Affine> reference, int head) {
  const auto num_joints = static_cast<std::size_t>(skeleton.num_joints());
  const std::vector<int> num_children = count_children(skeleton);
  const std::vector<float> below = lengths_below(skeleton, reference);

  // A root with one child only marks a position, and so do plain nodes above the bones.
  drawn_.assign(num_joints, 1);
  const bool has_nodes = std::any_of(skeleton.joints().begin(), skeleton.joints().end(),
                                     [](const JointDesc& j) { return j.kind != JointKind::kNode; });
  for (std::size_t j = 0; j < num_joints; ++j) {
    const bool marks = skeleton.parent(static_cast<int>(j)) < 0 && num_children[j] <= 1 && num_joints > 2;
    const bool node = has_nodes && skeleton.kind(static_cast<int>(j)) == JointKind::kNode;
    if (marks || node) drawn_[j] = 0;
  }
  Box3 box;
  for (std::size_t j = 0; j < num_joints; ++j) {
    if (drawn_[j] != 0) box.add(reference[j].t);
  }
  const Vec3 extent = box.empty() ? Vec3{1, 1, 1} : box.max - box.min;
  size_ = std::max({extent.x, extent.y, extent.z, 1e-6F});

  float all = 1e-6F;
  for (const float length : below) all = std::max(all, length);
  joint_radius_.assign(num_joints, 0);
  for (std::size_t j = 0; j < num_joints; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    if (parent < 0 || drawn_[j] == 0 || drawn_[static_cast<std::size_t>(parent)] == 0) continue;
    const float length = distance(reference[j].t, reference[static_cast<std::size_t>(parent)].t);
    if (length < size_ * 1e-3F) continue;
    // Thick where much of the body is below it, as with real bones: a trunk at 5 % of the body, fingers below 1 %.
    // Short bones stay thin, except those of a trunk: spines are cut into many.
    const auto radius = [&](float hanging, float share) {
      const float trunk = std::clamp((hanging / all - 0.25F) * 5, 0.0F, 1.0F);
      return std::min(size_ * (0.007F + 0.048F * std::sqrt(hanging / all)),
                      std::max(length * share, 0.05F * size_ * trunk));
    };
    const float start = radius(below[j] + length, 0.30F), end = radius(below[j] + 0.3F * length, 0.24F);
    // Balls that stand out would hide a bone not much longer than they are wide.
    const float ball = length > 2.5F * start ? 1.12F : 0.85F;
    bones_.push_back({parent, static_cast<int>(j), start, std::min(end, start) * 0.8F});
    joint_radius_[static_cast<std::size_t>(parent)] =
        std::max(joint_radius_[static_cast<std::size_t>(parent)], start * ball);
    joint_radius_[j] = std::max(joint_radius_[j], end * 0.9F);
  }
  skull_ = make_skull(skeleton, reference, head, size_);
}

void SkeletonBody::add_to(RenderFrame& frame, std::span<const Affine> model_from_joint, const Affine& world_from_model,
                          std::uint32_t id, const SkeletonColors& colors, float body_scale) const {
  const float scale = std::cbrt(std::abs(determinant(world_from_model))) * body_scale;
  const auto place = [&](std::size_t joint) { return world_from_model.apply_point(model_from_joint[joint].t); };
  for (const Bone& bone : bones_) {
    const Vec3 start = place(static_cast<std::size_t>(bone.parent)), end = place(static_cast<std::size_t>(bone.child));
    frame.cones.push_back({start, end, bone.start_radius * scale, bone.end_radius * scale, colors.bone, id});
  }
  if (skull_.joint != kNoJoint) {
    const Affine& joint = model_from_joint[static_cast<std::size_t>(skull_.joint)];
    frame.cones.push_back({world_from_model.apply_point(joint.apply_point(skull_.jaw * body_scale)),
                           world_from_model.apply_point(joint.apply_point(skull_.crown * body_scale)),
                           skull_.jaw_radius * scale, skull_.crown_radius * scale, colors.bone, id});
  }
  for (std::size_t joint = 0; joint < joint_radius_.size(); ++joint) {
    if (joint_radius_[joint] <= 0) continue;
    const Vec3 center = place(joint);
    frame.cones.push_back(
        {center, center, joint_radius_[joint] * scale, joint_radius_[joint] * scale, colors.joint, id});
  }
}

}  // namespace zoe::render
