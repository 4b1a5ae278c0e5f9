// SPDX-License-Identifier: MIT
// Steps of learned matching against their rules, written out, with networks that know the database by heart.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/control/lmm.h"
#include "zoe/core/index.h"
#include "zoe/features/decode.h"

#include "control/every_type.h"
#include "control/match/steering.h"

namespace zoe::control {
namespace {

constexpr float kDt_s = 1.0F / 60;

const zoe::test::Walkers& walkers() {
  static const zoe::test::Walkers made = zoe::test::make_walkers(6, "", "", 150);
  return made;
}

// What the networks know: states and outputs of every frame.
struct Known {
  MotionDatabase database = walkers().database();
  zoe::test::Oracle oracle = zoe::test::make_oracle(walkers(), database);
  FeatureSpace space{database.layout(), database.normalisation()};
  features::Decoder decoder = features::Decoder::create(walkers().layout, walkers().skeleton).value();
  Body body = test::body_of(walkers());

  std::vector<float> output(int frame) const {
    const int clip = database.clip_of(frame);
    const features::ClipRows rows = walkers().sources()[idx(clip)].rows;
    const features::Sample sample{0, frame - database.begin_of(clip), 0};
    std::vector<float> y(walkers().layout.size(features::BlockKind::kOutput));
    EXPECT_TRUE(
        (features::GatherJob{.layout = &walkers().layout, .clips = {&rows, 1}, .samples = {&sample, 1}, .output = y}
             .run()));
    return y;
  }
  int next(int frame) const { return std::min(frame + 1, database.end_of(database.clip_of(frame)) - 1); }
  std::vector<float> contacts;  // Of the last pose.
  void pose(int frame, Pose& out) {
    features::DecodedFrame decoded = decoder.make_frame();
    decoder.decode(output(frame), {}, PlanarRoot{}, decoded);
    decoded.pose_root = {};
    decoder.to_pose(decoded, out);
    contacts = decoded.contacts;
  }
  ControllerPtr controller(const MatchOptions& options) const {
    return make_learned_matching({.body = body,
                                  .layout = walkers().layout,
                                  .normalisation = database.normalisation(),
                                  .decompressor = nn::Network::compile(oracle.decompressor).value(),
                                  .stepper = nn::Network::compile(oracle.stepper).value(),
                                  .projector = nn::Network::compile(oracle.projector).value(),
                                  .options = options})
        .value();
  }
};

// A network's step: none below 0.05 m/s and 0.05 rad/s, all of it above 0.12 and 0.15.
RootDelta without_creep(RootDelta step) {
  const float speed = std::hypot(step.translation.x, step.translation.z) / kDt_s,
              turn = std::abs(step.turn_rad) / kDt_s;
  const float share = std::clamp((speed - 0.05F) / 0.07F, 0.0F, 1.0F);
  const float turn_share = std::max(share, std::clamp((turn - 0.05F) / 0.1F, 0.0F, 1.0F));
  return {step.translation * share, step.turn_rad * turn_share};
}

// `steps` frames before `a`, by the change from `a` to `b`.
Pose before(const Pose& a, const Pose& b, int steps) {
  Pose out = a;
  for (std::size_t j = 0; j < a.rotations.size(); ++j) {
    out.translations[j] = a.translations[j] - (b.translations[j] - a.translations[j]) * static_cast<float>(steps);
    const Vec3 turn = to_rotation_vector(canonical(b.rotations[j] * conjugate(a.rotations[j])));
    out.rotations[j] = normalized(from_rotation_vector(turn * -static_cast<float>(steps)) * a.rotations[j]);
  }
  return out;
}

TEST(LearnedStep, StepsSearchesAndSwitchesByTheRules) {
  for (const auto blend : {MatchOptions::Blend::kInertialize, MatchOptions::Blend::kDeadBlend}) {
    Known known;
    MatchOptions options;
    options.blend = blend;
    options.lock_feet = false;
    const ControllerPtr controller = known.controller(options);
    EXPECT_EQ(controller->model_bytes(), nn::Network::compile(known.oracle.decompressor).value()->weight_bytes() +
                                             nn::Network::compile(known.oracle.stepper).value()->weight_bytes() +
                                             nn::Network::compile(known.oracle.projector).value()->weight_bytes());
    const auto state = controller->make_state();
    const Steering steering(known.body, options, 60);
    SteeredState reference(known.body, known.space, options);
    int frame = static_cast<int>(learned_match_report(*state).state.back());
    known.pose(frame, reference.shown);
    reference.shown_before = reference.shown;
    steering.start(reference);
    PlanarRoot root;
    std::int64_t searches = 0, switches = 0;
    std::vector<float> current(idx(known.database.num_dims())), query(current), found(current), scratch(current);
    CharacterFrame now{{}, known.body.start, std::vector<float>(known.body.contact_joints.size())};
    for (int tick = 0; tick < 200; ++tick) {
      SCOPED_TRACE(tick);
      const float angle = 0.02F * static_cast<float>(tick), speed = tick < 120 ? 1.0F : 0.3F;
      const Intent intent = Intent::move({speed * std::sin(angle), 0, speed * std::cos(angle)});
      controller->tick(*state, intent, 1.0 / 60);
      // 1. and 2. The next frame, and its root's step.
      frame = known.next(frame);
      known.database.features(frame, current);
      root = steering.move_root(reference, root, without_creep(known.decoder.root_step(known.output(frame))),
                                known.space.way_of(current));
      steering.lead(reference, intent, root);
      ASSERT_LT(distance(state->root().position, root.position), 2e-4F);
      ASSERT_LT(std::abs(wrapped(state->root().facing_rad - root.facing_rad)), 2e-4F);
      root = state->root();  // Rounding must not add up.
      // 3. The search.
      const LearnedMatchReport report = learned_match_report(*state);
      const bool due = steering.is_due(reference, intent);
      ASSERT_EQ(report.num_searches, searches + (due ? 1 : 0));
      if (due) {
        ++searches;
        known.space.ask(current, root, reference.ahead, query, scratch);
        steering.searched(reference, intent, root);
        EXPECT_NEAR(report.cost, match_cost(query, current), 2e-3F * (1 + report.cost));
        const bool switched = report.found_cost + options.transition_cost < report.cost;
        ASSERT_EQ(report.num_switches, switches + (switched ? 1 : 0));
        if (switched) {
          ++switches;
          const int to = static_cast<int>(report.state.back());
          known.database.features(to, found);
          EXPECT_NEAR(report.found_cost, match_cost(query, found), 2e-3F * (1 + report.cost));
          Pose a = known.body.start, b = a;
          known.pose(to, a);
          known.pose(known.next(to), b);
          reference.target = before(a, b, 1);
          reference.target_before = before(a, b, 2);
          steering.begin_switch(reference, known.decoder.root_step(known.output(known.next(to))));
          frame = to;
        }
      }
      ASSERT_EQ(static_cast<int>(report.state.back()), frame);
      // 4. The pose.
      std::swap(reference.shown, reference.shown_before);
      known.pose(frame, reference.shown);
      for (std::size_t i = 0; i < now.contacts.size(); ++i) {
        now.contacts[i] = known.contacts[i] >= 0.5F ? 1.0F : 0.0F;
        ASSERT_EQ(state->contacts()[i], now.contacts[i]);
      }
      steering.show(reference, root, now);
      for (std::size_t j = 0; j < now.pose.rotations.size(); ++j) {
        ASSERT_GT(std::abs(dot(now.pose.rotations[j], state->pose().rotations[j])), 0.9999F) << j;
        ASSERT_LT(distance(now.pose.translations[j], state->pose().translations[j]), 2e-3F) << j;
      }
    }
    EXPECT_GT(switches, 3);
  }
}

TEST(LearnedStep, PartsThatDoNotFitAreNamed) {
  const Known known;
  const nn::NetworkPtr decompressor = nn::Network::compile(known.oracle.decompressor).value(),
                       stepper = nn::Network::compile(known.oracle.stepper).value(),
                       projector = nn::Network::compile(known.oracle.projector).value();
  const LearnedMatchingParts good{.body = known.body,
                                  .layout = walkers().layout,
                                  .normalisation = known.database.normalisation(),
                                  .decompressor = decompressor,
                                  .stepper = stepper,
                                  .projector = projector,
                                  .options = {}};
  const auto why = [&](const auto& change) {
    LearnedMatchingParts parts = good;
    change(parts);
    const auto made = make_learned_matching(std::move(parts));
    return made ? std::string() : made.error().message;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  using Parts = LearnedMatchingParts;
  EXPECT_EQ(why([](Parts&) {}), "");
  EXPECT_TRUE(has(why([](Parts& p) { p.normalisation.means.pop_back(); }), "normalisation"));
  EXPECT_TRUE(has(why([](Parts& p) { p.normalisation.spreads.pop_back(); }), "normalisation"));
  EXPECT_TRUE(has(why([](Parts& p) { p.body.contact_joints.pop_back(); }), "contact joints"));
  EXPECT_TRUE(has(why([&](Parts& p) { p.projector = stepper; }), "projector"));
  EXPECT_TRUE(has(why([&](Parts& p) { p.stepper = projector; }), "stepper"));
  EXPECT_TRUE(has(why([&](Parts& p) { p.decompressor = stepper; }), "decompressor"));
  // A state that is narrower than the features.
  nn::GraphBuilder b;
  const auto x = static_cast<std::size_t>(known.database.num_dims());
  const std::vector<float> zeros(x * (x - 1));
  b.output("s", b.linear(b.input("x", static_cast<int>(x)), "all", {x - 1, x}, zeros, {}));
  const nn::NetworkPtr narrow = nn::Network::compile(std::move(b).build().value()).value();
  EXPECT_TRUE(has(why([&](Parts& p) { p.projector = narrow; }), "at least as wide"));
  // Models are told apart by each of their networks.
  const auto fingerprint = [&](const auto& change) {
    LearnedMatchingParts parts = good;
    change(parts);
    return make_learned_matching(std::move(parts)).value()->fingerprint();
  };
  zoe::test::Oracle other = known.oracle;
  for (nn::Graph* graph : {&other.decompressor, &other.stepper, &other.projector})
    graph->weights[0].bytes[0] ^= std::byte{1};
  const std::uint64_t plain = fingerprint([](Parts&) {});
  EXPECT_NE(fingerprint([&](Parts& p) { p.decompressor = nn::Network::compile(other.decompressor).value(); }), plain);
  EXPECT_NE(fingerprint([&](Parts& p) { p.stepper = nn::Network::compile(other.stepper).value(); }), plain);
  EXPECT_NE(fingerprint([&](Parts& p) { p.projector = nn::Network::compile(other.projector).value(); }), plain);
}

}  // namespace
}  // namespace zoe::control
