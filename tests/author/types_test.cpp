// SPDX-License-Identifier: MIT
#include "zoe/author/types.h"

#include <gtest/gtest.h>

#include "zoe/control/load.h"

#include "author/dummy_type/dummy_type.h"
#include "author/walks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// One table to run them, one to make them: the same rows.
TEST(Types, EveryControllerTypeCanBeMade) {
  ASSERT_EQ(types().size(), control::controller_types().size());
  for (std::size_t i = 0; i < types().size(); ++i) {
    const control::ControllerType& run_time = control::controller_types()[i];
    const Type& type = types()[i];
    EXPECT_STREQ(type.name(), run_time.name);
    EXPECT_EQ(type.run_time.load, run_time.load);
    EXPECT_NE(type.fit, nullptr) << type.name();
    EXPECT_FALSE(std::string(run_time.summary).empty());
    EXPECT_EQ(find_type(type.name()).value(), &type);
  }
}

TEST(Types, SchemasParseAndNameTheirGate) {
  for (const Type& type : types()) {
    const features::Schema schema = schema_of(type).value();
    EXPECT_GT(schema.fps, 0) << type.name();
    EXPECT_EQ(num_gate_channels(type, schema), type.gate_channels);
    EXPECT_LE(static_cast<std::size_t>(type.gate_channels), schema.block(features::BlockKind::kInput).channels.size());
    if (type.labels == LabelUse::kNone) continue;
    if (type.labels == LabelUse::kDeeds) {
      EXPECT_EQ(schema.actions.size(), 7U);
      EXPECT_FALSE(schema_of(type, {{"old"}, {}})) << "it has its own labels";
      EXPECT_TRUE(schema_of(type, {{}, schema.actions}));
      continue;
    }
    const features::Schema labelled = schema_of(type, {{"old", "proud"}, {"sit"}}).value();
    EXPECT_EQ(labelled.styles, (std::vector<std::string>{"old", "proud"}));
    EXPECT_EQ(num_gate_channels(type, labelled), type.gate_channels == 0 ? 0 : type.gate_channels + 1);
    const auto inputs = labelled.block(features::BlockKind::kInput).channels.size();
    const bool as_input = type.labels == LabelUse::kInput;
    EXPECT_EQ(inputs, schema.block(features::BlockKind::kInput).channels.size() + (as_input ? 1 : 0));
    EXPECT_EQ(labelled.block(features::BlockKind::kCondition).channels.size(),
              schema.block(features::BlockKind::kCondition).channels.size() + (as_input ? 0 : 2));
  }
}

TEST(Types, RefuseUnknownNamesAndLabelsTheyCannotTake) {
  const auto unknown = find_type("man");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(test::contains(unknown.error(), "mann"));
  const auto refused = schema_of(*find_type("gait").value(), {{"old"}, {}});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "cxm")) << "says which types do";
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= control::kMaxLabels; ++i) many.push_back("style" + std::to_string(i));
  EXPECT_FALSE(schema_of(*find_type("mann").value(), {many, {}}));
}

// A new type is one folder and one row: nothing else in the pipeline knows it.
TEST(Types, ANewTypeIsOneFolderAndOneRow) {
  std::vector<Type> table(types().begin(), types().end());
  table.push_back(test::dummy_type());
  TrainController job;
  job.type = find_type("dummy", table).value();
  job.data = {test::synthetic_walks("dummy_walks", 3, 4)};
  job.folder = zoe::test::temporary_dir("dummy_run") / "run";
  job.settings = {"speed=1.5"};
  test::Heard heard;
  const auto made = job.run(heard.listener());
  ASSERT_TRUE(made) << made.error().format();
  EXPECT_TRUE(heard.has("a dummy controller"));
  EXPECT_TRUE(fs::exists(job.folder / "report.html"));

  // Loaded by its row, and by no table that lacks it.
  const std::vector<control::ControllerType> rows{test::dummy_type().run_time};
  const control::ControllerPtr controller =
      control::load_controller(control::ControllerParts::open(job.folder).value(), rows).value();
  const auto unknown = control::load_controller(job.folder);
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(test::contains(unknown.error(), "no controller type 'dummy'"));
  const auto state = controller->make_state();
  for (int i = 0; i < 120; ++i) controller->tick(*state, control::Intent::move({0, 0, 1}), 1.0 / 60);
  EXPECT_NEAR(state->root().position.z, 2 * 1.5F, 0.4F) << "it plays, at the speed that was fitted";
}

}  // namespace
}  // namespace zoe::author
