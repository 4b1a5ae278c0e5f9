// SPDX-License-Identifier: MIT
// Defects of a clip, and their repairs.
#pragma once

#include <optional>
#include <vector>

#include "zoe/motion/motion.h"

#include "dataset/plan.h"

namespace zoe::dataset {

// A usable piece of a clip.
struct CheckedPart {
  int part = 0;
  Motion motion;
};

struct CheckedClip {
  std::vector<CheckedPart> parts;
  std::vector<Note> repairs;      // Repairs of all parts.
  std::optional<Note> rejection;  // The reason why no part, or not every part, is left.
};

// The clip as read (without end sites where the group has none) → metres, on the group's joints,
// whole and moving.
CheckedClip check_clip(Motion clip, const PlannedFile& file, const PlannedGroup& group, double min_seconds);

}  // namespace zoe::dataset
