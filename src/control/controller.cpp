// SPDX-License-Identifier: MIT
#include "zoe/control/controller.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/copy_pose.h"
#include "zoe/control/command.h"
#include "zoe/core/hash64.h"
#include "zoe/math/portable.h"

#include "control/goal_watch.h"
#include "control/grounding.h"
#include "control/sound_frame.h"
#include "control/space_move.h"
#include "control/stand.h"

namespace zoe::control {
namespace {

// A character is stuck when it moves at less than this fraction of the desired speed for this time.
constexpr float kStuckShare = 0.15F, kStuckAfter_s = 1.0F, kLeastDesired_mps = 0.2F;
constexpr float kUnreachableAfter_s = 3.0F;
// No legged body is faster. A faster step means that the model failed.
constexpr float kAbsurdSpeed_mps = 25;
// A desired speed below this fraction of the walking speed means standing.
constexpr float kStandShare = 0.07F;
// The model's space follows a character in steps of this distance, and of whole turns. Single precision is 0.03 mm
// there.
constexpr float kSpaceStep_m = 256, kMostFacing_rad = 50;

// Zero where the root is near the origin of its space.
PlanarRoot far_offset(const PlanarRoot& root) {
  const auto far = [](float x) {
    return std::abs(x) > kSpaceStep_m ? kSpaceStep_m * std::round(x / kSpaceStep_m) : 0.0F;
  };
  const bool turned = std::abs(root.facing_rad) > kMostFacing_rad;
  return {{far(root.position.x), 0, far(root.position.z)}, turned ? root.facing_rad - wrapped(root.facing_rad) : 0};
}

CharacterFrame make_frame(const Skeleton& skeleton, std::size_t num_contacts) {
  return {{}, make_pose(skeleton), std::vector<float>(num_contacts)};
}

void copy(const CharacterFrame& from, CharacterFrame& to) {
  to.root = from.root;
  copy_pose(from.pose.view(), span_of(to.pose));
  std::copy(from.contacts.begin(), from.contacts.end(), to.contacts.begin());
}

float leg_length(const Skeleton& skeleton, const Leg& leg) {
  float sum = 0;
  for (int joint = leg.ankle; joint != leg.hip && joint != kNoJoint; joint = skeleton.parent(joint))
    sum += length(skeleton.rest_local(joint).translation);
  return sum;
}

// From the content of the files, so that saving and loading a model keeps it.
std::uint64_t fingerprint_of(const Skeleton& skeleton, double rate_hz, std::span<const int> contact_joints,
                             std::span<const std::string> styles, std::span<const std::string> actions,
                             std::uint64_t content) {
  Hash64 hash;
  const auto add = [&](const auto& value) { hash.add(std::as_bytes(std::span(&value, 1))); };
  const auto add_count = [&](std::uint64_t count) { add(count); };  // 64 bits on every machine.
  const auto add_words = [&](std::span<const std::string> words) {
    add_count(words.size());
    for (const std::string& word : words) {
      add_count(word.size());
      hash.add(std::as_bytes(std::span(word)));
    }
  };
  add(rate_hz);
  add(content);
  add(skeleton.num_joints());
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    add_words({&skeleton.name(j), 1});
    add(skeleton.parent(j));
    add(skeleton.rest_local(j).translation);
  }
  add_count(contact_joints.size());
  hash.add(std::as_bytes(contact_joints));
  add_words(styles);
  add_words(actions);
  return hash.finish();
}

}  // namespace

const char* to_string(Progress progress) {
  switch (progress) {
    case Progress::kStanding:
      return "standing";
    case Progress::kMoving:
      return "moving";
    case Progress::kStuck:
      return "stuck";
    case Progress::kUnreachable:
      return "unreachable";
    case Progress::kRecovered:
      return "recovered";
  }
  return "?";
}

Controller::Controller(Setup setup)
    : skeleton_(std::move(setup.skeleton)),
      rate_hz_(setup.rate_hz),
      contact_joints_(std::move(setup.contact_joints)),
      legs_(std::move(setup.legs)),
      has_leg_size_(skeleton_ ? joints_of_legs(*skeleton_, contact_joints_) : std::vector<std::uint8_t>{}),
      styles_(std::move(setup.styles)),
      actions_(std::move(setup.actions)),
      motion_range_(setup.motion_range),
      sees_ground_(setup.sees_ground),
      stand_(std::move(setup.stand)) {
  ZOE_CHECK(skeleton_ != nullptr, "a controller needs a skeleton");
  for (int j = 0; j < skeleton_->num_joints(); ++j) {
    if (skeleton_->parent(j) == kNoJoint) top_joints_.push_back(j);
  }
  for (const Leg& leg : legs_) {
    for (const int joint : {leg.hip, leg.knee, leg.ankle}) {
      ZOE_CHECK(joint >= 0 && joint < skeleton_->num_joints(), "a leg has a joint that the skeleton does not have");
      leg_joints_.push_back(joint);
    }
  }
  if (!legs_.empty()) leg_length_m_ = leg_length(*skeleton_, legs_[0]);
  ZOE_CHECK(rate_hz_ >= 1 && rate_hz_ <= 1000, "a model's rate is 1 to 1000 steps per second");
  fingerprint_ = fingerprint_of(*skeleton_, rate_hz_, contact_joints_, styles_, actions_, setup.content);
}

Result<void> Controller::set_style(Intent& intent, std::string_view name, float weight) const {
  return set_label(styles_, name, "style", weight, intent.styles);
}

Result<void> Controller::set_action(Intent& intent, std::string_view name, float weight) const {
  return set_label(actions_, name, "action", weight, intent.actions);
}

std::unique_ptr<ControllerState> Controller::make_state(const CharacterSetup& setup) const {
  auto state = make_state_without_workspace(setup);
  state->workspace_ = make_workspace(1);
  return state;
}

std::unique_ptr<ControllerState> Controller::make_state_without_workspace(const CharacterSetup& setup) const {
  ZOE_CHECK(setup.lane >= 0, "lanes are counted from zero");
  auto state = allocate_state();
  state->header_ = StateHeader::of(StateHeader::kState, type(), fingerprint_);
  state->lane_ = setup.lane;
  state->proportions_ = sanitised(setup.proportions);
  state->before_ = state->now_ = state->displayed_ = make_frame(*skeleton_, contact_joints_.size());
  state->pose_in_root_ = make_pose(*skeleton_);
  state->ground_ = setup.ground;
  state->grounding_ = std::make_unique<Grounding>(legs_.size());
  state->leg_length_m_ = leg_length_m_;
  restart(*state, setup.root);
  if (!legs_.empty()) {
    const StandBody body = stand_body();
    state->stand_ = std::make_unique<Stand>(body, planted(body, stand_.rotations.empty() ? state->now_.pose : stand_));
  }
  return state;
}

std::unique_ptr<Workspace> Controller::make_workspace(int /*max_characters*/) const {
  return std::make_unique<Workspace>();
}

void Controller::step(const StepItem& /*item*/) const noexcept {
  ZOE_CHECK(false, "a type overrides step() or step_many()");
}

void Controller::step_many(std::span<const StepItem> items, Workspace* /*workspace*/, Executor* pool) const noexcept {
  if (pool == nullptr) {
    for (const StepItem& item : items) step(item);
    return;
  }
  pool->parallel_for(items.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) step(items[i]);
  });
}

void Controller::coast_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept {
  step_many(items, workspace, pool);
}

void Controller::restart(ControllerState& state, const PlanarRoot& root_world) const noexcept {
  start(state, state.now_);
  if (state.stand_) state.stand_->clear();
  state.now_.root = {};
  copy(state.now_, state.before_);
  state.world_from_model_ = root_world;
  state.ahead_s_ = step_s();
  state.speed_mps_ = 0;
  state.stuck_s_ = 0;
  state.no_nearer_s_ = 0;
  state.watched_goal_.reset();
  state.progress_ = Progress::kStanding;
  stand_on_ground(state);
  display(state);
}

void Controller::start_again(ControllerState& state, std::span<const std::byte> fresh, const PlanarRoot& root,
                             const Proportions& proportions) const noexcept {
  const bool sound = is_finite(root.position) && std::isfinite(root.facing_rad);
  const int lane = state.lane_;
  StateArchive archive = StateArchive::reading(fresh);
  state.visit(archive, true);
  state.lane_ = lane;
  state.proportions_ = sanitised(proportions);
  restart(state, sound ? root : PlanarRoot{});
}

void Controller::reset(ControllerState& state) const noexcept { restart(state, state.displayed_.root); }

void Controller::place(ControllerState& state, const PlanarRoot& root) const noexcept {
  if (!is_finite(root.position) || !std::isfinite(root.facing_rad)) return;
  // world_from_model that puts the displayed root at `root`.
  const PlanarRoot model_from_displayed = [&] {
    const RootDelta undo = delta_between(state.world_from_model_, state.displayed_.root);
    return moved_by(PlanarRoot{}, undo);
  }();
  state.world_from_model_ = moved_by(root, delta_between(model_from_displayed, PlanarRoot{}));
  stand_on_ground(state);
  display(state);
}

bool Controller::begin_in(ControllerState& state, std::span<const MotionMoment> moments) const {
  if (moments.size() < 2) return false;
  const PlanarRoot place = moments.back().root;
  const Quat turn = conjugate(rotation_of(PlanarRoot{{}, place.facing_rad}));
  std::vector<Pose> poses;
  std::vector<MotionMoment> seen;
  poses.reserve(moments.size());
  for (const MotionMoment& moment : moments) {
    Pose pose = make_pose(*skeleton_);
    copy_pose(moment.pose, span_of(pose));
    for (const int joint : top_joints_) {
      const auto j = static_cast<std::size_t>(joint);
      const Vec3 at = place.position;
      pose.translations[j] = rotate(turn, pose.translations[j] - Vec3{at.x, 0, at.z});
      pose.rotations[j] = turn * pose.rotations[j];
    }
    poses.push_back(std::move(pose));
    PlanarRoot root{rotate(turn, moment.root.position - place.position), moment.root.facing_rad - place.facing_rad};
    root.position.y = 0;
    seen.push_back({root, poses.back().view(), moment.contacts, moment.local_phases});
  }
  restart(state, place);
  if (!begin_model_in(state, seen)) return false;
  // The plane that the model moves on lags behind the ground: it follows the same path first.
  for (std::size_t k = 0; k < seen.size(); ++k) {
    std::swap(state.before_, state.now_);
    std::swap(state.grounding_->frame_before, state.grounding_->frame_now);
    state.now_.root = seen[k].root;
    copy_pose(seen[k].pose, span_of(state.now_.pose));
    std::copy(seen[k].contacts.begin(), seen[k].contacts.end(), state.now_.contacts.begin());
    follow_ground(state, k == 0 ? 0 : static_cast<float>(step_s()));
  }
  display(state);
  return true;
}

void Controller::tick(ControllerState& state, const Intent& intent, double dt_s) const noexcept {
  begin_tick(state, dt_s);
  Intent sound = intent_for(state, intent);
  StepItem item;
  while (next_step(state, sound, item)) {
    if (!item.stands) step_many({&item, 1}, state.workspace_.get(), nullptr);
    finish_step(item);
  }
  display(state);
}

void Controller::begin_tick(ControllerState& state, double dt_s) const noexcept {
  state.ahead_s_ += std::isnan(dt_s) ? 0.0 : std::clamp(dt_s, 0.0, kMaxTick_s);
}

bool Controller::is_due(const ControllerState& state) const noexcept {
  // The displayed moment is after `before` and not after `now`. The slack keeps a tick of exactly one step from
  // becoming none or two by rounding.
  return state.ahead_s_ > step_s() * (1 + 1e-6);
}

bool Controller::next_step(ControllerState& state, Intent& intent_model, StepItem& item) const noexcept {
  if (!is_due(state)) return false;
  if (const PlanarRoot offset = far_offset(state.now_.root);
      (offset.position != Vec3{} || offset.facing_rad != 0) && move_space(state, offset)) {
    intent_model = seen_from(PlanarRoot{offset.position, 0}, intent_model);
  }
  state.ahead_s_ -= step_s();
  std::swap(state.before_, state.now_);
  std::swap(state.grounding_->frame_before, state.grounding_->frame_now);
  item = {&state, &intent_model, &state.before_, &state.now_};
  if (!state.stand_) return true;
  const float least_mps = kStandShare * motion_range_.walk_mps;
  const Stand::Next next = state.stand_->next(stand_body(), intent_model, least_mps, state.before_, state.now_);
  item.stands = next == Stand::Next::kHold;
  if (next == Stand::Next::kLeave) leave_stand(state, intent_model);
  return true;
}

bool Controller::move_space(ControllerState& state, const PlanarRoot& offset) const noexcept {
  if (!state.move_space(offset)) return false;
  for (CharacterFrame* frame : {&state.before_, &state.now_}) {
    control::move_space(offset, frame->root);
    for (int j = 0; j < skeleton_->num_joints(); ++j) {
      if (skeleton_->parent(j) == kNoJoint) frame->pose.translations[static_cast<std::size_t>(j)] -= offset.position;
    }
  }
  state.grounding_->move_space({offset.position, 0});
  if (state.stand_) state.stand_->move_space(offset);
  state.world_from_model_ = moved_by(
      state.world_from_model_, delta_between({}, scaled(PlanarRoot{offset.position, 0}, state.proportions_.legs)));
  return true;
}

void Controller::rebase(ControllerState& state) const noexcept {
  const PlanarRoot& root = state.now_.root;
  const PlanarRoot offset{{std::round(root.position.x), 0, std::round(root.position.z)},
                          root.facing_rad - wrapped(root.facing_rad)};
  if (move_space(state, offset)) display(state);
}

StandBody Controller::stand_body() const noexcept {
  return {*skeleton_, legs_, contact_joints_, leg_length_m_, static_cast<float>(step_s())};
}

void Controller::leave_stand(ControllerState& state, Intent& intent_model) const noexcept {
  const PlanarRoot place = state.before_.root;
  start(state, state.displayed_);  // Serves as memory here: every tick ends with display().
  state.stand_->leave(stand_body(), state.before_);
  state.grounding_->move_space(place);
  state.world_from_model_ =
      moved_by(state.world_from_model_, delta_between({}, scaled(place, state.proportions_.legs)));
  intent_model = seen_from(place, intent_model);
}

void Controller::finish_step(const StepItem& item) const noexcept {
  ControllerState& state = *item.state;
  const auto dt_s = static_cast<float>(step_s());
  ++state.num_steps_;
  if (item.stands) {
    state.stand_->hold(stand_body(), state.now_);
  } else if (state.stand_) {
    state.stand_->carry(state.now_);
    if (state.stand_->leaves()) state.stand_->blend_out(stand_body(), state.now_);
  }
  const float moved_m = planar_distance(state.now_.root.position, state.before_.root.position);
  if (!is_sound(state.now_) || moved_m > kAbsurdSpeed_mps * dt_s) {
    const double ahead_s = state.ahead_s_;
    const PlanarRoot last =
        moved_by(state.world_from_model_, delta_between({}, scaled(state.before_.root, state.proportions_.legs)));
    const bool is_somewhere = is_finite(last.position) && std::isfinite(last.facing_rad);
    restart(state, is_somewhere ? last : PlanarRoot{});
    state.ahead_s_ = ahead_s;
    state.progress_ = Progress::kRecovered;
    ++state.num_recoveries_;
    return;
  }
  state.speed_mps_ = moved_m / dt_s * state.proportions_.legs;
  follow_ground(state, dt_s);

  const float desired_mps = length(item.intent->velocity_at(0.2F)) * state.proportions_.legs;
  const bool should_move = desired_mps > kLeastDesired_mps;
  state.stuck_s_ = should_move && state.speed_mps_ < kStuckShare * desired_mps ? state.stuck_s_ + dt_s : 0;
  if (state.progress_ == Progress::kUnreachable && state.watched_goal_) return;
  state.progress_ = state.stuck_s_ > kStuckAfter_s ? Progress::kStuck
                    : should_move                  ? Progress::kMoving
                                                   : Progress::kStanding;
  if (!state.watched_goal_) return;
  const float left_m = planar_distance(state.now_.root.position, item.intent->goal->position);
  if (left_m < kArrived_m || left_m < state.nearest_m_ - kNearerBy_m) {
    state.nearest_m_ = left_m;
    state.no_nearer_s_ = 0;
  } else if ((state.no_nearer_s_ += dt_s) > kUnreachableAfter_s) {
    state.progress_ = Progress::kUnreachable;
  }
}

void Controller::follow_ground(ControllerState& state, float dt_s) const noexcept {
  const GroundedBody body{*skeleton_,
                          legs_,
                          leg_joints_,
                          leg_length_m_,
                          state.world_from_model_,
                          state.proportions_.legs,
                          sees_ground_ ? state.stand_ ? state.stand_->share() : 0 : 1,
                          state.places_feet_};
  state.grounding_->follow(state.ground_.get(), body, state.before_.root, state.now_, dt_s);
}

void Controller::stand_on_ground(ControllerState& state) const noexcept {
  for (int frame = 0; frame < 2; ++frame) {  // `before`, then `now`.
    std::swap(state.before_, state.now_);
    std::swap(state.grounding_->frame_before, state.grounding_->frame_now);
    follow_ground(state, 0);
  }
}

Vec3 ControllerState::velocity_mps() const {
  const Vec3 step = now_.root.position - before_.root.position;
  const float step_m = length(step);
  if (step_m < 1e-9F) return {};
  return rotate(rotation_of(world_from_model_), step) * (speed_mps_ / step_m);
}

}  // namespace zoe::control
