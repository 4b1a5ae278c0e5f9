// SPDX-License-Identifier: MIT
// Part of Zoetrope. A body of solid bones for skeletons without a mesh: tapered limbs, thicker near the trunk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/render/frame.h"

namespace zoe::render {

struct SkeletonColors {
  Vec4 bone{0.80F, 0.44F, 0.22F, 1};
  Vec4 joint{0.17F, 0.19F, 0.23F, 1};
};

// The limbs of a skeleton and their thickness; immutable. Lengths come from the pose, so that joints with animated
// translations stay connected.
class SkeletonBody {
 public:
  // reference: [joints] model_from_joint of a typical pose (in the rest pose of many files all joints are at the
  // origin). head: the joint of a person's head, drawn with a skull above it; none by default.
  SkeletonBody(const Skeleton& skeleton, std::span<const Affine> reference, int head = kNoJoint);

  // body_scale: ratio of the sizes of the body in this pose and in the reference. Its bones are thicker by the same
  // factor.
  void add_to(RenderFrame& frame, std::span<const Affine> model_from_joint, const Affine& world_from_model,
              std::uint32_t id = 0, const SkeletonColors& colors = {}, float body_scale = 1) const;

  // Largest extent of the reference pose, model units.
  float size() const { return size_; }
  // Radius of the ball at a joint, model units; 0: none.
  float joint_radius(int joint) const { return joint_radius_[static_cast<std::size_t>(joint)]; }
  // True if a joint is drawn; markers at the origin are not.
  bool is_drawn(int joint) const { return drawn_[static_cast<std::size_t>(joint)] != 0; }

 private:
  struct Bone {
    int parent = 0, child = 0;
    float start_radius = 0, end_radius = 0;
  };
  // From the jaw to the crown, in the axes of the head's joint.
  struct Skull {
    int joint = kNoJoint;
    Vec3 jaw, crown;
    float jaw_radius = 0, crown_radius = 0;
  };
  static Skull make_skull(const Skeleton& skeleton, std::span<const Affine> reference, int head, float size);

  std::vector<Bone> bones_;
  Skull skull_;
  std::vector<float> joint_radius_;  // [joints]; 0: no sphere.
  std::vector<std::uint8_t> drawn_;  // [joints]
  float size_ = 1;
};

}  // namespace zoe::render
