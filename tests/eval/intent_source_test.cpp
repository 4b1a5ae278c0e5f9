// SPDX-License-Identifier: MIT
// Sources by name: what each request gives, and what is refused.
#include "zoe/eval/intent_source.h"

#include <fstream>

#include <gtest/gtest.h>

#include "control/toy_controller.h"
#include "support/data.h"

namespace zoe::eval {
namespace {

// A controller with labels that stands for ever.
class Labelled final : public control::Controller {
 public:
  Labelled()
      : Controller({.skeleton = control::test::toy_skeleton(),
                    .rate_hz = 60,
                    .contact_joints = {1},
                    .styles = {"happy", "old"},
                    .actions = {"wave"},
                    .motion_range = {.pace_mps = 0.7F}}) {}
  const char* type() const override { return "labelled"; }
  std::size_t model_bytes() const override { return 0; }

 protected:
  std::unique_ptr<control::ControllerState> allocate_state() const override {
    return std::make_unique<control::test::ToyController::State>();
  }
  void start(control::ControllerState&, control::CharacterFrame&) const noexcept override {}
};

float speed_of(const SourceRequest& request) {
  const auto source = make_source(request, Labelled()).value();
  control::Intent intent;
  for (int i = 0; i < 60; ++i) intent = source->next(start_of(*source), 1.0 / 60);
  return length(intent.velocity_at(0));
}

TEST(MakeSource, NothingRequestedIsNoSource) {
  EXPECT_EQ(make_source({}, Labelled()).value(), nullptr);
  EXPECT_EQ(make_source({.style = "old"}, Labelled()).value(), nullptr) << "keys steer, and choose the style";
  EXPECT_FALSE(make_source({.style = "young"}, Labelled())) << "a wrong name is refused all the same";
}

TEST(MakeSource, CoursesGoAtTheControllersPaceUnlessASpeedIsGiven) {
  EXPECT_NEAR(speed_of({.path = "straight"}), 0.7F, 0.02F);
  EXPECT_NEAR(speed_of({.path = "straight", .speed_mps = 1.9F}), 1.9F, 0.05F);
}

TEST(MakeSource, TheSeedIsThatOfTheSticks) {
  const Labelled controller;
  const auto path_of = [&](std::uint64_t seed) {
    const auto source = make_source({.path = "sticks", .seed = seed}, controller).value();
    std::vector<Vec3> velocities;
    for (int i = 0; i < 600; ++i) velocities.push_back(source->next({}, 1.0 / 60).velocity_at(0));
    return velocities;
  };
  EXPECT_EQ(path_of(3), path_of(3));
  EXPECT_NE(path_of(3), path_of(4));
}

TEST(MakeSource, PathFilesSayWhereTheCharacterStarts) {
  const std::filesystem::path file = zoe::test::temporary_dir("source_path") / "path.csv";
  std::ofstream(file) << "x,z\n2,3\n5,3\n";
  const auto source = make_source({.path = file.string()}, Labelled()).value();
  ASSERT_NE(source->path(), nullptr);
  EXPECT_NEAR(source->path()->length_m(), 3, 1e-5);
  const PlanarRoot start = start_of(*source);
  EXPECT_NEAR(start.position.x, 2, 1e-5);
  EXPECT_NEAR(start.position.z, 3, 1e-5);
  EXPECT_NEAR(start.facing_rad, 1.5708F, 1e-3) << "along +X";
}

TEST(MakeSource, ScriptsComeFirstKnowTheLabelsAndStartAtTheOrigin) {
  const std::filesystem::path file = zoe::test::temporary_dir("source_script") / "go.txt";
  std::ofstream(file) << "0 move 0 1.25\n0 style old\n";
  const auto source = make_source({.script = file}, Labelled()).value();
  const control::Intent intent = source->next({}, 1.0 / 60);
  EXPECT_EQ(intent.velocity_at(0), (Vec3{0, 0, 1.25F}));
  EXPECT_EQ(intent.styles[1], 1);
  EXPECT_EQ(start_of(*source).position, Vec3{});

  std::ofstream(file) << "0 style young\n";
  const auto refused = make_source({.script = file}, Labelled());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().format().find("go.txt"), std::string::npos);
  EXPECT_FALSE(make_source({.script = file.parent_path() / "absent.txt"}, Labelled()));
}

TEST(MakeSource, AnActionAloneStands) {
  const auto source = make_source({.action = "wave"}, Labelled()).value();
  ASSERT_NE(source, nullptr);
  const control::Intent intent = source->next({}, 1.0 / 60);
  EXPECT_EQ(intent.velocity_at(0), Vec3{});
  EXPECT_EQ(intent.actions[0], 1);
}

TEST(MakeSource, LabelsHoldAlongAPathAndUnknownOnesAreRefusedWithASuggestion) {
  const auto source = make_source({.path = "circle", .style = "old", .action = "wave"}, Labelled()).value();
  const control::Intent intent = source->next({}, 1.0 / 60);
  EXPECT_EQ(intent.styles[0], 0);
  EXPECT_EQ(intent.styles[1], 1);
  EXPECT_EQ(intent.actions[0], 1);
  const auto refused = make_source({.path = "circle", .style = "hapy"}, Labelled());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("happy"), std::string::npos);
  EXPECT_FALSE(make_source({.path = "circle", .action = "old"}, Labelled())) << "a style is no action";
  EXPECT_FALSE(make_source({.path = "cirle"}, Labelled()));
}

}  // namespace
}  // namespace zoe::eval
