// SPDX-License-Identifier: MIT
#include "io/bvh/up_axis.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "zoe/character/pose.h"

namespace zoe::io::bvh {
namespace {

constexpr int kMaxFrames = 64;
// One axis must have this many times the extent of the other.
constexpr double kClear = 2.5;

bool names_a_foot(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return name.find("foot") != std::string::npos || name.find("ankle") != std::string::npos ||
         name.find("paw") != std::string::npos;
}

// Sums, over poses, the way from the middle of all joints to the feet. Roots may lie on the ground.
class FeetBelow {
 public:
  explicit FeetBelow(const Skeleton& skeleton) {
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const JointDesc& joint = skeleton.joints()[static_cast<std::size_t>(j)];
      if (joint.kind == JointKind::kBone && names_a_foot(joint.name)) feet_.push_back(static_cast<std::size_t>(j));
    }
  }

  bool has_feet() const { return feet_.size() >= 2; }
  void add(std::span<const Affine> model_from_joint) {
    Vec3d middle{};
    for (const Affine& joint : model_from_joint) middle += to_double(joint.t);
    middle = middle / static_cast<double>(model_from_joint.size());
    for (const std::size_t foot : feet_) sum_ += to_double(model_from_joint[foot].t) - middle;
  }
  // 0: neither is clearly down.
  char take_axis() {
    const double along_y = -sum_.y, along_z = -sum_.z;
    sum_ = {};
    if (along_y > kClear * std::abs(along_z)) return 'y';
    return along_z > kClear * std::abs(along_y) ? 'z' : '\0';
  }

 private:
  std::vector<std::size_t> feet_;
  Vec3d sum_{};
};

}  // namespace

char likely_up_axis(const Skeleton& skeleton, const Motion* clip) {
  FeetBelow feet(skeleton);
  if (!feet.has_feet()) return 0;
  feet.add(skeleton.rest_model());
  const char at_rest = feet.take_axis();
  if (clip == nullptr || clip->num_frames == 0 || at_rest == 0) return at_rest;
  // A crawling body lies along an axis too. Its rest pose does not.
  std::vector<Affine> model(static_cast<std::size_t>(skeleton.num_joints()));
  const int frames = std::min(clip->num_frames, kMaxFrames);
  for (int i = 0; i < frames; ++i) {
    const auto frame = static_cast<int>(static_cast<std::int64_t>(i) * clip->num_frames / frames);
    compute_model_from_joint(skeleton, clip->frame(frame), model);
    feet.add(model);
  }
  return feet.take_axis() == at_rest ? at_rest : '\0';
}

}  // namespace zoe::io::bvh
