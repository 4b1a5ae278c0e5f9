// SPDX-License-Identifier: MIT
#include "io/bind_transform.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/math/transform.h"

namespace zoe::io {

double difference(const Affined& a, const Affined& b) {
  return std::max({distance(a.x, b.x), distance(a.y, b.y), distance(a.z, b.z), distance(a.t, b.t)});
}

Affined bind_transform(const Character& character, const MeshInstance& instance) {
  if (instance.skin_follows_joint) return inverse(to_double(instance.joint_from_model_at_bind));
  constexpr double kTolerance = 1e-6, kMaxShear = 1e-5;
  const Skin& skin = character.skins[idx(instance.skin)];
  const std::span<const Affine> rest = character.skeleton->rest_model();
  std::vector<Affined> candidates;
  if (instance.joint >= 0) candidates.push_back(to_double(rest[idx(instance.joint)]));
  candidates.emplace_back();
  if (!skin.joints.empty())
    candidates.push_back(to_double(rest[idx(skin.joints[0])]) * to_double(skin.joint_from_mesh[0]));
  const auto misfit = [&](const Affined& model_from_mesh) {
    double sum = 0;
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
      sum += difference(model_from_mesh, to_double(rest[idx(skin.joints[i])]) * to_double(skin.joint_from_mesh[i]));
    return sum;
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (misfit(candidates[i]) < misfit(candidates[best]) - kTolerance * static_cast<double>(skin.joints.size()))
      best = i;
  }
  double shear = 0;
  decompose(candidates[best], &shear);
  return shear <= kMaxShear && determinant(candidates[best]) != 0 ? candidates[best] : Affined{};
}

}  // namespace zoe::io
