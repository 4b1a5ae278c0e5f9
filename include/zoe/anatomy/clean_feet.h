// SPDX-License-Identifier: MIT
// Part of Zoetrope. Removes foot sliding in contacts, as it appears after retargeting, changes of speed, blending or in
// poor captures.
#pragma once

#include <optional>
#include <vector>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/motion/foot_skate.h"

namespace zoe {

struct CleanFeetOptions {
  // Contacts of the feet, one column per leg in the order of SkeletonAnalysis::feet. Best those of the original motion.
  // Empty: detected here, with the speed limits of `detection` times `slide_tolerance`.
  std::optional<Contacts> contacts;
  ContactOptions detection;
  float slide_tolerance = 1.5F;

  double ramp_s = 0.06;        // Blend time at either end of a contact; at most a quarter of it.
  double swing_s = 0.5;        // Time in which a foot in the air returns to its own path and leaves it again.
  float max_offset = 0.3F;     // Largest offset of a foot, leg lengths. Contacts that slide further keep the rest.
  float max_reach = 0.99F;     // Fraction of a leg's length (or of its previous stretch) beyond which hips are lowered.
  float max_hip_drop = 0.15F;  // Leg lengths. Feet that would need more do not reach their goals.
  bool with_tips = false;      // Also legs whose foot is a plain node: the tip of a leg without a foot of its own.
  // Feet in contact are moved to this height of the ground, in the motion's unit.
  std::optional<float> ground_height;
};

struct CleanFeetReport {
  bool in_place = false;  // A cycle on the spot: not changed.
  int num_legs = 0;       // Legs with planted feet. Legs without their own knee are not changed.
  int num_contacts = 0;
  int num_held_back = 0;  // Contacts that slid further than max_offset.
  // Mean speed over the ground of the lowest part of the foot, over all frames in contact, m/s.
  double slide_before_m_s = 0, slide_after_m_s = 0;
  double worst_offset_m = 0;  // Largest displacement of a foot.
  double worst_hip_drop_m = 0;
};

// The motion with planted feet. Bone lengths and orientations of feet stay, legs bend, and hips are lowered smoothly
// where a leg would not reach. `report` may be null.
Result<Motion> clean_feet(const Motion& motion, const SkeletonAnalysis& analysis, const CleanFeetOptions& options = {},
                          CleanFeetReport* report = nullptr);

}  // namespace zoe
