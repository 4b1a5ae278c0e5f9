// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Words of --push and --keep.
#pragma once

#include <string>

#include "zoe/physics/track_motion.h"

namespace zoe::cli {

// "300@1.5": 300 N towards +x from 1.5 s for 0.2 s; "0,0,300@1.5": a force vector.
Result<physics::Push> parse_push(const std::string& text);

// "head,hands": the servos of these bones are several times stiffer. Groups of bones or names of joints.
Result<void> keep_bones(physics::BodyPlan& plan, const std::string& words);

}  // namespace zoe::cli
