// SPDX-License-Identifier: MIT
// A body being posed: frames, bends, limits, and legs that reach what they are asked to.
#include "synth/rig.h"

#include <gtest/gtest.h>

#include "zoe/character/pose.h"

#include "synth/bodies.h"
#include "synth/wings.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::each_body;

TEST(Rig, FramesAreThoseOfThePose) {
  each_body(2, [](const Body& body, const std::string& what) {
    Rig rig(body);
    Random random(4);
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      rig.set(j, from_rotation_vector(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}));
    }
    rig.update();
    std::vector<Affine> model(static_cast<std::size_t>(body.skeleton->num_joints()));
    compute_model_from_joint(*body.skeleton, rig.pose().view(), model);
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      EXPECT_LT(distance(rig.position(j), model[static_cast<std::size_t>(j)].t), 1e-4F) << what;
      const Vec3 a = rotate(rig.rotation(j), Vec3{1, 2, 3}),
                 b = model[static_cast<std::size_t>(j)].apply_point({1, 2, 3}) - model[static_cast<std::size_t>(j)].t;
      EXPECT_LT(distance(a, b), 1e-4F) << what;
    }
    EXPECT_LT(distance(rig.centre_of_mass(), centre_of_mass(body, model)), 1e-4F * body.body_length_m + 1e-5F) << what;
    rig.reset();
    rig.update();
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      EXPECT_LT(distance(rig.position(j), test::rest_position(body, j)), 1e-5F) << what;
    }
  });
}

TEST(Rig, ABendIsSharedEvenly) {
  const Body body = body_of(BodyFamily::kSnake, 1);
  Rig rig(body);
  rig.bend(body.spine, {0, 0.9F, 0});
  rig.update();
  const float each = 0.9F / static_cast<float>(body.spine.size());
  for (const int joint : body.spine) {
    EXPECT_NEAR(angle_between(Quat{}, rig.pose().rotations[static_cast<std::size_t>(joint)]), each, 1e-4);
  }
  EXPECT_NEAR(angle_between(rig.rotation(body.root), rig.rotation(body.spine.back())), 0.9, 1e-3);
  rig.bend({}, {1, 0, 0});  // Nothing to bend.
}

TEST(Rig, AimTurnsTheLastJointAsFarAsLimitsAllow) {
  each_body(2, [](const Body& body, const std::string& what) {
    if (body.neck.empty()) return;
    Rig rig(body);
    const Quat wanted = about_y(0.3F);
    rig.aim(body.neck, body.head, wanted);
    rig.update();
    EXPECT_LT(angle_between(rig.rotation(body.head), wanted), 0.02) << what;
    // Behind its back: every joint stays within its limit.
    rig.aim(body.neck, body.head, about_y(3));
    for (const int joint : body.neck) {
      EXPECT_LT(limit_violation_rad(body.limits[static_cast<std::size_t>(joint)],
                                    rig.pose().rotations[static_cast<std::size_t>(joint)]),
                1e-3F)
          << what;
    }
    rig.aim(body.neck, kNoJoint, wanted);  // No such joint: nothing happens.
  });
}

TEST(Rig, ClampingKeepsEveryLimitButTheRoots) {
  each_body(2, [](const Body& body, const std::string& what) {
    Rig rig(body);
    Random random(6);
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      rig.set(j,
              from_rotation_vector(Vec3{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)} * 0.9F));
    }
    const Quat root = rig.pose().rotations[static_cast<std::size_t>(body.root)];
    rig.clamp_all();
    EXPECT_EQ(rig.pose().rotations[static_cast<std::size_t>(body.root)], root) << what;
    for (int j = 1; j < body.skeleton->num_joints(); ++j) {
      if (j == body.root) continue;
      EXPECT_LT(limit_violation_rad(body.limits[static_cast<std::size_t>(j)],
                                    rig.pose().rotations[static_cast<std::size_t>(j)]),
                2e-3F)
          << what << ", " << body.skeleton->name(j);
    }
  });
}

TEST(Rig, TheRootIsWhereItIsPut) {
  each_body(3, [](const Body& body, const std::string& what) {
    Rig rig(body);
    const Vec3 where{1, 2, 3}, marker{1, 0, 3};
    const Quat turned = about_y(0.7F) * about_x(0.2F);
    rig.place_root(where, turned, marker, 0.7F);
    rig.update();
    EXPECT_LT(distance(rig.position(body.root), where), 1e-5F) << what;
    EXPECT_LT(angle_between(rig.rotation(body.root), turned), 1e-3) << what;
    if (body.root != 0) {
      EXPECT_LT(distance(rig.position(0), marker), 1e-5F) << what;
    }
  });
}

TEST(Rig, LegsReachPlacesNearTheirRest) {
  each_body(4, [](const Body& body, const std::string& what) {
    Rig rig(body);
    for (const Leg& leg : body.legs) {
      const Vec3 rest = test::rest_position(body, leg.distal.back());
      for (const Vec3 off : {Vec3{}, Vec3{0, 0.1F, 0}, Vec3{0, 0.08F, 0.12F}, Vec3{0, 0.08F, -0.12F}}) {
        FootPose foot;
        foot.ball = rest + off * leg.length_m;
        foot.planted = true;
        const float missed = rig.solve_leg(leg, foot);
        EXPECT_LT(missed, 0.03F * leg.length_m) << what << ", " << body.skeleton->name(leg.upper);
        EXPECT_NEAR(missed, distance(rig.position(leg.distal.back()), foot.ball), 1e-4 * leg.length_m) << what;
        // Bones keep their lengths.
        EXPECT_NEAR(distance(rig.position(leg.upper), rig.position(leg.lower)),
                    distance(test::rest_position(body, leg.upper), test::rest_position(body, leg.lower)), 1e-4)
            << what;
      }
    }
  });
}

TEST(Rig, LegsSayHowFarTheyMiss) {
  const Body body = body_of(BodyFamily::kBiped, 0);
  Rig rig(body);
  FootPose foot;
  foot.ball = test::rest_position(body, body.legs[0].distal.back()) + Vec3{0, 0, 3 * body.leg_length_m};
  EXPECT_GT(rig.solve_leg(body.legs[0], foot), 1.5F * body.leg_length_m);
}

TEST(Rig, WritesItsPoseIntoAMotion) {
  const Body body = body_of(BodyFamily::kBiped, 0);
  Rig rig(body);
  rig.set(body.legs[0].lower, about_x(0.5F));
  Motion motion = make_motion(body.skeleton, "m", 30, 3, false);
  rig.write(motion, 1);
  const auto knee = static_cast<std::size_t>(body.legs[0].lower);
  EXPECT_EQ(motion.frame(1).rotations[knee], about_x(0.5F));
  EXPECT_EQ(motion.frame(0).rotations[knee], Quat{});
  EXPECT_EQ(motion.frame(2).rotations[knee], Quat{});
}

TEST(Wings, BothSidesAreMirrorImagesAtEveryFold) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (int i = 0; i < 4; ++i) {
      const Body body = body_of(family, i);
      Rig rig(body);
      for (const WingPose& pose :
           {WingPose{}, WingPose{0.4F, 0.1F, 0.05F, 0}, WingPose{0, 0, 0, 0.5F}, WingPose{0, 0, 0, 1}}) {
        for (const Wing& wing : body.wings) pose_wing(rig, wing, pose);
        rig.update();
        const Vec3 left = rig.position(body.wings[0].hand), right = rig.position(body.wings[1].hand);
        EXPECT_LT(distance(left, test::mirrored(right)), 2e-3F * body.wing_span_m) << to_string(family) << i;
      }
    }
  }
}

TEST(Wings, FoldedOnesAreNarrowAndRaisedOnesAreHigh) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    const Body body = body_of(family, 1);
    Rig rig(body);
    const auto hand = [&](const WingPose& pose) {
      for (const Wing& wing : body.wings) pose_wing(rig, wing, pose);
      rig.update();
      return rig.position(body.wings[0].fingers.back());
    };
    const Vec3 spread = hand({}), folded = hand({.fold = 1}), raised = hand({.elevation_rad = 0.6F}),
               lowered = hand({.elevation_rad = -0.6F});
    EXPECT_LT(folded.x, 0.6F * spread.x) << to_string(family);
    EXPECT_GT(raised.y, spread.y + 0.05F * body.wing_span_m) << to_string(family);
    EXPECT_LT(lowered.y, spread.y - 0.05F * body.wing_span_m) << to_string(family);
  }
}

}  // namespace
}  // namespace zoe::synth
