// SPDX-License-Identifier: MIT
#include "zoe/generate/loose_parts.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

namespace zoe::generate {
namespace {

constexpr float kFootReach = 0.15F;  // Leg lengths between a leg's end and its foot.
constexpr float kPartReach = 0.35F;  // Body sizes between any other part and its carrier.
constexpr float kMostDrift = 0.05F;  // Body sizes that a part may move against its carrier in a clip.
constexpr float kStill = 1e-3F;      // Body sizes below which a part stands still.
constexpr int kMostFrames = 60;      // Of a clip that are looked at.

class Finder {
 public:
  Finder(const Skeleton& skeleton, const SkeletonAnalysis& analysis) : skeleton_(skeleton), analysis_(analysis) {
    in_body_.assign(idx(skeleton.num_joints()), 0);
    const auto with_parents = [&](int joint) {
      for (int j = joint; j != kNoJoint; j = skeleton.parent(j)) in_body_[idx(j)] = 1;
    };
    with_parents(analysis.hips);
    with_parents(analysis.head);
    for (const std::vector<int>* joints : {&analysis.spine, &analysis.tail})
      for (const int joint : *joints) with_parents(joint);
    for (const Limb& limb : analysis.limbs)
      for (const int joint : limb.joints) with_parents(joint);
    // Joints above the hips may carry what is no part of the body: the root of a file carries the feet of an IK rig.
    std::vector<char> above(in_body_.size(), 0);
    for (int j = analysis.hips; j != kNoJoint; j = skeleton.parent(j)) above[idx(j)] = j != analysis.hips;
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      if (parent != kNoJoint && in_body_[idx(parent)] != 0 && above[idx(parent)] == 0) in_body_[idx(j)] = 1;
    }
    Vec3 low = at(0), high = at(0);
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      if (!is_bone(j)) continue;
      const Vec3 p = at(j);
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    size_ = distance(low, high);
  }

  std::vector<LoosePart> run() const {
    std::vector<LoosePart> parts;
    std::vector<char> along(in_body_.size(), 0);
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      const int parent = skeleton_.parent(j);
      if (parent != kNoJoint && along[idx(parent)] != 0) along[idx(j)] = 1;
      if (along[idx(j)] != 0 || !is_bone(j) || is_above_hips(j)) continue;
      const LoosePart part = in_body_[idx(j)] != 0 ? loose_limb(j) : loose_piece(j);
      if (part.carrier == kNoJoint) continue;
      parts.push_back(part);
      along[idx(j)] = 1;
    }
    return parts;
  }

  float size() const { return size_; }

 private:
  Vec3 at(int joint) const { return skeleton_.rest_model()[idx(joint)].t; }
  bool is_bone(int joint) const { return skeleton_.kind(joint) == JointKind::kBone; }

  bool is_above_hips(int joint) const {
    for (int j = analysis_.hips; j != kNoJoint; j = skeleton_.parent(j))
      if (j == joint) return true;
    return false;
  }
  bool hangs_on_bone(int joint) const {
    for (int j = skeleton_.parent(joint); j != kNoJoint; j = skeleton_.parent(j))
      if (is_bone(j)) return true;
    return false;
  }
  bool is_below(int joint, int top) const {
    while (joint != kNoJoint && joint != top) joint = skeleton_.parent(joint);
    return joint == top;
  }

  int nearest(int joint, float reach) const {
    int best = kNoJoint;
    float least = reach;
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      if (in_body_[idx(j)] == 0 || !is_bone(j) || !is_below(j, analysis_.hips)) continue;
      if (const float apart = distance(at(j), at(joint)); apart < least) least = apart, best = j;
    }
    return best;
  }

  // A limb or tail on bones of its own.
  LoosePart loose_limb(int joint) const {
    if (analysis_.hips == kNoJoint || hangs_on_bone(joint)) return {};
    return {joint, nearest(joint, kPartReach * size_), false};
  }

  LoosePart loose_piece(int joint) const {
    LoosePart part{joint, kNoJoint, false};
    float least = 1;
    for (const Limb& limb : analysis_.limbs) {
      if (limb.kind != LimbKind::kLeg || limb.joints.size() < 2) continue;
      float length = 0;
      for (std::size_t i = 1; i < limb.joints.size(); ++i)
        length += distance(at(limb.joints[i - 1]), at(limb.joints[i]));
      const auto consider = [&](int end) {
        const float apart = distance(at(end), at(joint)) / (kFootReach * std::max(length, 1e-6F));
        if (apart < least) least = apart, part.carrier = end, part.is_foot = true;
      };
      for (std::size_t i = limb.joints.size() - 1; i > 0 && i + 2 >= limb.joints.size(); --i) consider(limb.joints[i]);
      // The tip of the last bone is often a node.
      for (int j = 0; j < skeleton_.num_joints(); ++j)
        if (skeleton_.parent(j) == limb.joints.back() && !is_bone(j)) consider(j);
    }
    if (part.carrier == kNoJoint && analysis_.hips != kNoJoint && !hangs_on_bone(joint))
      part.carrier = nearest(joint, kPartReach * size_);
    return part;
  }

  const Skeleton& skeleton_;
  const SkeletonAnalysis& analysis_;
  std::vector<char> in_body_;  // [joints] Limbs, spine, head and tail, all that carries them, and all they carry.
  float size_ = 1;
};

double deviation(const std::vector<Vec3>& positions) {
  Vec3 mean{};
  for (const Vec3& p : positions) mean += p / static_cast<float>(positions.size());
  double sum = 0;
  for (const Vec3& p : positions) sum += double{dot(p - mean, p - mean)};
  return std::sqrt(sum / static_cast<double>(positions.size()));
}

// Root mean square over a clip of the part's distance from its mean position: in the carrier's frame, and in the model.
struct Drift {
  double from_carrier = 0, in_model = 0;
};
Drift drift(const Motion& clip, const LoosePart& part) {
  const int step = std::max(1, clip.num_frames / kMostFrames);
  std::vector<Affine> models(idx(clip.num_joints()));
  std::vector<Vec3> from_carrier, in_model;
  for (int f = 0; f < clip.num_frames; f += step) {
    compute_model_from_joint(*clip.skeleton, clip.frame(f), models);
    const Quat carrier = anatomy::model_rotation(*clip.skeleton, clip.frame(f), part.carrier);
    in_model.push_back(models[idx(part.joint)].t);
    from_carrier.push_back(rotate(conjugate(carrier), in_model.back() - models[idx(part.carrier)].t));
  }
  return {deviation(from_carrier), deviation(in_model)};
}

}  // namespace

std::vector<LoosePart> find_loose_parts(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                                        std::span<const Motion> clips) {
  const Finder finder(skeleton, analysis);
  std::vector<LoosePart> parts = finder.run();
  std::erase_if(parts, [&](const LoosePart& part) {
    int moving = 0, of = 0;
    for (const Motion& clip : clips) {
      if (clip.num_frames < 2 || clip.num_joints() != skeleton.num_joints()) continue;
      const Drift drifts = drift(clip, part);
      const bool moves = drifts.from_carrier > double{kMostDrift * finder.size()};
      if (moves && drifts.in_model < double{kStill * finder.size()}) continue;
      ++of;
      moving += moves ? 1 : 0;
    }
    // A single clip may break the rig: feet stay behind where a body falls.
    return moving > 0 && 2 * moving >= of;
  });
  return parts;
}

void attach_parts(Motion& motion, std::span<const LoosePart> parts) {
  if (parts.empty()) return;
  const Skeleton& skeleton = *motion.skeleton;
  const std::span<const Affine> rest = skeleton.rest_model();
  const auto n = idx(skeleton.num_joints());
  anatomy::ModelPose still;
  const Pose rest_pose = make_pose(skeleton);
  anatomy::compute_model_pose(skeleton, rest_pose.view(), still);
  std::vector<Affine> models(n);
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(skeleton, motion.frame(f), models);
    for (const LoosePart& part : parts) {
      const Quat turn = anatomy::model_rotation(skeleton, motion.frame(f), part.carrier) *
                        conjugate(still.rotations[idx(part.carrier)]);
      const Vec3 place =
          models[idx(part.carrier)].t + rotate(turn, rest[idx(part.joint)].t - rest[idx(part.carrier)].t);
      const int parent = skeleton.parent(part.joint);
      motion.translations[idx(f) * n + idx(part.joint)] =
          parent == kNoJoint ? place : inverse(models[idx(parent)]).apply_point(place);
    }
  }
}

}  // namespace zoe::generate
