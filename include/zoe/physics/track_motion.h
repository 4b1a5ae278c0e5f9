// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip played by a simulated body, and how well it follows.
#pragma once

#include <optional>

#include "zoe/motion/motion.h"
#include "zoe/physics/balance.h"
#include "zoe/physics/body_model.h"
#include "zoe/physics/tracking_policy.h"

namespace zoe::physics {

struct Push {
  double time_s = 0, duration_s = 0.2;
  Vec3d force_n;  // World space, on the root bone.
};

struct TrackOptions {
  double assist_n = 0;  // Largest force of the assist on the root; 0: none at all.
  double fade_s = 0;    // The assist's limit falls to 0 over this time from the start; 0: it does not fall.
  std::vector<Push> pushes;
  // Without it the height on which the clip's feet stand most of the time.
  std::optional<double> ground_y_m;
  // Search of balance: in windows of 0.1 s, this number of variations of the targets is simulated, and those that
  // follow best are kept (Liu et al., "Sampling-based contact-rich motion control", 2010). 0: the targets as they are.
  int num_samples = 0;
  std::uint64_t seed = 1;
  BalanceOptions balance;  // Plans ahead; slower than real time.
  // A body without assist that is farther than 6 % of its height from its target is not pulled back: the targets move
  // to it, at most this fast. 0: never. Errors are those to the clip itself.
  double give_way_m_s = 0;
  TrackingPolicyPtr policy;  // A learned residual of the same body; not with the two above.
  double policy_share = 1;   // Of its offsets, 0 to 1; 0 is the same body without it.
};

struct TrackReport {
  Motion motion;  // The simulated one, at the model's tick rate.
  double duration_s = 0;
  double mean_error_m = 0;  // Of the bones' origins, all frames until a fall.
  double p95_error_m = 0, worst_error_m = 0;
  double moved_error_m = 0;  // The mean error to the targets where they were moved to (give_way_m_s),
  double moved_m = 0;        // and how far that was at the end.
  double mean_assist_n = 0, worst_assist_n = 0, mean_assist_nm = 0;
  std::optional<double> fall_s;  // When the body fell.
  int num_bad = 0;               // Ticks after which numbers had to be reset.
  double ground_y_m = 0;
  // Deepest point of feet and toes below the ground, mean over frames. While they are within 1 cm of the ground, the
  // horizontal speed of the middle of the sole (slide) and of the sole's lowest point (slip): a foot that rolls slides
  // without slipping.
  double penetration_m = 0, target_penetration_m = 0;
  double slide_m_s = 0, target_slide_m_s = 0, slip_m_s = 0, target_slip_m_s = 0;
  std::uint64_t hash = 0;          // Of all states.
  std::int64_t planned_ticks = 0;  // Simulated for balance, beside those of the body itself.
};

// Height of the ground under a clip, metres: what the lowest shapes of its frames have in common.
double ground_under(const BodyModel& model, const Motion& motion);

// The motion is resampled to the tick rate. Fails (kInvalid) on fewer than two frames, and (kUsage) on another
// skeleton.
Result<TrackReport> track_motion(const BodyModelPtr& model, const Motion& motion, const TrackOptions& options = {});

}  // namespace zoe::physics
