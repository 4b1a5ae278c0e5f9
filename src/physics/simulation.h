// SPDX-License-Identifier: MIT
// Part of Zoetrope. MuJoCo's model in motion: one body, or the bodies and props of a world.
#pragma once

#include "physics/engine.h"

namespace zoe::physics {

// A model in motion, with the ground below it.
struct Simulation {
  std::shared_ptr<const mjModel> model;
  std::shared_ptr<mjData> data;
  GroundPtr ground;                            // Null: flat at zero.
  std::vector<mjtNum> acceleration, inertial;  // [nv] Of the targets, and M times it.

  Simulation(std::shared_ptr<const mjModel> given_model, GroundPtr given_ground);
  double height_m(double x, double z) const;
  void forward();
  void begin_step();  // Positions and velocities; forces may be set afterwards.
  void end_step();
  void end_tick();
  bool has_warnings() const;
  void clear_warnings();
};
std::shared_ptr<Simulation> simulation_of(const BodyModelPtr& model);

}  // namespace zoe::physics
