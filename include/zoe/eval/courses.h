// SPDX-License-Identifier: MIT
// Part of Zoetrope. The fixed courses on which controllers are measured.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "zoe/control/sources.h"

namespace zoe::eval {

// "straight", "circle", "slalom", "square", "stop_and_go", "sticks".
std::span<const char* const> course_names();

// All begin at the origin along +Z. Refuses an unknown name with a suggestion. The seed matters to "sticks" alone.
Result<std::unique_ptr<control::IntentSource>> make_course(const std::string& name, float speed_mps = 1.3F,
                                                           std::uint64_t seed = 1);

}  // namespace zoe::eval
