// SPDX-License-Identifier: MIT
// Part of Zoetrope. Foot sliding in contacts.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/contacts.h"

namespace zoe {

// Of one joint, over the steps between two frames in contact; horizontal (Y is up).
struct FootSkate {
  float slide_m = 0;         // Total distance slid.
  float mean_speed_m_s = 0;  // Zero when it never touches.
  float max_speed_m_s = 0;
  float contact_share = 0;  // Of the clip's frames.
};

// [joints] of the contacts, in the same order. Compare two clips of one motion with the contacts of the source.
// Otherwise a clip that lifts its feet looks better than it is.
Result<std::vector<FootSkate>> foot_skate(const Motion& motion, std::span<const int> joints, const Contacts& contacts);

}  // namespace zoe
