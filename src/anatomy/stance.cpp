// SPDX-License-Identifier: MIT
#include "zoe/anatomy/stance.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::anatomy {

double stance_quality(const SkeletonAnalysis& body, std::span<const Vec3> positions) {
  const auto at = [&](int joint) { return positions[idx(joint)]; };
  const Vec3 up = body.up;
  const auto is_leg = [](const Limb& limb) { return limb.kind == LimbKind::kLeg && !limb.joints.empty(); };
  double lowest = 1e30;
  for (const int foot : body.feet) lowest = std::min<double>(lowest, dot(at(foot), up));
  double sum = 0;
  int count = 0;
  for (const Limb& limb : body.limbs) {
    const auto foot = std::ranges::find_first_of(limb.joints, body.feet);
    if (!is_leg(limb) || foot == limb.joints.end()) continue;
    double length_of_leg = 0;
    for (auto j = limb.joints.begin(); j != foot; ++j) length_of_leg += distance(at(*j), at(*(j + 1)));
    if (!(length_of_leg > 0)) continue;
    const double stretch = dot(at(limb.joints.front()) - at(*foot), up);
    // Of two feet side by side the line between them is parallel to that between their hips.
    double unlike = 0;
    for (const JointPair& pair : body.pairs) {
      if (pair.left != *foot && pair.right != *foot) continue;
      const int other_foot = pair.left == *foot ? pair.right : pair.left;
      const auto other = std::ranges::find_if(body.limbs, [&](const Limb& one) {
        return is_leg(one) && std::ranges::find(one.joints, other_foot) != one.joints.end();
      });
      if (other == body.limbs.end()) continue;
      const Vec3 across = at(limb.joints.front()) - at(other->joints.front()), feet = at(*foot) - at(other_foot);
      const Vec3 side = normalized(across - up * dot(across, up));
      unlike = length(feet - side * dot(feet, side));
    }
    sum += (stretch - (dot(at(*foot), up) - lowest) - 0.5 * unlike) / length_of_leg;
    ++count;
  }
  return count > 0 ? std::clamp(sum / count, 0.0, 1.0) : 0.0;
}

}  // namespace zoe::anatomy
