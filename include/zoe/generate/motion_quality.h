// SPDX-License-Identifier: MIT
// Part of Zoetrope. Figures of one motion that need no other: sliding feet, joints below the ground, jerk, bones that
// change.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/generate/gait_judge.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

struct MotionQuality {
  // Mean horizontal speed of feet over their frames in contact; 0 without feet. A body on the spot has the speed of its
  // treadmill.
  double foot_skate_m_s = 0;
  double contact_share = 0;  // Of frames and feet.
  // Mean horizontal speed of each foot over its lowest third of frames, whether or not a contact is detected: detected
  // contacts leave out feet that slide fast.
  double low_foot_speed_m_s = 0;
  double penetration_m = 0;  // Mean over the frames of the deepest joint's depth below the ground.
  double jerk_m_s3 = 0;      // Mean over joints and frames of the third difference of positions.
  double bone_error = 0;     // Largest change of a bone's length, as a fraction of its length at rest.
  double travel_m = 0;       // Horizontal distance of the hips between the first frame and the last.
  GaitFigures gait;
};

// Motion in metres, Y up. ground_m: height of the ground.
Result<MotionQuality> measure_quality(const Motion& motion, const SkeletonAnalysis& analysis, double ground_m = 0);

// Why a motion is no walk or run, or null: its steps do not carry it, its low feet slide, or it travels at less than
// 0.3 of the body's usual speed.
const char* defect_of_walk(const MotionQuality& quality, double usual_m_s);

// Root mean square over frames and joints of a joint's angle from its own mean rotation. 0 without joints or frames.
double swing_rad(const Motion& motion, std::span<const int> joints);

}  // namespace zoe::generate
