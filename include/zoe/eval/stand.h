// SPDX-License-Identifier: MIT
// Part of Zoetrope. A controller that is told to stand: how far it drifts and turns, and how it stops and starts.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"

namespace zoe::eval {

struct StandOptions {
  double seconds = 60;  // Of a stand.
  int num_stops = 6;    // Walks that end at different moments of a step.
  float speed_mps = 0;  // Of the walks; 0: the body's own pace.
};

// Worst values over two stands: one from the start, one after a walk. Stops and starts: worst over all walks.
struct StandMetrics {
  double drift_cm = 0;  // Largest distance of the root from its place. After a walk the place is that of 1 s later.
  double turn_deg = 0;  // The same of the facing.
  // Largest turn of a foot on the ground against the root, from that of the body's start pose.
  double twist_deg = 0;
  double stop_s = 0;   // From the command until the root is slower than 10 cm/s for good.
  double start_s = 0;  // From the command until the root has half of the desired speed; at most 3 s.
  // Way of a foot over the ground within 1 s after the command, while its ankle and ball are less than 1 cm above their
  // contact heights; of the one that moves less.
  double stop_slide_cm = 0, start_slide_cm = 0;
};
// Ticks at the model's own rate, on flat ground.
StandMetrics measure_stand(const control::Controller& controller, const control::Body& body,
                           const StandOptions& options = {});

}  // namespace zoe::eval
