// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character in real time without a display, steered by the clients of a port.
#pragma once

#include <functional>

#include "zoe/stream/port.h"

namespace zoe::stream {

struct ServeOptions {
  double fps = 60;                    // Ticks per second of the wall clock.
  double seconds = 0;                 // 0: no limit.
  std::function<bool()> is_finished;  // Called before each tick. Null: never.
};

struct ServeReport {
  double seconds = 0;      // Of the character.
  std::uint64_t hash = 0;  // Of its state at the end.
};

// One tick per 1 / fps. After a pause of the whole process of more than 0.25 s the missed ticks are skipped.
ServeReport serve(const control::Controller& controller, IntentPort& port, const ServeOptions& options = {});

}  // namespace zoe::stream
