// SPDX-License-Identifier: MIT
// The iteration of the full-body solver, step by step, against damped Gauss-Newton steps written out with plain
// elimination.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/ik/full_body_ik_job.h"

#include "character/random_character.h"
#include "ik/full_body_problem.h"

namespace zoe {
namespace {

using ik_detail::FullBodyProblem;

// Solves A x = b by elimination with pivots.
std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    for (std::size_t k = 0; k < n; ++k) std::swap(a[c * n + k], a[pivot * n + k]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = c + 1; r < n; ++r) {
      const double f = a[r * n + c] / a[c * n + c];
      for (std::size_t k = c; k < n; ++k) a[r * n + k] -= f * a[c * n + k];
      b[r] -= f * b[c];
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) b[r] -= a[r * n + k] * b[k];
    b[r] /= a[r * n + r];
  }
  return b;
}

struct Outcome {
  std::vector<Quat> rotations;
  Vec3 root;
  double cost = 0;
  int refused = 0;  // Steps that did not lower the cost.
};

Outcome reference(const FullBodyIkJob& job) {
  FullBodyIkState& state = *job.state;
  FullBodyProblem problem(ik_detail::inputs_of(job));
  const auto n = static_cast<std::size_t>(problem.num_unknowns());
  Vec3d root = to_double(job.pose.translations[0]);
  const auto clamped = [&](std::size_t joint, Quatd q) {
    if (job.limits.empty() || state.column[joint] < 0 || job.limits[joint].kind == JointLimit::Kind::kFree) return q;
    return to_double(clamp_to_limit(job.limits[joint], to_float(q)));
  };
  problem.update_models(root);
  for (std::size_t j = 0; j < state.local.size(); ++j)
    if (state.column[j] >= 0) state.local[j] = clamped(j, normalized(state.local[j]));
  problem.update_models(root);
  Outcome out;
  double current = problem.cost(root), damping = 1e-3;
  for (int iteration = 0; iteration < job.max_iterations; ++iteration) {
    problem.linearise(root);
    bool better = false;
    double gained = 0;
    for (int attempt = 0; attempt < 10 && !better; ++attempt) {
      std::vector<double> h(state.hessian.begin(), state.hessian.begin() + static_cast<std::ptrdiff_t>(n * n)), g(n);
      for (std::size_t i = 0; i < n; ++i) {
        h[i * n + i] += damping * (h[i * n + i] + 1e-3);
        g[i] = -state.gradient[i];
      }
      const std::vector<double> step = solved(h, g);
      const std::vector<Quatd> before(state.local.begin(), state.local.end());
      for (std::size_t j = 0; j < before.size(); ++j) {
        if (state.column[j] < 0) continue;
        const auto c = static_cast<std::size_t>(state.column[j]);
        Vec3d v{step[c], step[c + 1], step[c + 2]};
        if (length(v) > 1) v = v / length(v);
        const Quatd model = state.model_rotation[j];
        state.local[j] = clamped(j, normalized(before[j] * conjugate(model) * from_rotation_vector(v) * model));
      }
      const Vec3d moved = job.root_moves ? root + Vec3d{step[0], step[1], step[2]} : root;
      problem.update_models(moved);
      const double there = problem.cost(moved);
      if (there < current) {
        better = true;
        gained = current - there;
        current = there;
        root = moved;
        damping = std::max(damping / 5, 1e-9);
      } else {
        std::copy(before.begin(), before.end(), state.local.begin());
        problem.update_models(root);
        damping = std::min(damping * 5, 1e9);
        ++out.refused;
      }
    }
    if (!better || gained <= static_cast<double>(job.tolerance) * current) break;
  }
  for (const Quatd& q : state.local) out.rotations.push_back(to_float(q));
  out.root = to_float(root);
  out.cost = current;
  return out;
}

// A trunk with two arms.
SkeletonPtr body() {
  return Skeleton::create({{"hips", kNoJoint, {{0, 1, 0}}},
                           {"spine", 0, {{0, 0.3F, 0}}},
                           {"neck", 1, {{0, 0.3F, 0.02F}}},
                           {"armL", 1, {{0.2F, 0.2F, 0}}},
                           {"handL", 3, {{0.3F, 0, 0.05F}}},
                           {"armR", 1, {{-0.2F, 0.2F, 0}}},
                           {"handR", 5, {{-0.3F, 0, 0.05F}}}})
      .value();
}

TEST(FullBodySteps, AreDampedGaussNewtonSteps) {
  const SkeletonPtr skeleton = body();
  FullBodyIkState state = make_full_body_ik_state(*skeleton), other = make_full_body_ik_state(*skeleton);
  test::RandomCharacter random(9);
  std::vector<JointLimit> limits(7);
  limits[3] = {
      .kind = JointLimit::Kind::kCone, .axis = {1, 0, 0}, .swing_rad = 0.5F, .min_rad = -0.4F, .max_rad = 0.4F};
  limits[6] = {.kind = JointLimit::Kind::kHinge, .axis = {0, 1, 0}, .min_rad = -0.2F, .max_rad = 1};
  const std::vector<std::uint8_t> movable{1, 1, 0, 1, 1, 1, 1};
  int refused = 0;
  for (int round = 0; round < 24; ++round) {
    const float far = round % 3 == 0 ? 1.5F : 0.4F;
    const std::vector<IkGoal> goals{
        {.joint = 4, .target = Vec3{0.4F, 1.4F, 0.2F} + random.vec(far), .weight = 1},
        {.joint = 6, .target = Vec3{-0.4F, 1.4F, 0.2F} + random.vec(far), .offset = {0, 0, 0.1F}, .weight = 0.5F},
        {.kind = IkGoal::Kind::kLookAt, .joint = 2, .target = {1, 1.5F, 2}, .offset = {0, 0, 1}, .weight = 0.3F}};
    for (const int iterations : {1, 2, 3, 5, 12}) {
      Pose pose = make_pose(*skeleton);
      for (Quat& q : pose.rotations) q = normalized(Quat{0.1F, -0.05F * static_cast<float>(round % 5), 0.1F, 1});
      Pose copy = pose;
      double cost = -1;
      FullBodyIkJob job{
          .skeleton = skeleton.get(),
          .goals = goals,
          .limits = round % 2 == 0 ? std::span<const JointLimit>(limits) : std::span<const JointLimit>{},
          .movable = round % 4 < 2 ? std::span<const std::uint8_t>(movable) : std::span<const std::uint8_t>{},
          .reference_weight = 0.05F,
          .root_moves = round % 5 != 0,
          .root_weight = 0.2F,
          .max_iterations = iterations,
          .tolerance = iterations == 12 ? 0.01F : 1e-7F,
          .pose = ik_pose(pose),
          .state = &state,
          .cost = &cost};
      ASSERT_TRUE(job.run());
      job.pose = ik_pose(copy);
      job.state = &other;
      const Outcome expected = reference(job);
      refused += expected.refused;
      EXPECT_NEAR(cost, expected.cost, 1e-6 + 1e-4 * expected.cost) << round << " " << iterations;
      EXPECT_LT(distance(pose.translations[0], expected.root), 1e-4F) << round << " " << iterations;
      for (std::size_t j = 0; j < 7; ++j) {
        EXPECT_GT(std::abs(dot(pose.rotations[j], expected.rotations[j])), 1 - 1e-5F)
            << round << " " << iterations << " joint " << j;
      }
    }
  }
  EXPECT_GT(refused, 3) << "some steps are too long at first";
}

TEST(FullBodySteps, RefusalsAtTheirBorders) {
  const SkeletonPtr skeleton = body();
  FullBodyIkState state = make_full_body_ik_state(*skeleton);
  Pose pose = make_pose(*skeleton);
  std::vector<IkGoal> goals{{.joint = 6, .target = {0, 1, 0}}};
  const auto runs = [&](const auto& change) {
    FullBodyIkJob job{.skeleton = skeleton.get(), .goals = goals, .pose = ik_pose(pose), .state = &state};
    change(job);
    EXPECT_EQ(job.run(), job.validate() == nullptr);
    return job.validate() == nullptr;
  };
  using Job = FullBodyIkJob;
  EXPECT_TRUE(runs([](Job&) {}));
  EXPECT_TRUE(runs([](Job& j) { j.reference_weight = 0; }));
  EXPECT_TRUE(runs([](Job& j) { j.root_weight = 0; }));
  EXPECT_FALSE(runs([](Job& j) { j.root_weight = -0.1F; }));
  EXPECT_TRUE(runs([](Job& j) { j.max_iterations = 1; }));
  EXPECT_FALSE(runs([](Job& j) { j.max_iterations = 0; }));
  EXPECT_TRUE(runs([](Job& j) { j.tolerance = 0; }));
  EXPECT_FALSE(runs([](Job& j) { j.tolerance = -1e-6F; }));
  const std::vector<std::uint8_t> movable(7, 1), few(6, 1);
  EXPECT_TRUE(runs([&](Job& j) { j.movable = movable; }));
  EXPECT_FALSE(runs([&](Job& j) { j.movable = few; }));
  const std::vector<Quat> rest(7), short_rest(8);
  EXPECT_TRUE(runs([&](Job& j) { j.reference_rotations = rest; }));
  EXPECT_FALSE(runs([&](Job& j) { j.reference_rotations = short_rest; }));
  goals[0].weight = 0;
  EXPECT_TRUE(runs([](Job&) {}));
  goals[0].joint = 7;
  EXPECT_FALSE(runs([](Job&) {}));
  goals[0].joint = -1;
  EXPECT_FALSE(runs([](Job&) {}));
  goals[0].joint = 0;
  EXPECT_TRUE(runs([](Job&) {}));
  goals[0].target.x = NAN;
  EXPECT_FALSE(runs([](Job&) {}));
  goals[0].target.x = 0;
  goals[0].offset.y = INFINITY;
  EXPECT_FALSE(runs([](Job&) {}));
}

}  // namespace
}  // namespace zoe
