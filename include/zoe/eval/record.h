// SPDX-License-Identifier: MIT
// Part of Zoetrope. Records a controller without a display: intents, motion and cost.
#pragma once

#include <optional>
#include <vector>

#include "zoe/control/controller.h"
#include "zoe/control/pose_hook.h"
#include "zoe/control/sources.h"
#include "zoe/motion/motion.h"

namespace zoe::eval {

struct Recording {
  Motion motion;                  // The output, one frame per tick, world space.
  std::vector<PlanarRoot> roots;  // [frames]
  std::vector<Vec3> wanted_mps;   // [frames] Desired velocity in the tick.
  std::vector<std::optional<float>> wanted_facing_rad;
  std::vector<float> contacts;  // [frames × contact joints]
  std::vector<float> tick_us;   // [frames] CPU time of the thread, microseconds.
  int num_recoveries = 0;
  double longest_sound_s = 0;  // Without a recovery.
  double stuck_s = 0;
  std::uint64_t hash = 0;  // Hash of the state at the end.

  double distance_m() const;     // Of the root, along its path.
  float median_tick_us() const;  // 0 without frames.
  // A model that is restarted again and again, with less than a second between: it never gets going.
  bool gets_going() const;
};

struct RecordOptions {
  double seconds = 10;
  double fps = 60;  // Ticks per second.
  PlanarRoot place;
  GroundPtr ground;                   // Null: flat, at the height of `place`.
  bool place_feet = true;             // False: legs as the model has them; see ControllerState::set_foot_placement().
  control::PoseHook* hook = nullptr;  // A layer over the poses; its time is part of a tick's.
};

Recording record(const control::Controller& controller, control::IntentSource& source,
                 const RecordOptions& options = {});

}  // namespace zoe::eval
