// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Plans of bodies: shapes, masses, and MuJoCo's reading of them.
#include "zoe/physics/body_plan.h"

#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

#include "bodies.h"
#include "physics/engine.h"
#include "physics/fit_shape.h"
#include "support/data.h"

namespace zoe::physics {
namespace {

TEST(FitShape, CapsuleOfPointsOnACapsule) {
  // Points on a cylinder of radius 0.05 between 0.1 and 0.5 along y, around x = 0.2.
  std::vector<Vec3d> points;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double angle = 2 * std::numbers::pi * random.uniform_double();
    points.push_back({0.2 + 0.05 * std::cos(angle), 0.1 + 0.4 * random.uniform_double(), 0.05 * std::sin(angle)});
  }
  EXPECT_NEAR(std::abs(main_axis(points).y), 1, 1e-3);
  const BoneShape shape = fit_capsule(points, {0, 1, 0});
  EXPECT_NEAR(shape.radius_m, 0.05, 0.002);
  EXPECT_NEAR(shape.from.y - shape.radius_m, 0.1, 0.02);
  EXPECT_NEAR(shape.to.y + shape.radius_m, 0.5, 0.02);
  EXPECT_NEAR(shape.from.x, 0.2, 0.005);
}

TEST(FitShape, LowestPointOfTurnedShapes) {
  const Quatd quarter = from_axis_angle(Vec3d{0, 0, 1}, std::numbers::pi / 2);  // x becomes y.
  BoneShape capsule{.from = {0, 0, 0}, .to = {1, 0, 0}, .radius_m = 0.1};
  EXPECT_NEAR(capsule.lowest_y(quarter, {0, 2, 0}), 1.9, 1e-12);
  EXPECT_NEAR(capsule.lowest_y(conjugate(quarter), {0, 2, 0}), 0.9, 1e-12);
  BoneShape box{.is_box = true, .half_size = {0.3, 0.1, 0.2}};
  EXPECT_NEAR(box.lowest_y({}, {0, 1, 0}), 0.9, 1e-12);
  EXPECT_NEAR(box.lowest_y(quarter, {0, 1, 0}), 0.7, 1e-12);
}

TEST(BodyPlan, EveryFamilyLoadsInTheEngine) {
  for (const BodyFamily family : synth::families()) {
    SCOPED_TRACE(to_string(family));
    const TestRig made = make_test_rig(family);
    const mjModel& model = *made.model->inside().model;
    ASSERT_EQ(model.nbody, static_cast<int>(made.plan.bones.size()) + 1);
    double mass = 0;
    for (int body = 1; body < model.nbody; ++body) mass += model.body_mass[body];
    EXPECT_NEAR(mass, made.plan.mass_kg, 1e-4 * mass);
    // Frames of the engine's bodies in its first pose are those of the plan's reference pose.
    BodyState state(made.model);
    state.reset(reference_pose_of(made.source()).view());
    for (std::size_t b = 0; b < made.plan.bones.size(); ++b)
      EXPECT_LT(distance(state.bone_origin_m(static_cast<int>(b)), state.target_origin_m(static_cast<int>(b))), 1e-4);
  }
}

TEST(BodyPlan, MassGrowsWithTheCubeOfTheSize) {
  const TestRig small = make_test_rig(BodyFamily::kQuadruped, 7, 1),
                large = make_test_rig(BodyFamily::kQuadruped, 7, 2);
  EXPECT_NEAR(large.plan.mass_kg / small.plan.mass_kg, 8, 0.4);
}

TEST(BodyPlan, MassOfAPersonIsThatOfItsSynthesis) {
  // The synthetic body has masses of its own, from other formulas.
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  EXPECT_GT(made.plan.mass_kg, 0.5 * made.body.mass_kg());
  EXPECT_LT(made.plan.mass_kg, 2 * made.body.mass_kg());
  EXPECT_TRUE(made.plan.has_legs());
}

TEST(BodyPlan, WrittenXmlGivesTheSameModel) {
  const TestRig made = make_test_rig(BodyFamily::kHexapod);
  const std::filesystem::path file = zoe::test::temporary_dir("physics_xml") / "body.xml";
  const std::string xml = to_mjcf(made.plan);
  std::FILE* out = std::fopen(file.c_str(), "wb");
  ASSERT_NE(out, nullptr);
  std::fwrite(xml.data(), 1, xml.size(), out);
  std::fclose(out);
  char message[300] = "";
  const std::unique_ptr<mjModel, FreeModel> read(mj_loadXML(file.c_str(), nullptr, message, sizeof(message)));
  ASSERT_NE(read, nullptr) << message;
  const auto again = load_mjcf(xml);
  ASSERT_TRUE(again);
  ASSERT_EQ(mj_sizeModel(read.get()), mj_sizeModel(again->get()));
  std::vector<char> a(idx(mj_sizeModel(read.get()))), b(a.size());
  mj_saveModel(read.get(), nullptr, a.data(), static_cast<int>(a.size()));
  mj_saveModel(again->get(), nullptr, b.data(), static_cast<int>(b.size()));
  EXPECT_EQ(a, b);
}

TEST(BodyPlan, NamesThatXmlCannotHoldAreWritten) {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  made.plan.names[0] = "a<b>&\"c";
  EXPECT_TRUE(BodyModel::create(made.plan, made.body.skeleton));
}

TEST(BodyPlan, RefusesWhatHasNoBody) {
  const SkeletonPtr one = Skeleton::create({{.name = "only"}}).value();
  const SkeletonAnalysis analysis = analyse(*one);
  EXPECT_FALSE(plan_body({*one, analysis}));
}

TEST(BodyModel, MessageOfTheEngineForABadBody) {
  const auto model = load_mjcf("<mujoco><worldbody><body></worldbody></mujoco>");
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("MuJoCo"), std::string::npos);
}

}  // namespace
}  // namespace zoe::physics
