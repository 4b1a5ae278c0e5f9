// SPDX-License-Identifier: MIT
#include "control/cxm/cxm_model.h"
#include "walker.h"

namespace zoe::control {
namespace {

using features::BlockKind;

// Says the same sequence, that of the clip at `frame`, whatever it is asked.
nn::NetworkPtr one_sequence(const test::Walker& walker, int frame, std::vector<float>& sequence) {
  const features::Layout& layout = walker.layout;
  sequence.resize(layout.size(BlockKind::kOutput));
  const features::Sample sample{0, frame, 0};
  features::GatherJob{.layout = &layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = sequence}.run();
  const auto in = static_cast<std::size_t>(layout.width(BlockKind::kInput));
  nn::GraphBuilder b;
  const std::vector<float> zeros(in * sequence.size());
  const int y = b.linear(b.input("x", static_cast<int>(in)), "all", {sequence.size(), in}, zeros, sequence);
  b.output("y", b.reshape(y, layout.steps(BlockKind::kOutput), layout.width(BlockKind::kOutput)));
  nn::Graph graph = std::move(b).build().value();
  graph.metadata["layout"] = layout.to_toml();
  return nn::Network::compile(graph).value();
}

// At 10 predictions a second old sequences outlast the blend; at 3 they end before it does, and go on as they ended.
class EveryRate : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Cxm, EveryRate, testing::Values(10, 3));

TEST_P(EveryRate, PlaysSequencesAndBlendsThemByComposition) {
  const int interval = 30 / GetParam();
  const test::Walker walker = test::make_walker("cxm");
  std::vector<float> sequence;
  NeuralParts parts{"cxm", test::walker_body(walker), one_sequence(walker, 60, sequence), {}};
  parts.options.predictions_hz = static_cast<float>(GetParam());
  parts.options.correction.share = 0;
  parts.options.lock_feet = false;
  parts.options.follow = 1;
  const ControllerPtr controller = make_cxm_controller(parts).value();
  const features::Decoder decoder = features::Decoder::create(walker.layout, walker.motion.skeleton).value();
  const auto step_at = [&](int frame) {
    const auto width = static_cast<std::size_t>(decoder.width());
    return decoder.root_step(std::span<const float>(sequence).subspan(static_cast<std::size_t>(frame) * width, width));
  };
  ASSERT_GT(length(step_at(1).translation), 0.01F);

  const auto state = controller->make_state();
  PlanarRoot expected;
  for (int tick = 0; tick < 4 * interval; ++tick) {
    controller->tick(*state, Intent::move({0, 0, 1}), 1.0 / 30);
    // The first sequence begins from a stand, each later one from what is left of the one before.
    const int age = tick % interval + 1;
    const RootDelta from = tick < interval ? RootDelta{} : step_at(std::min(age + interval, 15)), to = step_at(age);
    const float share = static_cast<float>(age) / static_cast<float>(interval);
    expected = moved_by(expected, {lerp(from.translation, to.translation, share),
                                   from.turn_rad + (to.turn_rad - from.turn_rad) * share});
    ASSERT_LT(distance(state->root().position, expected.position), 1e-4F) << tick;
    ASSERT_NEAR(state->root().facing_rad, expected.facing_rad, 1e-4F) << tick;
  }
  // The last of an interval is all of the sequence: its pose is the clip's of that frame, seen from the root.
  const PoseView pose = state->pose(), real = walker.motion.frame((60 + interval) * test::kFramesARow);
  for (std::size_t j = 1; j < pose.rotations.size(); ++j) {
    EXPECT_GT(std::abs(dot(pose.rotations[j], real.rotations[j])), 0.9999F) << j;
  }
}

TEST(Cxm, ACrowdTakesTurns) {
  const test::Walker walker = test::make_walker("cxm");
  NeuralParts parts{"cxm", test::walker_body(walker), test::random_network(walker, 0.02F), {}};
  const CxmModel model = make_cxm_model(parts).value();
  const ControllerPtr controller = make_cxm_controller(parts).value();
  std::vector<std::unique_ptr<ControllerState>> states;
  for (int lane = 0; lane < 9; ++lane) states.push_back(controller->make_state({.lane = lane}));
  for (int tick = 0; tick < 10; ++tick) {
    int due = 0;
    for (const auto& state : states) {
      if (static_cast<const CxmState&>(*state).is_due(model)) ++due;
      controller->tick(*state, Intent::move({0, 0, 1}), 1.0 / 30);
    }
    EXPECT_EQ(due, 3) << tick;
  }
}

TEST(Cxm, AnyFrameRateShowsTheSameMotion) {
  const test::Walker walker = test::make_walker("cxm");
  const ControllerPtr controller =
      make_cxm_controller({"cxm", test::walker_body(walker), test::random_network(walker, 0.02F), {}}).value();
  const auto root_after = [&](double fps) {
    const auto state = controller->make_state();
    for (int i = 0; i < static_cast<int>(4 * fps); ++i) controller->tick(*state, Intent::move({0, 0, 1}), 1 / fps);
    return state->root();
  };
  const PlanarRoot at_30 = root_after(30);
  ASSERT_GT(length(at_30.position), 0.5F);
  for (const double fps : {1.0, 24.0, 60.0, 144.0, 1000.0}) {
    EXPECT_LT(distance(root_after(fps).position, at_30.position), 0.1F) << fps;
  }
}

TEST(Cxm, RefusesWhatIsNoSequence) {
  const test::Walker walker = test::make_walker("cxm"), frames = test::make_walker("mann");
  const auto words = [](NeuralParts parts) {
    const auto made = make_cxm_controller(std::move(parts));
    return made ? std::string() : made.error().message;
  };
  NeuralParts parts{"cxm", test::walker_body(walker), test::random_network(walker, 0), {}};
  EXPECT_EQ(words(parts), "");
  for (const float rate_hz : {0.0F, 1.0F, 1e-30F}) {
    parts.options.predictions_hz = rate_hz;
    EXPECT_NE(words(parts).find("sequence.predictions_hz"), std::string::npos) << rate_hz;
  }
  EXPECT_NE(words({"cxm", test::walker_body(frames), test::random_network(frames, 0), {}}).find("sequence"),
            std::string::npos);
  parts.options.predictions_hz = 10;
  const auto one = make_neural_controller(parts);
  ASSERT_FALSE(one);
  EXPECT_NE(one.error().message.find("several frames"), std::string::npos);
}

}  // namespace
}  // namespace zoe::control
