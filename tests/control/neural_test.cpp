// SPDX-License-Identifier: MIT
#include "zoe/control/neural.h"

#include "zoe/control/crowd.h"
#include "zoe/control/match/database.h"
#include "zoe/control/sources.h"
#include "zoe/core/thread_pool.h"

#include "control/cxm/cxm_model.h"
#include "support/allocation.h"
#include "support/pool.h"
#include "walker.h"

namespace zoe::control {
namespace {

using features::BlockKind;
using features::Group;

std::span<const float> values_of(const features::Layout& layout, Group group, const float* row) {
  for (const features::RowSource& source : layout.row_sources()) {
    if (source.group == group) return {row + source.offset, static_cast<std::size_t>(source.width)};
  }
  return {};
}

NeuralModel model_of(const test::Walker& walker, const author::Type& type) {
  const bool has_phase = walker.layout.width(BlockKind::kCondition) > 0;
  NeuralParts parts{type.name(), test::walker_body(walker), test::random_network(walker, 0, has_phase), {}};
  if (walker.layout.steps(BlockKind::kOutput) > 1) return make_cxm_model(std::move(parts)).value().neural;
  return make_neural_model(std::move(parts)).value();
}

// Frame by frame, with phases of its own, and by sequences.
constexpr const char* kSteppers[] = {"mann", "deepphase", "cxm"};

ControllerPtr controller_of(const test::Walker& walker, const char* kind, float strength = 0.02F) {
  return test::make_of({kind, test::walker_body(walker), test::random_network(walker, strength), {}}).value();
}

// The field's most reported bug: what the runtime feeds a network is not what it was trained on.
TEST(Neural, AReplayedClipGivesTrainingsInputsForEveryKind) {
  const author::Labels none, some{{"calm", "hasty"}, {"sit"}}, actions{{}, {"sit", "lie"}};
  for (const author::Type& type : author::types())
    for (const author::Labels* labels : {&none, &some, &actions}) {
      if (type.knows_all_clips) continue;                                         // Not a network that sees its layout.
      if (type.labels == author::LabelUse::kDeeds && !labels->empty()) continue;  // It has its own.
      SCOPED_TRACE(std::string(type.name()) + (labels->empty() ? "" : " with labels"));
      const test::Walker walker = test::make_walker(type, synth::Course::kWeave, 6, *labels);
      const features::Layout& layout = walker.layout;
      NeuralModel model = model_of(walker, type);
      model.parts.options.phase_stability = 1;  // Predictions that are right are taken as they are.
      NeuralState state(model, walker.motion.skeleton);
      const auto row_at = [&](int k) {
        return walker.rows.data() + static_cast<std::size_t>(k * layout.frame_width());
      };
      features::ControlSeries way = features::ControlSeries::standing(model.way_times, {});
      std::vector<float> found(layout.size(BlockKind::kInput)), expected(found.size());
      std::vector<float> window(features::RuntimeHistory::window_size(layout), 1e9F),
          y(layout.size(BlockKind::kOutput));
      float worst = 0;
      int compared = 0;
      for (int f = 0; f < walker.clip.num_rows; ++f) {
        const float* row = row_at(f);
        const PlanarRoot root{{row[features::row::kX], row[features::row::kY], row[features::row::kZ]},
                              row[features::row::kFacing]};
        if (f > 0) {
          const features::Sample before{0, f - 1, 0};
          ASSERT_TRUE(
              (features::GatherJob{.layout = &layout, .clips = {&walker.clip, 1}, .samples = {&before, 1}, .output = y}
                   .run()));
          state.lead_phases(model, y);
        }
        const features::SignalTrack phases{kPhaseSignal, state.phases().now()};
        state.remember(model, {walker.motion.frame(f * test::kFramesARow),
                               root,
                               values_of(layout, Group::kContact, row),
                               values_of(layout, Group::kPhaseLocal, row),
                               0,
                               {&phases, 1},
                               values_of(layout, Group::kStyle, row),
                               values_of(layout, Group::kAction, row)});
        if (f < layout.past_frames() + 1 || f + layout.future_frames() >= walker.clip.num_rows) continue;
        way.styles.clear();
        way.actions.clear();
        for (int i = 0; i < way.times.count; ++i) {
          const float* ahead = row_at(f + static_cast<int>(std::lround(way.times.at(i) * layout.fps())));
          way.roots[static_cast<std::size_t>(i)] = {{ahead[features::row::kX], 0, ahead[features::row::kZ]},
                                                    ahead[features::row::kFacing]};
          way.velocities[static_cast<std::size_t>(i)] = {ahead[features::row::kVelocityX], 0,
                                                         ahead[features::row::kVelocityZ]};
          for (const Group group : {Group::kStyle, Group::kAction}) {
            const auto values = values_of(layout, group, ahead);
            std::vector<float>& to = group == Group::kStyle ? way.styles : way.actions;
            to.insert(to.end(), values.begin(), values.end());
          }
        }
        state.encode_input(way, found, window);
        const features::Sample sample{0, f, 0};
        ASSERT_TRUE((features::GatherJob{
            .layout = &layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .input = expected}
                         .run()));
        for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - expected[i]));
        ++compared;
      }
      EXPECT_GT(compared, 100);
      EXPECT_LT(worst, 1e-4F);
    }
}

// An intent's labels reach the network: now and behind slowly, ahead sooner; without a wish the usual ones hold.
TEST(Neural, LabelsFollowTheIntent) {
  const author::Labels labels{{"calm", "hasty"}, {"sit"}};
  const test::Walker walker = test::make_walker(*author::find_type("mann").value(), synth::Course::kWeave, 6, labels);
  NeuralParts parts{"mann", test::walker_body(walker), test::random_network(walker, 0), {}};
  parts.options.usual_style = "calm";
  const NeuralModel model = make_neural_model(std::move(parts)).value();
  NeuralState state(model, walker.motion.skeleton);
  CharacterFrame before{{}, model.parts.body.start, std::vector<float>(model.parts.body.contact_joints.size())},
      now = before;
  state.start(model, now);
  std::vector<float> x(model.x_size()), window(features::RuntimeHistory::window_size(walker.layout));
  std::vector<float> y(model.y_size());
  const features::Sample sample{0, 60, 0};
  ASSERT_TRUE(
      (features::GatherJob{.layout = &walker.layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = y}
           .run()));
  Intent intent;
  const StepItem item{&state, &intent, &before, &now};
  const auto label = [&](int time, int which) {
    return x[static_cast<std::size_t>(time * 3 + which)];
  };  // First in x: 8 times × 3.
  state.encode(model, item, x, nullptr, window);
  for (int time = 0; time < 8; ++time) {
    EXPECT_EQ(label(time, 0), 1);
    EXPECT_EQ(label(time, 1), 0);
    EXPECT_EQ(label(time, 2), 0);
  }
  intent.styles[1] = 1;
  intent.actions[0] = 1;
  state.encode(model, item, x, nullptr, window);
  EXPECT_EQ(label(3, 1), 0);  // Now.
  for (int time = 4; time < 8; ++time) EXPECT_GT(label(time, 1), label(time - 1, 1));
  EXPECT_GT(label(7, 2), 0.9F);
  for (int i = 0; i < 30; ++i) {
    state.decode(model, item, y);
    state.encode(model, item, x, nullptr, window);
  }
  for (int time = 0; time < 8; ++time) EXPECT_NEAR(label(time, 0), 0, 0.15F);
  EXPECT_GT(label(0, 1), 0.85F);
  EXPECT_GT(label(3, 2), 0.98F);
}

TEST(Neural, ReadsTheWayAheadAsItWasWritten) {
  const test::Walker walker = test::make_walker("mann");
  const features::Layout& layout = walker.layout;
  const NeuralModel model = model_of(walker, *author::find_type("mann").value());
  std::vector<float> y(layout.size(BlockKind::kOutput));
  const features::Sample sample{0, 60, 0};
  ASSERT_TRUE(
      (features::GatherJob{.layout = &layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = y}.run()));
  const auto root_at = [&](int k) {
    const float* row = walker.rows.data() + static_cast<std::size_t>(k * layout.frame_width());
    return PlanarRoot{{row[features::row::kX], 0, row[features::row::kZ]}, row[features::row::kFacing]};
  };
  features::ControlSeries way = features::ControlSeries::standing(model.outputs.way_times(), {});
  model.outputs.read_way(y, root_at(61), way);
  ASSERT_GT(way.times.count, 1);
  for (int i = 0; i < way.times.count; ++i) {
    const PlanarRoot real = root_at(61 + 5 * i), &read = way.roots[static_cast<std::size_t>(i)];
    EXPECT_LT(distance(real.position, read.position), 1e-4F);
    EXPECT_NEAR(wrapped(real.facing_rad - read.facing_rad), 0, 1e-4F);
  }
}

TEST(Neural, StaysUprightAndFiniteWhateverComes) {
  for (const char* kind : kSteppers) {
    SCOPED_TRACE(kind);
    const test::Walker walker = test::make_walker(kind);
    // A network that is wildly wrong: the base class catches it.
    for (const float strength : {0.05F, 1000.0F}) {
      const ControllerPtr controller = controller_of(walker, kind, strength);
      const auto state = controller->make_state();
      const auto sticks = random_sticks(3, 1e30F);
      for (int i = 0; i < 300; ++i) {
        if (i == 100) controller->place(*state, {{1e4F, 0, -1e4F}, 40});
        Intent intent = sticks->next(state->root(), 0.02);
        if (i % 7 == 0) intent.wanted[0].velocity_mps.x = std::numeric_limits<float>::quiet_NaN();
        controller->tick(*state, intent, i % 50 == 0 ? 1.0 : 0.001 * i);
        ASSERT_TRUE(is_finite(state->root().position));
        for (const Vec3& t : state->pose().translations) ASSERT_TRUE(is_finite(t));
      }
    }
  }
}

void crowd_equals_singles(const char* kind) {
  const test::Walker walker = test::make_walker(kind);
  const ControllerPtr controller = controller_of(walker, kind);
  std::vector<PlanarRoot> places;
  for (int i = 0; i < 70; ++i) places.push_back({{float(i), 0, 0}, float(i)});
  Crowd crowd(controller, places);
  std::vector<std::unique_ptr<ControllerState>> singles;
  for (const PlanarRoot& place : places)
    singles.push_back(controller->make_state({.root = place, .lane = static_cast<int>(singles.size())}));
  std::vector<Intent> intents(places.size());
  ThreadPool pool(2), none(0);
  zoe::test::wait_for_threads(pool);
  Random random(1);
  for (int f = 0; f < 30; ++f) {
    for (Intent& intent : intents) intent = Intent::move({random.uniform(-1, 1), 0, random.uniform(-1, 1)});
    crowd.tick(intents, 1.0 / 30, pool);
    for (std::size_t i = 0; i < singles.size(); ++i) controller->tick(*singles[i], intents[i], 1.0 / 30);
  }
  float worst = 0;
  for (std::size_t i = 0; i < singles.size(); ++i) {
    const PoseView a = singles[i]->pose(), b = crowd.state(static_cast<int>(i)).pose();
    for (std::size_t j = 0; j < a.translations.size(); ++j)
      worst = std::max(worst, distance(a.translations[j], b.translations[j]));
  }
  // Places are up to 70 m off: single precision leaves 1e-5 there.
  EXPECT_LT(worst, 3e-5F);
  const zoe::test::AllocationMeter meter;
  // As many ticks as sequences need to be predicted once by each.
  for (int i = 0; i < 4; ++i) {
    crowd.tick(intents, 1.0 / 30, none);
    controller->tick(*singles[0], intents[0], 1.0 / 30);
  }
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(Neural, CrowdEqualsSinglesAndNeverAllocates) {
  for (const char* kind : kSteppers) {
    SCOPED_TRACE(kind);
    crowd_equals_singles(kind);
  }
}

TEST(Neural, SameInputsSameHash) {
  for (const char* kind : kSteppers) {
    SCOPED_TRACE(kind);
    const test::Walker walker = test::make_walker(kind);
    const ControllerPtr controller = controller_of(walker, kind);
    std::uint64_t hashes[3];
    for (std::uint64_t& hash : hashes) {
      const auto state = controller->make_state();
      const auto sticks = random_sticks(&hash == &hashes[2] ? 9 : 8);
      for (int i = 0; i < 120; ++i) controller->tick(*state, sticks->next(state->root(), 1.0 / 60), 1.0 / 60);
      hash = state->hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_NE(hashes[0], hashes[2]);
  }
}

TEST(Neural, AnyFrameRateMakesTheSameSteps) {
  for (const char* kind : kSteppers) {
    SCOPED_TRACE(kind);
    const ControllerPtr controller = controller_of(test::make_walker(kind), kind);
    PlanarRoot at_30;
    for (const double fps : {30.0, 1.0, 60.0, 1000.0}) {
      const auto state = controller->make_state();
      // A little past a step, so that rounding does not decide how many there were.
      for (int i = 0; i < static_cast<int>(3 * fps); ++i) controller->tick(*state, Intent::move({0, 0, 1}), 1 / fps);
      controller->tick(*state, Intent::move({0, 0, 1}), 0.01);
      if (fps == 30) at_30 = state->root();
      EXPECT_LT(distance(at_30.position, state->root().position), 1e-3F) << fps;
    }
    EXPECT_GT(length(at_30.position), 0.1F);
  }
}

TEST(Neural, PartsThatDoNotFitAreNamed) {
  const test::Walker walker = test::make_walker("mann");
  NeuralParts parts{"mann", test::walker_body(walker), test::random_network(walker, 0), {}};
  // A body of another skeleton.
  std::vector<JointDesc> joints(parts.body.skeleton->joints().begin(), parts.body.skeleton->joints().end());
  joints[4].name = "Antenna";
  NeuralParts other = parts;
  other.body.skeleton = Skeleton::create(joints).value();
  const auto refused = make_neural_controller(other);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("Antenna"), std::string::npos) << refused.error().message;
  // A network without a layout.
  nn::GraphBuilder b;
  const float weight[] = {1};
  b.output("y", b.linear(b.input("x", 1), "l", {1, 1}, weight, {}));
  parts.network = nn::Network::compile(std::move(b).build().value()).value();
  const auto bare = make_neural_controller(parts);
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().message.find("layout"), std::string::npos);
}

TEST(PoseFilter, KeepsASteadyTurnAndCalmsATremble) {
  PoseFilter filter(1);
  Random random(1);
  float shown_roughness = 0, roughness = 0, behind = 0;
  Quat shown_before, before;
  for (int i = 0; i < 200; ++i) {
    const Quat steady = from_rotation_vector(Vec3{0, 0.05F * static_cast<float>(i), 0});
    const Quat given = from_rotation_vector(Vec3{random.uniform(-0.02F, 0.02F), 0, 0}) * steady;
    Quat shown = given;
    filter.apply(0.5F, {&shown, 1});
    if (i > 50) {
      const auto off = [&](Quat now, Quat last) {
        return length(to_rotation_vector(now * conjugate(last)) - Vec3{0, 0.05F, 0});
      };
      roughness += off(given, before);
      shown_roughness += off(shown, shown_before);
      behind += to_rotation_vector(steady * conjugate(shown)).y / 149;
    }
    before = given;
    shown_before = shown;
  }
  EXPECT_LT(shown_roughness, 0.6F * roughness);
  EXPECT_LT(std::abs(behind), 0.002F);  // A steady turn does not lag.
  Quat elsewhere = from_rotation_vector(Vec3{2, 0, 0});
  filter.restart();
  filter.apply(0.5F, {&elsewhere, 1});
  EXPECT_EQ(elsewhere, from_rotation_vector(Vec3{2, 0, 0}));
}

}  // namespace
}  // namespace zoe::control
