// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contacts of feet (or hands, paws, knees: the caller names the joints) with flat ground. Y is up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Thresholds are in proportion to the leg length L, so that one set works for a mouse and a horse. A contact begins
// when speed and height are both below `enter` and lasts until either is above `leave`.
struct ContactOptions {
  // In Froude speeds √(g L): 0.48 and 0.71 m/s for legs of 0.9 m.
  float speed_enter = 0.16F, speed_leave = 0.24F;
  // The same as fractions of the body's own speed over the ground (of the joint above all given ones, low-passed),
  // because a runner's feet roll and brake faster than a walker's. The larger of the two limits holds. 0: off.
  float share_enter = 0.45F, share_leave = 0.55F;
  // In leg lengths above the joint's own contact height.
  float height_enter = 0.045F, height_leave = 0.065F;

  // Walks and runs on the spot, as in games: feet in contact slide backwards, so only heights count. Empty: detected
  // where the body hardly travels and yet low joints are fast on average.
  std::optional<bool> in_place;

  double metres_per_unit = 1;            // Of the motion; lengths below and in the result are in its unit.
  float leg_length_m = 0;                // 0: leg_length() of the joints.
  std::optional<float> ground_height_m;  // Empty: the lowest of the joints' low percentiles.
  double low_percentile = 0.05;          // Fraction of frames in which a joint is below its contact height.
  // A joint whose low percentile is at most this many leg lengths above the ground has its contact height there (an
  // ankle is above the ground). Other joints (hands of a walker) are measured from the ground itself.
  float max_clearance = 0.18F;

  double cutoff_hz = 20;         // Positions are low-passed first, without lag; 0: off.
  double min_duration_s = 0.05;  // Shorter gaps are closed, then shorter contacts dropped, except at the clip's ends.
};

struct Contacts {
  int num_frames = 0;
  int num_joints = 0;                  // The requested ones, in their order.
  std::vector<std::uint8_t> touching;  // [frames × joints], 0 or 1.
  // [frames × joints] in [0, 1], without memory: one where both measures are below `enter`, zero where one is above
  // `leave`, smooth between. For blending and training; `touching` decides.
  std::vector<float> weights;
  float ground_height_m = 0;
  float leg_length_m = 0;
  bool in_place = false;  // As given or detected.

  bool at(int frame, int joint) const { return touching[static_cast<std::size_t>(frame * num_joints + joint)] != 0; }
};

// Median length, metres, of the bones at rest from each joint up to where it meets another leg: hip to toe for feet,
// and shoulder to toe for a dog's front ones. Zero where this is undefined, as for a single joint.
float leg_length(const Skeleton& skeleton, std::span<const int> joints);

// Fails without frames, on wrong joints or thresholds, and where the leg length is neither given nor found.
Result<Contacts> find_contacts(const Motion& motion, std::span<const int> joints, const ContactOptions& options = {});

// The rule of ai4animationpy: touching where the one-frame backward difference is slower than the joint's threshold,
// m/s (`proportional`: times the summed lengths of all bones at rest, metres). No height, no memory; weights 0 or 1.
Result<Contacts> find_contacts_by_speed(const Motion& motion, std::span<const int> joints,
                                        std::span<const float> thresholds_m_s, bool proportional = false);

}  // namespace zoe
