// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fixed courses for the measurement of controllers.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "zoe/control/sources.h"

namespace zoe::eval {

// "straight", "circle", "slalom", "square", "stop_and_go", "sticks". Measures are means over these. make_course() also
// has "reversals": straight back every 0.8 to 1.8 s.
std::span<const char* const> course_names();

// All courses begin at the origin, along +Z. Refuses an unknown name with a suggestion. Only "sticks" and "reversals"
// use the seed.
Result<std::unique_ptr<control::IntentSource>> make_course(const std::string& name, float speed_mps = 1.3F,
                                                           std::uint64_t seed = 1);

}  // namespace zoe::eval
