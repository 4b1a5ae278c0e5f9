// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. How `zoe sprite` chooses drawings: --pace, --fps, --frames.
#pragma once

#include <string>

#include "zoe/sprite/timing.h"

#include "options.h"

namespace zoe::cli {

// pace: a word of sprite::pace_from().
inline void add_timing_options(Options& app, std::string& pace, sprite::Timing& timing) {
  app.add_option("--pace", pace, "smooth: even; arcade: few drawings, long holds; snappy: more, quicker")
      ->one_of({"smooth", "arcade", "snappy"});
  app.add_option("--fps", timing.fps, "Smooth: drawings per second")
      ->between(1, 60, "per second")
      ->capture_default_str();
  app.add_option("--frames", timing.num_drawings, "Drawings of each clip; default by --fps or --pace")
      ->between(1, 1000);
}

}  // namespace zoe::cli
