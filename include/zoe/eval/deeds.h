// SPDX-License-Identifier: MIT
// Part of Zoetrope. Tasks with props: a character sits down, carries a box, opens a door. Props are drawn within the
// sizes that the controller's data has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "zoe/control/deed_facts.h"
#include "zoe/control/prop_user.h"
#include "zoe/core/executor.h"
#include "zoe/eval/record.h"

namespace zoe::eval {

struct DeedTask {
  std::vector<Prop> props;
  control::PropTask task;
};
// The character starts at the origin, facing +Z. deed: kSit, kCarry or kOpen.
DeedTask draw_deed_task(control::Deed deed, const control::DeedFacts& facts, std::uint64_t seed);

// A recording, with the props of each frame.
struct DeedRecording {
  Recording recording;
  std::vector<Prop> props;           // [frames × props]
  std::vector<control::Deed> deeds;  // [frames]
  std::vector<char> holds;           // [frames]
  float pulled_m = 0;                // As control::DeedProgress, at the end.
  std::string note;                  // As control::PropUser::note().
  double done_s = -1;                // Below 0: never.
};
// Ends a second after the task is done (`stops`), or after `seconds`.
DeedRecording record_deed(const control::Controller& controller, const control::DeedFacts& facts, const DeedTask& task,
                          double seconds, double fps, bool stops = true);

struct DeedResult {
  std::uint64_t seed = 0;
  bool done = false;     // The character says so.
  bool reached = false;  // Within the distance and the angle.
  float distance_m = 0;  // sit: of the hips from the seat's middle line; carry: of the box; open: of the root behind.
  float angle_rad = 0;
  float seat_m = 0;          // sit: distance of the pelvis from the seat's surface at the end.
  float hands_m = 0;         // Largest distance of a palm from the held prop.
  float inside_m = 0;        // Deepest capsule in a prop.
  float inside_thin_m = 0;   // The same with fingers of 1 % of the height instead of 4 %.
  std::string inside_joint;  // Whose bone it is, of inside_thin_m.
  float shins_m = 0;         // sit: deepest capsule of a shin or foot in the seat, while it sits.
  float walked_m = 0, pulled_m = 0;
  double seconds = 0;
  int num_recoveries = 0;
};
struct DeedReport {
  control::Deed deed = control::Deed::kSit;
  std::vector<DeedResult> results;
  double foot_skate_cm_s = 0;
  double low_feet_cm_s = 0;  // Of all foot parts near the ground, whatever contacts say.
  double reached_share() const;
  double pulled_share() const;  // Of the distance walked.
};
struct DeedOptions {
  int num_tasks = 50;
  std::uint64_t seed = 1;
  double seconds = 25;
  float within_m = 0.1F, within_rad = 0.2617994F;
  std::function<void()> on_task;
  Executor* pool = nullptr;  // As GoalOptions.
  std::vector<Prop> seats;   // sit: these, one after the other, instead of drawn ones.
};
DeedReport measure_deeds(const control::Controller& controller, const control::DeedFacts& facts, control::Deed deed,
                         const DeedOptions& options = {});

}  // namespace zoe::eval
