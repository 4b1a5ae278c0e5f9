// SPDX-License-Identifier: MIT
// Steps of motion matching against their rules, written out: roots that are steered, searches that are due, switches,
// and what a database gives for a frame.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/control/sources.h"
#include "zoe/core/index.h"
#include "zoe/math/spring.h"

#include "control/every_type.h"
#include "control/match/steering.h"

namespace zoe::control {
namespace {

using features::BlockKind;

constexpr float kDt_s = 1.0F / 60;

const zoe::test::Walkers& walkers() {
  static const zoe::test::Walkers made = zoe::test::make_walkers(6, "", "", 150);
  return made;
}
const MotionDatabase& database() {
  static const MotionDatabase made = walkers().database();
  return made;
}
const FeatureSpace& space() {
  static const FeatureSpace made(database().layout(), database().normalisation());
  return made;
}
const Body& body() {
  static const Body made = test::body_of(walkers());
  return made;
}

struct Steered {
  MatchOptions options;
  Steering steering;
  SteeredState state;

  explicit Steered(const MatchOptions& with = {})
      : options(with), steering(body(), with, 60), state(body(), space(), with) {
    state.shown = state.shown_before = body().start;
    steering.start(state);
  }
};

TEST(Steering, RootsMoveByThePlayedStepAndWhatIsLeftOfASwitch) {
  Steered made;
  made.state.left_velocity_mps = {0.4F, 0, -0.2F};
  made.state.left_turn_rad_s = 0.6F;
  PlanarRoot root{{1, 0, 2}, 0.5F};
  const RootDelta played{{0.01F, 0, 0.02F}, 0.005F};
  for (int i = 1; i < 8; ++i) {
    const float left = std::exp2(-static_cast<float>(i) * kDt_s / 0.08F);
    const Vec3 velocity = played.translation * 60 + Vec3{0.4F, 0, -0.2F} * left;
    const float turn = played.turn_rad * 60 + 0.6F * left;
    const PlanarRoot expected = moved_by(root, {velocity * kDt_s, turn * kDt_s});
    root = made.steering.move_root(made.state, root, played, {});
    ASSERT_LT(distance(root.position, expected.position), 1e-5F) << i;
    ASSERT_NEAR(root.facing_rad, expected.facing_rad, 1e-5F) << i;
    ASSERT_LT(distance(made.state.velocity_mps, velocity), 1e-4F) << i;
    ASSERT_NEAR(made.state.turn_speed_rad_s, turn, 1e-4F) << i;
  }
}

// Root step of a body that plays 0.6 m/s straight on, where the springs want `wanted` of the played way.
struct Warped {
  float stretch = 1, bend_rad_s = 0;
};
Warped warped(const PlayedWay& way, const PlanarRoot& wanted) {
  Steered made;
  const PlanarRoot before{{3, 0, -1}, 0.8F};
  // The springs' root stands at the wanted place all the time.
  const PlanarRoot there = moved_by(before, {wanted.position, wanted.facing_rad});
  std::fill(made.state.ahead.roots.begin(), made.state.ahead.roots.end(), there);
  const RootDelta played{{0, 0, 0.01F}, 0.002F};
  const PlanarRoot after = made.steering.move_root(made.state, before, played, way);
  EXPECT_NEAR(made.state.velocity_mps.z, 0.6F, 1e-4F) << "kept as it was played";
  EXPECT_NEAR(made.state.turn_speed_rad_s, 0.12F, 1e-4F);
  const RootDelta step = delta_between(before, after);
  return {length(step.translation) / 0.01F, (step.turn_rad - 0.002F) * 60};
}

TEST(Steering, StretchesAndBendsTowardsTheSpringsWithinItsLimits) {
  const PlayedWay way{{{0, 0, 0.3F}, 0.1F}, 0.5F};  // 0.6 m/s: of 0.7 the share is 6/7.
  const float share = 0.6F / 0.7F;
  EXPECT_NEAR(warped(way, {{0, 0, 0.33F}, 0.1F}).stretch, 1.1F, 1e-3F);
  EXPECT_NEAR(warped(way, {{0.24F, 0, -0.18F}, 0.1F}).stretch, 1, 1e-3F) << "lengths count, not directions";
  EXPECT_NEAR(warped(way, {{0, 0, 0.9F}, 0.1F}).stretch, 1.2F, 1e-3F);
  EXPECT_NEAR(warped(way, {{0, 0, 0.11F}, 0.1F}).stretch, 0.8F, 1e-3F);
  EXPECT_NEAR(warped(way, {{0, 0, 0.09F}, 2}).stretch, 1, 1e-3F) << "a wish to stand is none to be slow";
  EXPECT_NEAR(warped(way, {{0, 0, 0.09F}, 2}).bend_rad_s, 0, 1e-3F);
  // The turn that is missing, over the time of the way.
  EXPECT_NEAR(warped(way, {{0, 0, 0.3F}, 0.2F}).bend_rad_s, share * 0.2F, 1e-3F);
  EXPECT_NEAR(warped(way, {{0, 0, 0.3F}, -0.3F}).bend_rad_s, -share * 0.8F, 1e-3F);
  EXPECT_NEAR(warped(way, {{0, 0, 0.3F}, 2.5F}).bend_rad_s, share * 2, 1e-3F) << "at most two a second";
  EXPECT_NEAR(warped(way, {{0, 0, 0.3F}, -2.5F}).bend_rad_s, -share * 2, 1e-3F);
  // Fast ones bend all the way, standing ones not at all.
  const PlayedWay fast{{{0, 0, 0.6F}, 0.1F}, 0.5F}, slow{{{0, 0, 0.09F}, 0.1F}, 0.5F};
  EXPECT_NEAR(warped(fast, {{0, 0, 0.6F}, 0.2F}).bend_rad_s, 0.2F, 1e-3F);
  EXPECT_NEAR(warped(slow, {{0, 0, 0.6F}, 0.2F}).bend_rad_s, 0, 1e-3F);
  EXPECT_NEAR(warped(slow, {{0, 0, 0.6F}, 0.2F}).stretch, 1, 1e-3F);
}

TEST(Steering, LeadsTheRootAndLooksAhead) {
  Steered made;
  made.state.velocity_mps = {0.9F, 5, 1.2F};  // Over the ground: 1.5 m/s.
  made.state.turn_speed_rad_s = -0.7F;
  const Intent intent = Intent::move({1, 0, -1}, 2.0F);
  TrajectoryPoint led;
  for (int i = 0; i < 5; ++i) {
    PlanarRoot root{{0.1F, 0, 0.2F}, 0.3F};
    const PlanarRoot expected = lead(led, intent, root, 1.5F, -0.7F, kDt_s, made.options.trajectory,
                                     made.options.correction, made.options.lead);
    made.steering.lead(made.state, intent, root);
    ASSERT_LT(distance(root.position, expected.position), 1e-6F);
    ASSERT_NEAR(root.facing_rad, expected.facing_rad, 1e-6F);
    ASSERT_LT(distance(made.state.led.root.position, led.root.position), 1e-6F);
    EXPECT_EQ(made.state.steps_since_search, i + 1);
    auto ahead = features::ControlSeries::standing(space().times_ahead(), {});
    predict(led, intent, ahead, made.options.trajectory);
    for (std::size_t k = 0; k < ahead.roots.size(); ++k)
      ASSERT_LT(distance(ahead.roots[k].position, made.state.ahead.roots[k].position), 1e-5F);
  }
}

TEST(Steering, SearchesInTimeAndAtSuddenChanges) {
  Steered made;
  const Intent slow = Intent::move({0, 0, 0.02F});
  const auto due = [&](const Intent& intent) { return made.steering.is_due(made.state, intent); };
  made.state.steps_since_search = 5;
  EXPECT_FALSE(due(slow));
  made.state.steps_since_search = 6;
  EXPECT_TRUE(due(slow)) << "a tenth of a second";
  made.state.searched_velocity_mps = {1, 0, 1};
  made.state.searched_facing_rad = 3;
  made.steering.searched(made.state, Intent::move({0.3F, 0, 1}, -3.0F), {{}, 0.7F});
  EXPECT_EQ(made.state.steps_since_search, 0);
  EXPECT_EQ(made.state.searched_velocity_mps, (Vec3{0.3F, 0, 1}));
  EXPECT_NEAR(made.state.searched_facing_rad, -3, 1e-6F);
  EXPECT_FALSE(due(Intent::move({0.3F, 0, 1}, -3.0F)));
  EXPECT_FALSE(due(Intent::move({0.3F, 0, 1.49F}, -3.0F)));
  EXPECT_TRUE(due(Intent::move({0.3F, 0, 1.51F}, -3.0F)));
  EXPECT_TRUE(due(Intent::move({0.3F, 0, 0.49F}, -3.0F)));
  EXPECT_FALSE(due(Intent::move({0.3F, 0, 1}, 2.7F))) << "0.58 the other way round";
  EXPECT_TRUE(due(Intent::move({0.3F, 0, 1}, 2.65F)));
  EXPECT_TRUE(due(Intent::move({0.3F, 0, 1}, -2.35F)));
  // Without a facing that of the body is kept.
  made.steering.searched(made.state, Intent{}, {{}, 0.7F});
  EXPECT_EQ(made.state.searched_facing_rad, 0.7F);
  EXPECT_FALSE(due(Intent{}));
}

TEST(Steering, ASwitchBlendsPosesAndKeepsTheVelocity) {
  for (const auto blend : {MatchOptions::Blend::kInertialize, MatchOptions::Blend::kDeadBlend}) {
    MatchOptions options;
    options.blend = blend;
    options.lock_feet = false;
    Steered made(options);
    Pose a = body().start, b = a, target = a, target_before = a;
    database().pose(10, a);
    database().pose(11, b);
    database().pose(60, target_before);
    database().pose(61, target);
    made.state.shown_before = a;
    made.state.shown = b;
    made.state.target = target;
    made.state.target_before = target_before;
    made.state.velocity_mps = {0.1F, 0, 1.3F};
    made.state.turn_speed_rad_s = 0.4F;
    made.steering.begin_switch(made.state, {{0.005F, 0, 0.01F}, -0.02F});
    EXPECT_LT(distance(made.state.left_velocity_mps, {0.1F - 0.3F, 0, 1.3F - 0.6F}), 1e-5F);
    EXPECT_NEAR(made.state.left_turn_rad_s, 0.4F + 1.2F, 1e-5F);
    const TransitionStart start{b.view(), a.view(), target.view(), target_before.view(), kDt_s};
    const int joints = body().skeleton->num_joints();
    Inertialization inertialization(joints);
    DeadBlend dead_blend(joints);
    inertialization.start(start, 0.2F);
    dead_blend.start(start, 0.2F);
    const PlanarRoot root{{2, 0, 5}, 1.1F};
    CharacterFrame now{{}, body().start, std::vector<float>(body().contact_joints.size())};
    for (int i = 0; i < 15; ++i) {
      database().pose(62 + i, made.state.shown);
      Pose expected = made.state.shown;
      if (blend == MatchOptions::Blend::kInertialize) {
        inertialization.apply(kDt_s, expected.translations, expected.rotations);
      } else {
        dead_blend.apply(kDt_s, expected.translations, expected.rotations);
      }
      made.steering.show(made.state, root, now);
      EXPECT_EQ(now.root.position, root.position);
      EXPECT_EQ(now.root.facing_rad, root.facing_rad);
      for (std::size_t j = 0; j < expected.rotations.size(); ++j) {
        const bool is_top = body().skeleton->parent(static_cast<int>(j)) == kNoJoint;
        const Quat turn = is_top ? rotation_of(root) : Quat{};
        const Vec3 at = is_top ? root.position + rotate(turn, expected.translations[j]) : expected.translations[j];
        ASSERT_GT(std::abs(dot(now.pose.rotations[j], turn * expected.rotations[j])), 0.99999F) << i << " " << j;
        ASSERT_LT(distance(now.pose.translations[j], at), 1e-5F) << i << " " << j;
      }
    }
  }
}

TEST(Steering, FeetAreLockedByTheContactsOfTheFrame) {
  Steered made;
  MatchOptions unlocked;
  unlocked.lock_feet = false;
  Steered free(unlocked);
  FootLockState feet = make_foot_lock_state(body().legs.size());
  const std::vector<Leg> legs = legs_of(body());
  CharacterFrame now{{}, body().start, std::vector<float>(body().contact_joints.size())}, plain = now;
  float changed = 0;
  for (int f = 10; f < 40; ++f) {
    for (Steered* one : {&made, &free}) database().pose(f, one->state.shown);
    const auto contacts = database().contacts(f);
    for (std::size_t i = 0; i < contacts.size(); ++i) now.contacts[i] = plain.contacts[i] = contacts[i];
    const PlanarRoot root = database().root(f);
    made.steering.show(made.state, root, now);
    free.steering.show(free.state, root, plain);
    std::vector<float> ankles, balls;
    for (const BodyLeg& leg : body().legs) {
      ankles.push_back(leg.ankle_contact < 0 ? 0 : plain.contacts[idx(leg.ankle_contact)]);
      balls.push_back(leg.ball_contact < 0 ? 0 : plain.contacts[idx(leg.ball_contact)]);
    }
    Pose expected = plain.pose;
    ASSERT_TRUE((FootLockJob{.skeleton = body().skeleton.get(),
                             .legs = legs,
                             .ankle_contacts = ankles,
                             .ball_contacts = balls,
                             .dt_s = kDt_s,
                             .max_hip_drop_m = 0.1F,
                             .soften = 0.97F,
                             .pose = ik_pose(expected),
                             .state = &feet}
                     .run()));
    for (std::size_t j = 0; j < expected.rotations.size(); ++j) {
      ASSERT_GT(std::abs(dot(now.pose.rotations[j], expected.rotations[j])), 0.999999F) << f << " " << j;
      ASSERT_LT(distance(now.pose.translations[j], expected.translations[j]), 1e-5F) << f << " " << j;
      changed += 1 - std::abs(dot(plain.pose.rotations[j], expected.rotations[j]));
    }
  }
  EXPECT_GT(changed, 1e-5F);
}

TEST(Steering, AStartEndsEverything) {
  Steered used, fresh;
  used.state.led = {{{1, 0, 1}, 1}, {1, 0, 0}, {0, 0, 1}, 2};
  used.state.steps_since_search = 4;
  used.state.searched_velocity_mps = {1, 0, 1};
  used.state.searched_facing_rad = 1;
  used.state.left_velocity_mps = used.state.velocity_mps = {1, 0, 1};
  used.state.left_turn_rad_s = used.state.turn_speed_rad_s = 1;
  used.state.feet.started = true;
  used.state.feet.hip_drop_m = 0.1F;
  for (auto& root : used.state.ahead.roots) root = {{1, 0, 2}, 3};
  for (auto& velocity : used.state.ahead.velocities) velocity = {1, 0, 2};
  database().pose(30, used.state.target);
  used.steering.begin_switch(used.state, {});
  used.state.shown = used.state.shown_before = body().start;
  used.steering.start(used.state);
  EXPECT_EQ(used.state.steps_since_search, 0);
  EXPECT_EQ(used.state.searched_velocity_mps, Vec3{});
  EXPECT_EQ(used.state.searched_facing_rad, 0);
  EXPECT_EQ(used.state.left_velocity_mps, Vec3{});
  EXPECT_EQ(used.state.velocity_mps, Vec3{});
  EXPECT_EQ(used.state.left_turn_rad_s, 0);
  EXPECT_EQ(used.state.turn_speed_rad_s, 0);
  EXPECT_EQ(used.state.led.velocity_mps, Vec3{});
  EXPECT_EQ(used.state.led.root.position, Vec3{});
  EXPECT_FALSE(used.state.feet.started);
  EXPECT_EQ(used.state.feet.hip_drop_m, 0);
  for (const auto& root : used.state.ahead.roots) EXPECT_EQ(root.position, Vec3{});
  for (const auto& velocity : used.state.ahead.velocities) EXPECT_EQ(velocity, Vec3{});
  CharacterFrame a{{}, body().start, std::vector<float>(body().contact_joints.size())}, b = a;
  database().pose(50, used.state.shown);
  database().pose(50, fresh.state.shown);
  used.steering.show(used.state, {}, a);
  fresh.steering.show(fresh.state, {}, b);
  EXPECT_EQ(a.pose.rotations, b.pose.rotations) << "no transition is left";
  EXPECT_EQ(a.pose.translations, b.pose.translations);
}

// A whole run, step by step, with the search's own answers: what plays, when it searches, what it asks, how the root
// goes.
void expect_plays_by_the_rules(MatchOptions options, int ticks) {
  options.lock_feet = false;
  const auto shared = std::make_shared<const MotionDatabase>(walkers().database());
  const ControllerPtr controller = make_motion_matching(shared, body(), options).value();
  const MotionDatabase& data = *shared;
  const auto state = controller->make_state();
  Steered reference(options);
  int frame = match_report(*state).frame, last_match = -1, since_search = 0, switches = 0, at_ends = 0;
  std::int64_t searches = 0;
  PlanarRoot root;
  const int skip = static_cast<int>(options.skip_around_s * 60);
  const auto step_of = [&](int f) {
    RootDelta step = delta_between(data.root(f), data.root(f + 1));
    step.translation.y = 0;
    return step;
  };
  for (int tick = 0; tick < ticks; ++tick) {
    SCOPED_TRACE(tick);
    // Slow changes only: none is sudden.
    const float angle = 0.01F * static_cast<float>(tick);
    const Intent intent = Intent::move({0.9F * std::sin(angle), 0, 0.9F * std::cos(angle)});
    controller->tick(*state, intent, 1.0 / 60);
    const int end = data.end_of(data.clip_of(frame));
    const bool at_end = frame + 1 >= end;
    const int frames = std::min(20, end - 1 - frame);  // A third of a second.
    std::optional<PlayedWay> way;
    if (frames >= 2) {
      way = PlayedWay{delta_between(data.root(frame), data.root(frame + frames)), static_cast<float>(frames) / 60};
    }
    root = reference.steering.move_root(reference.state, root, at_end ? RootDelta{} : step_of(frame), way);
    if (!at_end) ++frame;
    reference.steering.lead(reference.state, intent, root);
    ASSERT_LT(distance(state->root().position, root.position), 2e-4F);
    ASSERT_LT(std::abs(wrapped(state->root().facing_rad - root.facing_rad)), 2e-4F);
    root = state->root();  // Rounding must not add up.
    const MatchReport& report = match_report(*state);
    ++since_search;
    // The tags of the first search are new only where there are any: this database has none.
    const bool due = at_end || since_search >= 6 || (tick == 0 && length(intent.velocity_at(0)) > 0.5F);
    ASSERT_EQ(report.num_searches, searches + (due ? 1 : 0));
    if (!due) {
      ASSERT_EQ(report.frame, frame);
      continue;
    }
    ++searches;
    since_search = 0;
    reference.steering.searched(reference.state, intent, root);
    const MatchQuery& query = report.query;
    EXPECT_EQ(query.skip_begin, frame - skip);
    EXPECT_EQ(query.skip_end, frame + skip + 1);
    EXPECT_EQ(query.hints[0], last_match);
    EXPECT_EQ(query.hints[1], frame + skip + 1);
    std::vector<float> current(idx(data.num_dims()));
    data.features(frame, current);
    EXPECT_NEAR(report.cost, match_cost(query.features, current), 1e-3F * (1 + report.cost));
    if (at_end) {
      ++at_ends;
      EXPECT_EQ(query.max_cost, std::numeric_limits<float>::infinity());
    } else {
      EXPECT_NEAR(query.max_cost, report.cost - options.transition_cost, 1e-4F * std::abs(query.max_cost) + 1e-5F);
    }
    const Match match = data.index().find_by_scan(query);
    if (match.frame < 0) {
      ASSERT_EQ(report.frame, frame);
      continue;
    }
    ++switches;
    frame = last_match = match.frame;
    ASSERT_EQ(report.frame, frame);
    const int first = data.begin_of(data.clip_of(frame));
    data.pose(std::max(frame - 1, first), reference.state.target);
    data.pose(std::max(frame - 2, first), reference.state.target_before);
    reference.steering.begin_switch(reference.state, step_of(frame));
    EXPECT_EQ(report.num_switches, switches);
    const auto contacts = data.contacts(frame);
    for (std::size_t i = 0; i < contacts.size(); ++i) EXPECT_EQ(state->contacts()[i], contacts[i]);
  }
  EXPECT_GT(switches, 0);
  EXPECT_EQ(at_ends > 0, options.transition_cost > 100);
}

TEST(MatchStep, PlaysSearchesAndSwitchesByTheRules) { expect_plays_by_the_rules({}, 300); }

// Nothing is ever good enough to leave a clip before its end.
TEST(MatchStep, PlaysClipsToTheirEnd) {
  MatchOptions options;
  options.transition_cost = 1e6F;
  expect_plays_by_the_rules(options, 450);
}

// The pose of a frame that plays for long is the database's, at the root.
TEST(MatchStep, ShowsTheFrameThatPlays) {
  MatchOptions options;
  options.lock_feet = false;
  options.transition_cost = 1e6F;
  const auto shared = std::make_shared<const MotionDatabase>(walkers().database());
  const ControllerPtr controller = make_motion_matching(shared, body(), options).value();
  const auto state = controller->make_state();
  Pose pose = body().start;
  for (int tick = 0; tick < 40; ++tick) {
    if (tick > 0) controller->tick(*state, Intent::move({0, 0, 1}), 1.0 / 60);
    const int frame = match_report(*state).frame;
    shared->pose(frame, pose);
    for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
      const bool is_top = body().skeleton->parent(static_cast<int>(j)) == kNoJoint;
      const Quat turn = is_top ? rotation_of(state->root()) : Quat{};
      const Vec3 at = is_top ? state->root().position + rotate(turn, pose.translations[j]) : pose.translations[j];
      ASSERT_GT(std::abs(dot(state->pose().rotations[j], turn * pose.rotations[j])), 0.99999F) << tick << " " << j;
      ASSERT_LT(distance(state->pose().translations[j], at), 1e-4F) << tick << " " << j;
    }
    const auto contacts = shared->contacts(frame);
    for (std::size_t i = 0; i < contacts.size(); ++i) ASSERT_EQ(state->contacts()[i], contacts[i]) << tick;
  }
  // It begins with the candidate nearest to standing.
  const Match nearest = shared->index().find_by_scan({.features = space().standing()});
  const auto again = controller->make_state();
  EXPECT_EQ(match_report(*again).frame, nearest.frame);
}

TEST(FeatureSpaceReference, StandingHasNoWayAndNoSpeedAndTheMeansElsewhere) {
  const features::Layout& layout = database().layout();
  const std::vector<float> standing = space().standing();
  const auto& normalisation = database().normalisation();
  const auto& channels = layout.schema().block(BlockKind::kInput).channels;
  const auto columns = layout.columns(BlockKind::kInput);
  int ways = 0, speeds = 0, means = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    for (int i = columns[c].begin; i < columns[c].begin + columns[c].width; ++i) {
      const std::size_t k = idx(i);
      const float value = standing[k] * normalisation.spreads[k] + normalisation.means[k];
      if (channels[c].group == features::Group::kRoot) {
        // Positions stay at zero; directions look ahead, along (0, 1).
        const bool is_direction = channels[c].parts[0] == features::Part::kDirection;
        EXPECT_NEAR(value, is_direction && (i - columns[c].begin) % 2 == 1 ? 1 : 0, 1e-5F) << columns[c].name;
        ++ways;
      } else if (channels[c].parts[0] == features::Part::kVelocity) {
        EXPECT_NEAR(value, 0, 1e-5F) << columns[c].name;
        ++speeds;
      } else {
        EXPECT_NEAR(standing[k], 0, 1e-5F) << columns[c].name;
        ++means;
      }
    }
  }
  EXPECT_GT(ways, 6);
  EXPECT_GT(speeds, 6);
  EXPECT_GT(means, 3);
  // Every third of a second up to a second.
  EXPECT_EQ(space().times_ahead().count, 4);
  EXPECT_NEAR(space().times_ahead().end_s, 1, 1e-9);
}

}  // namespace
}  // namespace zoe::control
