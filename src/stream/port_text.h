// SPDX-License-Identifier: MIT
// Part of Zoetrope. Output of the port, as lines of JSON.
#pragma once

#include <string>

#include "zoe/control/controller.h"

namespace zoe::stream {

// Once per connection: describes the poses.
std::string greeting_text(const control::Controller& controller);
// Once per tick. `out` keeps its memory: nothing allocates once warm.
void write_frame_text(const control::ControllerState& state, std::uint64_t tick, double time_s, std::string& out);
void write_refusal_text(const std::string& why, std::string& out);

}  // namespace zoe::stream
