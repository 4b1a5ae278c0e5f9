// SPDX-License-Identifier: MIT
// Channels of joints, contacts and phases on a figure whose every number is a formula.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "features/gathered.h"
#include "features/stepping_figure.h"
#include "features/turning_walker.h"

namespace zoe::features {
namespace {

using test::Walk;

constexpr float kQuarter = std::numbers::pi_v<float> / 2;

Layout figure_layout(const std::string& channels, const SkeletonPtr& skeleton = test::figure_skeleton()) {
  auto layout = Layout::compile(test::input_schema(channels), *skeleton, test::figure_analysis());
  EXPECT_TRUE(layout) << layout.error().format();
  return std::move(layout.value());
}

void expect_vector(const test::GatheredSample& g, std::string_view channel, int first, Vec3 expected,
                   double tolerance = 1e-5) {
  EXPECT_NEAR(g.at(channel, first), expected.x, tolerance) << channel << " x from " << first;
  EXPECT_NEAR(g.at(channel, first + 1), expected.y, tolerance) << channel << " y from " << first;
  EXPECT_NEAR(g.at(channel, first + 2), expected.z, tolerance) << channel << " z from " << first;
}

void turn_joint(Motion& motion, int joint, Quat (*at)(float time_s)) {
  for (int f = 0; f < motion.num_frames; ++f)
    motion.rotations[static_cast<std::size_t>(f * motion.num_joints() + joint)] =
        at(static_cast<float>(f / motion.fps));
}

// The head is 10 cm ahead of the hips; hands rise by 0.3 m/s. One second in.
TEST(JointChannels, ThreePointTrackingIsUnderTheHead) {
  for (const float facing : {0.0F, 2.0F}) {
    Motion motion = test::walking({}, 121);
    test::place(motion, facing, {4, 0, 1});
    const auto g = test::gather(figure_layout("\"joint.position space=tracking\", \"joint.velocity space=tracking\", "
                                              "\"joint parts=z_axis,y_axis space=tracking\""),
                                {.motion = &motion}, 60);
    expect_vector(g, "joint.position", 0, {0, 1.6F, 0});
    expect_vector(g, "joint.position", 3, {0.7F, 1.7F, -0.1F});
    expect_vector(g, "joint.position", 6, {-0.7F, 1.7F, -0.1F});
    expect_vector(g, "joint.velocity", 0, {0, 0, 1.2F}, 3e-4);
    expect_vector(g, "joint.velocity", 3, {0, 0.3F, 1.2F}, 3e-4);
    expect_vector(g, "joint", 0, {0, 0, 1});
    expect_vector(g, "joint", 3, {0, 1, 0});
  }
}

TEST(JointChannels, RotationsOfARaisedArm) {
  Motion motion = test::walking({}, 121);
  turn_joint(motion, test::kLeftArm, [](float) { return from_axis_angle(Vec3{0, 0, 1}, kQuarter); });
  test::place(motion, 0.7F, {});
  const auto g = test::gather(figure_layout("\"joint.x_axis joints=LeftArm\", \"joint.y_axis joints=LeftArm\", "
                                            "\"joint.z_axis joints=LeftArm\", \"joint.rotation_log joints=LeftArm\", "
                                            "\"joint.rotation_6d joints=LeftArm space=parent\", \"joint "
                                            "parts=position,rotation_6d joints=LeftHand space=parent\""),
                              {.motion = &motion}, 60);
  expect_vector(g, "joint.x_axis", 0, {0, 1, 0});
  expect_vector(g, "joint.y_axis", 0, {-1, 0, 0});
  expect_vector(g, "joint.z_axis", 0, {0, 0, 1});
  expect_vector(g, "joint.rotation_log", 0, {0, 0, kQuarter / 2});
  const std::string six = "joint parts=x_axis,y_axis joints=LeftArm space=parent";
  expect_vector(g, six, 0, {0, 1, 0});
  expect_vector(g, six, 3, {-1, 0, 0});
  const std::string hand = "joint parts=position,x_axis,y_axis joints=LeftHand space=parent";
  expect_vector(g, hand, 0, {0.5F, 0.3F, 0});
  expect_vector(g, hand, 3, {1, 0, 0});
}

TEST(JointChannels, VelocitiesInRootAndParent) {
  Motion motion = test::circling({.radius_m = 0, .turn_rad_s = 0.5, .fps = 60}, 121);
  turn_joint(motion, 1, [](float t) { return from_axis_angle(Vec3{1, 0, 0}, 2 * t); });
  const Schema schema = test::input_schema(
      "\"joint.angular_velocity joints=LeftUpLeg\", \"joint.angular_velocity joints=LeftUpLeg "
      "space=parent\", \"joint.velocity joints=LeftFoot space=parent\", "
      "\"joint.angular_velocity joints=Hips space=parent\"");
  const auto g =
      test::gather(Layout::compile(schema, *motion.skeleton, test::walker_analysis()).value(), {.motion = &motion}, 60);
  // The body turns by 0.5 rad/s about Y under the leg that swings by 2 rad/s about X; over one
  // frame the two hardly mix.
  expect_vector(g, "joint.angular_velocity joints=LeftUpLeg", 0, {2, 0.5F, 0}, 0.02);
  expect_vector(g, "joint.angular_velocity joints=LeftUpLeg space=parent", 0, {2, 0, 0}, 1e-4);
  expect_vector(g, "joint.velocity", 0, {0, 0, 0}, 1e-4);
  expect_vector(g, "joint.angular_velocity joints=Hips space=parent", 0, {0, 0, 0}, 1e-4);
}

TEST(JointChannels, GuidanceIsTheMeanOfTheSecondAhead) {
  const Motion motion = test::walking({}, 241);
  const auto g = test::gather(figure_layout("\"guidance joints=hands\""), {.motion = &motion}, 60);
  expect_vector(g, "guidance", 0, {0.7F, 1.4F + 0.3F * 1.5F, 0}, 1e-4);  // From 1 s to 2 s.
  expect_vector(g, "guidance", 3, {-0.7F, 1.4F + 0.3F * 1.5F, 0}, 1e-4);
}

// One second in the left foot swings at twice the walk's speed and the right one stands.
TEST(JointChannels, ContactsAloneAndAmongOtherParts) {
  const Motion motion = test::walking({}, 121);
  const auto g =
      test::gather(figure_layout("\"joint parts=velocity,contact joints=RightFoot,Head,LeftFoot\", \"contact\""),
                   {.motion = &motion}, 60);
  const std::string mixed = "joint parts=velocity,contact joints=RightFoot,Head,LeftFoot";
  expect_vector(g, mixed, 0, {0, 0, 0}, 1e-4);
  EXPECT_EQ(g.at(mixed, 3), 1);
  expect_vector(g, mixed, 4, {0, 0, 1.2F}, 3e-4);
  EXPECT_EQ(g.at(mixed, 7), 0) << "a head is no contact joint";
  expect_vector(g, mixed, 8, {0, 0, 2.4F}, 3e-4);
  EXPECT_EQ(g.at(mixed, 11), 0);
  EXPECT_EQ(g.at("contact", 0), 0);
  EXPECT_EQ(g.at("contact", 1), 1);
  // Parts of one channel are normalised apart.
  const auto groups = g.layout.column_groups(BlockKind::kInput);
  EXPECT_EQ(groups[0], groups[4]);
  EXPECT_EQ(groups[3], groups[7]);
  EXPECT_NE(groups[0], groups[3]);
}

// Paws often end in a site that the analysis takes for the foot: its contact is the bone's, not
// that of any bone above.
TEST(JointChannels, ContactsOfEndSitesAreTheirBones) {
  Motion motion = test::walking({}, 121, test::kFigureJoints + 1);
  std::vector<JointDesc> joints(motion.skeleton->joints().begin(), motion.skeleton->joints().end());
  joints.back() = {"LeftTip", test::kLeftFoot, {{0, 0, 0.1F}}, JointKind::kEndSite};
  motion.skeleton = Skeleton::create(joints).value();
  Schema schema =
      test::input_schema("\"joint.contact joints=hips\", \"joint.contact joints=LeftFoot,RightFoot,LeftUpLeg\"",
                         "[joints]\ncontacts = [\"LeftTip\", \"RightFoot\"]");
  const auto at = [&](int frame) {
    return test::gather(Layout::compile(schema, *motion.skeleton, test::figure_analysis()).value(), {.motion = &motion},
                        frame)
        .blocks[0];
  };
  EXPECT_EQ(at(60), (std::vector<float>{0, 0, 1, 0})) << "the left foot swings";
  EXPECT_EQ(at(75), (std::vector<float>{0, 1, 0, 0})) << "the right foot swings";
}

// Stance of the left foot is the first half of each 0.6 s: its phase is zero in the middle, at 0.15
// s.
TEST(JointChannels, PhasesOfAWalk) {
  const Walk walk;
  const Motion motion = test::walking(walk, 361);
  const Layout layout =
      figure_layout("\"phase.local\", \"phase.global\", \"phase.delta\", \"phase.delta times=0:0.5:4\"");
  const auto turns = [](double s, double c) { return std::atan2(s, c) / (2 * std::numbers::pi); };
  const auto off = [](double a, double b) { return std::abs(std::remainder(a - b, 1.0)); };
  for (int frame = 150; frame < 190; frame += 7) {
    const auto g = test::gather(layout, {.motion = &motion}, frame);
    const double expected = (frame / walk.fps - 0.15) / walk.period_s;
    EXPECT_LT(off(turns(g.at("phase.local", 0), g.at("phase.local", 1)), expected), 0.03) << frame;
    EXPECT_LT(off(turns(g.at("phase.local", 2), g.at("phase.local", 3)), expected + 0.5), 0.03) << frame;
    EXPECT_GT(std::hypot(g.at("phase.local", 0), g.at("phase.local", 1)), 0.5);
    EXPECT_LT(off(g.at("phase.global", 0), expected), 0.03) << frame;
    EXPECT_NEAR(g.at("phase.delta", 0), 1 / (walk.period_s * walk.fps), 2e-3) << frame;
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(g.at("phase.delta times=0:0.5:4", i), 1 / (walk.period_s * walk.fps), 2e-3)
          << "a frame's change, at each time";
  }
}

// The same body drawn with other bone axes: canonical rotations are the same, and none at rest.
TEST(JointChannels, CanonicalRotationsDoNotDependOnBoneAxes) {
  Motion plain = test::walking({}, 61);
  turn_joint(plain, test::kLeftArm, [](float) { return from_axis_angle(Vec3{0, 0, 1}, kQuarter); });
  test::place(plain, 0.7F, {});
  std::vector<JointDesc> descs(plain.skeleton->joints().begin(), plain.skeleton->joints().end());
  const auto axes = [](int joint) {
    return from_rotation_vector(Vec3{0.3F * static_cast<float>(joint), 0.5F, -0.2F * static_cast<float>(joint)});
  };
  const auto into = [&](int joint, const Transform& local) {
    const int parent = plain.skeleton->parent(joint);
    const Quat before = parent == kNoJoint ? Quat{} : conjugate(axes(parent));
    return Transform{rotate(before, local.translation), before * local.rotation * axes(joint)};
  };
  for (int j = 0; j < plain.num_joints(); ++j)
    descs[static_cast<std::size_t>(j)].rest_local = into(j, descs[static_cast<std::size_t>(j)].rest_local);
  Motion other = plain;
  other.skeleton = Skeleton::create(descs).value();
  for (std::size_t i = 0; i < other.rotations.size(); ++i) {
    const Transform t = into(static_cast<int>(i) % plain.num_joints(), {plain.translations[i], plain.rotations[i]});
    other.translations[i] = t.translation;
    other.rotations[i] = t.rotation;
  }
  const char* channels = "\"joint parts=position,rotation_6d,velocity joints=all space=canonical\"";
  const auto a = test::gather(figure_layout(channels), {.motion = &plain}, 30);
  const auto b = test::gather(figure_layout(channels, other.skeleton), {.motion = &other}, 30);
  for (int i = 0; i < a.layout.width(BlockKind::kInput); ++i)
    EXPECT_NEAR(a.at("joint", i), b.at("joint", i), 2e-4) << i;
  for (int j = 0; j < plain.num_joints(); ++j) {
    const bool raised = j == test::kLeftArm;  // The hand goes with it and has not turned itself.
    expect_vector(b, "joint", 12 * j + 3, raised ? Vec3{0, 1, 0} : Vec3{1, 0, 0}, 2e-5);
    expect_vector(b, "joint", 12 * j + 6, raised ? Vec3{-1, 0, 0} : Vec3{0, 1, 0}, 2e-5);
  }
}

// A file's own carrier of the hips must not tell a network where in the world it is.
TEST(JointChannels, ParentOfTheHipsIsTheRoot) {
  const SkeletonPtr skeleton = Skeleton::create({{"World", kNoJoint, {}},
                                                 {"Hips", 0, {{0, 1, 0}}},
                                                 {"LeftLeg", 1, {{0.1F, 0, 0}}},
                                                 {"RightLeg", 1, {{-0.1F, 0, 0}}},
                                                 {"Hat", 0, {{0, 2, 0}}}})
                                   .value();
  SkeletonAnalysis analysis;
  analysis.family = BodyFamily::kBiped;
  analysis.root = 0;
  analysis.hips = 1;
  analysis.limbs = {{LimbKind::kLeg, Side::kLeft, {2}}, {LimbKind::kLeg, Side::kRight, {3}}};
  Motion motion = make_motion(skeleton, "still", 60, 10, false);
  for (std::size_t f = 0; f < 10; ++f) {
    motion.translations[5 * f + 1] = {7, 1, 9};
    motion.rotations[5 * f + 1] = from_axis_angle(Vec3{0, 1, 0}, 0.4F);
  }
  const auto g =
      test::gather(Layout::compile(test::input_schema("\"joint.position joints=Hips,LeftLeg,Hat space=parent\""),
                                   *skeleton, analysis)
                       .value(),
                   {.motion = &motion}, 5);
  expect_vector(g, "joint.position", 0, {0, 1, 0});
  expect_vector(g, "joint.position", 3, {0.1F, 0, 0});
  // The hat hangs on no hips: seen from the root too. (-7, 2, -9) turned back by 0.4.
  expect_vector(g, "joint.position", 6,
                {-7 * std::cos(0.4F) + 9 * std::sin(0.4F), 2, -7 * std::sin(0.4F) - 9 * std::cos(0.4F)}, 1e-4);
}

}  // namespace
}  // namespace zoe::features
