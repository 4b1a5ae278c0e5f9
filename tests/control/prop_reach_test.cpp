// SPDX-License-Identifier: MIT
// Hands and hips that come to props: where they end, what holds, how they are let go.
#include "control/goal/prop_reach.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/index.h"

#include "control/goal/prop_legs.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

constexpr float kStep_s = 1.0F / 30;

// Hips at 0.9 m, shoulders at 1.4 m, arms of 0.3, 0.25 and 0.2 m that hang before the body, elbows a little bent.
struct Puppet {
  SkeletonPtr skeleton;
  Body body;
  ReachBody reach;
  Pose pose;

  Puppet() {
    const auto joint = [](const char* name, int parent, Vec3 at) {
      JointDesc desc;
      desc.name = name, desc.parent = parent;
      desc.rest_local.translation = at;
      return desc;
    };
    std::vector<JointDesc> joints{joint("hips", kNoJoint, {0, 0.9F, 0}), joint("chest", 0, {0, 0.5F, 0})};
    for (const float side : {1.0F, -1.0F}) {
      const int first = static_cast<int>(joints.size());
      joints.push_back(joint("upper", 1, {0.18F * side, 0, 0}));
      joints.push_back(joint("lower", first, {0, -0.3F, -0.02F}));
      joints.push_back(joint("hand", first + 1, {0, -0.2F, 0.15F}));
      joints.push_back(joint("finger", first + 2, {0, -0.1F, 0.15F}));
    }
    for (std::size_t i = 2; i < joints.size(); ++i) joints[i].name += i < 6 ? "_l" : "_r";
    skeleton = Skeleton::create(std::move(joints)).value();
    body.skeleton = skeleton;
    body.start = make_pose(*skeleton);
    pose = body.start;
    DeedFacts facts;
    facts.hips = 0, facts.left_hand = 4, facts.right_hand = 8, facts.seated_m = 0.1F;
    reach = reach_body_of(body, facts);
  }
  std::array<Vec3, 2> palms(const Pose& of) const {
    std::vector<Affine> models(idx(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, of.view(), models);
    return {models[4].apply_point(reach.arms[0].palm), models[8].apply_point(reach.arms[1].palm)};
  }
};

// A step of a network that holds its pose still.
Pose step(const Puppet& puppet, PropReach& reach, const Prop* used, Deed deed, float deed_s, bool held,
          const DeedGoal& goal = {}) {
  Pose pose = puppet.pose;
  const PropReach::Moment now{*puppet.skeleton, puppet.reach, {}, used, deed, goal, deed_s, held, {}, kStep_s};
  reach.move_hips(now, pose);
  reach.move_hands(now, pose);
  return pose;
}

TEST(PropReach, PalmsComeToTheBox) {
  const Puppet puppet;
  ASSERT_TRUE(puppet.reach.has_arms);
  const auto free = puppet.palms(puppet.pose);
  const Vec3 middle = (free[0] + free[1]) * 0.5F;
  const Prop box = make_box({0.26F, 0.2F, 0.2F}, 3, middle + Vec3{0.03F, -0.2F, 0.04F}, 0.2F);
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 60 && !reach.grips(); ++i) {
    pose = step(puppet, reach, &box, Deed::kLift, kStep_s * static_cast<float>(i), i >= 30, {Deed::kLift, {}});
    if (i < 30) {
      EXPECT_FALSE(reach.grips()) << "the network decides when to hold";
    }
  }
  ASSERT_TRUE(reach.grips());
  const auto palms = puppet.palms(pose);
  for (const Vec3 palm : palms) EXPECT_NEAR(std::abs(signed_distance(box, palm)), 0.018F, 0.012F);
  EXPECT_NEAR(distance(palms[0], palms[1]), 0.26F + 0.036F, 0.01F) << "as wide as the box";
  // Let go: the pose is the network's again, without a jump.
  Vec3 before = palms[0];
  for (int i = 0; i < 30; ++i) {
    pose = step(puppet, reach, nullptr, Deed::kIdle, kStep_s * static_cast<float>(i), false);
    const Vec3 now = puppet.palms(pose)[0];
    EXPECT_LT(distance(now, before), 0.06F) << i;
    before = now;
  }
  EXPECT_FALSE(reach.grips());
  EXPECT_EQ(pose.rotations, puppet.pose.rotations);
}

TEST(PropReach, APutDownBoxComesToItsDestination) {
  const Puppet puppet;
  const auto free = puppet.palms(puppet.pose);
  const Vec3 middle = (free[0] + free[1]) * 0.5F;
  Prop box = make_box({0.3F, 0.2F, 0.2F}, 3, middle - Vec3{0, 0.14F, 0});
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 30; ++i) pose = step(puppet, reach, &box, Deed::kLift, 1, true, {Deed::kLift, {}});
  ASSERT_TRUE(reach.grips());
  const DeedGoal goal{Deed::kPutDown, {box.position + Vec3{0.04F, 0.05F, 0.03F}, 0.1F}};
  for (int i = 0; i < 60; ++i)
    pose = step(puppet, reach, &box, Deed::kPutDown, kStep_s * static_cast<float>(i), true, goal);
  Prop there = box;
  there.position = goal.place.position, there.facing_rad = goal.place.facing_rad;
  for (const Vec3 palm : puppet.palms(pose)) EXPECT_NEAR(std::abs(signed_distance(there, palm)), 0.018F, 0.015F);
}

TEST(PropReach, FarPropsAreNotReachedFor) {
  const Puppet puppet;
  const Prop box = make_box({0.3F, 0.2F, 0.2F}, 3, {0, 0, 3});
  PropReach reach(puppet.skeleton->num_joints());
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(step(puppet, reach, &box, Deed::kLift, 2, false, {Deed::kLift, {}}).rotations, puppet.pose.rotations);
}

TEST(PropReach, ADoorFollowsTheHandAndTheHandKeepsTheHandle) {
  Puppet puppet;
  const Vec3 left = puppet.palms(puppet.pose)[0];
  Prop door = make_door({.width_m = 0.8F, .handle_height_m = left.y});
  door.position = left - Vec3{door.handle_m.x, left.y, door.handle_m.z - 0.05F};
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 20; ++i) pose = step(puppet, reach, &door, Deed::kOpen, 1, true, {Deed::kOpen, {}});
  ASSERT_TRUE(reach.grips());
  EXPECT_LT(distance(puppet.palms(pose)[0], handle_of(door)), 0.05F);
  const float right = distance(puppet.palms(pose)[1], puppet.palms(puppet.pose)[1]);
  EXPECT_EQ(right, 0) << "the other hand is free";
}

// A hand has what it is at, not what it comes near to.
TEST(PropReach, AHandGripsWhereItIs) {
  const Puppet puppet;
  const Vec3 left = puppet.palms(puppet.pose)[0];
  Prop door = make_door({.width_m = 0.8F, .handle_height_m = left.y});
  const auto put = [&](float ahead_m) {
    door.position = left - Vec3{door.handle_m.x, left.y, door.handle_m.z - ahead_m};
  };
  PropReach reach(puppet.skeleton->num_joints());
  put(0.6F);
  for (int i = 0; i < 3; ++i) step(puppet, reach, &door, Deed::kOpen, 1, true, {Deed::kOpen, {}});
  EXPECT_FALSE(reach.grips()) << "out of reach";
  put(0.2F);
  Pose pose = puppet.pose;
  int steps = 0;
  for (; steps < 30 && !reach.grips(); ++steps)
    pose = step(puppet, reach, &door, Deed::kOpen, 1, true, {Deed::kOpen, {}});
  EXPECT_GT(steps, 3) << "20 cm at 1.6 m/s";
  EXPECT_LT(steps, 10);
  // A door that is open, and whose handle the arm does not reach any more, is let go.
  door.open_rad = 1.3F;
  door.position += left + Vec3{0, 0, 0.35F} - handle_of(door);
  for (int i = 0; i < 3; ++i) pose = step(puppet, reach, &door, Deed::kOpen, 1, true, {Deed::kOpen, {}});
  EXPECT_FALSE(reach.grips());
}

TEST(PropReach, AFreeHandStaysOutOfProps) {
  const Puppet puppet;
  const Vec3 left = puppet.palms(puppet.pose)[0];
  // A wall whose surface is 2 cm before the palm.
  const Prop wall = make_obstacle({2, 2, 1}, {left.x, 0, left.z + 0.48F});
  ASSERT_LT(signed_distance(wall, left), -0.01F);
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 30; ++i) {
    pose = puppet.pose;
    reach.move_hands({*puppet.skeleton, puppet.reach, {&wall, 1}, nullptr, Deed::kWalk, {}, 1, false, {}, kStep_s},
                     pose);
  }
  for (const Vec3 palm : puppet.palms(pose)) EXPECT_GT(signed_distance(wall, palm), 0.015F);
}

TEST(PropReach, TheHipsComeToTheSeat) {
  const Puppet puppet;
  const Prop seat = make_seat({.height_m = 0.77F}, {0.02F, 0, 0});
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 60; ++i) pose = step(puppet, reach, &seat, Deed::kSit, 2, false, {Deed::kSit, {}});
  EXPECT_NEAR(pose.translations[0].y, 0.87F, 1e-3F);
  for (int i = 0; i < 60; ++i) pose = step(puppet, reach, &seat, Deed::kIdle, 2, false, {Deed::kIdle, {}});
  EXPECT_NEAR(pose.translations[0].y, 0.9F, 1e-3F) << "it gets up";
}

// A copy by the saved bytes goes on in the same way, and steps allocate nothing.
TEST(PropReach, IsSavedAndAllocatesNothing) {
  const Puppet puppet;
  const Prop box = make_box({0.26F, 0.2F, 0.2F}, 3, puppet.palms(puppet.pose)[0] - Vec3{0.15F, 0.15F, -0.05F});
  PropReach reach(puppet.skeleton->num_joints()), copy(puppet.skeleton->num_joints());
  for (int i = 0; i < 10; ++i) step(puppet, reach, &box, Deed::kLift, 1, i > 4, {Deed::kLift, {}});
  StateArchive size = StateArchive::measuring();
  reach.describe(size);
  std::vector<std::byte> bytes(size.num_bytes());
  StateArchive writing = StateArchive::writing(bytes), reading = StateArchive::reading(bytes);
  reach.describe(writing);
  copy.describe(reading);
  Pose a = puppet.pose, b = puppet.pose;
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 20; ++i) {
    std::copy(puppet.pose.rotations.begin(), puppet.pose.rotations.end(), a.rotations.begin());
    std::copy(puppet.pose.rotations.begin(), puppet.pose.rotations.end(), b.rotations.begin());
    const PropReach::Moment now{*puppet.skeleton, puppet.reach, {}, &box, Deed::kLift, {Deed::kLift, {}}, 1, true, {},
                                kStep_s};
    reach.move_hands(now, a);
    copy.move_hands(now, b);
  }
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(a.rotations, b.rotations);
  EXPECT_NE(a.rotations, puppet.pose.rotations);
}

// A box that would be in the body is held before it.
TEST(PropReach, AHeldBoxStaysOutOfTheBody) {
  Puppet puppet;
  const auto free = puppet.palms(puppet.pose);
  const Vec3 middle = (free[0] + free[1]) * 0.5F;
  const Prop box = make_box({0.3F, 0.2F, 0.2F}, 3, middle - Vec3{0, 0.14F, 0});
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 30; ++i) pose = step(puppet, reach, &box, Deed::kLift, 1, true, {Deed::kLift, {}});
  ASSERT_TRUE(reach.grips());
  // Hips before the chest: the box of the network's hands is 6 cm inside of the trunk.
  puppet.pose.translations[0].z = middle.z - 0.1F;
  puppet.pose.translations[1].z = -puppet.pose.translations[0].z;
  for (int i = 0; i < 40; ++i)
    pose = step(puppet, reach, &box, Deed::kCarry, kStep_s * static_cast<float>(i), true, {});
  const auto palms = puppet.palms(pose);
  Prop there = box;
  there.position += (palms[0] + palms[1]) * 0.5F - middle;
  std::vector<Affine> models(idx(puppet.skeleton->num_joints()));
  compute_model_from_joint(*puppet.skeleton, pose.view(), models);
  EXPECT_LT(depth_of_capsule(there, models[0].t, models[1].t, puppet.reach.flesh_m), 0.015F);
}

// Arms of networks that lost their way swing at 3 m/s. A box does not.
TEST(PropReach, ACarriedBoxDoesNotFollowEachSwing) {
  Puppet puppet;
  const auto middle_of = [&](const Pose& pose) {
    const auto palms = puppet.palms(pose);
    return (palms[0] + palms[1]) * 0.5F;
  };
  const Prop box = make_box({0.3F, 0.2F, 0.2F}, 3, middle_of(puppet.pose) - Vec3{0, 0.14F, 0});
  PropReach reach(puppet.skeleton->num_joints());
  Pose pose = puppet.pose;
  for (int i = 0; i < 30; ++i) pose = step(puppet, reach, &box, Deed::kLift, 1, true, {Deed::kLift, {}});
  for (int i = 0; i < 10; ++i) pose = step(puppet, reach, &box, Deed::kCarry, 0, true, {});
  Vec3 last = middle_of(pose);
  for (int i = 0; i < 3; ++i) {
    puppet.pose.translations[0].y -= 0.05F;
    pose = step(puppet, reach, &box, Deed::kCarry, 0, true, {});
    EXPECT_LT(distance(middle_of(pose), last), 0.035F) << i;
    last = middle_of(pose);
  }
}

// Fingers that hang below a low box are in the table that it stands on.
TEST(PropReach, HandsAtABoxKeepTheirFingersOutOfItsTable) {
  const Puppet puppet;
  const auto free = puppet.palms(puppet.pose);
  const Vec3 middle = (free[0] + free[1]) * 0.5F;
  std::vector<Prop> props{make_box({0.3F, 0.08F, 0.2F}, 3, middle - Vec3{0, 0.056F, 0})};
  props.push_back(make_obstacle({1, props[0].position.y, 0.4F}, {middle.x, 0, middle.z}));
  const auto deepest = [&](std::span<const Prop> seen) {
    PropReach reach(puppet.skeleton->num_joints());
    Pose pose = puppet.pose;
    for (int i = 0; i < 30; ++i) {
      pose = puppet.pose;
      reach.move_hands(
          {*puppet.skeleton, puppet.reach, seen, &props[0], Deed::kLift, {Deed::kLift, {}}, 1, false, {}, kStep_s},
          pose);
    }
    std::vector<Affine> models(idx(puppet.skeleton->num_joints()));
    compute_model_from_joint(*puppet.skeleton, pose.view(), models);
    return -signed_distance(props[1], models[5].t);
  };
  EXPECT_GT(deepest(std::span(props).first(1)), 0) << "a table that is not seen";
  EXPECT_LT(deepest(props), -0.01F);
}

// A network that never says that it holds, with its hand at the handle.
TEST(PropReach, AHandAtTheHandleOfAClosedDoorHasIt) {
  const Puppet puppet;
  const Vec3 left = puppet.palms(puppet.pose)[0];
  Prop door = make_door({.width_m = 0.8F, .handle_height_m = left.y});
  door.position = left - Vec3{door.handle_m.x, left.y, door.handle_m.z - 0.02F};
  PropReach reach(puppet.skeleton->num_joints());
  for (int i = 0; i < 35; ++i) step(puppet, reach, &door, Deed::kOpen, kStep_s * static_cast<float>(i), false, {});
  EXPECT_FALSE(reach.grips()) << "the network decides first";
  for (int i = 35; i < 45; ++i) step(puppet, reach, &door, Deed::kOpen, kStep_s * static_cast<float>(i), false, {});
  EXPECT_TRUE(reach.grips() && reach.keeps());
  door.open_rad = 0.9F;
  door.position += left - handle_of(door);
  for (int i = 0; i < 3; ++i) step(puppet, reach, &door, Deed::kOpen, 2, false, {});
  EXPECT_FALSE(reach.grips()) << "an open door is let go as the network says";
}

// Legs of 0.8 m at 0.09 m from the middle, knees a little bent.
struct Standing {
  Body body;
  ReachBody parts;
  explicit Standing(float knee_m = 0.05F) {
    const auto joint = [](const char* name, int parent, Vec3 at) {
      JointDesc desc;
      desc.name = name, desc.parent = parent;
      desc.rest_local.translation = at;
      return desc;
    };
    body.skeleton = Skeleton::create({joint("hips", kNoJoint, {0, 0.85F, 0}), joint("hip", 0, {0, 0, 0}),
                                      joint("knee", 1, {0, -0.4F, knee_m}), joint("ankle", 2, {0, -0.4F, -knee_m}),
                                      joint("ball", 3, {0, -0.04F, 0.12F})})
                        .value();
    body.start = make_pose(*body.skeleton);
    BodyLeg leg;
    leg.leg.hip = 1, leg.leg.knee = 2, leg.leg.ankle = 3, leg.leg.ball = 4, leg.leg.knee_axis = {1, 0, 0};
    body.legs = {leg};
    parts = reach_body_of(body, {});
  }
  PropReach::Moment moment(std::span<const Prop> props, const Prop* used = nullptr, Deed deed = Deed::kWalk,
                           bool held = false) const {
    return {*body.skeleton, parts, props, used, deed, {}, 0, held, {}, kStep_s};
  }
};

// A leg that stands with its shin in the slab of a seat.
TEST(PropLegs, LandBesideProps) {
  const Standing standing;
  const Body& body = standing.body;
  ASSERT_EQ(standing.parts.legs.size(), 1U);
  const std::array<Prop, 1> props{make_seat({.height_m = 0.3F, .depth_m = 0.4F, .back_m = 0}, {0, 0, -0.16F})};
  const PropReach::Moment now = standing.moment(props);
  PropLegs legs(body.skeleton->num_joints());
  EXPECT_TRUE(legs.is_inside(now, 0, body.start));
  Pose pose = body.start;
  for (int i = 0; i < 15; ++i) {
    pose = body.start;
    legs.land_beside(now, pose);
  }
  EXPECT_FALSE(legs.is_inside(now, 0, pose));
  // Without props the pose is the network's again.
  for (int i = 0; i < 15; ++i) {
    pose = body.start;
    legs.land_beside(standing.moment({}), pose);
  }
  EXPECT_EQ(pose.rotations, body.start.rotations);
}

// Knees and shoulders are before the root of a body that bends, and of one that takes a handle.
TEST(PropLegs, RootsStopBeforeWhatTheyUse) {
  const Prop table = make_obstacle({1, 1, 1}), box = make_box({0.3F, 0.3F, 0.3F}, 1), door = make_door({}),
             seat = make_seat({});
  const float walks_m = root_stops_m(table, nullptr, {Deed::kWalk}, false);
  EXPECT_GT(walks_m, 0.1F);
  EXPECT_GT(root_stops_m(table, &box, {Deed::kPutDown}, true), walks_m + 0.05F);
  EXPECT_EQ(root_stops_m(box, &box, {.deed = Deed::kCarry, .holds = true}, true), 0) << "it is in the hands";
  EXPECT_GT(root_stops_m(box, &box, {.deed = Deed::kLift, .holds = true}, false), 0) << "the network alone holds it";
  EXPECT_GT(root_stops_m(door, &door, {.deed = Deed::kOpen, .holds = true}, true), walks_m + 0.05F);
  EXPECT_EQ(root_stops_m(seat, &seat, {Deed::kSit}, false), 0);
}

// A box in the hands is moved by them; one that stands on the floor is in the way of feet.
TEST(PropLegs, ABoxOnTheFloorIsInTheWay) {
  const Standing standing;
  const std::array<Prop, 1> props{make_box({0.2F, 0.2F, 0.2F}, 3, {0, 0, 0.12F})};
  PropLegs legs(standing.body.skeleton->num_joints());
  EXPECT_TRUE(legs.is_inside(standing.moment(props, &props[0], Deed::kLift), 0, standing.body.start));
  EXPECT_FALSE(legs.is_inside(standing.moment(props, &props[0], Deed::kLift, true), 0, standing.body.start));
}

// A knee that is in a box at its height turns aside, and the foot stays where it is locked.
TEST(PropLegs, KneesTurnAsideAndFeetStay) {
  const Standing standing(0.25F);
  const Body& body = standing.body;
  const std::array<Prop, 1> props{make_obstacle({0.16F, 0.1F, 0.2F}, {0, 0, 0})};
  std::array<Prop, 1> box = props;
  box[0].position = {-0.03F, 0.4F, 0.36F};
  PropLegs legs(body.skeleton->num_joints());
  std::vector<Affine> models(idx(body.skeleton->num_joints()));
  const auto deepest = [&](const Pose& pose) {
    compute_model_from_joint(*body.skeleton, pose.view(), models);
    return std::max(depth_of_capsule(box[0], models[1].t, models[2].t, standing.parts.flesh_m),
                    depth_of_capsule(box[0], models[2].t, models[3].t, standing.parts.flesh_m));
  };
  ASSERT_GT(deepest(body.start), 0.02F);
  const Vec3 ankle = models[3].t, ball = models[4].t;
  Pose pose = body.start;
  std::uint32_t moved = 0;
  for (int i = 0; i < 10; ++i) {
    pose = body.start;
    moved = legs.keep_out(standing.moment(box), pose);
  }
  EXPECT_LT(deepest(pose), 0.015F);
  EXPECT_EQ(moved, 0U);
  EXPECT_LT(distance(models[3].t, ankle) + distance(models[4].t, ball), 2e-3F);
  const zoe::test::AllocationMeter meter;
  legs.keep_out(standing.moment(box), pose);
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::control
