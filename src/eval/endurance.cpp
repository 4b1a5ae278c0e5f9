// SPDX-License-Identifier: MIT
#include "zoe/eval/endurance.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/sources.h"

namespace zoe::eval {
namespace {

// Means over the first and the last minute.
class EndsOfRun {
 public:
  EndsOfRun(std::int64_t frames, double rate_hz)
      : end_(std::min<std::int64_t>(frames / 2, std::llround(60 * rate_hz))), from_(frames - end_) {}
  void add(std::int64_t frame, double value) {
    if (frame < end_) first_ += value;
    if (frame >= from_) last_ += value;
  }
  double drift() const { return end_ > 0 ? (last_ - first_) / static_cast<double>(end_) : 0; }

 private:
  std::int64_t end_, from_;
  double first_ = 0, last_ = 0;
};

bool all_finite(PoseView pose) {
  for (const Vec3& t : pose.translations) {
    if (!std::isfinite(t.x + t.y + t.z)) return false;
  }
  for (const Quat& q : pose.rotations) {
    if (!std::isfinite(q.x + q.y + q.z + q.w)) return false;
  }
  return true;
}

}  // namespace

Endurance run_sticks(const control::Controller& controller, const control::Body& body,
                     const EnduranceOptions& options) {
  Endurance out;
  out.minutes = options.minutes;
  const double dt_s = controller.step_s(), rate_hz = controller.rate_hz();
  const auto frames = static_cast<std::int64_t>(options.minutes * 60 * rate_hz);
  const auto sticks = control::random_sticks(
      options.seed, options.top_speed_mps > 0 ? options.top_speed_mps : 1.25F * body.motion_range.pace_mps);
  const auto state = controller.make_state();
  const auto joints = static_cast<std::size_t>(body.skeleton->num_joints());
  std::vector<Affine> now(joints), before(joints);
  const auto top_of = [](std::span<const Affine> model) {
    float top = 0;
    for (const Affine& joint : model) top = std::max(top, joint.t.y);
    return static_cast<double>(top);
  };
  compute_model_from_joint(*body.skeleton, body.start.view(), now);
  const double start_top_m = std::max(top_of(now), 1e-3);
  EndsOfRun heights(frames, rate_hz), errors(frames, rate_hz);
  double freeze_s = 0, desired_mps = 0, speed_mps = 0;  // Both averaged over a second.
  PlanarRoot root = state->root();
  for (std::int64_t f = 0; f < frames; ++f) {
    const control::Intent intent = sticks->next(state->root(), dt_s);
    controller.tick(*state, intent, dt_s);
    if (!all_finite(state->pose())) {
      out.finite = false;
      break;
    }
    compute_model_from_joint(*body.skeleton, state->pose(), now);
    double moved_m = 0;
    for (std::size_t j = 0; f > 0 && j < joints; ++j) {
      moved_m = std::max(moved_m, static_cast<double>(distance(now[j].t, before[j].t)));
    }
    double height_m = 0;
    for (const Affine& joint : now) height_m += static_cast<double>(joint.t.y) / static_cast<double>(joints);
    out.lowest_top_share = std::min(out.lowest_top_share, top_of(now) / start_top_m);
    heights.add(f, 100 * height_m);
    now.swap(before);
    const double desired = length(intent.velocity_at(0)),
                 did = distance(state->root().position, root.position) * rate_hz;
    root = state->root();
    out.worst_joint_mps = std::max(out.worst_joint_mps, moved_m * rate_hz);
    out.worst_root_mps = std::max(out.worst_root_mps, did);
    freeze_s = moved_m < 0.002 && desired > 0.3 ? freeze_s + dt_s : 0;
    out.longest_freeze_s = std::max(out.longest_freeze_s, freeze_s);
    if (state->progress() == control::Progress::kStuck) out.stuck_s += dt_s;
    desired_mps += (desired - desired_mps) * dt_s;
    speed_mps += (did - speed_mps) * dt_s;
    errors.add(f, 100 * std::abs(desired_mps - speed_mps));
  }
  out.restarts = state->num_recoveries();
  out.height_drift_cm = heights.drift();
  out.speed_error_drift_cm_s = errors.drift();
  return out;
}

}  // namespace zoe::eval
