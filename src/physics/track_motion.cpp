// SPDX-License-Identifier: MIT
#include "zoe/physics/track_motion.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/hash64.h"
#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

#include "physics/search_targets.h"
#include "physics/sole_meter.h"
#include "physics/sound_frames.h"

namespace zoe::physics {
namespace {

void give_way(BodyState& state, const BodyPlan& plan, double most_m) {
  constexpr double kSlack = 0.06;  // Of the height.
  Vec3d off = state.bone_origin_m(0) - state.target_origin_m(0);
  off.y = 0;
  const double excess = length(off) - kSlack * plan.height_m;
  if (most_m > 0 && excess > 0) state.move_targets(off * (std::min(excess, most_m) / length(off)));
}

}  // namespace

double ground_under(const BodyModel& model, const Motion& motion) {
  const BodyPlan& plan = model.plan();
  anatomy::ModelPose posed;
  std::vector<double> lowest;
  const int step = motion.num_frames / 2000 + 1;
  for (int frame = 0; frame < motion.num_frames; frame += step) {
    anatomy::compute_model_pose(model.skeleton(), motion.frame(frame), posed);
    double low = 1e30;
    for (const Bone& bone : plan.bones) {
      const Vec3d origin = to_double(posed.positions[idx(bone.joint)]) * plan.metres_per_unit;
      if (is_sole(bone) || !plan.has_legs())
        low = std::min(low, bone.shape.lowest_y(to_double(posed.rotations[idx(bone.joint)]), origin));
    }
    lowest.push_back(low);
  }
  if (lowest.empty()) return 0;
  // In flight phases the lowest shape is above the ground; noise and soft soles put it below.
  std::ranges::sort(lowest);
  return lowest[lowest.size() * 3 / 10];
}

Result<TrackReport> track_motion(const BodyModelPtr& model, const Motion& motion, const TrackOptions& options) {
  const BodyPlan& plan = model->plan();
  ZOE_TRY_ASSIGN(const Motion targets, targets_of(*model, motion));
  const double frame_s = model->options().frame_s;
  TrackReport report;
  report.ground_y_m = options.ground_y_m.value_or(ground_under(*model, targets));
  report.motion = make_motion(targets.skeleton, targets.name, targets.fps, targets.num_frames, !targets.scales.empty());
  report.motion.start_time_s = targets.start_time_s;
  report.duration_s = targets.duration_s();

  BodyState state(model);
  state.reset_moving(targets.frame(0), targets.frame(1), report.ground_y_m);
  SearchedTargets searched;
  if (options.num_samples > 0)
    searched = search_targets(model, targets, report.ground_y_m, {options.num_samples, options.seed, options.assist_n});
  std::optional<Balancer> balancer;
  if (options.balance.horizon_frames > 0) balancer.emplace(model, targets, options.balance, options.assist_n);
  std::optional<PolicyState> tracker;
  if (options.policy)
    tracker.emplace(options.policy, model, options.policy_share), tracker->reset(targets.frame(0), report.ground_y_m);
  Pose pose = make_pose(model->skeleton());
  std::vector<double> errors;
  SoleMeter simulated(plan, frame_s, model->options().ground), kinematic(plan, frame_s, model->options().ground);
  Hash64 hash;
  for (int frame = 0; frame < targets.num_frames; ++frame) {
    if (frame > 0) {
      const double time_s = frame * frame_s;
      TickOptions tick{.assist_n = options.assist_n};
      if (options.fade_s > 0) tick.assist_n *= std::max(0.0, 1 - time_s / options.fade_s);
      for (const Push& push : options.pushes)
        if (time_s >= push.time_s && time_s < push.time_s + push.duration_s) tick.push_n += push.force_n;
      tick.offsets_rad = tracker                      ? tracker->offsets(state, targets.frame(frame))
                         : balancer && !report.fall_s ? balancer->offsets(state, frame)
                                                      : searched.offsets(frame);
      const TickReport ticked = state.tick(targets.frame(frame), tick);
      report.num_bad += ticked.went_bad ? 1 : 0;
      report.mean_assist_n += ticked.assist_n / (targets.num_frames - 1);
      report.mean_assist_nm += ticked.assist_nm / (targets.num_frames - 1);
      report.worst_assist_n = std::max(report.worst_assist_n, ticked.assist_n);
      if (!report.fall_s && has_fallen(state, plan)) report.fall_s = time_s;
      give_way(state, plan, options.give_way_m_s * frame_s);
    }
    state.read_pose(pose);
    const std::size_t at = idx(frame) * idx(targets.num_joints());
    std::ranges::copy(pose.translations, report.motion.translations.begin() + static_cast<std::ptrdiff_t>(at));
    std::ranges::copy(pose.rotations, report.motion.rotations.begin() + static_cast<std::ptrdiff_t>(at));
    if (!report.motion.scales.empty())
      std::ranges::copy(pose.scales, report.motion.scales.begin() + static_cast<std::ptrdiff_t>(at));
    const std::uint64_t now = state.hash();
    hash.add(std::as_bytes(std::span(&now, 1)));
    if (report.fall_s) continue;
    for (int b = 0; idx(b) < plan.bones.size(); ++b) {
      const Vec3d bone = state.bone_origin_m(b), wanted = state.target_origin_m(b);
      errors.push_back(distance(bone, wanted - state.targets_moved_m()));
      report.moved_error_m += distance(bone, wanted);
    }
    report.moved_m = length(state.targets_moved_m());
    simulated.add_body(state);
    kinematic.add_target(state);
  }
  if (balancer) report.planned_ticks = balancer->num_ticks();
  make_continuous(report.motion);
  for (const double error : errors) report.mean_error_m += error / static_cast<double>(errors.size());
  report.moved_error_m /= static_cast<double>(errors.size());
  std::ranges::sort(errors);
  report.p95_error_m = errors[errors.size() * 95 / 100];
  report.worst_error_m = errors.back();
  report.penetration_m = simulated.mean_depth_m(), report.target_penetration_m = kinematic.mean_depth_m();
  report.slide_m_s = simulated.mean_slide_m_s(), report.target_slide_m_s = kinematic.mean_slide_m_s();
  report.slip_m_s = simulated.mean_slip_m_s(), report.target_slip_m_s = kinematic.mean_slip_m_s();
  report.hash = hash.finish();
  return report;
}

}  // namespace zoe::physics
