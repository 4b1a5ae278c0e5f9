// SPDX-License-Identifier: MIT
// Rotations that agree with the positions beside them. Joint by joint from the hips outwards, a rotation is the least
// squares solution between the one that was estimated and bones that point to the estimated positions of their ends
// (Wahba's problem with a prior, by Gauss-Newton steps).
#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/generate/body_model.h"

namespace zoe::generate {
namespace {

constexpr int kRounds = 3;  // Of Gauss-Newton. Errors of a radian are below 1e-3 then.

Vec3d to_double3(Vec3 v) { return {v.x, v.y, v.z}; }

// (a, b, c) x = right; zero where the columns are dependent.
Vec3d solve(Vec3d a, Vec3d b, Vec3d c, Vec3d right) {
  const double determinant = dot(a, cross(b, c));
  if (!(std::abs(determinant) > 1e-30)) return {};
  return Vec3d{dot(right, cross(b, c)), dot(a, cross(right, c)), dot(a, cross(b, right))} * (1 / determinant);
}

struct Bone {
  Vec3d offset;  // In the joint's own axes, in scales of the body.
  Vec3d target;  // From the joint to where its end was estimated, in the body's axes, in scales.
};

// The rotation between `estimated` and the one that turns the bones to their targets.
Quatd agreed_rotation(Quatd estimated, std::span<const Bone> bones, double rotation_weight) {
  Quatd rotation = estimated;
  for (int round = 0; round < kRounds; ++round) {
    Vec3d right = to_rotation_vector(rotation * conjugate(estimated)) * -rotation_weight;
    Vec3d columns[3] = {{rotation_weight, 0, 0}, {0, rotation_weight, 0}, {0, 0, rotation_weight}};
    for (const Bone& bone : bones) {
      const Vec3d now = rotate(rotation, bone.offset);
      // The direction alone: lengths are those of the rest pose.
      const Vec3d target = bone.target * (length(now) / length(bone.target));
      const double squared = dot(now, now);
      columns[0] = columns[0] + Vec3d{squared, 0, 0} - now * now.x;
      columns[1] = columns[1] + Vec3d{0, squared, 0} - now * now.y;
      columns[2] = columns[2] + Vec3d{0, 0, squared} - now * now.z;
      right = right + cross(now, target);
    }
    rotation = normalized(from_rotation_vector(solve(columns[0], columns[1], columns[2], right)) * rotation);
  }
  return rotation;
}

// What does not change from frame to frame.
struct FitPlan {
  std::vector<int> number_of;              // [joints] Index among the decoder's joints, or -1.
  std::vector<std::vector<int>> children;  // [joints] Whose positions count; none of a joint that has no rotation.
  std::vector<double> scales;              // [joints] Of the joint's own axes in the body.
  bool fits = true;                        // False: axes with unequal scales.
};
FitPlan plan_fit(const BodyLayout& body) {
  const Skeleton& skeleton = *body.decoder.skeleton();
  const std::size_t joints = idx(skeleton.num_joints());
  FitPlan plan{std::vector<int>(joints, -1), std::vector<std::vector<int>>(joints), std::vector<double>(joints, 1)};
  for (std::size_t i = 0; i < body.decoder.joints().size(); ++i)
    plan.number_of[idx(body.decoder.joints()[i])] = static_cast<int>(i);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const Vec3 own = skeleton.rest_local(j).scale;
    plan.fits &= own.x > 0 && std::abs(own.y - own.x) < 1e-4F * own.x && std::abs(own.z - own.x) < 1e-4F * own.x;
    const int parent = skeleton.parent(j);
    plan.scales[idx(j)] = double{own.x} * (parent == kNoJoint ? 1.0 : plan.scales[idx(parent)]);
    const bool hangs = parent != kNoJoint && plan.number_of[idx(parent)] >= 0 && !body.decoder.takes_position(j);
    if (hangs && plan.number_of[idx(j)] >= 0) plan.children[idx(parent)].push_back(j);
  }
  return plan;
}

}  // namespace

Motion fitted_motion(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                     float rotation_weight, const std::string& name) {
  constexpr double kShortest = 1e-6;  // Bone or target, in scales: no direction.
  Motion motion = to_motion(body, frames, before, name);
  const FitPlan plan = plan_fit(body);
  if (!plan.fits || !(rotation_weight > 0)) return motion;
  std::vector<float> values(frames.begin(), frames.end());
  features::from_canonical(body.tokens, values);
  const Skeleton& skeleton = *motion.skeleton;
  const std::size_t joints = idx(skeleton.num_joints()), width = idx(body.decoder.width());
  const double per_scale = 1 / double{body.tokens.scale_m};
  features::DecodedFrame frame = body.decoder.make_frame();
  Pose pose = make_pose(skeleton);
  std::vector<Quatd> rotations(joints);  // In the body's axes: those of its root.
  std::vector<Vec3d> positions(joints);
  std::vector<Bone> bones;
  for (int f = 0; f < motion.num_frames; ++f) {
    body.decoder.decode(std::span(values).subspan(idx(f) * width, width), {}, {}, frame);
    body.decoder.to_pose(frame, pose, false);
    for (std::size_t j = 0; j < joints; ++j) {
      const int parent = skeleton.parent(static_cast<int>(j));
      positions[j] = to_double3(pose.translations[j]);
      rotations[j] = to_double(pose.rotations[j]);
      if (parent != kNoJoint) {
        const std::size_t p = idx(parent);
        positions[j] = positions[p] + rotate(rotations[p], positions[j] * plan.scales[p]);
        rotations[j] = normalized(rotations[p] * rotations[j]);
      }
      bones.clear();
      for (const int child : plan.children[j]) {
        const Bone bone{to_double3(pose.translations[idx(child)]) * (plan.scales[j] * per_scale),
                        (to_double3(frame.positions[idx(plan.number_of[idx(child)])]) - positions[j]) * per_scale};
        if (length(bone.offset) > kShortest && length(bone.target) > kShortest) bones.push_back(bone);
      }
      if (bones.empty()) continue;
      const Quatd agreed = agreed_rotation(rotations[j], bones, double{rotation_weight});
      // By the turn in the joint's own axes, which are the same wherever the root is.
      Quat& local = motion.rotations[idx(f) * joints + j];
      local = to_float(normalized(to_double(local) * (conjugate(rotations[j]) * agreed)));
      rotations[j] = agreed;
    }
  }
  make_continuous(motion);
  return motion;
}

Motion BodyModel::motion_of(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                            const std::string& name) const {
  return fitted_motion(body, frames, before, calibration_.rotation_weight, name);
}

}  // namespace zoe::generate
