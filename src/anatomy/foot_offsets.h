// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a foot must be moved, frame by frame, to stand still while it touches.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/clean_feet.h"

namespace zoe::anatomy_detail {

// One foot's parts in the model and what each of them stands at.
struct FootTrack {
  std::vector<std::vector<Vec3>> parts;  // [parts][frames]
  std::vector<float> standing;           // [parts] height of the part when it touches.
};

// How much each part carries a foot, summing to one; `heights` above where each stands, `near_ground` the height from
// which on a part no longer carries. Relative to the lowest part: a foot that hovers is carried by it all the same.
void carrying_weights(std::span<const float> heights, float near_ground, std::span<float> weights);

// Height of a part when the foot stands: the lower quarter of the frames in which it touches, as heels and toes take
// turns in being up; `otherwise` where it never does.
float standing_height(std::span<const Vec3> part, std::span<const std::uint8_t> touching, Vec3 up, float otherwise);

struct FootOffsets {
  std::vector<Vec3> offsets;  // [frames]
  std::vector<Vec3>
      slide;  // [frames] velocity over the ground of what is down, motion's unit a second; zero in the air.
  int num_contacts = 0, num_held_back = 0;
};

struct OffsetLimits {
  float near_ground = 0;  // Height above standing at which a part no longer carries the foot.
  float max_offset = 0;
};

// touching: [frames]. The foot's speed over the ground is that of its parts, weighted by how near each is to standing, so
// that a foot rolls from heel to toe as it did. Offsets undo that speed, least in the middle of each contact; in the air
// they run from one contact's to the next one's.
FootOffsets find_foot_offsets(const FootTrack& foot, std::span<const std::uint8_t> touching, double fps, Vec3 up,
                              const OffsetLimits& limits, const CleanFeetOptions& options);

}  // namespace zoe::anatomy_detail
