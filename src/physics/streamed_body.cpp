// SPDX-License-Identifier: MIT
#include "zoe/physics/streamed_body.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/hash64.h"

#include "physics/sole_meter.h"

namespace zoe::physics {

struct StreamedBody::Inside {
  BodyModelPtr model;
  double ground_y_m;
  ReactiveBody body;
  SoleMeter simulated, kinematic;
  bool begun = false;
  double waiting_s = 0, push_s = 0;
  Vec3d push_n, root;
  StreamFigures sums;
  double error_sum_m = 0, assist_sum_n = 0;
  std::int64_t num_errors = 0, num_ticks = 0;
  Hash64 hash;

  Inside(BodyModelPtr given, const ReactionOptions& options, double given_ground_m)
      : model(std::move(given)),
        ground_y_m(given_ground_m),
        body(model, options),
        simulated(model->plan(), model->options().frame_s, model->options().ground),
        kinematic(model->plan(), model->options().frame_s, model->options().ground) {}

  void tick(const PoseView& pose) {
    const double frame_s = model->options().frame_s;
    const ReactionReport report = body.tick(pose, push_s > 0 ? push_n : Vec3d{});
    push_s = std::max(0.0, push_s - frame_s);
    ++num_ticks;
    sums.num_bad += report.went_bad ? 1 : 0;
    assist_sum_n += report.assist_n;
    const BodyState& state = body.state();
    sums.largest_step_m = std::max(sums.largest_step_m, distance(root, state.bone_origin_m(0)));
    root = state.bone_origin_m(0);
    const std::uint64_t now = state.hash();
    hash.add(std::as_bytes(std::span(&now, 1)));
    if (report.reaction != Reaction::kFollow) {
      sums.down_s += frame_s;
      simulated.interrupt(), kinematic.interrupt();
      return;
    }
    for (int b = 0; b < state.num_bones(); ++b)
      error_sum_m += distance(state.bone_origin_m(b), state.target_origin_m(b));
    num_errors += state.num_bones();
    simulated.add_body(state), kinematic.add_target(state);
  }
};

StreamedBody::StreamedBody(BodyModelPtr model, const ReactionOptions& options, double ground_y_m)
    : inside_(std::make_unique<Inside>(std::move(model), options, ground_y_m)) {}
StreamedBody::~StreamedBody() = default;
StreamedBody::StreamedBody(StreamedBody&&) noexcept = default;
StreamedBody& StreamedBody::operator=(StreamedBody&&) noexcept = default;

PoseView StreamedBody::run(const PoseView& pose, double dt_s) {
  Inside& s = *inside_;
  if (!s.begun) {
    s.begun = true;
    s.body.reset(pose, s.ground_y_m);
    s.root = s.body.state().bone_origin_m(0);
    return s.body.pose().view();
  }
  const double frame_s = s.model->options().frame_s;
  if (dt_s > 0) s.waiting_s = std::min(s.waiting_s + dt_s, 0.25);
  // Half a tick early rather than late: rounded times of equal ticks must not skip one.
  for (; s.waiting_s > 0.5 * frame_s; s.waiting_s -= frame_s) s.tick(pose);
  return s.body.pose().view();
}

void StreamedBody::push(Vec3d force_n, double seconds) { inside_->push_n = force_n, inside_->push_s = seconds; }

bool StreamedBody::is_down() const { return inside_->begun && inside_->body.reaction() != Reaction::kFollow; }

bool StreamedBody::moves() const {
  const Placement p = inside_->body.placement();
  return length(p.shift) > 1e-3F || std::abs(p.yaw_rad) > 1e-3F;
}
Placement StreamedBody::move() const { return inside_->body.placement(); }
void StreamedBody::take_move() { inside_->body.take_placement(); }
Reaction StreamedBody::reaction() const { return inside_->body.reaction(); }
const BodyState& StreamedBody::state() const { return inside_->body.state(); }

StreamFigures StreamedBody::figures() const {
  const Inside& s = *inside_;
  StreamFigures out = s.sums;
  out.seconds = static_cast<double>(s.num_ticks) * s.model->options().frame_s;
  out.mean_error_m = s.num_errors > 0 ? s.error_sum_m / static_cast<double>(s.num_errors) : 0;
  out.mean_assist_n = s.num_ticks > 0 ? s.assist_sum_n / static_cast<double>(s.num_ticks) : 0;
  out.num_falls = s.body.num_falls(), out.num_get_ups = s.body.num_get_ups();
  out.penetration_m = s.simulated.mean_depth_m(), out.target_penetration_m = s.kinematic.mean_depth_m();
  out.slide_m_s = s.simulated.mean_slide_m_s(), out.target_slide_m_s = s.kinematic.mean_slide_m_s();
  out.slip_m_s = s.simulated.mean_slip_m_s(), out.target_slip_m_s = s.kinematic.mean_slip_m_s();
  Hash64 hash = s.hash;
  out.hash = hash.finish();
  return out;
}

}  // namespace zoe::physics
