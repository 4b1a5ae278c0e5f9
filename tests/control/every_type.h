// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A small controller of every type, and what their characters do, bit by bit.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "zoe/author/alive.h"
#include "zoe/control/hybrid.h"
#include "zoe/control/lmm.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/core/hash64.h"
#include "zoe/core/random.h"

#include "control/oracle.h"
#include "control/walker.h"
#include "control/walkers.h"

namespace zoe::control::test {

// Two styles, tags of a database; three clips have none.
inline const zoe::test::Walkers& styled_walkers() {
  static const zoe::test::Walkers made = [] {
    zoe::test::Walkers walkers = zoe::test::make_walkers(
        8, "[labels]\nstyles = [\"proud\", \"sad\"]\n[condition]\nchannels = [\"style\"]\n", "", 200);
    std::vector<std::vector<features::LabelTrack>> labels(8);
    for (std::size_t i = 3; i < 8; ++i) labels[i] = {{i < 5 ? "proud" : "sad", 1, {}}};
    walkers.label(labels);
    return walkers;
  }();
  return made;
}

inline Body body_of(const zoe::test::Walkers& walkers) {
  std::vector<features::ClipRows> rows;
  for (const author::DatabaseSource& source : walkers.sources()) rows.push_back(source.rows);
  return author::make_body(walkers.layout, walkers.skeleton, rows).value();
}

inline ControllerPtr make_matching(MatchOptions::Blend blend, std::size_t num_clips = 8) {
  zoe::test::Walkers walkers = styled_walkers();
  walkers.clips.resize(num_clips);
  return make_motion_matching(std::make_shared<const MotionDatabase>(walkers.database()), body_of(walkers),
                              {.blend = blend})
      .value();
}

inline ControllerPtr make_learned() {
  static const zoe::test::Walkers walkers = zoe::test::make_walkers(8, "", "", 200);
  const MotionDatabase database = walkers.database();
  const zoe::test::Oracle oracle = zoe::test::make_oracle(walkers, database);
  return make_learned_matching({.body = body_of(walkers),
                                .layout = walkers.layout,
                                .normalisation = database.normalisation(),
                                .decompressor = nn::Network::compile(oracle.decompressor).value(),
                                .stepper = nn::Network::compile(oracle.stepper).value(),
                                .projector = nn::Network::compile(oracle.projector).value(),
                                .options = {}})
      .value();
}

inline ControllerPtr make_neural(const std::string& type, float strength = 0.02F) {
  const bool labelled = type == "mann";
  const Walker walker = make_walker(*author::find_type(type).value(), synth::Course::kWeave, 6,
                                    labelled ? author::Labels{{"calm", "hasty"}, {"sit"}} : author::Labels{});
  return make_of({type, walker_body(walker), random_network(walker, strength, type == "pfnn"), {}}).value();
}

// A synthetic dog walks by a plan.
inline ControllerPtr make_gait() {
  io::Asset asset;
  asset.character = synth::make_body(BodyFamily::kQuadruped, Random(5), {.mesh = false}).character;
  const author::Alive alive = author::make_alive(asset).value();
  return make_gait_controller(alive.body, alive.plan).value();
}

// Both parts on one body. The network is trusted while the desired velocity stays.
inline HybridParts hybrid_parts() {
  const Walker clip = make_walker("mm"), rows = make_walker("mann");
  const author::DatabaseSource source{"walk", clip.clip};
  HybridParts parts;
  parts.neural = {"mann", walker_body(rows), random_network(rows, 0.02F), {}};
  parts.database = std::make_shared<const MotionDatabase>(
      author::build_database(clip.layout, clip.motion.skeleton, {&source, 1}).value());
  Confidence trusts;
  trusts.spread.fill(1);
  trusts.hidden.assign(kNumPoseSigns, 0.0F);
  trusts.hidden[static_cast<std::size_t>(PoseSign::kDesiredChange)] = 1;
  trusts.hidden_bias = {-0.3F};
  trusts.last = {-20};
  trusts.last_bias = 4;
  parts.confidence = {trusts, trusts};
  parts.confidence.matching.last = {0};
  return parts;
}

// "mm" is made twice: its switches are blended in two ways.
inline constexpr const char* kEveryType[] = {"mm",  "mm inertialize", "lmm",    "mann", "pfnn", "lmp", "deepphase",
                                             "cxm", "gait",           "hybrid", "nsm"};

// For INSTANTIATE_TEST_SUITE_P.
struct NameOfType {
  std::string operator()(const testing::TestParamInfo<const char*>& type) const {
    std::string name = type.param;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
  }
};

inline ControllerPtr make_controller(const std::string& name) {
  if (name == "mm") return make_matching(MatchOptions::Blend::kDeadBlend);
  if (name == "mm inertialize") return make_matching(MatchOptions::Blend::kInertialize);
  if (name == "lmm") return make_learned();
  if (name == "gait") return make_gait();
  if (name == "hybrid") return make_hybrid_controller(hybrid_parts()).value();
  return make_neural(name);
}
// Made once.
inline const ControllerPtr& controller_of(const std::string& name) {
  static std::map<std::string, ControllerPtr> made;
  ControllerPtr& controller = made[name];
  if (!controller) controller = make_controller(name);
  return controller;
}

// What is desired at a tick, by its number alone.
enum class Wish { kSticks, kTooFast, kGoal, kStops };
inline Intent intent_at(Wish wish, int tick) {
  Random random = Random(77).split(static_cast<std::uint64_t>(tick / 25));
  Intent intent = Intent::move({random.uniform(-1.5F, 1.5F), 0, random.uniform(-1.5F, 1.5F)});
  if (tick / 25 % 3 == 1) intent.wanted[0].facing_rad = random.uniform(-3, 3);
  if (tick / 25 % 4 == 2) intent.styles[tick / 100 % 2] = 1;
  if (tick / 25 % 5 == 2) intent.actions[0] = 0.7F;
  if (wish == Wish::kTooFast) intent = Intent::move({0, 0, 12});
  if (wish == Wish::kGoal) {
    intent = {};
    intent.goal = WantedPlace{{tick < 500 ? 40.0F : -30.0F, 0, 5}, 0.5F};
  }
  // Walks, stops, stands, turns by a little and by much, and walks again.
  if (wish == Wish::kStops) {
    intent = tick % 120 < 40 ? Intent::move({0.3F, 0, 1.2F}) : Intent::stand();
    if (tick % 120 >= 80) intent.wanted[0].facing_rad = tick % 240 < 120 ? 0.3F : 1.8F;
  }
  return intent;
}
// Ticks of the model's rate, shorter and longer ones, and none at all.
inline double dt_at(int tick) {
  constexpr double kTimes_s[] = {1.0 / 60, 1.0 / 60, 1.0 / 30, 0.011, 0.052, 0};
  return kTimes_s[tick / 7 % 6];
}

// All that is displayed, by its bits, and all that is kept.
inline std::uint64_t bits_of(const ControllerState& state) {
  Hash64 hash;
  const auto add = [&](const auto& values) { hash.add(std::as_bytes(std::span(values))); };
  for (const PoseView& pose : {state.pose(), state.pose_in_root()}) {
    add(pose.translations);
    add(pose.rotations);
    add(pose.scales);
  }
  add(state.contacts());
  add(std::array{state.root().position.x, state.root().position.y, state.root().position.z, state.root().facing_rad,
                 state.speed_mps()});
  add(std::array{state.hash(), static_cast<std::uint64_t>(state.progress()),
                 static_cast<std::uint64_t>(state.num_steps())});
  return hash.finish();
}

inline std::vector<std::uint64_t> run(const Controller& controller, ControllerState& state, Wish wish, int from,
                                      int num_ticks) {
  std::vector<std::uint64_t> trace;
  for (int tick = from; tick < from + num_ticks; ++tick) {
    controller.tick(state, intent_at(wish, tick), dt_at(tick));
    trace.push_back(bits_of(state));
  }
  return trace;
}

}  // namespace zoe::control::test
