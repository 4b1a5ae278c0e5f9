// SPDX-License-Identifier: MIT
// Part of Zoetrope. How much feet slide while they should stand.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/contacts.h"

namespace zoe {

// Of one joint, over the steps between two frames that both touch; horizontal (Y is up).
struct FootSkate {
  float slide_m = 0;         // Way slid in all.
  float mean_speed_m_s = 0;  // Zero when it never touches.
  float max_speed_m_s = 0;
  float contact_share = 0;  // Of the clip's frames.
};

// [joints], the ones that the contacts were found for, in the same order. Compare two clips of one move by the contacts
// of the source, or a clip that lifts its feet looks better than it is.
Result<std::vector<FootSkate>> foot_skate(const Motion& motion, std::span<const int> joints, const Contacts& contacts);

}  // namespace zoe
