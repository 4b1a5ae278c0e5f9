// SPDX-License-Identifier: MIT
// Part of Zoetrope. Position of the body's centre over the ground, its facing, and its phase in the stride.
#pragma once

#include <span>
#include <vector>

#include "synth/gait_table.h"

namespace zoe::synth {

// Extends `margin_s` beyond both ends of the clip, so that the steps before and after are known.
struct Track {
  struct Sample {
    Vec3 position;  // On the plane y = 0, metres.
    float facing_rad = 0;
    float turn_rad_s = 0;
    float speed_m_s = 0;  // Along the travel direction.
    float phase = 0;      // Strides since the beginning.
    float duty = 1;
    float effort = 0;  // 0: stands. 1: moves at the gait's speed.
    float arc_m = 0;   // Distance travelled.
    // Four legs: 0: forefeet follow a quarter of a stride after the hind ones (walk). 1: half a stride (trot).
    float lag = 0;
  };
  double start_s = 0, rate_hz = 240;
  std::vector<Sample> samples;
  float nominal_speed_m_s = 0;
  float stride_hz = 1;  // At the nominal speed.

  double end_s() const { return start_s + static_cast<double>(samples.size() - 1) / rate_hz; }
  // Linear between samples.
  Sample at(double time_s) const;
};

struct TrackRequest {
  const Body* body = nullptr;
  ClipRequest clip;
  GaitNumbers gait;
  StyleNumbers style;
  double margin_s = 3;
};
Track make_track(const TrackRequest& request, Random random);
// Course::kWander: synthetic sticks lead the hips. wander.cpp
Track make_wandering_track(const TrackRequest& request, Random random);
// Strides per second of a walk. wander.cpp
float walking_stride_hz(const TrackRequest& request, float speed_m_s);
// Phases of the strides from the speed that the feet must provide, [samples]. Needs stride_hz. wander.cpp
void add_steps(Track& track, const TrackRequest& request, std::span<const float> feet_m_s, float phase);
// Moves and turns the track so that the clip begins at the origin, facing +z.
void begin_at_origin(Track& track);

// 0 below a, 1 above b, smooth between, with no slope and no curvature at the ends.
float smooth_step(float a, float b, float x);

}  // namespace zoe::synth
