// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Random lives, by their short names.
#pragma once

#include "zoe/eval/random_life.h"

#include "control/walk_on_ground.h"

namespace zoe::control::test {

using eval::disturb;
using eval::hills;
using eval::random_dt_s;
using eval::random_intent;
using eval::some_grounds;

}  // namespace zoe::control::test
