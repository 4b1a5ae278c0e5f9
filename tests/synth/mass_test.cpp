// SPDX-License-Identifier: MIT
// Masses: of known flesh, of whole bodies, and how they grow.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "synth/bodies.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::each_body;

TEST(Mass, OfOneCylinder) {
  Plan plan;
  plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, 1, 0});
  plan.blob(0, {0, 1, 0}, 0.1F, {0, 1, 2}, 0.1F);
  const Body body = finish(std::move(plan), {.mesh = false});
  // A frustum lengthened by two thirds of a radius, for its round ends; water.
  EXPECT_NEAR(body.mass_kg(), 1000 * std::numbers::pi * 0.1 * 0.1 * (2 + 0.067), 0.2);
  EXPECT_LT(distance(body.mass_centres_m[0], Vec3{0, 0, 1}), 1e-5F);
}

TEST(Mass, ACrossSectionStretchedFourfoldWeighsTwiceAsMuch) {
  const auto mass_of = [](Vec3 stretch) {
    Plan plan;
    plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {});
    plan.blob(0, {}, 0.2F, {0, 0, 1}, 0.1F, stretch);
    return finish(std::move(plan), {.mesh = false}).mass_kg();
  };
  EXPECT_NEAR(mass_of({4, 1, 1}) / mass_of({1, 1, 1}), 2, 1e-4);
}

TEST(Mass, CentreOfSeveralParts) {
  Plan plan;
  const int a = plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {});
  const int b = plan.add({.part = Part::kHead}, a, {0, 2, 0});
  plan.blob(a, {-0.5F, 0, 0}, 0.1F, {0.5F, 0, 0}, 0.1F);
  plan.blob(b, {-0.5F, 2, 0}, 0.1F, {0.5F, 2, 0}, 0.1F);
  EXPECT_LT(distance(centre_of_flesh(plan), Vec3{0, 1, 0}), 1e-5F);
  const Body body = finish(std::move(plan), {.mesh = false});
  EXPECT_LT(distance(centre_of_mass(body, body.skeleton->rest_model()), Vec3{0, 1, 0}), 1e-5F);
  EXPECT_NEAR(body.masses_kg[0], body.masses_kg[1], 1e-4);
}

TEST(Mass, TubesWeighAsTheirPieces) {
  Plan tube, blobs;
  for (Plan* plan : {&tube, &blobs}) {
    plan->body.root = plan->add({.part = Part::kHips}, kNoJoint, {});
    plan->add({.part = Part::kFemur}, 0, {0, 0, 1});
  }
  tube.tubes.push_back({{{{0, 0, 0}, 0.1F, 0}, {{0, 0, 1}, 0.08F, 1}, {{0, 0, 3}, 0.05F, 1}}, {1, 1, 1, 1}});
  blobs.blob(0, {0, 0, 0}, 0.1F, {0, 0, 1}, 0.08F);
  blobs.blob(1, {0, 0, 1}, 0.08F, {0, 0, 3}, 0.05F);
  const Body a = finish(std::move(tube), {.mesh = false}), b = finish(std::move(blobs), {.mesh = false});
  EXPECT_NEAR(a.masses_kg[0], b.masses_kg[0], 1e-4);
  EXPECT_NEAR(a.masses_kg[1], b.masses_kg[1], 1e-4);
}

TEST(Mass, IsPositiveSymmetricAndAboveTheFeet) {
  each_body(10, [](const Body& body, const std::string& what) {
    ASSERT_EQ(body.masses_kg.size(), static_cast<std::size_t>(body.skeleton->num_joints()));
    double sum = 0;
    for (const float mass : body.masses_kg) {
      EXPECT_GE(mass, 0) << what;
      sum += mass;
    }
    EXPECT_NEAR(body.mass_kg(), sum, 1e-3 * sum) << what;
    const Vec3 centre = centre_of_mass(body, body.skeleton->rest_model());
    EXPECT_NEAR(centre.x, 0, 1e-4 * body.body_length_m) << what;
    EXPECT_GT(centre.y, 0) << what;
    for (std::size_t i = 0; i + 1 < body.legs.size(); i += 2) {
      EXPECT_NEAR(body.masses_kg[static_cast<std::size_t>(body.legs[i].upper)],
                  body.masses_kg[static_cast<std::size_t>(body.legs[i + 1].upper)], 1e-4 * sum)
          << what;
    }
    if (body.legs.size() < 4) return;
    // Between the foremost and the hindmost feet: it does not fall over.
    const float front = test::rest_position(body, body.legs.front().distal.back()).z,
                hind = test::rest_position(body, body.legs.back().distal.back()).z;
    EXPECT_LT(centre.z, front) << what;
    EXPECT_GT(centre.z, hind) << what;
  });
}

TEST(Mass, GrowsWithTheCubeOfTheSize) {
  for (const BodyFamily family : families()) {
    const Body one = make_body(family, Random(5), {.mesh = false});
    for (const float size : {0.25F, 3.0F}) {
      const Body other = make_body(family, Random(5), {.mesh = false, .size = size});
      EXPECT_NEAR(other.mass_kg() / one.mass_kg(), size * size * size, 1e-3 * size * size * size) << to_string(family);
      EXPECT_NEAR(other.body_length_m, size * one.body_length_m, 1e-4 * size) << to_string(family);
      EXPECT_NEAR(other.leg_length_m, size * one.leg_length_m, 1e-4 * size) << to_string(family);
      EXPECT_NEAR(other.wing_span_m, size * one.wing_span_m, 1e-4 * size) << to_string(family);
      EXPECT_NEAR(other.wing_area_m2, size * size * one.wing_area_m2, 1e-3 * size * size) << to_string(family);
      EXPECT_NEAR(other.radius_m, size * one.radius_m, 1e-4 * size) << to_string(family);
      ASSERT_EQ(other.skeleton->num_joints(), one.skeleton->num_joints());
      for (int j = 0; j < one.skeleton->num_joints(); ++j) {
        const Vec3 a = test::rest_position(one, j) * size, b = test::rest_position(other, j);
        EXPECT_LT(distance(a, b), 1e-4F * size) << to_string(family);
      }
    }
  }
}

TEST(Mass, NamesAndMeshesChangeNothing) {
  for (const BodyFamily family : families()) {
    const Body plain = make_body(family, Random(8), {.mesh = false}),
               named = make_body(family, Random(8), {.names = Names::kBlender, .mesh = true});
    EXPECT_EQ(plain.masses_kg, named.masses_kg) << to_string(family);
    EXPECT_EQ(plain.species, named.species);
    EXPECT_TRUE(plain.character->meshes.empty());
    ASSERT_EQ(named.character->meshes.size(), 1U);
  }
}

TEST(Plan, JointsAreStiffUntilTold) {
  Plan plan;
  const int root = plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {});
  const int knee = plan.add({.part = Part::kShin}, root, {0, -0.5F, 0});
  const int end = plan.add_end(knee, {0, -1, 0});
  EXPECT_GT(limit_violation_rad(plan.body.limits[1], from_axis_angle(Vec3{1, 0, 0}, 0.5F)), 0.4F);
  plan.hinge(knee, {1, 0, 0}, 0, 90);
  EXPECT_EQ(limit_violation_rad(plan.body.limits[1], from_axis_angle(Vec3{1, 0, 0}, 0.5F)), 0);
  EXPECT_NEAR(limit_violation_rad(plan.body.limits[1], from_axis_angle(Vec3{1, 0, 0}, -0.5F)), 0.5F, 1e-3);
  const Body body = finish(std::move(plan), {.mesh = false});
  EXPECT_EQ(body.skeleton->kind(end), JointKind::kEndSite);
  EXPECT_EQ(body.skeleton->name(end), body.skeleton->name(knee) + "_End");
  EXPECT_LT(distance(body.skeleton->rest_local(end).translation, Vec3{0, -0.5F, 0}), 1e-6F);
}

TEST(Plan, ChainsHangTogetherAndAreNumbered) {
  Plan plan;
  plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {});
  const Vec3 points[] = {{0, 0, -1}, {0, 0, -2}, {0, 0.5F, -3}};
  const std::vector<int> chain = add_chain(plan, Part::kTail, 0, points);
  EXPECT_EQ(chain, (std::vector<int>{1, 2, 3}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plan.joints[i + 1].parent, static_cast<int>(i));
    EXPECT_EQ(plan.joints[i + 1].name, "Tail" + std::to_string(i + 1));
    EXPECT_EQ(plan.at(chain[i]), points[i]);
  }
}

}  // namespace
}  // namespace zoe::synth
