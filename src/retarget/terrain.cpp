// SPDX-License-Identifier: MIT
#include "retarget/terrain.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"

namespace zoe::retarget_detail {

Terrain::Terrain(const Ground* ground, const RetargetBody& body)
    : ground_(ground),
      body_(&body),
      world_from_model_(turn_between(body.analysis.up, Vec3{0, 1, 0})),
      metres_per_unit_(static_cast<float>(body.analysis.metres_per_unit)) {}

Vec3 Terrain::in_world(Vec3 p) const { return rotate(world_from_model_, p) * metres_per_unit_; }

float Terrain::rise(Vec3 p) const {
  if (ground_ == nullptr) return 0;
  const Vec3 at = in_world(p);
  return ground_->height(at.x, at.z) / metres_per_unit_;
}

Vec3 Terrain::normal(Vec3 p) const {
  if (ground_ == nullptr) return body_->analysis.up;
  const Vec3 at = in_world(p);
  return rotate(conjugate(world_from_model_), ground_->normal(at.x, at.z));
}

FootRise rise_of_foot(const Terrain& terrain, std::span<const Vec3> soles, std::span<const std::uint8_t> stands) {
  const std::size_t frames = soles.size();
  FootRise out{std::vector<float>(frames, 0), std::vector<Quat>(frames)};
  const Vec3 up = terrain.up();
  std::vector<Vec3> normals(frames, up);
  for (std::size_t begin = 0, end = 0; begin < frames; begin = end) {
    for (end = begin; end < frames && stands[end] == stands[begin];) ++end;
    if (stands[begin] == 0) continue;
    Vec3 middle{};
    for (std::size_t f = begin; f < end; ++f) middle += soles[f] / static_cast<float>(end - begin);
    const float rise = terrain.rise(middle);
    const Vec3 normal = terrain.normal(middle);
    const float upright = std::max(dot(normal, up), 0.1F);
    for (std::size_t f = begin; f < end; ++f) {
      const Vec3 aside = soles[f] - middle - up * dot(soles[f] - middle, up);
      out.rise[f] = rise - dot(aside, normal) / upright;
      normals[f] = normal;
    }
  }
  // Before the first contact and after the last as the ground is there.
  for (std::size_t begin = 0, end = 0; begin < frames; begin = end) {
    for (end = begin; end < frames && stands[end] == stands[begin];) ++end;
    if (stands[begin] != 0) continue;
    const bool is_first = begin == 0, is_last = end == frames;
    const float from = is_first ? terrain.rise(soles[begin]) : out.rise[begin - 1];
    const float to = is_last ? terrain.rise(soles[end - 1]) : out.rise[end];
    const Vec3 normal_from = is_first ? terrain.normal(soles[begin]) : normals[begin - 1];
    const Vec3 normal_to = is_last ? terrain.normal(soles[end - 1]) : normals[end];
    float over = 0;  // What is higher than the way from contact to contact, and the first and last frame above it.
    std::size_t first = end, last = begin;
    for (std::size_t f = begin; f < end; ++f) {
      const float t = static_cast<float>(f + 1 - begin) / static_cast<float>(end + 1 - begin);
      out.rise[f] = from + (to - from) * t;
      normals[f] = normal_from + (normal_to - normal_from) * t;
      const float higher = terrain.rise(soles[f]) - out.rise[f];
      if (!(higher > 0)) continue;
      over = std::max(over, higher);
      first = std::min(first, f);
      last = f;
    }
    for (std::size_t f = begin; over > 0 && f < end; ++f) {
      const auto before = static_cast<float>(f + 1 - begin) / static_cast<float>(first + 1 - begin);
      const auto after = static_cast<float>(end - f) / static_cast<float>(end - last);
      out.rise[f] += over * smooth_step(std::min(before, after));
    }
  }
  for (std::size_t f = 0; f < frames; ++f) out.tilt[f] = turn_between(up, normals[f]);
  return out;
}

void pitch_body(Motion& motion, int joint, std::span<const Quat> turns, std::span<const Vec3> pivots,
                std::span<const Vec3> moves) {
  const Skeleton& skeleton = *motion.skeleton;
  const std::size_t n = idx(motion.num_joints());
  std::vector<Affine> model(n);
  const int parent = skeleton.parent(joint);
  for (std::size_t f = 0; f < turns.size(); ++f) {
    const PoseView pose = motion.frame(static_cast<int>(f));
    compute_model_from_joint(skeleton, pose, model);
    const Quat above = parent == kNoJoint ? Quat{} : anatomy::model_rotation(skeleton, pose, parent);
    const Quat turned = normalized(turns[f] * anatomy::model_rotation(skeleton, pose, joint));
    const Vec3 place = pivots[f] + rotate(turns[f], model[idx(joint)].t - pivots[f]) + moves[f];
    motion.rotations[f * n + idx(joint)] = normalized(conjugate(above) * turned);
    motion.translations[f * n + idx(joint)] =
        parent == kNoJoint ? place : inverse(model[idx(parent)]).apply_point(place);
  }
}

void turn_joint(Motion& motion, int joint, std::span<const Quat> turns) {
  const std::size_t n = idx(motion.num_joints());
  const int parent = motion.skeleton->parent(joint);
  for (std::size_t f = 0; f < turns.size(); ++f) {
    const PoseView pose = motion.frame(static_cast<int>(f));
    const Quat above = parent == kNoJoint ? Quat{} : anatomy::model_rotation(*motion.skeleton, pose, parent);
    motion.rotations[f * n + idx(joint)] =
        normalized(conjugate(above) * turns[f] * anatomy::model_rotation(*motion.skeleton, pose, joint));
  }
}

}  // namespace zoe::retarget_detail
