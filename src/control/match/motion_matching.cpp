// SPDX-License-Identifier: MIT
#include "zoe/control/match/motion_matching.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/math/spring.h"

#include "control/match/match_state.h"

namespace zoe::control {
namespace {

using features::BlockKind;

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

// A grid of times that has every moment the layout's trajectory asks for.
features::SampleTimes times_ahead(const features::Layout& layout) {
  using Kind = features::GatherOp::Kind;
  int last = 1, step = 0;
  for (const features::GatherOp& op : layout.ops(BlockKind::kInput)) {
    if (op.kind == Kind::kCopy || op.goal_offset >= 0) continue;
    for (int i = 0; i < op.count; ++i) {
      const int frame = std::max(static_cast<int>(std::lround(op.frame + i * op.frame_step)), 0);
      last = std::max(last, frame);
      step = std::gcd(step, frame);
    }
  }
  step = std::max(step, 1);
  return {0, last / layout.fps(), (last + step - 1) / step + 1};
}

class MotionMatching final : public Controller {
 public:
  MotionMatching(MotionDatabasePtr database, Body body, const MatchOptions& options)
      : Controller({.skeleton = body.skeleton,
                    .rate_hz = database->fps(),
                    .contact_joints = body.contact_joints,
                    .styles = database->layout().schema().styles,
                    .actions = database->layout().schema().actions}),
        database_(std::move(database)),
        body_(std::move(body)),
        options_(options),
        ahead_(times_ahead(database_->layout())),
        dt_s_(static_cast<float>(1 / database_->fps())) {
    for (const BodyLeg& leg : body_.legs) legs_.push_back(leg.leg);
    find_led_columns();
    find_start();
  }

  const char* kind() const override { return "mm"; }
  std::size_t model_bytes() const override { return database_->bytes(); }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<MatchState>(*database_, body_, ahead_);
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override;
  void step(const StepItem& item) const noexcept override;

 private:
  void find_led_columns();
  void find_start();
  PlanarRoot move_root(MatchState& state, const PlanarRoot& before, bool at_end) const noexcept;
  void warp(const MatchState& state, const PlanarRoot& before, Vec3& velocity_mps,
            float& turn_rad_s) const noexcept;
  void lead(MatchState& state, const Intent& intent, PlanarRoot& root) const noexcept;
  bool is_due(const MatchState& state, const Intent& intent) const noexcept;
  void search(MatchState& state, const Intent& intent, const PlanarRoot& root,
              bool at_end) const noexcept;
  void switch_to(MatchState& state, int frame) const noexcept;
  void show(MatchState& state, const PlanarRoot& root, CharacterFrame& now) const noexcept;
  void lock_feet(MatchState& state, CharacterFrame& now) const noexcept;
  std::uint64_t wanted_tags(const Intent& intent) const noexcept;
  RootDelta root_step(int frame) const noexcept;  // From it to the next.

  MotionDatabasePtr database_;
  Body body_;
  MatchOptions options_;
  std::vector<Leg> legs_;
  features::SampleTimes ahead_;
  float dt_s_;
  std::vector<int>
      led_columns_;  // Of the features: what the intent gives. Others are the current frame's.
  int start_frame_ = 0;
};

// Columns that encode_trajectory() writes.
void MotionMatching::find_led_columns() {
  std::vector<float> probe(idx(database_->num_dims()), std::nanf(""));
  const auto series = features::ControlSeries::standing(ahead_, {});
  features::encode_trajectory(database_->layout(), BlockKind::kInput, {}, series, probe);
  for (int i = 0; i < database_->num_dims(); ++i)
    if (!std::isnan(probe[idx(i)])) led_columns_.push_back(i);
}

// The frame most like standing: nothing ahead, the rest as frames are on average but for its
// speeds.
void MotionMatching::find_start() {
  std::vector<float> query(idx(database_->num_dims()), 0.0F);
  features::encode_trajectory(database_->layout(), BlockKind::kInput, {},
                              features::ControlSeries::standing(ahead_, {}), query);
  const features::BlockNormalisation& normalisation = database_->normalisation();
  // Speeds are zero too; places stay at their mean.
  const auto& channels = database_->layout().schema().block(BlockKind::kInput).channels;
  const auto columns = database_->layout().columns(BlockKind::kInput);
  std::vector<float> values(normalisation.means);
  for (const int i : led_columns_) values[idx(i)] = query[idx(i)];
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].group != features::Group::kJoint || channels[c].parts.size() != 1 ||
        channels[c].parts[0] != features::Part::kVelocity) {
      continue;
    }
    std::fill_n(values.begin() + columns[c].begin, columns[c].width, 0.0F);
  }
  normalisation.apply(values);
  const Match match = database_->index().find({.features = values});
  start_frame_ = std::max(match.frame, 0);
}

void MotionMatching::start(ControllerState& base, CharacterFrame& now) const noexcept {
  auto& state = static_cast<MatchState&>(base);
  state.frame = start_frame_;
  state.report = {.frame = start_frame_,
                  .num_searches = state.report.num_searches,
                  .num_switches = state.report.num_switches};
  state.steps_since_search = 0;
  state.last_match = -1;
  state.searched_velocity_mps = {};
  state.searched_facing_rad = 0;
  state.led = {};
  state.left_velocity_mps = state.velocity_mps = {};
  state.left_turn_rad_s = state.turn_speed_rad_s = 0;
  state.feet.started = false;
  state.feet.hip_drop_m = 0;
  std::fill(state.feet.feet.begin(), state.feet.feet.end(), FootLockState::Foot{});
  database_->pose(state.frame, state.shown);
  database_->pose(state.frame, state.shown_before);
  // Nothing is left of a switch.
  const PoseView still = state.shown.view();
  state.inertialization.start({still, still, still, still, dt_s_}, dt_s_);
  state.dead_blend.start({still, still, still, still, dt_s_}, dt_s_);
  show(state, {}, now);
}

RootDelta MotionMatching::root_step(int frame) const noexcept {
  const int last = database_->end_of(database_->clip_of(frame)) - 1;
  const int from = std::min(frame, std::max(last - 1, 0));
  if (from + 1 > last) return {};
  RootDelta step = delta_between(database_->root(from), database_->root(from + 1));
  step.translation.y = 0;
  return step;
}

void MotionMatching::step(const StepItem& item) const noexcept {
  auto& state = static_cast<MatchState&>(*item.state);
  const Intent& intent = *item.intent;
  const bool at_end = state.frame + 1 >= database_->end_of(database_->clip_of(state.frame));
  // 1. The database plays on, and the root with it.
  PlanarRoot root = move_root(state, item.before->root, at_end);
  if (!at_end) ++state.frame;
  // 2. The root is led by springs, and drawn to where they have it.
  lead(state, intent, root);
  // 3. Is there a better place to go on from?
  ++state.steps_since_search;
  if (at_end || is_due(state, intent)) search(state, intent, root, at_end);
  // 4. The pose, with what earlier switches left, and feet that stand.
  show(state, root, *item.now);
  state.report.frame = state.frame;
}

PlanarRoot MotionMatching::move_root(MatchState& state, const PlanarRoot& before,
                                     bool at_end) const noexcept {
  const RootDelta played = at_end ? RootDelta{} : root_step(state.frame);
  const float rate = 1 / dt_s_;
  state.left_velocity_mps =
      approach(state.left_velocity_mps, Vec3{}, options_.root_half_life_s, dt_s_);
  state.left_turn_rad_s = approach(state.left_turn_rad_s, 0.0F, options_.root_half_life_s, dt_s_);
  Vec3 velocity = played.translation * rate + state.left_velocity_mps;
  float turn = played.turn_rad * rate + state.left_turn_rad_s;
  state.velocity_mps = velocity;
  state.turn_speed_rad_s = turn;
  warp(state, before, velocity, turn);
  return moved_by(before, {velocity * dt_s_, turn * dt_s_});
}

// Stretches and bends the way by comparing where the clip goes in a third of a second with where
// the springs lead. A body that stands is left alone.
void MotionMatching::warp(const MatchState& state, const PlanarRoot& before, Vec3& velocity_mps,
                          float& turn_rad_s) const noexcept {
  constexpr float kHorizon_s = 1.0F / 3, kLeastWay_m = 0.1F, kFullSpeed_mps = 0.7F;
  const int last = database_->end_of(database_->clip_of(state.frame)) - 1;
  const int frames =
      std::min(static_cast<int>(std::lround(kHorizon_s / dt_s_)), last - state.frame);
  if (frames < 2) return;
  const float time_s = static_cast<float>(frames) * dt_s_;
  const RootDelta played =
      delta_between(database_->root(state.frame), database_->root(state.frame + frames));
  const RootDelta wanted = delta_between(before, state.ahead.root_at(static_cast<double>(time_s)));
  const float way = std::hypot(played.translation.x, played.translation.z);
  const float wanted_way = std::hypot(wanted.translation.x, wanted.translation.z);
  if (way < kLeastWay_m || wanted_way < kLeastWay_m) return;
  velocity_mps =
      velocity_mps * std::clamp(wanted_way / way, 1 - options_.stretch, 1 + options_.stretch);
  const float share = std::min(way / time_s / kFullSpeed_mps, 1.0F);
  const float bend = wrapped(wanted.turn_rad - played.turn_rad) / time_s;
  turn_rad_s += share * std::clamp(bend, -options_.bend_rad_s, options_.bend_rad_s);
}

void MotionMatching::lead(MatchState& state, const Intent& intent,
                          PlanarRoot& root) const noexcept {
  state.led =
      advance(state.led, intent.velocity_at(0), intent.facing_at(0), dt_s_, options_.trajectory);
  const float speed = std::hypot(state.velocity_mps.x, state.velocity_mps.z);
  root = corrected(root, state.led.root, speed, state.turn_speed_rad_s, dt_s_, options_.correction);
  // The springs wait for a body that cannot keep up.
  Vec3 away = state.led.root.position - root.position;
  const float far = std::hypot(away.x, away.z);
  if (far > options_.max_distance_m)
    state.led.root.position = root.position + away * (options_.max_distance_m / far);
  state.led.root.position.y = root.position.y;
  const float turned = wrapped(state.led.root.facing_rad - root.facing_rad);
  state.led.root.facing_rad =
      root.facing_rad + std::clamp(turned, -options_.max_turn_rad, options_.max_turn_rad);
  predict(state.led, intent, state.ahead, options_.trajectory);
}

bool MotionMatching::is_due(const MatchState& state, const Intent& intent) const noexcept {
  const float waited_s = static_cast<float>(state.steps_since_search) * dt_s_;
  if (waited_s >= options_.search_interval_s - 0.5F * dt_s_) return true;
  const float facing = intent.facing_at(0).value_or(state.searched_facing_rad);
  return length(intent.velocity_at(0) - state.searched_velocity_mps) >
             options_.sudden_velocity_mps ||
         std::abs(wrapped(facing - state.searched_facing_rad)) > options_.sudden_facing_rad;
}

// The styles and actions that are wished for more than half.
std::uint64_t MotionMatching::wanted_tags(const Intent& intent) const noexcept {
  std::uint64_t tags = 0;
  const auto add = [&](std::span<const float> wishes, std::size_t count, std::size_t first) {
    for (std::size_t i = 0; i < std::min(count, wishes.size()); ++i)
      if (wishes[i] >= 0.5F) tags |= std::uint64_t{1} << (first + i);
  };
  add(intent.styles, styles().size(), 0);
  add(intent.actions, actions().size(), styles().size());
  return tags;
}

void MotionMatching::search(MatchState& state, const Intent& intent, const PlanarRoot& root,
                            bool at_end) const noexcept {
  const features::BlockNormalisation& normalisation = database_->normalisation();
  // The frame's own pose, the wanted way: what going on costs is the way's alone.
  database_->features(state.frame, state.current);
  std::copy(state.current.begin(), state.current.end(), state.query.begin());
  features::encode_trajectory(database_->layout(), BlockKind::kInput, root, state.ahead,
                              state.wanted);
  for (const int i : led_columns_) {
    const std::size_t c = idx(i);
    state.query[c] = (state.wanted[c] - normalisation.means[c]) / normalisation.spreads[c];
  }
  const float cost = match_cost(state.query, state.current);
  const int skip = static_cast<int>(options_.skip_around_s / dt_s_);
  MatchQuery query{.features = state.query,
                   .all_of = wanted_tags(intent),
                   .skip_begin = state.frame - skip,
                   .skip_end = state.frame + skip + 1,
                   .max_cost = cost - options_.transition_cost,
                   .hints = {state.last_match, state.frame + skip + 1}};
  if (at_end) query.max_cost = std::numeric_limits<float>::infinity();
  Match match = database_->index().find(query);
  if (at_end && match.frame < 0) {
    query.all_of = 0;  // Better another style than none.
    match = database_->index().find(query);
  }
  state.steps_since_search = 0;
  state.searched_velocity_mps = intent.velocity_at(0);
  state.searched_facing_rad = intent.facing_at(0).value_or(root.facing_rad);
  state.report.cost = cost;
  state.report.query = query;
  ++state.report.num_searches;
  if (match.frame < 0) return;
  state.last_match = match.frame;
  switch_to(state, match.frame);
}

void MotionMatching::switch_to(MatchState& state, int frame) const noexcept {
  // What is shown is of the step before; so is the target.
  const int first = database_->begin_of(database_->clip_of(frame));
  database_->pose(std::max(frame - 1, first), state.target);
  database_->pose(std::max(frame - 2, first), state.target_before);
  const TransitionStart start{.shown = state.shown.view(),
                              .shown_before = state.shown_before.view(),
                              .target = state.target.view(),
                              .target_before = state.target_before.view(),
                              .dt_s = dt_s_};
  if (options_.blend == MatchOptions::Blend::kInertialize) {
    state.inertialization.start(start, options_.blend_s);
  } else {
    state.dead_blend.start(start, options_.blend_s);
  }
  const RootDelta next = root_step(frame);
  state.left_velocity_mps = state.velocity_mps - next.translation * (1 / dt_s_);
  state.left_turn_rad_s = state.turn_speed_rad_s - next.turn_rad / dt_s_;
  state.frame = frame;
  ++state.report.num_switches;
}

void MotionMatching::show(MatchState& state, const PlanarRoot& root,
                          CharacterFrame& now) const noexcept {
  std::swap(state.shown, state.shown_before);
  database_->pose(state.frame, state.shown);
  if (options_.blend == MatchOptions::Blend::kInertialize) {
    state.inertialization.apply(dt_s_, state.shown.translations, state.shown.rotations);
  } else {
    state.dead_blend.apply(dt_s_, state.shown.translations, state.shown.rotations);
  }
  now.root = root;
  const Quat turn = rotation_of(root);
  const auto parents = skeleton()->parents();
  for (std::size_t j = 0; j < parents.size(); ++j) {
    const bool is_top = parents[j] == kNoJoint;
    const Vec3 place = state.shown.translations[j];
    now.pose.translations[j] = is_top ? root.position + rotate(turn, place) : place;
    now.pose.rotations[j] =
        is_top ? normalized(turn * state.shown.rotations[j]) : state.shown.rotations[j];
  }
  const std::span<const std::uint8_t> contacts = database_->contacts(state.frame);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    now.contacts[i] = static_cast<float>(contacts[i]);
  if (options_.lock_feet && !legs_.empty()) lock_feet(state, now);
}

void MotionMatching::lock_feet(MatchState& state, CharacterFrame& now) const noexcept {
  for (std::size_t i = 0; i < body_.legs.size(); ++i) {
    const BodyLeg& leg = body_.legs[i];
    const auto contact = [&](int place) { return place < 0 ? 0.0F : now.contacts[idx(place)]; };
    state.ankle_contacts[i] = contact(leg.ankle_contact);
    state.ball_contacts[i] = contact(leg.ball_contact);
  }
  FootLockJob{.skeleton = skeleton().get(),
              .legs = legs_,
              .ankle_contacts = state.ankle_contacts,
              .ball_contacts = state.ball_contacts,
              .dt_s = dt_s_,
              .max_hip_drop_m = 0.1F,
              .soften = 0.97F,
              .pose = ik_pose(now.pose),
              .state = &state.feet}
      .run();
}

}  // namespace

MatchState::MatchState(const MotionDatabase& database, const Body& body,
                       const features::SampleTimes& times)
    : ahead(features::ControlSeries::standing(times, {})),
      shown(make_pose(*body.skeleton)),
      shown_before(shown),
      target(shown),
      target_before(shown),
      inertialization(body.skeleton->num_joints()),
      dead_blend(body.skeleton->num_joints()),
      feet(make_foot_lock_state(body.legs.size())),
      ankle_contacts(body.legs.size()),
      ball_contacts(body.legs.size()),
      query(idx(database.num_dims())),
      current(query),
      wanted(query) {}

std::uint64_t MatchState::hash_more(std::uint64_t hash) const {
  const float values[] = {static_cast<float>(frame), static_cast<float>(steps_since_search),
                          led.root.position.x,       led.root.position.z,
                          led.root.facing_rad,       led.velocity_mps.x,
                          led.velocity_mps.z,        left_velocity_mps.x,
                          left_velocity_mps.z,       left_turn_rad_s};
  return mix_hash(hash, values);
}

Result<ControllerPtr> make_motion_matching(MotionDatabasePtr database, Body body,
                                           const MatchOptions& options) {
  ZOE_CHECK(database != nullptr && body.skeleton != nullptr,
            "matching needs a database and a body");
  ZOE_TRY(check_same_skeleton(*database->skeleton(), *body.skeleton));
  if (!std::equal(body.contact_joints.begin(), body.contact_joints.end(),
                  database->contact_joints().begin(), database->contact_joints().end())) {
    return Error{ErrorCode::kInvalid, "body and database have different contact joints", {}};
  }
  return ControllerPtr(
      std::make_shared<const MotionMatching>(std::move(database), std::move(body), options));
}

const MatchReport& match_report(const ControllerState& state) {
  const auto* match = dynamic_cast<const MatchState*>(&state);
  ZOE_CHECK(match != nullptr, "match_report: not a state of motion matching");
  return match->report;
}

}  // namespace zoe::control
