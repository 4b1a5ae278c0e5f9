// SPDX-License-Identifier: MIT
#include "zoe/motion/blend.h"

#include <cmath>
#include <string>

namespace zoe {
namespace {

bool fits(const PoseView& pose, std::size_t n) {
  return pose.translations.size() == n && pose.rotations.size() == n &&
         (pose.scales.empty() || pose.scales.size() == n);
}

const char* problem(const BlendJob& job) noexcept {
  const std::size_t n = job.rotations.size();
  if (job.translations.size() != n) return "translations and rotations must have one entry per joint";
  if (!job.scales.empty() && job.scales.size() != n) return "scales must be empty or have one entry per joint";
  if (!fits(job.fallback, n)) return "the fallback pose has another number of joints";
  for (const BlendLayer& layer : job.layers) {
    if (!fits(layer.pose, n)) return "a layer has another number of joints";
    if (!layer.joint_weights.empty() && layer.joint_weights.size() != n) return "a joint mask has the wrong length";
    if (!(layer.weight >= 0) || !std::isfinite(layer.weight)) return "a weight is negative or not finite";
  }
  return nullptr;
}

Vec3 scale_of(const PoseView& pose, std::size_t i) { return pose.scales.empty() ? Vec3{1, 1, 1} : pose.scales[i]; }

}  // namespace

Result<void> BlendJob::validate() const {
  if (const char* what = problem(*this)) return Error{ErrorCode::kUsage, std::string("BlendJob: ") + what, {}};
  return {};
}

bool BlendJob::run() const noexcept {
  if (problem(*this) != nullptr) return false;
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    float total = 0;
    Vec3 translation{}, scale{};
    Quat sum{0, 0, 0, 0}, first{};
    for (const BlendLayer& layer : layers) {
      const float weight = layer.weight * (layer.joint_weights.empty() ? 1.0F : layer.joint_weights[i]);
      if (!(weight > 0)) continue;
      if (total == 0) first = layer.pose.rotations[i];
      const Quat q = nearest_to(first, layer.pose.rotations[i]);
      total += weight;
      translation += layer.pose.translations[i] * weight;
      scale += scale_of(layer.pose, i) * weight;
      sum = {sum.x + q.x * weight, sum.y + q.y * weight, sum.z + q.z * weight, sum.w + q.w * weight};
    }
    const bool weighed = total > 0;
    translations[i] = weighed ? translation / total : fallback.translations[i];
    rotations[i] = weighed ? normalized(sum) : fallback.rotations[i];
    if (!scales.empty()) scales[i] = weighed ? scale / total : scale_of(fallback, i);
  }
  return true;
}

void subtract_pose(const PoseView& reference, const PoseView& pose, Pose& difference) {
  const std::size_t n = difference.rotations.size();
  ZOE_CHECK(fits(reference, n) && fits(pose, n), "poses of different skeletons");
  const auto quotient = [](float a, float b) { return b != 0 ? a / b : a; };
  for (std::size_t i = 0; i < n; ++i) {
    difference.translations[i] = pose.translations[i] - reference.translations[i];
    difference.rotations[i] = canonical(normalized(conjugate(reference.rotations[i]) * pose.rotations[i]));
    const Vec3 s = scale_of(pose, i), r = scale_of(reference, i);
    difference.scales[i] = {quotient(s.x, r.x), quotient(s.y, r.y), quotient(s.z, r.z)};
  }
}

void add_pose(const PoseView& difference, float weight, std::span<const float> joint_weights, Pose& pose) {
  const std::size_t n = pose.rotations.size();
  ZOE_CHECK(fits(difference, n) && (joint_weights.empty() || joint_weights.size() == n),
            "poses of different skeletons");
  for (std::size_t i = 0; i < n; ++i) {
    const float w = weight * (joint_weights.empty() ? 1.0F : joint_weights[i]);
    pose.translations[i] += difference.translations[i] * w;
    // The fraction of a rotation along its own axis, also above one and below zero.
    const Quat part = from_rotation_vector(to_rotation_vector(difference.rotations[i]) * w);
    pose.rotations[i] = normalized(pose.rotations[i] * part);
    const Vec3 s = scale_of(difference, i);
    pose.scales[i] = pose.scales[i] * lerp(Vec3{1, 1, 1}, s, w);
  }
}

}  // namespace zoe
