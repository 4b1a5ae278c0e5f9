// SPDX-License-Identifier: MIT
// What every scene does by itself, as systems: clips, controllers, targets, joints, trajectories; cameras and skins
// once a frame.
#pragma once

#include "zoe/ecs/schedule.h"

namespace zoe::scene {

// Begins a step: what is becomes what was.
void add_begin_systems(ecs::Schedule& schedule);
void add_animate_systems(ecs::Schedule& schedule);
void add_controller_systems(ecs::Schedule& schedule);  // ControlledActor.
void add_crowd_systems(ecs::Schedule& schedule);       // CrowdActors.
void add_solve_systems(ecs::Schedule& schedule);
void add_finish_systems(ecs::Schedule& schedule);
void add_attachment_system(ecs::Schedule& schedule);  // Things on joints; twice a step.
void add_frame_systems(ecs::Schedule& schedule);

}  // namespace zoe::scene
