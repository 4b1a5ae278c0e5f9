// SPDX-License-Identifier: MIT
#include "zoe/physics/reactive_body.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "zoe/core/index.h"

#include "physics/get_up.h"

namespace zoe::physics {
namespace {

constexpr double kFastestTurn_rad_s = 10;  // Of joints' targets while getting up.

// Angle of the rotation about +Y that is nearest to q.
double yaw_of(Quatd q) { return 2 * std::atan2(q.y, q.w); }

}  // namespace

const char* to_string(Reaction reaction) {
  constexpr const char* kNames[] = {"follow", "fall", "get_up"};
  return kNames[static_cast<std::size_t>(reaction)];
}

struct ReactiveBody::Inside {
  BodyModelPtr model;
  ReactionOptions options;
  std::optional<BodyState> own;  // Empty over a body of a world.
  BodyState& state;
  std::optional<PolicyState> tracker;
  GetUpPlan get_up;
  Reaction reaction = Reaction::kFollow;
  double time_s = 0, still_s = 0;  // In this reaction; without motion.
  double ground_y_m = 0;
  int num_falls = 0, num_get_ups = 0;
  Placement placement;
  Vec3 anchor;                  // Of the root bone while getting up.
  Pose moved, simulated, goal;  // The stream in the body's world; the body; targets of getting up.
  anatomy::ModelPose posed;
  PoseView stream;  // Of this tick.

  Inside(BodyModelPtr given, BodyState* of_world, const ReactionOptions& given_options)
      : model(std::move(given)),
        options(given_options),
        own(of_world != nullptr ? std::nullopt : std::optional<BodyState>(std::in_place, model)),
        state(of_world != nullptr ? *of_world : *own),
        get_up(model->plan(), model->skeleton()) {
    if (options.policy) tracker.emplace(options.policy, model, options.policy_share);
    moved = simulated = goal = make_pose(model->skeleton());
    anatomy::compute_model_pose(model->skeleton(), moved.view(), posed);
  }

  int root() const { return model->plan().bones[0].joint; }

  void move(const PoseView& target) {
    const Skeleton& skeleton = model->skeleton();
    std::ranges::copy(target.translations, moved.translations.begin());
    std::ranges::copy(target.rotations, moved.rotations.begin());
    if (!target.scales.empty()) std::ranges::copy(target.scales, moved.scales.begin());
    const Quat turn = from_axis_angle(Vec3{0, 1, 0}, placement.yaw_rad);
    const auto ground = [&](Vec3 at) {
      const double unit_m = model->plan().metres_per_unit;
      return static_cast<float>(state.ground_m(to_double(at) * unit_m) / unit_m);
    };
    for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
      if (skeleton.parent(joint) != kNoJoint) continue;
      const Vec3 from = moved.translations[idx(joint)];
      moved.translations[idx(joint)] = rotate(turn, from) + placement.shift;
      moved.translations[idx(joint)].y += ground(moved.translations[idx(joint)]) - ground(from);
      moved.rotations[idx(joint)] = normalized(turn * moved.rotations[idx(joint)]);
    }
  }
  // The stream's root is above the anchor, whatever the stream did meanwhile.
  void keep_at_anchor(const PoseView& target) {
    move(target);
    anatomy::compute_model_pose(model->skeleton(), moved.view(), posed);
    const Vec3 at = posed.positions[idx(root())];
    placement.shift += Vec3{anchor.x - at.x, 0, anchor.z - at.z};
    move(target);
  }
  // A body that was pushed away is not pulled back: the stream comes to it.
  void give_way(double frame_s) {
    const Vec3d off = state.bone_origin_m(0) - state.target_origin_m(0);
    const double far = std::hypot(off.x, off.z), slack = options.slack_share * model->plan().height_m;
    if (!(far > slack)) return;
    const double most = options.give_way_m_s * frame_s, share = std::min(far - slack, most) / far;
    const double units = share / model->plan().metres_per_unit;
    placement.shift += to_float(Vec3d{off.x, 0, off.z} * units);
  }
  void begin(Reaction next) { reaction = next, time_s = 0, still_s = 0; }

  void begin_get_up(const PoseView& target) {
    state.read_pose(simulated);
    get_up.begin(simulated);
    anatomy::compute_model_pose(model->skeleton(), simulated.view(), posed);
    anchor = posed.positions[idx(root())];
    const Quatd lying = to_double(posed.rotations[idx(root())]);
    anatomy::compute_model_pose(model->skeleton(), target, posed);
    placement.yaw_rad =
        static_cast<float>(yaw_of(normalized(lying * conjugate(to_double(posed.rotations[idx(root())])))));
    keep_at_anchor(target);
    begin(Reaction::kGetUp);
  }

  double mean_speed_m_s() const {
    double sum = 0;
    for (std::size_t b = 0; b < model->plan().bones.size(); ++b)
      sum += length(state.bone_velocity_m_s(static_cast<int>(b)));
    return sum / static_cast<double>(model->plan().bones.size());
  }
  bool lets_go() const {
    const BodyPlan& plan = model->plan();
    return has_fallen(state, plan) ||
           distance(state.bone_origin_m(0), state.target_origin_m(0)) > options.lost_share * plan.height_m;
  }
};

ReactiveBody::ReactiveBody(BodyModelPtr model, const ReactionOptions& options)
    : inside_(std::make_unique<Inside>(std::move(model), nullptr, options)) {}
ReactiveBody::ReactiveBody(BodyModelPtr model, BodyState& of_world, const ReactionOptions& options)
    : inside_(std::make_unique<Inside>(std::move(model), &of_world, options)) {}
ReactiveBody::~ReactiveBody() = default;
ReactiveBody::ReactiveBody(ReactiveBody&&) noexcept = default;
ReactiveBody& ReactiveBody::operator=(ReactiveBody&&) noexcept = default;

void ReactiveBody::reset(const PoseView& pose, double ground_y_m) {
  Inside& s = *inside_;
  s.placement = {};
  s.num_falls = s.num_get_ups = 0;
  s.ground_y_m = ground_y_m;
  s.move(pose);
  s.state.reset(s.moved.view(), ground_y_m);
  if (s.tracker) s.tracker->reset(s.moved.view(), ground_y_m);
  s.state.read_pose(s.simulated);
  s.begin(Reaction::kFollow);
}

void ReactiveBody::reset_moving(const PoseView& pose, const PoseView& next, double ground_y_m) {
  reset(pose, ground_y_m);
  inside_->state.reset_moving(pose, next, ground_y_m);
}

ReactionReport ReactiveBody::tick(const PoseView& target, Vec3d push_n) {
  const PreparedTick prepared = prepare(target, push_n);
  return finish(inside_->state.tick(prepared.target, prepared.options));
}

PreparedTick ReactiveBody::prepare(const PoseView& target, Vec3d push_n) {
  Inside& s = *inside_;
  const ReactionOptions& o = s.options;
  const double weight_n = s.model->plan().mass_kg * kGravityM_s2;
  TickOptions tick{.push_n = push_n};
  s.stream = target;
  s.time_s += s.model->options().frame_s;
  if (s.reaction == Reaction::kFollow) {
    s.move(target);
    tick.assist_n = o.assist_share * weight_n;
    if (s.tracker) tick.offsets_rad = s.tracker->offsets(s.state, s.moved.view());
    return {s.moved.view(), tick};
  }
  if (s.reaction == Reaction::kFall) {
    // The targets are the body's own pose: servos only damp.
    tick.servo_scale = o.limp_scale;
    return {s.simulated.view(), tick};
  }
  s.keep_at_anchor(target);
  const double share = s.time_s / o.get_up_s;
  s.get_up.target(s.moved, std::min(share, 1.0), kFastestTurn_rad_s * s.model->options().frame_s, s.goal);
  tick.assist_n = o.get_up_share * weight_n, tick.swings = false;
  tick.servo_scale = std::min(1.0, o.limp_scale + 4 * share);
  return {s.goal.view(), tick};
}

ReactionReport ReactiveBody::finish(const TickReport& ticked) {
  Inside& s = *inside_;
  const ReactionOptions& o = s.options;
  const double frame_s = s.model->options().frame_s;
  if (s.reaction == Reaction::kFollow) {
    if (s.lets_go())
      s.begin(Reaction::kFall), ++s.num_falls;
    else
      s.give_way(frame_s);
  } else if (s.reaction == Reaction::kFall) {
    s.anchor = to_float(s.state.bone_origin_m(0) / s.model->plan().metres_per_unit);
    s.keep_at_anchor(s.stream);
    s.still_s = s.mean_speed_m_s() < o.rest_m_s ? s.still_s + frame_s : 0;
    if (s.still_s >= o.rest_s || s.time_s >= o.longest_fall_s) s.begin_get_up(s.stream);
  } else {
    const double share = s.time_s / o.get_up_s;
    if (share >= 1 && !s.lets_go()) {
      if (s.tracker) s.tracker->reset(s.goal.view(), s.ground_y_m);
      s.begin(Reaction::kFollow), ++s.num_get_ups;
    } else if (share >= 2) {
      s.begin(Reaction::kFall);  // Something holds it down: try again from where it is.
    }
  }
  s.state.read_pose(s.simulated);
  return {s.reaction, ticked.assist_n, ticked.went_bad};
}

const Pose& ReactiveBody::pose() const { return inside_->simulated; }
const BodyState& ReactiveBody::state() const { return inside_->state; }
Reaction ReactiveBody::reaction() const { return inside_->reaction; }
Placement ReactiveBody::placement() const { return inside_->placement; }
void ReactiveBody::take_placement() { inside_->placement = {}; }
int ReactiveBody::num_falls() const { return inside_->num_falls; }
int ReactiveBody::num_get_ups() const { return inside_->num_get_ups; }

}  // namespace zoe::physics
