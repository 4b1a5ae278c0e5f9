// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contacts of a foot on any ground, by its speed alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::retarget_detail {

// [frames] 1 where any part of a foot (ankle, ball; model space) stays in position for at least a tenth of a second.
// Contacts (foot_contacts.h) also include slow feet near a flat floor: low steps of a turn on the spot count there, and
// feet on stairs do not. `leg_length` in the motion's unit, as `parts`: [parts][frames].
std::vector<std::uint8_t> find_stands(std::span<const std::vector<Vec3>> parts, float leg_length,
                                      double metres_per_unit, double fps);

// [frames] 1 where a foot in contact is flat: ankle and ball both stay, the ankle is at its lowest, and the pitch is
// its most frequent one. Captures have soles at any angle. `stands`: of find_stands().
std::vector<std::uint8_t> find_flat(std::span<const Vec3> ankles, std::span<const Vec3> balls,
                                    std::span<const std::uint8_t> stands, Vec3 up, float leg_length,
                                    double metres_per_unit, double fps);

// The same for all feet of a body. A foot without such contacts (a cycle on the spot) uses find_foot_contacts().
// [frames] 1 where a biped is upright above a foot that carries it: the trunk within 45 degrees of upright and the hips
// at least most of a leg above the ankle. Soles of who kneels, crawls or lies may point anywhere, and ankles are as
// high as toes let them. All 1 for other families.
std::vector<std::uint8_t> upright_frames(const Motion& motion, const SkeletonAnalysis& body, int ankle,
                                         float leg_length);

class Stands {
 public:
  Stands(const Motion& motion, const SkeletonAnalysis& body);
  // [frames] of an ankle; all zero where it is not one of the body's.
  const std::vector<std::uint8_t>& of(int foot) const;

 private:
  std::vector<int> feet_;
  std::vector<std::vector<std::uint8_t>> columns_;  // [feet][frames], and one of zeros.
};

}  // namespace zoe::retarget_detail
