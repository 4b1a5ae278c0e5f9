// SPDX-License-Identifier: MIT
// Part of Zoetrope. A drawing as layers on bones: each limb has its own picture and mesh, so that limbs pass in front
// of the body and behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zoe/render/picture.h"
#include "zoe/sprite/puppet/rig.h"

#include "sprite/puppet/arap.h"
#include "sprite/puppet/bones.h"

namespace zoe::sprite {

struct PuppetPose {
  std::vector<BonePose> bones;
  std::vector<double> depths;  // [parts] Larger is nearer; the trunk has 0.
  double width = 1;            // Of the whole figure about `middle`; negative: mirrored.
  double middle = 0;
};

struct MeshTriangle {
  int vertices[3];
};

struct PuppetPart {
  std::string name;
  render::Picture texture;  // Of the figure's size: this part's pixels and what it hides.
  std::vector<MeshTriangle> triangles;
  ArapSolver solver;
  std::vector<int> bone_of;      // [vertices] The nearest bone.
  std::vector<int> second_bone;  // [vertices] The next bone at a joint, or the same.
  std::vector<double> share;     // [vertices] Weight of the second bone, 0 to 0.5.
};

class Puppet {
 public:
  Puppet(const render::Picture& figure, const PuppetRig& rig);

  const PuppetRig& rig() const { return rig_; }
  const std::vector<PuppetBone>& bones() const { return bones_; }
  std::vector<PuppetPart>& parts() { return parts_; }
  const std::vector<PuppetPart>& parts() const { return parts_; }
  // Bone that ends at a joint, -1: none.
  int bone_to(int joint) const;

  // Vertices of all parts in a pose, figure pixels.
  void deform(const PuppetPose& pose, std::vector<std::vector<Point>>& vertices);
  // Parts from the farthest to the nearest.
  std::vector<int> draw_order(const PuppetPose& pose) const;

 private:
  void add_part(const render::Picture& figure, const std::vector<std::uint8_t>& mask, const std::string& name,
                double spacing);

  PuppetRig rig_;
  std::vector<PuppetBone> bones_;
  std::vector<PuppetPart> parts_;
  std::vector<Point> targets_, stretched_;
  std::vector<BoneMap> maps_, sizes_;  // [bones] Memory of deform(): the whole map, and without turn.
};

}  // namespace zoe::sprite
