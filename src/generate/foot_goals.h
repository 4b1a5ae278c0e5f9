// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where the feet of a generated gait go: longer strides, the height of the body over its feet, held
// feet in contact and smooth swings between contacts.
#pragma once

#include "zoe/anatomy/leg_rig.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/root.h"

namespace zoe::generate {

// What all functions here need to know about the legs of a motion. Columns are those of `contacts` and `standing`.
struct GaitLegs {
  std::vector<anatomy::LegRig> rigs;
  std::vector<std::size_t> columns;  // [rigs] Leg of each.
  float leg_m = 0;
};
GaitLegs gait_legs(const Skeleton& skeleton, const SkeletonAnalysis& analysis, float leg_m);

// The motion with the horizontal paths of the feet under the body `factor` times as long, about their means. No foot
// goes further than a leg can; returns the factor that was used, at least 1.
float lengthen_strides(Motion& motion, const RootTrajectory& roots, const GaitLegs& legs, float factor);

// [frames] How far the body is to be raised, smooth, so that feet in contact are at their standing heights. Empty: no
// foot ever touches. standing: [legs].
std::vector<float> ground_offsets(const Motion& motion, std::span<const int> feet, const Contacts& contacts,
                                  std::span<const float> standing);

// Feet of stepping legs are held in contact and follow their own paths between contacts, led smoothly from one hold to
// the next and raised where they are dragged. Other feet only keep their standing heights in contact. is_step: [legs].
void set_steps(Motion& motion, const GaitLegs& legs, const Contacts& contacts, std::span<const float> standing,
               std::span<const std::uint8_t> is_step);

// Feet that hang on no leg are turned as they are at rest while they touch: their orientation is the network's alone,
// and toes would point into the ground. joints, columns: [feet] the loose joint and its leg. roots: of the motion.
void level_feet(Motion& motion, const SkeletonAnalysis& analysis, const RootTrajectory& roots, const Contacts& contacts,
                std::span<const int> joints, std::span<const std::size_t> columns);

}  // namespace zoe::generate
