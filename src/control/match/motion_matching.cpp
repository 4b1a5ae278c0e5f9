// SPDX-License-Identifier: MIT
#include "zoe/control/match/motion_matching.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/hash64.h"

#include "control/match/match_state.h"

namespace zoe::control {
namespace {

// Candidates have all of all_of and none of none_of.
struct Tags {
  std::uint64_t all_of = 0, none_of = 0;

  bool allow(std::uint64_t tags) const { return (tags & all_of) == all_of && (tags & none_of) == 0; }
};

// Styles, or actions: a run of the database's tags.
class TagGroup {
 public:
  TagGroup(const MotionDatabase& database, std::size_t first, std::span<const std::string> names,
           const std::string& usual)
      : first_(first), count_(names.size()) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      all |= bit(i);
      if (names[i] == usual) usual_.all_of = bit(i);
    }
    for (int f = 0; f < database.num_frames(); ++f) {
      const std::uint64_t own = database.tags(f) & all;
      if (std::find(found_.begin(), found_.end(), own) == found_.end()) found_.push_back(own);
    }
    const bool some_without = std::find(found_.begin(), found_.end(), 0) != found_.end();
    if (usual_.all_of == 0 && some_without) usual_.none_of = all;
  }
  // Labels with a weight of at least one half, where frames have all of them. Else, as in a mix, the one with the
  // largest weight: frames are played, not blended. What the weights lack to 1 is the usual label's.
  void add(std::span<const float> weights, Tags& tags) const {
    std::uint64_t requested = 0, heaviest = 0;
    float most = 0, rest = 1;
    for (std::size_t i = 0; i < std::min(count_, weights.size()); ++i) {
      if (weights[i] >= 0.5F) requested |= bit(i);
      rest -= std::max(weights[i], 0.0F);
      if (weights[i] > most) {
        most = weights[i];
        heaviest = bit(i);
      }
    }
    const bool exist =
        std::any_of(found_.begin(), found_.end(), [&](auto own) { return (own & requested) == requested; });
    if (!exist || (requested == 0 && most > rest)) requested = heaviest;
    tags.all_of |= requested != 0 ? requested : usual_.all_of;
    tags.none_of |= requested != 0 ? 0 : usual_.none_of;
  }

 private:
  std::uint64_t bit(std::size_t i) const { return std::uint64_t{1} << (first_ + i); }
  std::size_t first_, count_;
  Tags usual_;
  std::vector<std::uint64_t> found_;  // Sets of labels that frames have.
};

// Hash of the searched and played data. Poses would not distinguish more databases.
std::uint64_t content_of(const MotionDatabase& database) {
  Hash64 hash;
  const auto add = [&](const auto& values) { hash.add(std::as_bytes(std::span(values))); };
  add(database.normalisation().means);
  add(database.normalisation().spreads);
  for (const auto& clip : database.clips()) {
    add(std::array{clip->num_frames});
    add(clip->roots);
    add(clip->features);
    add(clip->tags);
  }
  return hash.finish();
}

class MotionMatching final : public Controller {
 public:
  MotionMatching(MotionDatabasePtr database, Body body, const MatchOptions& options)
      : Controller({.skeleton = body.skeleton,
                    .rate_hz = database->fps(),
                    .contact_joints = body.contact_joints,
                    .legs = legs_of(body),
                    .styles = database->layout().schema().styles,
                    .actions = database->layout().schema().actions,
                    .motion_range = body.motion_range,
                    .content = content_of(*database),
                    .stand = body.stand}),
        database_(std::move(database)),
        options_(options),
        space_(database_->layout(), database_->normalisation()),
        steering_(std::move(body), options, database_->fps()),
        styles_(*database_, 0, styles(), options.usual_style),
        actions_(*database_, styles().size(), actions(), options.usual_action) {
    const Tags tags = wanted_tags({});
    const Match match =
        database_->index().find({.features = space_.standing(), .all_of = tags.all_of, .none_of = tags.none_of});
    start_frame_ = std::max(match.frame, 0);
  }

  const char* type() const override { return "mm"; }
  void begin(MatchState& state, const MatchBegin& begin) const noexcept;
  std::size_t model_bytes() const override { return database_->bytes(); }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<MatchState>(steering_.body(), space_, options_, database_->num_frames());
  }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override;
  void step(const StepItem& item) const noexcept override;
  bool steps_in_parts() const override { return true; }

 private:
  std::optional<PlayedWay> way_of(int frame) const noexcept;
  void search(MatchState& state, const Intent& intent, const Tags& tags, const PlanarRoot& root,
              bool at_end) const noexcept;
  void switch_to(MatchState& state, int frame) const noexcept;
  void show(MatchState& state, const PlanarRoot& root, CharacterFrame& now) const noexcept;
  Tags wanted_tags(const Intent& intent) const noexcept {
    Tags tags;
    styles_.add(intent.styles, tags);
    actions_.add(intent.actions, tags);
    return tags;
  }
  RootDelta root_step(int frame) const noexcept;  // From a frame to the next.

  MotionDatabasePtr database_;
  MatchOptions options_;
  FeatureSpace space_;
  Steering steering_;
  TagGroup styles_, actions_;
  int start_frame_ = 0;  // The frame nearest to standing.
};

void MotionMatching::start(ControllerState& base, CharacterFrame& now) const noexcept {
  auto& state = static_cast<MatchState&>(base);
  state.frame = start_frame_;
  state.report = {
      .frame = start_frame_, .num_searches = state.report.num_searches, .num_switches = state.report.num_switches};
  state.last_match = -1;
  state.searched_all_of = state.searched_none_of = 0;
  database_->pose(state.frame, state.shown);
  database_->pose(state.frame, state.shown_before);
  steering_.start(state);
  show(state, {}, now);
}

void MotionMatching::begin(MatchState& state, const MatchBegin& begin) const noexcept {
  state.frame = std::clamp(begin.frame, 0, database_->num_frames() - 1);
  state.last_match = state.frame;
  state.searched_all_of = state.searched_none_of = 0;
  state.shown = *begin.shown;
  state.shown_before = *begin.shown_before;
  steering_.start(state);
  state.velocity_mps = begin.velocity_mps;
  state.turn_speed_rad_s = begin.turn_speed_rad_s;
  state.led = {.root = begin.root,
               .velocity_mps = rotate(rotation_of(begin.root), begin.velocity_mps),
               .acceleration_mps2 = {},
               .turn_speed_rad_s = begin.turn_speed_rad_s};
  std::fill(state.ahead.roots.begin(), state.ahead.roots.end(), begin.root);
  if (begin.feet != nullptr) state.feet = *begin.feet;
  switch_to(state, state.frame);
}

RootDelta MotionMatching::root_step(int frame) const noexcept {
  const int last = database_->end_of(database_->clip_of(frame)) - 1;
  const int from = std::min(frame, std::max(last - 1, 0));
  if (from + 1 > last) return {};
  RootDelta step = delta_between(database_->root(from), database_->root(from + 1));
  step.translation.y = 0;
  return step;
}

// Over the next third of a second, or the rest of the clip.
std::optional<PlayedWay> MotionMatching::way_of(int frame) const noexcept {
  constexpr float kHorizon_s = 1.0F / 3;
  const float dt_s = steering_.dt_s();
  const int last = database_->end_of(database_->clip_of(frame)) - 1;
  const int frames = std::min(static_cast<int>(std::lround(kHorizon_s / dt_s)), last - frame);
  if (frames < 2) return {};
  return PlayedWay{delta_between(database_->root(frame), database_->root(frame + frames)),
                   static_cast<float>(frames) * dt_s};
}

void MotionMatching::step(const StepItem& item) const noexcept {
  auto& state = static_cast<MatchState&>(*item.state);
  const Intent& intent = *item.intent;
  const bool at_end = state.frame + 1 >= database_->end_of(database_->clip_of(state.frame));
  // 1. The database plays on, and the root moves along.
  PlanarRoot root =
      steering_.move_root(state, item.before->root, at_end ? RootDelta{} : root_step(state.frame), way_of(state.frame));
  if (!at_end) ++state.frame;
  // 2. Springs lead the root.
  steering_.lead(state, intent, root);
  // 3. Search for a better frame.
  const Tags tags = wanted_tags(intent);
  const bool is_new = tags.all_of != state.searched_all_of || tags.none_of != state.searched_none_of;
  if (at_end || is_new || steering_.is_due(state, intent)) search(state, intent, tags, root, at_end);
  // 4. The pose with transitions and locked feet.
  show(state, root, *item.now);
  state.report.frame = state.frame;
}

void MotionMatching::search(MatchState& state, const Intent& intent, const Tags& tags, const PlanarRoot& root,
                            bool at_end) const noexcept {
  database_->features(state.frame, state.current);
  space_.ask(state.current, root, state.ahead, state.query, state.wanted);
  const float cost = match_cost(state.query, state.current);
  const int skip = static_cast<int>(options_.skip_around_s / steering_.dt_s());
  MatchQuery query{.features = state.query,
                   .all_of = tags.all_of,
                   .none_of = tags.none_of,
                   .skip_begin = state.frame - skip,
                   .skip_end = state.frame + skip + 1,
                   .max_cost = cost - options_.transition_cost,
                   .hints = {state.last_match, state.frame + skip + 1}};
  // A frame without the desired labels is left at any cost.
  if (at_end || !tags.allow(database_->tags(state.frame))) query.max_cost = std::numeric_limits<float>::infinity();
  Match match = database_->index().find(query);
  if (at_end && match.frame < 0) {
    query.all_of = query.none_of = 0;  // Another style is better than no frame.
    match = database_->index().find(query);
  }
  steering_.searched(state, intent, root);
  state.searched_all_of = tags.all_of;
  state.searched_none_of = tags.none_of;
  state.report.cost = cost;
  state.report.query = query;
  ++state.report.num_searches;
  if (match.frame < 0) return;
  state.last_match = match.frame;
  switch_to(state, match.frame);
}

void MotionMatching::switch_to(MatchState& state, int frame) const noexcept {
  // The output is of the previous step, and so is the target.
  const int first = database_->begin_of(database_->clip_of(frame));
  database_->pose(std::max(frame - 1, first), state.target);
  database_->pose(std::max(frame - 2, first), state.target_before);
  steering_.begin_switch(state, root_step(frame));
  state.frame = frame;
  ++state.report.num_switches;
}

void MotionMatching::show(MatchState& state, const PlanarRoot& root, CharacterFrame& now) const noexcept {
  std::swap(state.shown, state.shown_before);
  database_->pose(state.frame, state.shown);
  const std::span<const std::uint8_t> contacts = database_->contacts(state.frame);
  for (std::size_t i = 0; i < contacts.size(); ++i) now.contacts[i] = static_cast<float>(contacts[i]);
  steering_.show(state, root, now);
}

}  // namespace

void begin_match(const Controller& controller, ControllerState& state, const MatchBegin& begin) noexcept {
  const auto* matching = dynamic_cast<const MotionMatching*>(&controller);
  auto* own = dynamic_cast<MatchState*>(&state);
  ZOE_CHECK(matching != nullptr && own != nullptr, "begin_match: not motion matching");
  matching->begin(*own, begin);
}

Result<ControllerPtr> make_motion_matching(MotionDatabasePtr database, Body body, const MatchOptions& options) {
  ZOE_CHECK(database != nullptr && body.skeleton != nullptr, "matching needs a database and a body");
  ZOE_TRY(check_same_skeleton(*database->skeleton(), *body.skeleton));
  if (!std::equal(body.contact_joints.begin(), body.contact_joints.end(), database->contact_joints().begin(),
                  database->contact_joints().end())) {
    return Error{ErrorCode::kInvalid, "body and database have different contact joints", {}};
  }
  return ControllerPtr(std::make_shared<const MotionMatching>(std::move(database), std::move(body), options));
}

const MatchReport& match_report(const ControllerState& state) {
  const auto* match = dynamic_cast<const MatchState*>(&state);
  ZOE_CHECK(match != nullptr, "match_report: not a state of motion matching");
  return match->report;
}

}  // namespace zoe::control
