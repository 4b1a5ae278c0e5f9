// SPDX-License-Identifier: MIT
// The systems of every scene: clips, controllers, targets, joints, trajectories; cameras and skins once per frame.
#pragma once

#include "zoe/ecs/schedule.h"

namespace zoe::scene {

// Begins a step: copies the present to the past.
void add_begin_systems(ecs::Schedule& schedule);
void add_animate_systems(ecs::Schedule& schedule);
void add_controller_systems(ecs::Schedule& schedule);  // ControlledActor.
void add_crowd_systems(ecs::Schedule& schedule);       // CrowdActors.
void add_solve_systems(ecs::Schedule& schedule);
void add_finish_systems(ecs::Schedule& schedule);
void add_attachment_system(ecs::Schedule& schedule);  // Attachments to joints; twice per step.
void add_frame_systems(ecs::Schedule& schedule);

}  // namespace zoe::scene
