// SPDX-License-Identifier: MIT
// Part of Zoetrope. Networks of the type nsm are chosen by tasks with props that they do.
#pragma once

#include "zoe/control/deed_facts.h"

#include "author/network/choose_weights.h"

namespace zoe::author {

// What a network does of its tasks; all are fractions of tasks.
struct DeedsDone {
  double sit = 0, carry = 0, open = 0, avoid = 0;  // Success.
  double touching = 0;                             // Of sit, carry and open: a capsule is over 2 cm inside of a prop.

  double cost() const;
};

// Tasks of each deed that the data has, whose seeds no evaluation has.
Trial deed_trial(const control::DeedFacts& facts);

}  // namespace zoe::author
