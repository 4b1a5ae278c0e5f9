// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far the phase of contacts can be trusted in the data, for types that need it.
#pragma once

#include <optional>
#include <string>

#include "zoe/dataset/dataset.h"

namespace zoe::author {

struct PhaseCheck {
  double trusted_share = 0;  // Of the frames: those of clips whose phase holds.
  double warned_share = 0;   // Of the frames: those of clips that have no phase, and do not merely pause.
  std::string warning;       // Names the clips; empty where they are few.
};

// Nothing where the layout has no phase of contacts, or the group no clip. Mirrored clips are not counted.
std::optional<PhaseCheck> check_contact_phases(const dataset::Dataset& data, const dataset::Group& group);

}  // namespace zoe::author
