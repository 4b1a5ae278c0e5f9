// SPDX-License-Identifier: MIT
#include "zoe/generate/plant_feet.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"

namespace zoe::generate {
namespace {

constexpr int kContactColumn = 12;
constexpr float kMostHeight = 0.25F;  // Of a leg.

// Touching in one frame alone, or not touching in one alone, is noise.
void without_single_frames(std::vector<std::uint8_t>& touching, int num_frames, int num_legs, int leg) {
  const auto at = [&](int f) -> std::uint8_t& { return touching[idx(f * num_legs + leg)]; };
  for (int f = 1; f + 1 < num_frames; ++f)
    if (at(f - 1) == at(f + 1)) at(f) = at(f - 1);
}

}  // namespace

Result<Motion> plant_feet(const Motion& motion, const SkeletonAnalysis& analysis, const BodyLayout& body,
                          std::span<const float> frames, CleanFeetReport* report) {
  ZOE_TRY_ASSIGN(Contacts contacts, find_foot_contacts(motion, analysis));
  const std::size_t tokens = idx(body.tokens.num_tokens()), row = tokens * features::kTokenWidth;
  ZOE_CHECK(frames.size() == idx(motion.num_frames) * row, "the numbers of the motion");
  const std::vector<Vec3> positions = all_positions(motion);
  const auto joints = idx(motion.num_joints());
  for (std::size_t leg = 0; leg < analysis.feet.size() && leg < idx(contacts.num_joints); ++leg) {
    const auto token = std::find(body.tokens.joints.begin(), body.tokens.joints.end(), analysis.feet[leg]);
    if (token == body.tokens.joints.end()) continue;
    const auto index = static_cast<std::size_t>(token - body.tokens.joints.begin());
    const auto foot = idx(analysis.feet[leg]);
    float lowest = positions[foot].y;
    for (int f = 0; f < motion.num_frames; ++f) lowest = std::min(lowest, positions[idx(f) * joints + foot].y);
    std::vector<std::uint8_t> touching(idx(motion.num_frames));
    for (int f = 0; f < motion.num_frames; ++f) {
      const float height = positions[idx(f) * joints + foot].y - lowest;
      touching[idx(f)] = frames[idx(f) * row + index * features::kTokenWidth + kContactColumn] > 0.5F &&
                         height < kMostHeight * contacts.leg_length_m;
    }
    if (std::none_of(touching.begin(), touching.end(), [](std::uint8_t one) { return one != 0; })) continue;
    for (int f = 0; f < motion.num_frames; ++f)
      contacts.touching[idx(f) * idx(contacts.num_joints) + leg] = touching[idx(f)];
    without_single_frames(contacts.touching, motion.num_frames, contacts.num_joints, static_cast<int>(leg));
    for (int f = 0; f < motion.num_frames; ++f) {
      const std::size_t i = idx(f) * idx(contacts.num_joints) + leg;
      contacts.weights[i] = contacts.touching[i] != 0 ? 1.0F : 0.0F;
    }
  }
  return clean_feet(motion, analysis, {.contacts = std::move(contacts)}, report);
}

}  // namespace zoe::generate
