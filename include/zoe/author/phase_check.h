// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reliability of the contact phase in the data, for types that need it.
#pragma once

#include <optional>
#include <string>

#include "zoe/dataset/dataset.h"

namespace zoe::author {

struct PhaseCheck {
  double trusted_share = 0;  // Fraction of frames in clips with a reliable phase.
  double warned_share = 0;   // Fraction of frames in clips that move without a phase.
  std::string warning;       // Names the clips. Empty where they are few.
};

// Empty where the layout has no contact phase, or the group no clip. Mirrored clips are not counted.
std::optional<PhaseCheck> check_contact_phases(const dataset::Dataset& data, const dataset::Group& group);

}  // namespace zoe::author
