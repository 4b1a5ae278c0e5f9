// SPDX-License-Identifier: MIT
// Part of Zoetrope. Offsets of a foot, frame by frame, that keep it still in contact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::anatomy {

// One foot's parts in the model and their contact heights.
struct FootTrack {
  std::vector<std::vector<Vec3>> parts;  // [parts][frames]
  std::vector<float> standing;           // [parts] contact height of the part.
};

struct FootOffsets {
  std::vector<Vec3> offsets;  // [frames]
  // [frames] velocity over the ground of the parts in contact, motion's unit per second; zero in the air.
  std::vector<Vec3> slide;
  int num_contacts = 0, num_held_back = 0;
};

// In the motion's unit; see CleanFeetOptions.
struct OffsetSettings {
  float near_ground = 0;  // Height above the contact height at which a part no longer carries the foot.
  float max_offset = 0;
  double ramp_s = 0, swing_s = 0;
  std::optional<float> ground_height;
};

// touching: [frames]. The foot's speed over the ground is that of its parts, weighted by how near each is to its
// contact height, so that a foot rolls from heel to toe as before. Offsets remove that speed, least in the middle of
// each contact. In the air they blend from one contact's to the next one's.
FootOffsets find_foot_offsets(const FootTrack& foot, std::span<const std::uint8_t> touching, double fps, Vec3 up,
                              const OffsetSettings& settings);

}  // namespace zoe::anatomy
