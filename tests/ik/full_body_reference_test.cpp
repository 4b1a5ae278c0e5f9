// SPDX-License-Identifier: MIT
// The whole-body solver against sums and matrices that are computed here from their definitions.
#include <gtest/gtest.h>

#include "zoe/ik/full_body_ik_job.h"

#include "character/random_character.h"
#include "ik/full_body_problem.h"

namespace zoe {
namespace {

using ik_detail::FullBodyProblem;
using ik_detail::Mat3d;
using test::RandomCharacter;

struct Body {
  SkeletonPtr skeleton;
  Pose pose;
  std::vector<IkGoal> goals;
  std::vector<std::uint8_t> movable;
  std::vector<Quat> references;
  FullBodyIkState state;
  FullBodyIkJob job;

  explicit Body(unsigned seed) {
    RandomCharacter random(seed);
    std::vector<JointDesc> joints;
    for (int i = 0; i < 7; ++i) {
      joints.push_back(
          {"j", i == 0 ? kNoJoint : random.whole(std::max(0, i - 2), i - 1), {random.vec(0.3F), random.quat()}});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
    pose = random.pose(*skeleton, false);
    for (int i = 0; i < 5; ++i) {
      const auto kind = static_cast<IkGoal::Kind>(i % 3);
      const Vec3 offset = kind == IkGoal::Kind::kLookAt ? normalized(random.vec(1)) : random.vec(0.2F);
      goals.push_back({kind, random.whole(0, 6), random.vec(1), random.quat(), offset, random.number(0.5F, 2)});
    }
    for (int i = 0; i < 7; ++i) references.push_back(random.quat());
    movable.assign(7, 1);
    movable[2] = 0;
    state = make_full_body_ik_state(*skeleton);
    job = {.skeleton = skeleton.get(),
           .goals = goals,
           .movable = movable,
           .reference_weight = 0.3F,
           .root_weight = 0.7F,
           .pose = ik_pose(pose),
           .state = &state};
  }
};

// Half the sum of squares: goals by forward kinematics, angles from the reference, and how far the root went.
double cost_of(const Body& body, Vec3 root) {
  Pose pose = body.pose;
  const Vec3 start = pose.translations[0];
  pose.translations[0] = root;
  std::vector<Affine> models(7);
  compute_model_from_joint(*body.skeleton, pose.view(), models);
  double total = 0;
  for (const IkGoal& goal : body.goals) {
    const Affine& m = models[static_cast<std::size_t>(goal.joint)];
    double error = 0;
    if (goal.kind == IkGoal::Kind::kPosition) error = distance(m.apply_point(goal.offset), goal.target);
    if (goal.kind == IkGoal::Kind::kOrientation) error = angle_between(rotation_of(m), goal.rotation);
    if (goal.kind == IkGoal::Kind::kLookAt) {
      error = distance(m.apply_vector(goal.offset), normalized(goal.target - m.t));
    }
    total += std::pow(error * goal.weight, 2);
  }
  for (int joint = 0; joint < 7; ++joint) {
    const auto i = static_cast<std::size_t>(joint);
    if (body.movable[i] == 0) continue;
    const Quat reference = body.job.reference_rotations.empty() ? body.skeleton->rest_local(joint).rotation
                                                                : body.job.reference_rotations[i];
    total += std::pow(body.job.reference_weight * angle_between(reference, pose.rotations[i]), 2);
  }
  total += std::pow(body.job.root_weight * distance(root, start), 2);
  return total / 2;
}

TEST(FullBodyReference, CostIsHalfTheSumOfSquares) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Body body(seed);
    if (seed % 2 == 0) body.job.reference_rotations = body.references;
    const Vec3 root = body.pose.translations[0] + Vec3{0.3F, -0.1F, 0.2F};
    FullBodyProblem problem(ik_detail::inputs_of(body.job));
    problem.update_models(to_double(root));
    EXPECT_NEAR(problem.cost(to_double(root)), cost_of(body, root), 1e-4) << seed;
  }
}

// J^T J with the rows of all errors; J by central differences of the errors themselves.
TEST(FullBodyReference, HessianIsTheProductOfTheJacobian) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Body body(seed);
    body.job.root_moves = seed % 2 == 1;
    FullBodyProblem problem(ik_detail::inputs_of(body.job));
    const Vec3d root = to_double(body.pose.translations[0]);
    problem.update_models(root);
    problem.linearise(root);
    const auto n = static_cast<std::size_t>(problem.num_unknowns());
    ASSERT_EQ(n, 3U + 3 * 6);
    const std::vector<double> hessian = body.state.hessian;
    const std::vector<Quatd> local = body.state.local, model = body.state.model_rotation;
    // All errors at root + d and with one joint turned by v in model space.
    const auto errors_at = [&](Vec3d d, std::size_t joint, Vec3d v) {
      body.state.local = local;
      body.state.local[joint] = local[joint] * conjugate(model[joint]) * from_rotation_vector(v) * model[joint];
      problem.update_models(root + d);
      std::vector<double> errors;
      const auto put = [&](Vec3d e) { errors.insert(errors.end(), {e.x, e.y, e.z}); };
      for (const IkGoal& goal : body.goals)
        put(body.job.root_moves ? problem.goal_error(goal) : problem.goal_error(goal));
      for (std::size_t i = 0; i < 7; ++i) {
        if (body.movable[i] == 0) continue;
        const Quatd rest = to_double(body.skeleton->rest_local(static_cast<int>(i)).rotation);
        put(to_rotation_vector(conjugate(rest) * body.state.local[i]) * double(body.job.reference_weight));
      }
      put(d * double(body.job.root_weight));
      return errors;
    };
    std::vector<std::vector<double>> columns;
    constexpr double kStep = 1e-5;
    const auto add_column = [&](Vec3d d, std::size_t joint, Vec3d v) {
      std::vector<double> high = errors_at(d, joint, v), low = errors_at(d * -1.0, joint, v * -1.0);
      for (std::size_t i = 0; i < high.size(); ++i) high[i] = (high[i] - low[i]) / (2 * kStep);
      columns.push_back(std::move(high));
    };
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3d d;
      d[k] = kStep;
      add_column(d, 0, {});
      if (!body.job.root_moves) {  // Only what holds the root is left of its columns.
        std::fill(columns.back().begin(), columns.back().end() - 3, 0.0);
      }
    }
    for (std::size_t joint = 0; joint < 7; ++joint) {
      for (std::size_t k = 0; k < 3 && body.movable[joint] != 0; ++k) {
        Vec3d v;
        v[k] = kStep;
        add_column({}, joint, v);
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        double product = 0;
        for (std::size_t i = 0; i < columns[a].size(); ++i) product += columns[a][i] * columns[b][i];
        EXPECT_NEAR(hessian[a * n + b], product, 1e-5) << seed << " " << a << " " << b;
      }
    }
  }
}

TEST(FullBodyReference, InverseRightJacobianEqualsFiniteDifferencesAtEveryAngle) {
  for (const double angle : {0.0, 1e-4, 0.9e-3, 1.1e-3, 0.1, 1.0, 2.5, 3.0}) {
    const Vec3d r = normalized(Vec3d{1, -2, 0.5}) * angle;
    const Mat3d m = ik_detail::inverse_right_jacobian(r);
    const Vec3d columns[3] = {m.x, m.y, m.z};
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3d v;
      v[k] = 1e-5;
      const Quatd q = from_rotation_vector(r);
      const Vec3d slope =
          (to_rotation_vector(q * from_rotation_vector(v)) - to_rotation_vector(q * from_rotation_vector(v * -1.0))) /
          2e-5;
      EXPECT_LT(distance(slope, columns[k]), 1e-8) << angle << " " << k;
    }
  }
}

// Without damping and limits a problem that is nearly linear is solved in one step: Newton.
TEST(FullBodyReference, ANearGoalIsMetInTwoIterations) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Body body(seed);
    RandomCharacter random(seed + 50);
    Pose goal = body.pose;
    for (Quat& q : goal.rotations) q = normalized(q * from_rotation_vector(random.vec(0.02F)));
    std::vector<Affine> there(7);
    compute_model_from_joint(*body.skeleton, goal.view(), there);
    std::vector<IkGoal> goals;
    for (int joint = 0; joint < 7; ++joint) {
      goals.push_back({.kind = IkGoal::Kind::kOrientation,
                       .joint = joint,
                       .rotation = rotation_of(there[static_cast<std::size_t>(joint)])});
    }
    double cost = 1;
    body.job.goals = goals;
    body.job.movable = {};
    body.job.reference_weight = 0;
    body.job.max_iterations = 2;
    body.job.tolerance = 0;
    body.job.cost = &cost;
    ASSERT_TRUE(body.job.run());
    EXPECT_LT(cost, 1e-9) << seed;
    std::vector<Affine> here(7);
    compute_model_from_joint(*body.skeleton, body.pose.view(), here);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_LT(angle_between(rotation_of(here[i]), rotation_of(there[i])), 2e-4F);
  }
}

// The best compromise has a gradient of zero.
TEST(FullBodyReference, StopsWhereTheGradientVanishes) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Body body(seed);
    double before = 0, after = 0;
    {
      FullBodyProblem problem(ik_detail::inputs_of(body.job));
      problem.update_models(to_double(body.pose.translations[0]));
      before = problem.cost(to_double(body.pose.translations[0]));
    }
    const Vec3 start = body.pose.translations[0];
    body.job.max_iterations = 300;
    body.job.tolerance = 1e-9F;
    body.job.cost = &after;
    ASSERT_TRUE(body.job.run());
    EXPECT_LT(after, before);
    // As seen by a problem that starts there: the pull of the root's weight is missing from it.
    FullBodyProblem problem(ik_detail::inputs_of(body.job));
    const Vec3d root = to_double(body.pose.translations[0]);
    problem.update_models(root);
    problem.linearise(root);
    const Vec3d pull = (root - to_double(start)) * double(body.job.root_weight) * double(body.job.root_weight);
    EXPECT_NEAR(problem.cost(root) + dot(root - to_double(start), pull) / 2, after, 1e-4 * after) << seed;
    double largest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(problem.num_unknowns()); ++i) {
      largest = std::max(largest, std::abs(body.state.gradient[i] + (i < 3 ? pull[i] : 0.0)));
    }
    EXPECT_LT(largest, 5e-3 * (1 + before)) << seed;
  }
}

// A joint that is within its limits moves freely up to them, and the others make up for what it cannot do.
TEST(FullBodyReference, ARigidRootStaysAndAFreeOneGoesAllTheWay) {
  const SkeletonPtr skeleton = Skeleton::create({{"root", kNoJoint, {{0, 1, 0}}}, {"tip", 0, {{0, 0.5F, 0}}}}).value();
  FullBodyIkState state = make_full_body_ik_state(*skeleton);
  const std::vector<IkGoal> goals{{.joint = 1, .target = {0, 2, 0}}};
  const std::vector<std::uint8_t> none(2, 0);
  Pose pose = make_pose(*skeleton);
  FullBodyIkJob job{.skeleton = skeleton.get(),
                    .goals = goals,
                    .movable = none,
                    .root_weight = 0.5F,
                    .pose = ik_pose(pose),
                    .state = &state};
  ASSERT_TRUE(job.run());
  // Least squares of (0.5 - y)^2 + (0.5 y)^2: y = 0.5 / 1.25.
  EXPECT_NEAR(pose.translations[0].y, 1 + 0.4F, 1e-4F);
  EXPECT_NEAR(pose.translations[0].x, 0, 1e-5F);
  pose = make_pose(*skeleton);
  job.pose = ik_pose(pose);
  job.root_moves = false;
  ASSERT_TRUE(job.run());
  EXPECT_EQ(pose.translations[0], (Vec3{0, 1, 0}));
}

}  // namespace
}  // namespace zoe
