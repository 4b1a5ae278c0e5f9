// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Derivatives of ticks against a closed form, and of rollouts against simulated ones.
#include "zoe/physics/transition.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "zoe/core/random.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

// A ball on a massless rod above a block that is too heavy to move: an inverted pendulum with a servo.
struct Pendulum {
  double mass_kg = 2, length_m = 0.5, radius_m = 0.05, stiffness = 40, damping = 3;
  SkeletonPtr skeleton = Skeleton::create({{"block", -1, {{0, 0.1F, 0}}}, {"rod", 0, {{0, 0.1F, 0}}}}).value();
  BodyModelPtr model;

  Pendulum() {
    BodyPlan plan{.names = {"block", "rod"}, .bone_of_joint = {0, 1}, .no_contact = {{0, 1}}};
    plan.height_m = 1, plan.root_height_m = 0.1, plan.mass_kg = 1e6 + mass_kg;
    Bone block{.joint = 0, .parent = -1, .role = BoneRole::kFoot, .offset_m = {0, 0.1, 0}, .mass_kg = 1e6};
    block.shape.is_box = true, block.shape.half_size = {1, 0.1, 1};
    Bone rod{.joint = 1, .parent = 0, .role = BoneRole::kLeg, .offset_m = {0, 0.1, 0}, .mass_kg = mass_kg};
    rod.shape.from = rod.shape.to = {0, length_m, 0}, rod.shape.radius_m = radius_m;
    rod.limit_rad = 2 * std::numbers::pi, rod.stiffness_nm_rad = stiffness, rod.damping_nms_rad = damping;
    plan.bones = {block, rod};
    model = BodyModel::create(plan, skeleton).value();
  }
};

TEST(Transition, OfAPendulumIsItsClosedForm) {
  const Pendulum pendulum;
  const Motion still = make_motion(pendulum.skeleton, "still", 60, 1, false);
  BodyState state(pendulum.model);
  state.reset(still.frame(0), 0);
  for (int i = 0; i < 30; ++i) state.tick(still.frame(0));
  TransitionProbe probe(pendulum.model, {{6, 8}, {1}}, {}, {.centred = true});
  Transition found;
  probe.differentiate(state, still.frame(0), {}, found);
  // (I + h c) a = k (u - q) - c v with c = d + h k; v' = v + h a; q' = q + h v'. Gravity is fed forward.
  const double h = 1.0 / 240, k = pendulum.stiffness, c = pendulum.damping + h * k;
  const double inertia =
      pendulum.mass_kg * (0.4 * pendulum.radius_m * pendulum.radius_m + pendulum.length_m * pendulum.length_m) + h * c;
  double q[3] = {1, 0, 0}, v[3] = {0, 1, 0};  // Columns: of q, of v, of u.
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 3; ++i) {
      v[i] += h * (k * ((i == 2 ? 1 : 0) - q[i]) - c * v[i]) / inertia;
      q[i] += h * v[i];
    }
  }
  const auto a = [&](std::size_t row, std::size_t column) { return found.a[row * 4 + column]; };
  for (std::size_t axis = 0; axis < 2; ++axis) {  // Around x and around z; the rod turns about y without inertia.
    EXPECT_NEAR(a(axis, axis), q[0], 1e-4);
    EXPECT_NEAR(a(axis, axis + 2), q[1], 1e-6);
    EXPECT_NEAR(a(axis + 2, axis), v[0], 1e-3);
    EXPECT_NEAR(a(axis + 2, axis + 2), v[1], 1e-4);
    EXPECT_NEAR(found.b[axis * 3 + 2 * axis], q[2], 1e-4);
    EXPECT_NEAR(found.b[(axis + 2) * 3 + 2 * axis], v[2], 1e-3);
    EXPECT_NEAR(a(axis, 1 - axis), 0, 1e-4);
  }
}

Residuals origins_of(const BodyModel& model) {
  const std::size_t num_bones = model.plan().bones.size();
  return {3 * num_bones, [num_bones](const BodyState& state, std::span<double> out) {
            for (std::size_t b = 0; b < num_bones; ++b) {
              const int bone = static_cast<int>(b);
              const Vec3d error = state.bone_origin_m(bone) - state.target_origin_m(bone);
              for (std::size_t i = 0; i < 3; ++i) out[3 * b + i] = error[i];
            }
          }};
}

// The adjoint gradient against losses of simulated rollouts, along random directions of all offsets. The body stands
// on the ground or begins to fall from above it. Returns the relative error of the derivatives along them.
double error_of_gradient(std::uint64_t seed, double above_ground_m) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  constexpr int kFrames = zoe::test::kSanitized ? 2 : 6;
  const Motion motion = swaying(made, 12 + kFrames);
  const std::size_t num_bones = made.plan.bones.size();
  const double assist_n = 100;
  BodyState start(made.model), state(made.model);
  start.reset(motion.frame(0), ground_under(*made.model, motion) - above_ground_m);
  for (int i = 1; i < 12; ++i) start.tick(motion.frame(i), {.assist_n = assist_n});
  const Residuals residuals = origins_of(*made.model);
  // Small steps: a contact that begins or ends within one spoils the derivative.
  TransitionProbe probe(made.model, full_layout(*made.model), residuals, {1e-7, 1e-6, 1e-7, true});
  const std::size_t m = probe.layout().num_controls();
  std::vector<Vec3d> offsets(kFrames * num_bones);
  Random random(seed);
  for (Vec3d& offset : offsets) offset = Vec3d{random.normal(), random.normal(), random.normal()} * 0.005;
  std::vector<double> gradient(kFrames * m), read(residuals.count);
  RolloutScratch scratch;
  const double loss = rollout_gradient(probe, start, motion, 12, kFrames, assist_n, offsets, gradient, scratch);
  const auto simulate = [&](const std::vector<Vec3d>& tried) {
    state.copy_from(start);
    double sum = 0;
    for (int i = 0; i < kFrames; ++i) {
      TickOptions options{.assist_n = assist_n};
      options.offsets_rad = std::span(tried).subspan(static_cast<std::size_t>(i) * num_bones, num_bones);
      state.tick(motion.frame(12 + i), options);
      residuals.read(state, read);
      for (const double r : read) sum += 0.5 * r * r;
    }
    return sum;
  };
  EXPECT_NEAR(simulate(offsets), loss, 1e-12 + 1e-9 * loss);
  constexpr double kStep = 1e-6;  // With 1e-5 contacts begin or end within it in every fourth set of offsets.
  double error = 0, size = 0;
  for (int direction = 0; direction < 8; ++direction) {
    std::vector<Vec3d> up = offsets, down = offsets;
    double expected = 0;
    for (std::size_t i = 0; i < kFrames * m; ++i) {
      const double along = random.normal();
      const std::size_t frame = i / m, bone = static_cast<std::size_t>(probe.layout().bones[i % m / 3]);
      up[frame * num_bones + bone][i % 3] += along * kStep;
      down[frame * num_bones + bone][i % 3] -= along * kStep;
      expected += gradient[i] * along;
    }
    const double simulated = (simulate(up) - simulate(down)) / (2 * kStep);
    error += (expected - simulated) * (expected - simulated), size += simulated * simulated;
  }
  return std::sqrt(error / size);
}

TEST(Transition, GradientOfARolloutInTheAirIsThatOfSimulatedOnes) {
  for (std::uint64_t seed = 3; seed < 6; ++seed) EXPECT_LT(error_of_gradient(seed, 1), 1e-4) << seed;
}

// A contact that begins or ends just there spoils the derivative: one of twelve sets of offsets.
TEST(Transition, GradientOfARolloutOnTheGroundIsThatOfSimulatedOnes) {
  int num_right = 0;
  for (std::uint64_t seed = 3; seed < 8; ++seed) num_right += error_of_gradient(seed, 0) < 1e-4 ? 1 : 0;
  EXPECT_GE(num_right, 4);
}

TEST(Transition, DoesNotAllocateAfterTheFirstCall) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "malloc of the engine itself would count";
  const Pendulum pendulum;
  const Motion still = make_motion(pendulum.skeleton, "still", 60, 4, false);
  BodyState state(pendulum.model);
  state.reset(still.frame(0), 0);
  TransitionProbe probe(pendulum.model, full_layout(*pendulum.model), origins_of(*pendulum.model));
  const std::vector<Vec3d> offsets(6);
  std::vector<double> gradient(3 * probe.layout().num_controls());
  RolloutScratch scratch;
  rollout_gradient(probe, state, still, 1, 3, 0, offsets, gradient, scratch);
  const std::uint64_t before = state.hash();
  const zoe::test::AllocationMeter counter;
  rollout_gradient(probe, state, still, 1, 3, 0, offsets, gradient, scratch);
  EXPECT_EQ(counter.allocations(), 0U);
  EXPECT_EQ(state.hash(), before);
}

}  // namespace
}  // namespace zoe::physics
