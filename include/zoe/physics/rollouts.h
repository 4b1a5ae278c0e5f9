// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rollouts of a body that follows clips with random offsets, as data for learned trackers: what the
// body was like before each tick, its target, and the offsets (bone_rows.h has the rows).
#pragma once

#include <cstdint>

#include "zoe/core/executor.h"
#include "zoe/motion/motion.h"
#include "zoe/physics/balance.h"
#include "zoe/physics/tracking_policy.h"

namespace zoe::physics {

struct RolloutOptions {
  int num_frames = 20000;    // In all, about.
  int longest_frames = 240;  // Of one rollout; it begins anywhere in a clip.
  double noise_rad = 0.15;   // Deviation of random offsets, at most; each rollout draws its own.
  double start_noise = 0.5;  // Of the first state: rad/s of joints and root, a tenth of it in rad and in m/s.
  double push_share = 0.1;   // Of the weight: random pushes, newtons, 0.2 s long.
  double calm_share = 0.25;  // Of the rollouts: without any noise, to measure the policy.
  double assist_share = 0;   // Of the weight: limit of the assist.
  std::uint64_t seed = 1;
  TrackingPolicyPtr policy;  // Null: offsets are noise alone, or those of the teacher.
  // With a horizon: the recorded offsets are those of plans (balance.h) from the same states, whichever of plan, policy
  // and noise drives the body.
  BalanceOptions teacher;
  double teacher_share = 0.5;  // Of the rollouts with noise: the teacher drives. All of them without a policy.
};

struct Rollouts {
  int num_bones = 0, num_offsets = 0;
  std::vector<float> body, target;          // [frames × kBoneRowWidth × bones] Before the tick; that of the tick.
  std::vector<float> offset;                // [frames × offsets] Of the balancing bones, three each.
  std::vector<std::int32_t> track_lengths;  // Frames of each rollout.
  int num_calm = 0, num_calm_falls = 0;     // Rollouts without noise,
  int num_calm_frames = 0;                  // their frames,
  double calm_s = 0, calm_error_m = 0;      // their mean time, and the mean error of their bones.
};

// clips: of the body's skeleton. The result depends on the options alone, not on the number of threads. Fails as
// track_motion() does.
Result<Rollouts> roll_out(const BodyModelPtr& model, std::span<const Motion> clips, const RolloutOptions& options,
                          Executor& executor);

}  // namespace zoe::physics
