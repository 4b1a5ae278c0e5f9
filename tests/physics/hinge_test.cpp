// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Knees of clips, and limp bodies that bend theirs alike.
#include "physics/hinge.h"

#include <algorithm>
#include <cmath>

#include "bodies.h"

namespace zoe::physics {
namespace {

// A biped and a clip in which its knees bend about one axis.
struct Bending {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  Motion clip = make_motion(made.body.skeleton, "bend", 60, 40, false);
  std::vector<std::size_t> knees;
  Vec3 axis = normalized(Vec3{1, 0.2F, 0});

  Bending() {
    const auto is_knee = [](const BodyPlan& plan, const Bone& bone) {
      return bone.role == BoneRole::kLeg && plan.bones[static_cast<std::size_t>(bone.parent)].role == BoneRole::kLeg;
    };
    // All joints move a little: those that never do are no bones.
    for (int frame = 0; frame < clip.num_frames; ++frame)
      for (const Bone& bone : made.plan.bones) {
        const float turn = 0.025F * static_cast<float>(frame);
        Quat& q = clip.rotations[static_cast<std::size_t>(frame * clip.num_joints() + bone.joint)];
        q = normalized(q * from_axis_angle(is_knee(made.plan, bone) ? axis : Vec3{0, 0, 1},
                                           is_knee(made.plan, bone) ? turn : 0.1F * std::sin(turn)));
      }
    made.plan = plan_body({*made.body.skeleton, made.analysis, std::span(&clip, 1), made.body.character.get()}).value();
    for (std::size_t b = 1; b < made.plan.bones.size(); ++b)
      if (is_knee(made.plan, made.plan.bones[b])) knees.push_back(b);
  }

  // How far the limp body's knees come from their axis while it falls and is pushed about, radians.
  double farthest(const BodyPlan& plan) const {
    const BodyModelPtr model = BodyModel::create(plan, made.body.skeleton).value();
    BodyState state(model);
    state.reset(clip.frame(0), ground_under(*model, clip));
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
      const double angle = 0.7 * (i / 10), force = i % 10 < 3 ? 20 * plan.mass_kg : 0;
      state.tick(clip.frame(0), {.servo_scale = 0.06, .push_n = {force * std::cos(angle), 0, force * std::sin(angle)}});
      for (const std::size_t b : knees) {
        const Bone& bone = plan.bones[b];
        const Quatd local = conjugate(state.bone_rotation(bone.parent)) * state.bone_rotation(static_cast<int>(b));
        const HingeAngles angles = hinge_angles(to_double(axis), conjugate(bone.rotation) * local);
        worst = std::max(worst, length(angles.across_rad));
      }
    }
    return worst;
  }
};

TEST(Hinge, AnglesAboutAndAcrossTheAxis) {
  const Vec3d axis = normalized(Vec3d{1, 2, -1}), across = normalized(cross(axis, Vec3d{0, 1, 0})) * 0.4;
  for (const double turn : {-2.0, -0.3, 0.0, 1.1, 2.5}) {
    const Quatd q = from_rotation_vector(across) * from_axis_angle(axis, turn);
    for (const Quatd& same : {q, Quatd{-q.x, -q.y, -q.z, -q.w}}) {
      const HingeAngles found = hinge_angles(axis, same);
      EXPECT_NEAR(found.turn_rad, turn, 1e-9);
      EXPECT_LT(distance(found.across_rad, across), 1e-9);
    }
  }
}

TEST(Hinge, IsFoundInClips) {
  const Bending bending;
  ASSERT_EQ(bending.knees.size(), 2U);
  for (std::size_t b = 0; b < bending.made.plan.bones.size(); ++b) {
    const Hinge& hinge = bending.made.plan.bones[b].hinge;
    const bool is_knee = std::ranges::find(bending.knees, b) != bending.knees.end();
    ASSERT_EQ(hinge.known(), is_knee) << bending.made.plan.names[b];
    if (!is_knee) continue;
    EXPECT_GT(std::abs(dot(hinge.axis, to_double(bending.axis))), 0.999);
    EXPECT_NEAR(hinge.high_rad - hinge.low_rad, 0.975 + 2 * 0.26, 0.05);
    EXPECT_LT(hinge.slack_rad, 0.2);
  }
}

TEST(Hinge, LimpKneesDoNotBendSideways) {
  const Bending bending;
  BodyPlan loose = bending.made.plan;
  for (Bone& bone : loose.bones) bone.hinge = {};
  EXPECT_GT(bending.farthest(loose), 0.7);
  EXPECT_LT(bending.farthest(bending.made.plan), 0.45);
}

// A push can throw an arm beyond its limit. The shortest way back leads on, where the limit is.
TEST(Servo, BringsAJointBackThatIsBeyondItsLimit) {
  constexpr double kLimit_rad = 2;
  const Quatd start = from_rotation_vector(normalized(Vec3d{-60, 46, 160}) * 3.0);
  const Quatd goal = from_rotation_vector(normalized(Vec3d{15, -23, -83}) * 1.5);
  const auto shortest = [&](Quatd q) { return to_rotation_vector(normalized(conjugate(q) * goal)); };
  const auto angle_of = [](Quatd q) { return length(to_rotation_vector(q)); };
  Quatd q = start;
  EXPECT_GT(angle_of(normalized(q * from_rotation_vector(shortest(q) * 0.05))), angle_of(q)) << "no such case";
  double widest = 0;
  for (int i = 0; i < 200; ++i) {
    q = normalized(q * from_rotation_vector(way_within_limit(kLimit_rad, q, goal, shortest(q)) * 0.05));
    widest = std::max(widest, angle_of(q));
  }
  EXPECT_LT(widest, angle_of(start));
  EXPECT_LT(length(shortest(q)), 0.01);
  // Ways within the limit are left alone.
  const Quatd near = from_rotation_vector(Vec3d{0.3, -1.5, 0.2});
  EXPECT_EQ(way_within_limit(kLimit_rad, near, goal, shortest(near)), shortest(near));
}

}  // namespace
}  // namespace zoe::physics
