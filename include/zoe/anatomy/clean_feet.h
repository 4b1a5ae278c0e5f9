// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet that slide while they should stand, planted: what a motion needs after retargeting, changes of
// speed, blending or a poor capture.
#pragma once

#include <optional>
#include <vector>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/motion/foot_skate.h"

namespace zoe {

struct CleanFeetOptions {
  // When feet stand, one column a leg in the order of SkeletonAnalysis::feet: of the motion this one was made from, where
  // there is one. Nothing: found here, with the speed limits of `detection` times `slide_tolerance`.
  std::optional<Contacts> contacts;
  ContactOptions detection;
  float slide_tolerance = 1.5F;

  double ramp_s =
      0.06;  // At either end of a contact, over which the foot is caught and let go; at most a quarter of it.
  double swing_s =
      0.5;  // A foot in the air returns to its own path within this time, and leaves it as long before it lands.
  float max_offset =
      0.3F;  // Leg lengths that a foot may be moved. Contacts that slide further keep the rest of their slide.
  float max_reach =
      0.99F;  // Share of a leg's length (or what it was stretched to before) from which on the hips come down.
  float max_hip_drop = 0.15F;  // Leg lengths. Feet that would need more stay behind their goals.
  // Feet that stand are raised or lowered to this height, in the motion's unit, of the ground below the joints.
  std::optional<float> ground_height;
};

struct CleanFeetReport {
  bool in_place = false;  // A cycle on the spot: left as it is.
  int num_legs = 0;       // Planted ones; legs without a knee of their own are left as they are.
  int num_contacts = 0;
  int num_held_back = 0;  // Contacts that slid further than max_offset.
  // Mean speed over the ground of what touches (the part of the foot that is down), over all frames in contact, m/s.
  double slide_before_m_s = 0, slide_after_m_s = 0;
  double worst_offset_m = 0;  // A foot was moved by.
  double worst_hip_drop_m = 0;
};

// The motion with planted feet: bone lengths and directions of feet stay, legs bend, and hips come down smoothly where a
// leg would not reach. `report` may be null.
Result<Motion> clean_feet(const Motion& motion, const SkeletonAnalysis& analysis, const CleanFeetOptions& options = {},
                          CleanFeetReport* report = nullptr);

}  // namespace zoe
