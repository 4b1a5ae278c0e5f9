// SPDX-License-Identifier: MIT
// Part of Zoetrope. A generated motion that holds together: loose parts go along with the body, the body travels as far
// as its feet push it, and feet are held where they touch the ground.
#pragma once

#include <span>

#include "zoe/anatomy/clean_feet.h"
#include "zoe/generate/body_model.h"

namespace zoe::generate {

struct PlantOptions {
  std::span<const Motion> clips;  // Of the body, may be none: see find_loose_parts().
  bool keep_path = false;         // The root follows a given path: its travel is not changed.
};

struct PlantReport {
  CleanFeetReport feet;
  int num_loose_feet = 0, num_loose_parts = 0;  // Feet, and other parts, that hang on no limb.
  int num_stepping = 0;                         // Legs whose contacts are those of their steps.
  double speed_before_m_s = 0, speed_m_s = 0;   // Mean speed of the body over the ground, as generated and now.
  double stride_stretch = 1;                    // Of the steps, before they led the body.
  double raised_m = 0;                          // Mean change of the body's height, either direction.
  double change_m = 0;  // Mean distance of bones, relative to the root, from where they were generated.
};

// motion: of to_motion(); frames: the numbers it was made of.
// 1. Legs reach for the feet that hang on no leg (handles of an IK rig), then loose parts go along with their carriers.
//    The end of a leg is planted instead of such a foot.
// 2. Contacts are those of the network, without single frames and without feet that are a quarter of a leg above the
//    lowest one, or those of the steps (feet that go backwards under the body), whichever slide less; where both say of
//    a foot that it never touches, they are detected.
// 3. Where most of four or more legs step, they lead the body: it travels as fast as they go backwards under it. Two
//    legs lead where the body would slide or step on the spot. Where it travels faster than its steps, strides are
//    first made longer, by a factor of 1.6 at most.
// 4. The body is raised or lowered until feet in contact are as high as in the reference pose. Feet that step are held
//    in contact and go smoothly between contacts, raised where they are dragged. Not for flyers and fish.
// 5. clean_feet(). Fails as it does, except that bodies without feet are only held together.
Result<Motion> plant_feet(const Motion& motion, const SkeletonAnalysis& analysis, const BodyLayout& body,
                          std::span<const float> frames, const PlantOptions& options = {},
                          PlantReport* report = nullptr);

}  // namespace zoe::generate
