// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/character/copy_pose.h"
#include "zoe/control/phase_signals.h"
#include "zoe/control/step_constants.h"
#include "zoe/core/prefetch.h"
#include "zoe/features/ground_signals.h"
#include "zoe/math/portable.h"
#include "zoe/math/spring.h"

#include "control/hold_feet.h"
#include "control/neural/neural_model.h"
#include "control/space_move.h"
#include "control/stand_feet.h"
#include "control/state_parts.h"

namespace zoe::control {
namespace {

using features::BlockKind;
using features::Group;
// Foot locking fades in and out over this time when a character comes near or goes away.
constexpr float kLockFade_s = 0.3F;
// A model that is evaluated less often slows down. Far away foot sliding is not visible. So the root is pulled towards
// the path of the intent by up to this speed, and the model's input has a velocity halfway to the desired one. Then it
// keeps up.
constexpr RootCorrection kFarCorrection{0.05F, 0.2F, 1};
constexpr float kFarPull_mps = 3, kFarLed = 0.5F;

// The desired weight of label i. An intent without any label means the usual ones.
float desired_label(std::span<const float, kMaxLabels> desired, std::span<const float> usual, std::size_t i) {
  const bool any = std::any_of(desired.begin(), desired.end(), [](float weight) { return weight != 0; });
  return any ? desired[i] : usual[i];
}

}  // namespace

NeuralState::NeuralState(const NeuralModel& model, SkeletonPtr skeleton)
    : own_(features::ControlSeries::standing(model.way_times, {})),
      frame_(model.decoder.make_frame()),
      pose_(model.parts.body.start),
      feet_(make_foot_lock_state(model.legs.size())),
      history_(model.layout, std::move(skeleton), model.layout.fps(), false),
      rooted_(pose_),
      answer_(pose_),
      drift_rotations_(pose_.rotations.size()),
      drift_translations_(pose_.translations.size()),
      wanted_(own_),
      control_(own_),
      filter_(pose_.rotations.size(), model.parts.options.body_follow > 0),
      unlocked_(pose_),
      styles_(model.usual_styles),
      actions_(model.usual_actions),
      uses_props_(model.deeds.exist()),
      feet_lead_(model.parts.options.feet_lead > 0),
      soft_feet_(model.parts.options.locks.soft_s > 0 && !model.deeds.exist()),
      reach_(model.deeds.exist() ? model.parts.body.skeleton->num_joints() : 0),
      prop_legs_(model.deeds.exist() ? model.parts.body.skeleton->num_joints() : 0),
      phases_(model.outputs.phases()) {
  control_.styles.resize(control_.roots.size() * styles_.size());
  control_.actions.resize(control_.roots.size() * actions_.size());
  for (const OutputMap::Feedback& feedback : model.outputs.feedback()) {
    const auto width = static_cast<std::size_t>(feedback.width);
    if (feedback.group == Group::kPhaseLocal) local_phases_.resize(width);
    drift_phases_.resize(local_phases_.size());
    signals_.emplace_back(feedback.group == Group::kSignal ? width : 0);
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    if (!signals_[i].empty()) signal_tracks_.push_back({model.outputs.feedback()[i].name, signals_[i]});
  }
  if (phases_.times().count > 0) signal_tracks_.push_back({kPhaseSignal, phases_.now()});
}

// Excluded are values that a step computes before it reads them: wanted_, control_, unlocked_ and all of frame_ but its
// contacts.
void NeuralState::describe(StateArchive& archive) {
  history_.describe(archive);
  control::describe(archive, pose_);
  archive.bits(std::span(frame_.contacts));
  control::describe(archive, point_);
  control::describe(archive, led_);
  leash_.describe(archive);
  control::describe(archive, own_);
  archive.flag(has_own_way_);
  archive.bits(phase_turns_);
  archive.bits(std::span(local_phases_));
  for (std::vector<float>& signal : signals_) archive.bits(std::span(signal));
  phases_.describe(archive);
  archive.bits(std::span(styles_));
  archive.bits(std::span(actions_));
  filter_.describe(archive);
  control::describe(archive, feet_);
  archive.bits(lock_share_);
  // Coasting.
  archive.bits(delta_);
  archive.bits(phase_delta_);
  archive.bits(std::span(drift_phases_));
  archive.flag(coasts_);
  archive.number(steps_since_answer_, 0, 1 << 30);
  for (Pose* pose : {&rooted_, &answer_}) {
    archive.bits(std::span(pose->translations));
    archive.bits(std::span(pose->rotations));
  }
  archive.bits(std::span(drift_rotations_));
  archive.bits(std::span(drift_translations_));
  if (feet_lead_) planted_.describe(archive);
  if (!uses_props_) return;
  deeds_.describe(archive);
  reach_.describe(archive);
  prop_legs_.describe(archive);
  archive.finite(pulled_m_);
}

bool NeuralState::move_space(const PlanarRoot& offset) noexcept {
  history_.move_space(offset);
  for (std::size_t j = 0; j < pose_.translations.size(); ++j) {
    if (history_.skeleton().parent(static_cast<int>(j)) == kNoJoint) pose_.translations[j] -= offset.position;
  }
  control::move_space(offset, point_.root);
  control::move_space(offset, led_.root);
  control::move_space(offset, own_);
  control::move_space(offset, feet_, soft_feet_);
  deeds_.move_space(offset);
  return true;
}

void NeuralState::start(const NeuralModel& model, CharacterFrame& now) noexcept {
  history_.reset();
  filter_.restart();
  const Body& body = model.parts.body;
  pose_ = rooted_ = answer_ = body.start;
  std::fill(drift_rotations_.begin(), drift_rotations_.end(), Quat{0, 0, 0, 0});
  std::fill(drift_translations_.begin(), drift_translations_.end(), Vec3{});
  std::fill(drift_phases_.begin(), drift_phases_.end(), 0.0F);
  steps_since_answer_ = 0;
  coasts_ = false;
  delta_ = {};
  phase_delta_ = 0;
  lock_share_ = 1;
  point_ = led_ = {};
  leash_.reset();
  planted_.reset();
  has_own_way_ = false;
  std::fill(own_.roots.begin(), own_.roots.end(), PlanarRoot{});
  std::fill(own_.velocities.begin(), own_.velocities.end(), Vec3{});
  phase_turns_ = 0;
  std::copy(model.usual_styles.begin(), model.usual_styles.end(), styles_.begin());
  std::copy(model.usual_actions.begin(), model.usual_actions.end(), actions_.begin());
  std::fill(local_phases_.begin(), local_phases_.end(), 0.0F);
  for (auto& signal : signals_) std::fill(signal.begin(), signal.end(), 0.0F);
  phases_.reset();
  deeds_.reset();
  reach_.reset();
  prop_legs_.reset();
  forget_feet();
  std::fill(frame_.contacts.begin(), frame_.contacts.end(), 1.0F);
  remember_now(model);
  now.root = {};
  now.pose = pose_;
  std::fill(now.contacts.begin(), now.contacts.end(), 1.0F);
}

void NeuralState::forget_feet() noexcept {
  for (auto& foot : feet_.feet) foot = {};
  feet_.hip_drop_m = 0;
  feet_.started = false;
}

void NeuralState::remember(const NeuralModel& model, const Moment& moment) {
  const float angle = moment.phase_turns * 2 * std::numbers::pi_v<float>;
  history_.push(moment.pose, moment.root, 1 / model.layout.fps(),
                {.contacts = moment.contacts,
                 .local_phases = moment.local_phases,
                 .guidance = {},
                 .styles = moment.styles,
                 .actions = moment.actions,
                 .global_phase = {portable_sin(angle), portable_cos(angle)},
                 .ground = nullptr,
                 .goal = nullptr,
                 .signals = moment.signals});
}

void NeuralState::remember_now(const NeuralModel& model) {
  remember(model, {pose_.view(), point_.root, frame_.contacts, local_phases_, phase_turns_, signal_tracks_, styles_,
                   actions_});
}

void NeuralState::begin_in(const NeuralModel& model, std::span<const MotionMoment> moments) {
  history_.reset();
  for (const MotionMoment& moment : moments) {
    if (moment.local_phases.size() == local_phases_.size())
      std::copy(moment.local_phases.begin(), moment.local_phases.end(), local_phases_.begin());
    remember(model, {moment.pose, moment.root, moment.contacts, local_phases_, phase_turns_, signal_tracks_, styles_,
                     actions_});
  }
  const MotionMoment &now = moments.back(), &before = moments[moments.size() - 2];
  const auto rate_hz = static_cast<float>(model.layout.fps());
  copy_pose(now.pose, span_of(pose_));
  std::copy(now.contacts.begin(), now.contacts.end(), frame_.contacts.begin());
  point_.root = now.root;
  point_.velocity_mps = (now.root.position - before.root.position) * rate_hz;
  point_.turn_speed_rad_s = (now.root.facing_rad - before.root.facing_rad) * rate_hz;
  led_ = point_;
}

// Ahead of now, labels approach the desired ones, as they will if the intent stays.
void NeuralState::lead_labels(const NeuralModel& model, const Intent& intent) {
  const auto lead = [&](std::span<const float> now, std::span<const float, kMaxLabels> desired,
                        std::span<const float> usual, std::vector<float>& out) {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto time_s = static_cast<float>(control_.times.at(static_cast<int>(k / now.size())));
      const std::size_t i = k % now.size();
      out[k] = approach(now[i], desired_label(desired, usual, i), model.parts.options.label_half_life_s,
                        std::max(time_s, 0.0F));
    }
  };
  lead(styles_, intent.styles, model.usual_styles, control_.styles);
  lead(actions_, intent.actions, model.usual_actions, control_.actions);
}

void NeuralState::move_labels(const NeuralModel& model, const Intent& intent) {
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  const auto move = [&](std::vector<float>& now, std::span<const float, kMaxLabels> desired,
                        std::span<const float> usual) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i] = approach(now[i], desired_label(desired, usual, i), model.parts.options.label_half_life_s, dt_s);
    }
  };
  move(styles_, intent.styles, model.usual_styles);
  move(actions_, intent.actions, model.usual_actions);
}

void NeuralState::lead_phases(const NeuralModel& model, std::span<const float> y) noexcept {
  phases_.advance(y, static_cast<float>(1 / model.layout.fps()), model.parts.options.phase_stability);
}

void NeuralState::encode_input(const features::ControlSeries& way, std::span<float> x, std::span<float> window) const {
  const features::SignalAhead ahead{kPhaseSignal, phases_.times(), phases_.ahead()};
  history_.encode(BlockKind::kInput, &way, x, window, {&ahead, phases_.times().count > 0 ? 1U : 0U});
}

void NeuralState::look_at_ground(const NeuralModel& model, std::span<float> x) const noexcept {
  const auto columns = [&](int begin, int width) {
    return x.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(width));
  };
  const PlacedGround ground = ground_now();
  if (model.ground_heights >= 0)
    features::write_ground_heights(ground, control_, columns(model.ground_heights, features::kGroundHeightsWidth));
  if (model.ground_grid >= 0)
    features::write_ground_grid(ground, control_, columns(model.ground_grid, features::kGroundGridWidth));
}

void NeuralState::prefetch_for_encode() const noexcept {
  history_.prefetch_for_encode();
  for (const features::ControlSeries* series : {&own_, &wanted_, &control_}) {
    prefetch(series->roots);
    prefetch(series->velocities);
  }
}

void NeuralState::prefetch_for_decode(const CharacterFrame& now) const noexcept {
  history_.prefetch_for_push();
  prefetch(frame_.positions);
  prefetch(frame_.velocities);
  prefetch(frame_.rotations);
  prefetch(frame_.model_rotations);
  for (const Pose* pose : {&pose_, &now.pose}) {
    prefetch(pose->translations);
    prefetch(pose->rotations);
    prefetch(pose->scales);
  }
  filter_.prefetch();
  prefetch(feet_.feet);
}

void NeuralState::encode(const NeuralModel& model, const StepItem& item, std::span<float> x, float* phase,
                         std::span<float> window) noexcept {
  const NeuralOptions& options = model.parts.options;
  predict(point_, *item.intent, wanted_, options.trajectory);
  // The trajectory ahead: nearby mostly the model's own prediction, far away the desired one. A stuck character follows
  // the desired one only.
  const bool follow_own = has_own_way_ && progress() != Progress::kStuck;
  for (std::size_t i = 0; i < wanted_.roots.size(); ++i) {
    const float far = static_cast<float>(i) / static_cast<float>(wanted_.roots.size() - 1);
    const float share = follow_own ? options.own_way_now + (options.own_way_far - options.own_way_now) * far : 0;
    const PlanarRoot &a = wanted_.roots[i], &b = own_.roots[i];
    control_.roots[i] = {lerp(a.position, b.position, share),
                         a.facing_rad + wrapped(b.facing_rad - a.facing_rad) * share};
    control_.velocities[i] = lerp(wanted_.velocities[i], own_.velocities[i], share);
  }
  // The first point is the character's position, independent of the prediction.
  control_.roots[0] = point_.root;
  lead_labels(model, *item.intent);
  encode_input(control_, x, window);
  if (model.sees_ground()) look_at_ground(model, x);
  if (uses_props_) look_at_props(model, *item.intent, x);
  if (phase != nullptr) *phase = phase_turns_;
}

void NeuralState::move_root(const NeuralModel& model, const StepItem& item, const RootDelta& delta) noexcept {
  const NeuralOptions& options = model.parts.options;
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  delta_ = delta;
  const PlanarRoot moved = moved_by(point_.root, delta);
  const Vec3 velocity = (moved.position - point_.root.position) / dt_s;
  const float turn_speed = delta.turn_rad / dt_s;
  // A body that stands beside its target, and does not step there, is shifted slowly.
  const float speed_mps = std::max(length(velocity), std::min(length(led_.velocity_mps), kShifted_mps));
  if (uses_props_ && !item.far_away) return move_beside_path(model, *item.intent, moved, velocity, turn_speed);
  point_.root = lead(led_, *item.intent, moved, item.far_away ? kFarPull_mps : speed_mps, turn_speed, dt_s,
                     options.trajectory, item.far_away ? kFarCorrection : options.correction);
  if (!item.far_away)
    point_.root.position += leash_.pull(led_.velocity_mps, velocity, model.parts.body.motion_range, dt_s);
  point_.velocity_mps = item.far_away ? lerp(velocity, led_.velocity_mps, kFarLed) : velocity;
  point_.turn_speed_rad_s = turn_speed;
  point_.acceleration_mps2 = {};
}

RootDelta NeuralState::led_by_feet(const NeuralModel& model, std::span<const float> y) noexcept {
  const Body& body = model.parts.body;
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  RootDelta delta = model.decoder.root_step(y);
  const FootPlaces before = places_of_feet(body, pose_.view(), frame_.contacts);
  model.decoder.decode(y, point_.root, moved_by(point_.root, delta), frame_);
  model.decoder.to_pose(frame_, pose_);
  const Vec3 slide = planted_.slide(before, places_of_feet(body, pose_.view(), frame_.contacts), dt_s);
  delta.translation -= rotate(conjugate(rotation_of(point_.root)), slide) * (model.parts.options.feet_lead * dt_s);
  return delta;
}

void NeuralState::decode(const NeuralModel& model, const StepItem& item, std::span<const float> y) noexcept {
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  const auto next = uses_props_ ? y.subspan(static_cast<std::size_t>(model.deeds.next), kDeedNextWidth) : y.first(0);
  const RootDelta delta = feet_lead_ && !item.far_away ? led_by_feet(model, y) : model.decoder.root_step(y);
  const Vec3 own = moved_by(point_.root, delta).position;
  const PlanarRoot before = point_.root;
  if (!uses_props_ || item.far_away || !move_to_goal(model, delta, next)) move_root(model, item, delta);
  if (uses_props_) {
    stop_at_props(before);
    deeds_.follow(next, dt_s, reach_.grips());
    pulled_m_ += portable_hypot(point_.root.position.x - own.x, point_.root.position.z - own.z);
  }
  model.decoder.decode(y, point_.root, point_.root, frame_);
  model.decoder.to_pose(frame_, pose_);
  for (float& contact : frame_.contacts) contact = std::clamp(contact, 0.0F, 1.0F);
  if (model.outputs.way_times().count > 0) {
    model.outputs.read_way(y, point_.root, own_);
    has_own_way_ = true;
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const OutputMap::Feedback& feedback = model.outputs.feedback()[i];
    std::vector<float>& to = feedback.group == Group::kPhaseLocal ? local_phases_ : signals_[i];
    if (feedback.group == Group::kPhaseLocal) {
      // The mean change since the last answer, which is without the steps that were coasted from it. Errors of coasting
      // would double with every answer otherwise, without end.
      const auto coasted = static_cast<float>(steps_since_answer_);
      for (std::size_t k = 0; k < to.size(); ++k) {
        const float last = to[k] - coasted * drift_phases_[k];
        drift_phases_[k] = (y[static_cast<std::size_t>(feedback.column) + k] - last) / (coasted + 1);
      }
    }
    std::copy_n(y.data() + feedback.column, feedback.width, to.begin());
  }
  lead_phases(model, y);
  phase_delta_ = std::clamp(frame_.phase_delta, 0.0F, kMostPhase_hz * dt_s);
  phase_turns_ += phase_delta_;
  phase_turns_ -= std::floor(phase_turns_);
  if (coasts_) find_drift(model);
  move_labels(model, *item.intent);
  take_over(model, item);
  remember_now(model);
  show(model, item);
  if (uses_props_ && !item.far_away) meet_props(model, *item.now, true);
}

void NeuralState::begin_coasting(const NeuralModel& model) noexcept {
  find_drift(model);
  std::fill(drift_rotations_.begin(), drift_rotations_.end(), Quat{0, 0, 0, 0});
  std::fill(drift_translations_.begin(), drift_translations_.end(), Vec3{});
  coasts_ = true;
}

void NeuralState::find_drift(const NeuralModel& model) noexcept {
  const auto steps = static_cast<float>(++steps_since_answer_);
  const Quat root_from_model = conjugate(rotation_of(point_.root));
  for (std::size_t j = 0; j < pose_.rotations.size(); ++j) {
    Quat q = pose_.rotations[j];
    Vec3 t = pose_.translations[j];
    if (model.parts.body.skeleton->parent(static_cast<int>(j)) == kNoJoint) {
      q = root_from_model * q;
      t = rotate(root_from_model, t - point_.root.position);
    }
    // A blend of the last step's change and the mean change since the model was last evaluated. The first alone is
    // rough: walks fall over. The second alone lags: they slow down.
    const float by_step = 0.3F, by_mean = 0.7F / steps, all = by_step + by_mean;
    const Quat a = nearest_to(q, rooted_.rotations[j]), b = nearest_to(q, answer_.rotations[j]);
    drift_rotations_[j] = {all * q.x - by_step * a.x - by_mean * b.x, all * q.y - by_step * a.y - by_mean * b.y,
                           all * q.z - by_step * a.z - by_mean * b.z, all * q.w - by_step * a.w - by_mean * b.w};
    drift_translations_[j] = t * all - rooted_.translations[j] * by_step - answer_.translations[j] * by_mean;
    rooted_.rotations[j] = answer_.rotations[j] = q;
    rooted_.translations[j] = answer_.translations[j] = t;
  }
  steps_since_answer_ = 0;
}

void NeuralState::coast(const NeuralModel& model, const StepItem& item) noexcept {
  // Characters that never coast skip the bookkeeping. The first coasting step holds the pose.
  if (!coasts_) begin_coasting(model);
  ++steps_since_answer_;
  move_root(model, item, delta_);
  const Quat model_from_root = rotation_of(point_.root);
  for (std::size_t j = 0; j < pose_.rotations.size(); ++j) {
    Quat& q = rooted_.rotations[j];
    const Quat& drift = drift_rotations_[j];
    q = normalized(Quat{q.x + drift.x, q.y + drift.y, q.z + drift.z, q.w + drift.w});
    Vec3& t = rooted_.translations[j];
    t += drift_translations_[j];
    const bool is_top = model.parts.body.skeleton->parent(static_cast<int>(j)) == kNoJoint;
    pose_.rotations[j] = is_top ? model_from_root * q : q;
    pose_.translations[j] = is_top ? point_.root.position + rotate(model_from_root, t) : t;
  }
  for (std::size_t i = 0; i < local_phases_.size(); ++i) local_phases_[i] += drift_phases_[i];
  phase_turns_ += phase_delta_;
  phase_turns_ -= std::floor(phase_turns_);
  move_labels(model, *item.intent);
  remember_now(model);
  show(model, item);
}

void NeuralState::smooth(const NeuralModel& model, CharacterFrame& now) noexcept {
  const NeuralOptions& options = model.parts.options;
  if (!(options.body_follow > 0)) {
    filter_.apply(options.follow, now.pose.rotations);
    return;
  }
  const Quat turn = rotation_of(now.root);
  Vec3& hips = now.pose.translations[0];
  Vec3 in_root = rotate(conjugate(turn), hips - now.root.position);
  filter_.apply_to_body(options.follow, options.body_follow, model.is_leg_joint, now.pose.rotations, in_root);
  hips = now.root.position + rotate(turn, in_root);
}

void NeuralState::show(const NeuralModel& model, const StepItem& item) noexcept {
  const NeuralOptions& options = model.parts.options;
  CharacterFrame& now = *item.now;
  now.root = point_.root;
  copy_pose(pose_.view(), span_of(now.pose));
  smooth(model, now);
  blend_shown(item);
  if (uses_props_ && !item.far_away) meet_props(model, now, false);
  std::copy(frame_.contacts.begin(), frame_.contacts.end(), now.contacts.begin());
  if (!options.lock_feet || !foot_placement() || !locks_feet()) return;
  const float fade = static_cast<float>(1 / model.layout.fps()) / kLockFade_s;
  lock_share_ = std::clamp(lock_share_ + (item.far_away ? -fade : fade), 0.0F, 1.0F);
  if (lock_share_ == 0) {
    forget_feet();
    return;
  }
  if (lock_share_ < 1) copy_pose(now.pose.view(), span_of(unlocked_));
  lock_feet(model, now);
  if (lock_share_ == 1) return;
  for (std::size_t j = 0; j < now.pose.rotations.size(); ++j) {
    const Quat free = nearest_to(now.pose.rotations[j], unlocked_.rotations[j]);
    now.pose.rotations[j] = nlerp(free, now.pose.rotations[j], lock_share_);
    now.pose.translations[j] = lerp(unlocked_.translations[j], now.pose.translations[j], lock_share_);
  }
}

void NeuralState::lock_feet(const NeuralModel& model, CharacterFrame& now) noexcept {
  LockOptions locks = model.parts.options.locks;
  if (uses_props_) {
    // Bodies that use props have 30 steps a second: a blend of one or two of them moves a landed foot on.
    locks.lock_s = locks.soft_s = locks.step_lift = 0;
    // A body that is pulled to its goal while it stands: a foot that was let go is held again where it came to rest.
    for (FootLockState::Foot& foot : feet_.feet)
      for (FootPointState* point : {&foot.ankle, &foot.ball})
        if (point->blend == 0) point->torn = false;
  }
  const auto dt_s = static_cast<float>(1 / model.layout.fps());
  // On the ground after this step, where the model sees it; else on flat ground, which is raised afterwards.
  const PlacedGround ground = model.sees_ground() ? ground_after(now.root, dt_s) : PlacedGround();
  HoldFeet{.body = &model.parts.body,
           .legs = model.legs,
           .contacts = frame_.contacts,
           .options = locks,
           .dt_s = dt_s,
           .ground = model.sees_ground() ? &ground : nullptr,
           .hard_hip_drop_m = uses_props_ && deeds_.is_seated() ? 0.0F : FootLockJob{}.max_hip_drop_m}
      .run(feet_, now.pose);
  if (uses_props_) step_torn_feet(model, now);
}

}  // namespace zoe::control
