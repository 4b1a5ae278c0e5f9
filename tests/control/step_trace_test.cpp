// SPDX-License-Identifier: MIT
// Traced steps are those that a controller shows.
#include "zoe/control/step_trace.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/control/neural_parts.h"

#include "control/walker.h"

namespace zoe::control {
namespace {

std::vector<Intent> moving_intents(int count, float speed_mps) {
  std::vector<Intent> intents;
  for (int i = 0; i < count; ++i) {
    const float angle = 0.05F * static_cast<float>(i);
    intents.push_back(Intent::move({speed_mps * std::sin(angle), 0, speed_mps * std::cos(angle)}));
    if (i % 20 > 12) intents.back().wanted[0].facing_rad = 0.5F;
  }
  return intents;
}

void expect_same(const NeuralParts& parts, const std::vector<Intent>& intents) {
  const std::vector<TracedStep> steps = trace_steps(parts, intents).value();
  const ControllerPtr controller = test::make_of(parts).value();
  const auto state = controller->make_state();
  for (std::size_t i = 0; i < intents.size(); ++i) {
    controller->tick(*state, intents[i], controller->step_s());
    const TracedStep& step = steps[i];
    ASSERT_NEAR(distance(state->root().position, step.root.position), 0, 1e-5F) << parts.type << " " << i;
    ASSERT_NEAR(state->root().facing_rad, step.root.facing_rad, 1e-5F);
    for (std::size_t j = 0; j < step.pose.rotations.size(); ++j) {
      ASSERT_NEAR(distance(state->pose().translations[j], step.displayed.translations[j]), 0, 1e-5F) << i << " " << j;
      ASSERT_GT(std::abs(dot(state->pose().rotations[j], step.displayed.rotations[j])), 1 - 1e-5F) << i << " " << j;
    }
    for (std::size_t k = 0; k < step.contacts.size(); ++k) ASSERT_EQ(state->contacts()[k], step.contacts[k]);
  }
}

TEST(StepTrace, HasTheNetworksNumbersWhereItRan) {
  for (const char* type : {"mann", "pfnn", "lmp", "deepphase", "cxm"}) {
    const bool has_phase = std::string(type) == "pfnn", is_sequence = std::string(type) == "cxm";
    const test::Walker walker = test::make_walker(type);
    const NeuralParts parts{type, test::walker_body(walker), test::random_network(walker, 0.5F, has_phase), {}};
    const std::vector<TracedStep> steps = trace_steps(parts, moving_intents(4, 1)).value();
    EXPECT_EQ(steps[0].x.size(), walker.layout.size(features::BlockKind::kInput)) << type;
    EXPECT_EQ(steps[0].y.size(), walker.layout.size(features::BlockKind::kOutput)) << type;
    EXPECT_EQ(steps[1].x.empty(), is_sequence) << "a sequence is played for three steps";
  }
}

TEST(StepTrace, IsWhatShippedModelsShow) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  for (const char* name : {"walker", "dog"}) {
    const auto files =
        ControllerParts::open(std::filesystem::path(source != nullptr ? source : ".") / "models" / name).value();
    const ControllerConfig config = parse_controller_config(files.settings()).value();
    const NeuralParts parts = load_neural_parts(files, config).value();
    expect_same(parts, moving_intents(60, parts.body.motion_range.pace_mps));
  }
}

}  // namespace
}  // namespace zoe::control
