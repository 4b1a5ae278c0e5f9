// SPDX-License-Identifier: MIT
#include "zoe/anatomy/foot_contacts.h"

#include <algorithm>

namespace zoe {

std::vector<std::vector<int>> foot_parts(const SkeletonAnalysis& analysis) {
  std::vector<std::vector<int>> parts;
  for (const int foot : analysis.feet) {
    parts.push_back({foot});
    for (const Limb& limb : analysis.limbs) {
      const auto at = std::find(limb.joints.begin(), limb.joints.end(), foot);
      if (at != limb.joints.end()) parts.back().assign(at, limb.joints.end());
    }
  }
  return parts;
}

Result<Contacts> find_foot_contacts(const Motion& motion, const SkeletonAnalysis& analysis, ContactOptions options) {
  const std::vector<std::vector<int>> parts = foot_parts(analysis);
  if (parts.empty()) {
    return Error{ErrorCode::kInvalid, "contacts: no feet were found; name them in an overrides file (feet)", {}};
  }
  if (analysis.up.y < 0.7F) {
    return Error{ErrorCode::kInvalid, "contacts: the body's up is not +Y; turn it first (for a BVH: --bvh-up z)", {}};
  }
  std::vector<int> joints;
  for (const auto& foot : parts) joints.insert(joints.end(), foot.begin(), foot.end());
  options.metres_per_unit = analysis.metres_per_unit;
  ZOE_TRY_ASSIGN(const Contacts all, find_contacts(motion, joints, options));

  Contacts out = all;
  out.num_joints = static_cast<int>(parts.size());
  out.touching.assign(static_cast<std::size_t>(out.num_frames) * parts.size(), 0);
  out.weights.assign(out.touching.size(), 0);
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(out.num_frames); ++frame) {
    std::size_t from = frame * joints.size();
    for (std::size_t leg = 0; leg < parts.size(); ++leg) {
      const std::size_t to = frame * parts.size() + leg;
      for (std::size_t part = 0; part < parts[leg].size(); ++part, ++from) {
        out.touching[to] = std::max(out.touching[to], all.touching[from]);
        out.weights[to] = std::max(out.weights[to], all.weights[from]);
      }
    }
  }
  return out;
}

}  // namespace zoe
