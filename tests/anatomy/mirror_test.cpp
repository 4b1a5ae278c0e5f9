// SPDX-License-Identifier: MIT
#include "zoe/anatomy/mirror.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe {
namespace {

Vec3 reflected(Vec3 v) { return {-v.x, v.y, v.z}; }

struct Part {
  const char* name;
  int parent;
  Vec3 position;  // Model space.
};
// A person with a sword in the right hand; symmetric in x = 0 without it.
constexpr Part kPerson[] = {{"Hips", -1, {0, 1, 0}},
                            {"Spine", 0, {0, 1.2F, -0.02F}},
                            {"Neck", 1, {0, 1.5F, 0}},
                            {"Head", 2, {0, 1.6F, 0.03F}},
                            {"LeftUpLeg", 0, {0.1F, 0.95F, 0}},
                            {"LeftLeg", 4, {0.11F, 0.5F, 0.02F}},
                            {"LeftFoot", 5, {0.12F, 0.08F, -0.02F}},
                            {"LeftToe", 6, {0.12F, 0.02F, 0.12F}},
                            {"RightUpLeg", 0, {-0.1F, 0.95F, 0}},
                            {"RightLeg", 8, {-0.11F, 0.5F, 0.02F}},
                            {"RightFoot", 9, {-0.12F, 0.08F, -0.02F}},
                            {"RightToe", 10, {-0.12F, 0.02F, 0.12F}},
                            {"LeftArm", 1, {0.2F, 1.45F, 0}},
                            {"LeftForeArm", 12, {0.5F, 1.44F, -0.01F}},
                            {"LeftHand", 13, {0.75F, 1.44F, 0}},
                            {"RightArm", 1, {-0.2F, 1.45F, 0}},
                            {"RightForeArm", 15, {-0.5F, 1.44F, -0.01F}},
                            {"RightHand", 16, {-0.75F, 1.44F, 0}},
                            {"Sword", 17, {-0.75F, 1.44F, 0.3F}}};

Quat random_rotation(Random& random) {
  const auto number = [&] { return random.uniform(-1.0F, 1.0F); };
  return normalized(Quat{number(), number(), number(), number()});
}

// Joint frames point anywhere, on the left other than on the right.
SkeletonPtr person(std::uint64_t seed) {
  Random random(seed);
  std::vector<JointDesc> joints;
  std::vector<Quat> model;
  for (const Part& part : kPerson) {
    model.push_back(random_rotation(random));
    Transform local{part.position, model.back(), {1, 1, 1}};
    if (part.parent >= 0) {
      const Quat up = conjugate(model[static_cast<std::size_t>(part.parent)]);
      local = {rotate(up, part.position - kPerson[part.parent].position), normalized(up * model.back()), {1, 1, 1}};
    }
    joints.push_back({part.name, part.parent, local, JointKind::kBone});
  }
  return Skeleton::create(std::move(joints)).value();
}

Motion moving(const SkeletonPtr& skeleton, std::uint64_t seed) {
  Random random(seed);
  Motion motion = make_motion(skeleton, "m", 30, 20, false);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    motion.rotations[i] = nlerp(motion.rotations[i], random_rotation(random), 0.3F);
    if (i % std::size(kPerson) == 0) motion.translations[i] += {random.uniform(), random.uniform(), random.uniform()};
  }
  make_continuous(motion);
  return motion;
}

TEST(MirrorAnatomy, AnyFramesGiveTheTrueImage) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const SkeletonPtr skeleton = person(seed);
    const SkeletonAnalysis body = analyse(*skeleton);
    ASSERT_EQ(body.pairs.size(), 7U);
    const Motion motion = moving(skeleton, seed);
    MirrorReport report;
    const Motion mirrored = mirror(motion, body, {}, &report).value();
    EXPECT_EQ(report.num_pairs, 7);
    EXPECT_EQ(report.num_loose, 1);
    EXPECT_LT(report.worst_asymmetry, 1e-5);
    std::vector<Affine> a(std::size(kPerson)), b(a);
    const auto partner = [&](std::size_t j) {
      for (const JointPair& pair : body.pairs) {
        if (pair.left == static_cast<int>(j)) return static_cast<std::size_t>(pair.right);
        if (pair.right == static_cast<int>(j)) return static_cast<std::size_t>(pair.left);
      }
      return j;
    };
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      compute_model_from_joint(*skeleton, motion.frame(frame), a);
      compute_model_from_joint(*skeleton, mirrored.frame(frame), b);
      for (std::size_t j = 0; j + 1 < a.size(); ++j) EXPECT_LT(distance(b[j].t, reflected(a[partner(j)].t)), 2e-5F);
      // The sword stays in its hand.
      const std::size_t sword = std::size(kPerson) - 1;
      EXPECT_LT(distance(inverse(a[17]).apply_point(a[sword].t), inverse(b[17]).apply_point(b[sword].t)), 1e-5F);
    }
  }
}

// What positions do not show: rotations. The rest pose is its own image in every joint's rotation, twists included.
TEST(MirrorAnatomy, RestPoseStays) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const SkeletonPtr skeleton = person(seed);
    const Motion rest = make_motion(skeleton, "rest", 30, 1, false);
    const Motion mirrored = mirror(rest, analyse(*skeleton)).value();
    for (std::size_t j = 0; j < rest.rotations.size(); ++j) {
      EXPECT_LT(angle_between(rest.rotations[j], mirrored.rotations[j]), 2e-3F) << j;
      EXPECT_LT(distance(rest.translations[j], mirrored.translations[j]), 1e-5F) << j;
    }
  }
}

TEST(MirrorAnatomy, TwiceIsTheClip) {
  const SkeletonPtr skeleton = person(3);
  const SkeletonAnalysis body = analyse(*skeleton);
  const Motion motion = moving(skeleton, 5);
  const Motion back = mirror(mirror(motion, body).value(), body).value();
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    EXPECT_LT(angle_between(motion.rotations[i], back.rotations[i]), 1e-3F);
    EXPECT_LT(distance(motion.translations[i], back.translations[i]), 1e-5F);
  }
}

TEST(MirrorAnatomy, LegsOfUnequalLengthKeepTheirBonesAndFeetTheirPlaces) {
  const SkeletonPtr even = person(4);
  std::vector<JointDesc> joints(even->joints().begin(), even->joints().end());
  joints[5].rest_local.translation = joints[5].rest_local.translation * 1.02F;  // The left thigh is 9 mm longer.
  const SkeletonPtr skeleton = Skeleton::create(joints).value();
  const SkeletonAnalysis body = analyse(*skeleton);
  Motion motion = make_motion(skeleton, "m", 30, 1, false);
  // Knees bent, so that either leg reaches what the other does.
  std::vector<Affine> model(joints.size());
  compute_model_from_joint(*skeleton, motion.frame(0), model);
  for (const auto& [joint, angle] : {std::pair{4, -0.5F}, {5, 1.0F}, {8, -0.3F}, {9, 0.8F}}) {
    const Vec3 axis = normalized(inverse(model[static_cast<std::size_t>(joint)]).apply_vector({1, 0, 0}));
    Quat& local = motion.rotations[static_cast<std::size_t>(joint)];
    local = normalized(local * from_axis_angle(axis, angle));
  }
  MirrorReport plain, kept;
  ASSERT_TRUE(mirror(motion, body, {.keep_feet = false}, &plain));
  const Motion mirrored = mirror(motion, body, {}, &kept).value();
  EXPECT_GT(plain.worst_foot_error_m, 5e-3);
  EXPECT_LT(kept.worst_foot_error_m, 1e-5);
  for (std::size_t j = 1; j < joints.size(); ++j) {
    EXPECT_NEAR(length(mirrored.translations[j]), length(joints[j].rest_local.translation), 1e-6) << j;
  }
}

TEST(MirrorAnatomy, RefusesAnotherBodysAnalysis) { EXPECT_FALSE(mirror(moving(person(1), 1), SkeletonAnalysis{})); }

}  // namespace
}  // namespace zoe
