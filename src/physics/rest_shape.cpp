// SPDX-License-Identifier: MIT
#include "physics/rest_shape.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

#include "physics/fit_shape.h"

namespace zoe::physics {
namespace {

constexpr std::size_t kFewestPoints = 12;

Vec3d in_bone(const PlanFrame& frame, std::size_t bone, Vec3d model) {
  return rotate(conjugate(frame.rotations[bone]), model - frame.origins_m[bone]);
}

// Ends of the bone in its frame: the bones that it carries, else the joints.
std::vector<Vec3d> ends_of(const BodySource& source, const PlanFrame& frame, std::size_t bone) {
  std::vector<Vec3d> ends;
  for (std::size_t child = bone + 1; child < frame.bones.joints.size(); ++child)
    if (frame.bones.parents[child] == static_cast<int>(bone))
      ends.push_back(in_bone(frame, bone, frame.origins_m[child]));
  if (!ends.empty()) return ends;
  for (int joint = 0; joint < source.skeleton.num_joints(); ++joint)
    if (frame.bones.bone_of_joint[idx(joint)] == static_cast<int>(bone) && joint != frame.bones.joints[bone])
      ends.push_back(in_bone(frame, bone, frame.joints_m[idx(joint)]));
  return ends;
}

Vec3d farthest(std::span<const Vec3d> points) {
  Vec3d best{};
  for (const Vec3d& p : points) best = length(p) > length(best) ? p : best;
  return best;
}

// A leaf without an end: it continues its parent's direction.
Vec3d assumed_end(const PlanFrame& frame, std::size_t bone) {
  const int parent = frame.bones.parents[bone];
  const Vec3d before = parent < 0 ? Vec3d{} : frame.origins_m[bone] - frame.origins_m[idx(parent)];
  const double share = frame.bones.roles[bone] == BoneRole::kHead ? 1.2 : 0.5;
  return rotate(conjugate(frame.rotations[bone]),
                normalized(before, Vec3d{0, 1, 0}) *
                    std::clamp(share * length(before), 0.02 * frame.height_m, 0.15 * frame.height_m));
}

// Axes of a sole: y up, z along the foot.
Quatd sole_axes(const PlanFrame& frame, std::size_t bone, Vec3d tip, Vec3 facing) {
  Vec3d along = rotate(frame.rotations[bone], tip);
  along.y = 0;
  if (length(along) < 0.02 * frame.height_m) along = {facing.x, 0, facing.z};
  const Vec3d z = normalized(along, Vec3d{0, 0, 1});
  const Affined axes{cross(Vec3d{0, 1, 0}, z), {0, 1, 0}, z, {}};
  return conjugate(frame.rotations[bone]) * rotation_of(axes);
}

// A sole under the foot or the toes, down to the ground of the reference pose.
BoneShape derived_sole(const PlanFrame& frame, std::size_t bone, Vec3d tip, Vec3 facing) {
  const Vec3d along = rotate(frame.rotations[bone], tip);
  const double reach = std::max(std::hypot(along.x, along.z), 0.02 * frame.height_m);
  const bool is_toe = frame.bones.roles[bone] == BoneRole::kToe;
  // Proportions of a human foot: the heel behind the ankle, width less than half the length.
  const double back = is_toe ? 0 : 0.3 * reach, width = (is_toe ? 0.9 : 0.5) * reach;
  const double height = frame.origins_m[bone].y - frame.ground_m;
  const bool near = height > 0.004 * frame.height_m && height < 0.15 * frame.height_m;
  const double bottom = near ? -height : std::min(along.y, 0.0) - 0.015 * frame.height_m;
  const double top = std::max(bottom + 0.012 * frame.height_m, std::min(0.0, 0.5 * bottom));
  BoneShape shape;
  shape.is_box = true;
  shape.rotation = sole_axes(frame, bone, tip, facing);
  shape.half_size = {0.5 * width, 0.5 * (top - bottom), 0.5 * (reach + back)};
  shape.centre = rotate(shape.rotation, Vec3d{0, 0.5 * (top + bottom), 0.5 * (reach - back)});
  return shape;
}

BoneShape derived_capsule(const PlanFrame& frame, std::size_t bone, std::span<const Vec3d> ends, Vec3d tip) {
  BoneShape shape;
  shape.to = tip;
  const BoneRole role = frame.bones.roles[bone];
  const double size = frame.height_m;
  if (role == BoneRole::kTrunk) {
    shape.radius_m = frame.trunk_radius_m;
    for (const Vec3d& a : ends)
      for (const Vec3d& b : ends)
        if (distance(a, b) > distance(shape.from, shape.to)) shape.from = a, shape.to = b;
  } else {
    const double share = role == BoneRole::kHead ? 0.5 : 0.15;
    const double widest = role == BoneRole::kHead ? 0.07 : 0.045;
    shape.radius_m = std::clamp(share * length(tip), 0.01 * size, widest * size);
  }
  return shape;
}

}  // namespace

BoneShape shape_of_bone(const BodySource& source, const PlanFrame& frame, std::size_t bone,
                        std::span<const Vec3d> points) {
  const std::vector<Vec3d> ends = ends_of(source, frame, bone);
  Vec3d tip = farthest(ends);
  const bool known = length(tip) > 0.005 * frame.height_m;
  if (!known) tip = assumed_end(frame, bone);
  const BoneRole role = frame.bones.roles[bone];
  const Vec3d along = rotate(frame.rotations[bone], tip);
  // A foot without a tip points forward, not away from its hip.
  const Vec3d sole_tip = known ? tip : Vec3d{};
  const bool is_sole = (role == BoneRole::kFoot || role == BoneRole::kToe) &&
                       frame.origins_m[bone].y - frame.ground_m < 0.15 * frame.height_m &&
                       std::hypot(along.x, along.z) > std::abs(along.y);
  if (points.size() < kFewestPoints)
    return is_sole ? derived_sole(frame, bone, tip, source.analysis.forward) : derived_capsule(frame, bone, ends, tip);
  if (is_sole) return fit_box(points, sole_axes(frame, bone, sole_tip, source.analysis.forward));
  const bool follows_bone = known && ends.size() == 1;
  const BoneShape capsule = fit_capsule(points, follows_bone ? normalized(tip) : main_axis(points));
  // Legs without feet, as of small game characters, end in a flat sole too: on round ends a biped tips over.
  if (role == BoneRole::kFoot || role == BoneRole::kToe) {
    const BoneShape box = fit_box(points, sole_axes(frame, bone, sole_tip, source.analysis.forward));
    const double low = box.lowest_y(frame.rotations[bone], frame.origins_m[bone]) - frame.ground_m;
    const double most = low < 0.02 * frame.height_m ? 4.0 : 2.5;
    if (low < 0.08 * frame.height_m && box.volume_m3() < most * capsule.volume_m3()) return box;
  }
  return capsule;
}

std::vector<std::pair<int, int>> overlapping_bones(const BodyPlan& plan, std::span<const Quatd> rotations,
                                                   std::span<const Vec3d> origins_m) {
  // Shapes as rows of five balls. A ball of a box has its middle half size as radius.
  constexpr int kBalls = 5;
  const std::size_t num_bones = plan.bones.size();
  std::vector<Vec3d> balls(num_bones * kBalls);
  std::vector<double> radii(num_bones);
  std::vector<std::vector<bool>> hit(num_bones, std::vector<bool>(num_bones));
  for (std::size_t pose = 0; pose < rotations.size() / num_bones; ++pose) {
    for (std::size_t b = 0; b < num_bones; ++b) {
      const BoneShape& s = plan.bones[b].shape;
      Vec3d from = s.from, to = s.to;
      radii[b] = s.radius_m;
      if (s.is_box) {
        const Vec3d axis = rotate(s.rotation, Vec3d{0, 0, s.half_size.z});
        from = s.centre - axis, to = s.centre + axis;
        radii[b] = std::max(s.half_size.x, s.half_size.y);
      }
      for (int i = 0; i < kBalls; ++i)
        balls[b * kBalls + idx(i)] = origins_m[pose * num_bones + b] +
                                     rotate(rotations[pose * num_bones + b], lerp(from, to, i / (kBalls - 1.0)));
    }
    for (std::size_t a = 0; a < num_bones; ++a)
      for (std::size_t b = a + 1; b < num_bones; ++b)
        for (std::size_t i = 0; i < kBalls * kBalls && !hit[a][b]; ++i)
          hit[a][b] =
              distance(balls[a * kBalls + i / kBalls], balls[b * kBalls + i % kBalls]) < 1.1 * (radii[a] + radii[b]);
  }
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t a = 0; a < num_bones; ++a)
    for (std::size_t b = a + 1; b < num_bones; ++b)
      // MuJoCo itself filters parent and child, except below a root without a parent of its own.
      if (hit[a][b]) pairs.emplace_back(static_cast<int>(a), static_cast<int>(b));
  return pairs;
}

}  // namespace zoe::physics
