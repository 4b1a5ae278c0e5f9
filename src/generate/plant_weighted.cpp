// SPDX-License-Identifier: MIT
#include "generate/plant_weighted.h"

#include "zoe/core/index.h"

namespace zoe::generate {

float fading(int frames_from_seam, int window) {
  if (frames_from_seam >= window) return 0;
  const float u = static_cast<float>(frames_from_seam) / static_cast<float>(window);
  return 1 - u * u * (3 - 2 * u);
}

Result<Motion> plant_weighted(const Motion& motion, const SkeletonAnalysis& analysis, std::span<const float> weights,
                              const CleanFeetOptions& options) {
  CleanFeetReport report;
  ZOE_TRY_ASSIGN(const Motion cleaned, clean_feet(motion, analysis, options, &report));
  if (report.in_place || report.num_legs == 0) return Error{ErrorCode::kUsage, "no feet that can be planted"};
  Motion out = motion;
  const std::size_t joints = idx(motion.num_joints());
  for (std::size_t i = 0; i < out.rotations.size(); ++i) {
    const float weight = weights[i / joints];
    if (weight <= 0) continue;
    const Quat change = cleaned.rotations[i] * conjugate(motion.rotations[i]);
    out.rotations[i] = normalized(from_rotation_vector(to_rotation_vector(change) * weight) * motion.rotations[i]);
    out.translations[i] = motion.translations[i] + (cleaned.translations[i] - motion.translations[i]) * weight;
  }
  make_continuous(out);
  return out;
}

double mean_skate(const Motion& motion, const SkeletonAnalysis& analysis, const Contacts& contacts) {
  const Result<std::vector<FootSkate>> feet = foot_skate(motion, analysis.feet, contacts);
  if (!feet) return 0;
  double sum = 0, share = 0;
  for (const FootSkate& foot : *feet) {
    sum += double{foot.mean_speed_m_s} * double{foot.contact_share};
    share += double{foot.contact_share};
  }
  return share > 0 ? sum / share : 0;
}

}  // namespace zoe::generate
