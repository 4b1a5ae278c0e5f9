// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints of the body, the meaning of their names, and the pose of the analysis.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "zoe/anatomy/names.h"

namespace zoe::anatomy {

struct Body {
  const Skeleton* skeleton = nullptr;
  std::vector<NameReading> names;          // [joints]; all unknown when names are not used.
  std::vector<char> in_body;               // [joints]; 0: helper, prop, camera, mesh node, ….
  std::vector<std::vector<int>> children;  // [joints] Body joints only.
  std::vector<int> subtree_size;           // [joints] Number of body joints at and below.
  std::vector<double> bone_length;         // [joints] Distance to the parent.
  std::vector<double> reach;               // [joints] longest path to a leaf below.
  int root = kNoJoint;
  bool skinned = false;       // A mesh is bound to it.
  std::vector<char> deforms;  // [joints] The joint deforms part of that mesh itself.
  std::vector<char> moves;    // [joints] It or a descendant does, or carries a rigid mesh.

  // The reference pose.
  int clip = -1, frame = -1;
  bool is_bind = false;
  bool rest_is_body = true;              // Not bones along one axis, as in some motion captures.
  std::vector<Affine> model;             // [joints] model_from_joint of the reference pose; empty without flesh.
  std::vector<std::vector<Vec3>> flesh;  // [joints] flesh_of(); empty without a mesh.
  std::vector<Affine> bind_model;  // [joints] model_from_joint of the bind pose; empty where that is the rest pose.
  std::vector<Vec3> positions;     // [joints], model space.
  std::vector<Vec3> centroids;     // [joints] Centroid of the body joints at and below.
  Vec3 up{0, 1, 0};                // Along an axis.
  Evidence up_evidence;
  double low = 0, high = 0;    // Range of body joints along `up`.
  double standing_height = 0;  // Height in at most 9 of 10 frames; 0 where a skin tells it.
  // Where the reference pose is a clip's: the height that its lowest joint is at or below in a quarter of the frames,
  // and the fraction of frames near that.
  double clip_ground = 0, clip_ground_share = 0;
  // [joints] height above the lowest joint as a fraction of the body's: in the reference pose, or, where that is a
  // frame of a clip, the height that it is below in a quarter of the frames. Galloping feet are up most of the time.
  std::vector<double> stance, clip_stance;
  double size = 1;  // Diagonal of the body's box.

  bool has_flesh() const { return !flesh.empty() && !model.empty(); }
  int num_joints() const { return skeleton->num_joints(); }
  // A root that only carries the rest is a marker on the ground, not a part of the body.
  bool has_size(int joint) const { return has(joint) && (joint != root || children_of(joint).size() != 1); }
  bool has(int joint) const { return in_body[static_cast<std::size_t>(joint)] != 0; }
  // The end of a bone: an end site, or a leaf without vertices.
  bool is_mere_end(int joint) const {
    const auto i = static_cast<std::size_t>(joint);
    return children[i].empty() && (skeleton->kind(joint) != JointKind::kBone || (skinned && !deforms[i]));
  }
  const Vec3& position(int joint) const { return positions[static_cast<std::size_t>(joint)]; }
  const std::vector<int>& children_of(int joint) const { return children[static_cast<std::size_t>(joint)]; }
  Role role(int joint) const { return names[static_cast<std::size_t>(joint)].role; }
  Side side(int joint) const { return names[static_cast<std::size_t>(joint)].side; }
  double height(int joint) const { return dot(position(joint), up); }
};

// False where a joint is so far away, or not a number, that distances between joints would not be finite.
bool is_measurable(std::span<const Affine> model_from_joint);

// The two axes perpendicular to `up`.
std::array<Vec3, 2> level_axes(Vec3 up);

// Poses of the analysis, the rest pose first when it is the pose of a body; see Body::clip.
struct PosedBody {
  int clip = -1, frame = -1;
  std::vector<Vec3> positions;
  bool is_bind = false;
  std::vector<Affine> model;  // [joints] Where the body has flesh.
};
// Calls visit(PosedBody) for at most `max_poses` frames, evenly spread over the first clips.
void for_each_frame(const Body& body, std::span<const Motion> clips, int max_poses,
                    const std::function<void(PosedBody)>& visit);
std::vector<PosedBody> candidate_poses(Body& body, std::span<const Motion> clips);
void use_pose(Body& body, PosedBody pose);

}  // namespace zoe::anatomy
