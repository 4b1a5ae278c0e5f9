// SPDX-License-Identifier: MIT
// A stand is a stand, for every controller type: the root at rest, the heading kept, feet planted.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/core/thread_pool.h"

#include "control/every_type.h"

namespace zoe::control {
namespace {

constexpr float kDegree = std::numbers::pi_v<float> / 180;

float planar_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

class EveryStand : public testing::TestWithParam<const char*> {
 protected:
  const Controller& controller() const { return *test::controller_of(GetParam()); }
  void tick(ControllerState& state, const Intent& intent, double seconds) const {
    for (double time_s = 0; time_s < seconds; time_s += controller().step_s())
      controller().tick(state, intent, controller().step_s());
  }
  std::vector<Affine> joints(const ControllerState& state) const {
    std::vector<Affine> models(static_cast<std::size_t>(controller().skeleton()->num_joints()));
    compute_model_from_joint(*controller().skeleton(), state.pose(), models);
    return models;
  }
  void expect_stands(ControllerState& state, double seconds) const {
    const PlanarRoot place = state.root();
    const std::vector<Affine> before = joints(state);
    float drift_m = 0, turn_rad = 0, slide_m = 0, off_m = 0, moved_m = 0;
    for (double time_s = 0; time_s < seconds; time_s += 0.1) {
      tick(state, Intent::stand(), 0.1);
      drift_m = std::max(drift_m, planar_distance(state.root().position, place.position));
      turn_rad = std::max(turn_rad, std::abs(state.root().facing_rad - place.facing_rad));
      const std::vector<Affine> now = joints(state);
      for (const Leg& leg : controller().legs()) {
        const auto ankle = static_cast<std::size_t>(leg.ankle);
        slide_m = std::max(slide_m, planar_distance(now[ankle].t, before[ankle].t));
        off_m = std::max(off_m, std::abs(now[ankle].t.y - leg.ankle_height_m));
      }
      for (std::size_t j = 0; j < now.size(); ++j) moved_m = std::max(moved_m, distance(now[j].t, before[j].t));
    }
    EXPECT_LT(drift_m, 0.02F);
    EXPECT_LT(turn_rad, 3 * kDegree);
    EXPECT_LT(slide_m, 0.005F);
    EXPECT_LT(off_m, 0.005F) << "feet are on the ground";
    EXPECT_GT(moved_m, 0.0015F) << "it breathes";
    EXPECT_LT(moved_m, 0.05F) << "and does no more";
    EXPECT_EQ(state.progress(), Progress::kStanding);
    EXPECT_TRUE(std::all_of(state.contacts().begin(), state.contacts().end(), [](float c) { return c == 1; }));
  }
};
INSTANTIATE_TEST_SUITE_P(Types, EveryStand, testing::ValuesIn(test::kEveryType), test::NameOfType());

TEST_P(EveryStand, StaysForAMinuteFromTheStart) {
  const auto state = controller().make_state({.root = {{2, 0, 1}, 0.5F}});
  tick(*state, Intent::stand(), 0.1);
  EXPECT_LT(planar_distance(state->root().position, {2, 0, 1}), 0.001F);
  EXPECT_NEAR(state->root().facing_rad, 0.5F, 0.001F);
  expect_stands(*state, 60);
}

TEST_P(EveryStand, StaysForAMinuteAfterAWalk) {
  const auto state = controller().make_state({.root = {{2, 0, 1}, 0.5F}, .proportions = {0.8F, 0.9F}});
  tick(*state, Intent::move({0.4F, 0, 1.1F}), 2.3);
  tick(*state, Intent::stand(), 1.2);
  const PlanarRoot place = state->root();
  tick(*state, Intent::stand(), 60);
  EXPECT_LT(planar_distance(state->root().position, place.position), 0.02F);
  EXPECT_NEAR(state->root().facing_rad, place.facing_rad, 3 * kDegree);
}

TEST_P(EveryStand, StopsWithinHalfASecondWithoutASlide) {
  for (const double walked_s : {1.5, 1.62, 1.74, 1.86, 1.98}) {
    SCOPED_TRACE(walked_s);
    const auto state = controller().make_state();
    tick(*state, Intent::move({0, 0, 1.2F}), walked_s);
    std::vector<Affine> before = joints(*state);
    std::vector<float> slides_m(controller().legs().size());
    float jump_m = 0;
    for (double time_s = 0; time_s < 1.2; time_s += controller().step_s()) {
      const PlanarRoot root = state->root();
      controller().tick(*state, Intent::stand(), controller().step_s());
      const float speed =
          planar_distance(state->root().position, root.position) / static_cast<float>(controller().step_s());
      if (time_s > 0.5) {
        ASSERT_LT(speed, 0.1F) << time_s;
      }
      const std::vector<Affine> now = joints(*state);
      for (std::size_t l = 0; l < slides_m.size(); ++l) {
        const Leg& leg = controller().legs()[l];
        const Vec3 a = before[static_cast<std::size_t>(leg.ankle)].t, b = now[static_cast<std::size_t>(leg.ankle)].t;
        // From the takeover on. Before it the model moves the feet.
        if (time_s > 0.15 && std::max(a.y, b.y) < leg.ankle_height_m + 0.004F) slides_m[l] += planar_distance(a, b);
      }
      for (std::size_t j = 0; j < now.size(); ++j) jump_m = std::max(jump_m, distance(now[j].t, before[j].t));
      before = now;
    }
    for (const float slide_m : slides_m) EXPECT_LT(slide_m, 0.02F);
    EXPECT_LT(jump_m * static_cast<float>(controller().rate_hz()), 9) << "no joint jumps";
    expect_stands(*state, 3);
  }
}

TEST_P(EveryStand, LeavesAtOnceFromItsPlaceWithoutASlide) {
  const auto state = controller().make_state({.root = {{2, 0, 1}, 0.5F}});
  tick(*state, Intent::move({0, 0, 1.2F}), 1.7);
  tick(*state, Intent::stand(), 3);
  std::vector<Affine> before = joints(*state);
  const PlanarRoot place = state->root();
  std::vector<float> slides_m(controller().legs().size());
  for (double time_s = 0; time_s < 1; time_s += controller().step_s()) {
    controller().tick(*state, Intent::move({0, 0, 1.2F}), controller().step_s());
    const std::vector<Affine> now = joints(*state);
    if (time_s == 0) {
      EXPECT_LT(planar_distance(state->root().position, place.position), 0.1F) << "from the place of the stand";
      for (std::size_t j = 0; j < now.size(); ++j) EXPECT_LT(distance(now[j].t, before[j].t), 0.1F) << "no jump";
    }
    for (std::size_t l = 0; l < slides_m.size(); ++l) {
      const Leg& leg = controller().legs()[l];
      const auto low = [&](const std::vector<Affine>& models) {
        return models[static_cast<std::size_t>(leg.ankle)].t.y < leg.ankle_height_m + 0.01F &&
               models[static_cast<std::size_t>(leg.ball)].t.y < leg.ball_height_m + 0.01F;
      };
      const auto moved_m = [&](int joint) {
        return planar_distance(now[static_cast<std::size_t>(joint)].t, before[static_cast<std::size_t>(joint)].t);
      };
      if (low(now) && low(before)) slides_m[l] += std::min(moved_m(leg.ankle), moved_m(leg.ball));
    }
    before = now;
  }
  for (const float slide_m : slides_m) EXPECT_LT(slide_m, 0.05F);
}

// A small turn is made in the stand, by steps; hips never twist past 30 degrees against feet on the ground.
TEST_P(EveryStand, FacesWhereItIsTold) {
  const auto state = controller().make_state();
  tick(*state, Intent::stand(), 1);
  const std::vector<Affine> start = joints(*state);
  const float facing = state->root().facing_rad;
  for (const float asked : {0.2F, 0.5F, 0.1F}) {
    Intent intent = Intent::stand();
    intent.wanted[0].facing_rad = facing + asked;
    for (double time_s = 0; time_s < 2.5; time_s += controller().step_s()) {
      controller().tick(*state, intent, controller().step_s());
      const std::vector<Affine> now = joints(*state);
      const Quat root = conjugate(rotation_of(state->root()));
      for (const Leg& leg : controller().legs()) {
        const auto ankle = static_cast<std::size_t>(leg.ankle);
        if (now[ankle].t.y > leg.ankle_height_m + 0.01F) continue;
        const Quat turn = root * rotation_of(now[ankle]) * conjugate(rotation_of(start[ankle]));
        EXPECT_LT(std::abs(std::remainder(2 * std::atan2(turn.y, turn.w), 2 * std::numbers::pi_v<float>)),
                  30 * kDegree);
      }
    }
    EXPECT_NEAR(wrapped(state->root().facing_rad - facing), asked, 3 * kDegree);
  }
  expect_stands(*state, 3);
}

// A turn on the spot is the model's. One that cannot turn is turned by steps after a while.
TEST_P(EveryStand, TurnsOnTheSpotAndStandsThere) {
  const auto state = controller().make_state();
  Intent intent = Intent::stand();
  intent.wanted[0].facing_rad = 2.4F;
  tick(*state, intent, 12);
  EXPECT_NEAR(wrapped(state->root().facing_rad - 2.4F), 0, 3 * kDegree);
  const PlanarRoot place = state->root();
  tick(*state, intent, 10);
  EXPECT_LT(planar_distance(state->root().position, place.position), 0.02F);
  EXPECT_NEAR(state->root().facing_rad, place.facing_rad, 3 * kDegree);
}

TEST_P(EveryStand, IsTheSameInACrowd) {
  std::vector<PlanarRoot> places;
  for (int i = 0; i < 12; ++i) places.push_back({{static_cast<float>(3 * i), 0, 0}, static_cast<float>(i)});
  Crowd crowd(test::controller_of(GetParam()), places);
  std::vector<std::unique_ptr<ControllerState>> singles;
  for (std::size_t i = 0; i < places.size(); ++i)
    singles.push_back(controller().make_state({.root = places[i], .lane = static_cast<int>(i)}));
  ThreadPool pool(2);
  std::vector<Intent> intents(places.size());
  for (int frame = 0; frame < 150; ++frame) {
    for (std::size_t i = 0; i < intents.size(); ++i)
      intents[i] = test::intent_at(test::Wish::kStops, frame + 10 * static_cast<int>(i));
    crowd.tick(intents, 1.0 / 40, pool);
    for (std::size_t i = 0; i < intents.size(); ++i) controller().tick(*singles[i], intents[i], 1.0 / 40);
  }
  // Networks of batches round differently.
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PoseView a = crowd.state(static_cast<int>(i)).pose(), b = singles[i]->pose();
    for (std::size_t j = 0; j < a.rotations.size(); ++j) {
      ASSERT_LT(distance(a.translations[j], b.translations[j]), 1e-4F) << i;
      ASSERT_LT(angle_between(a.rotations[j], b.rotations[j]), 1e-3F) << i;
    }
  }
}

// Actions are the model's: a character that sits is not made to stand.
TEST(Stand, LeavesActionsToTheModel) {
  const Controller& mann = *test::controller_of("mann");
  const auto stands = mann.make_state(), sits = mann.make_state();
  Intent sit = Intent::stand();
  ASSERT_TRUE(mann.set_action(sit, "sit"));
  for (int i = 0; i < 60; ++i) {
    mann.tick(*stands, Intent::stand(), mann.step_s());
    mann.tick(*sits, sit, mann.step_s());
  }
  float apart = 0;
  for (std::size_t j = 0; j < stands->pose().rotations.size(); ++j)
    apart = std::max(apart, angle_between(stands->pose_in_root().rotations[j], sits->pose_in_root().rotations[j]));
  EXPECT_GT(apart, 0.05F);
  mann.tick(*sits, Intent::stand(), 1);
  mann.tick(*sits, Intent::stand(), 1);
  const PlanarRoot place = sits->root();
  for (int i = 0; i < 60; ++i) mann.tick(*sits, Intent::stand(), 1);
  EXPECT_LT(planar_distance(sits->root().position, place.position), 0.02F);
}

// Rigs with a joint at the world's origin above the hips, as Bandai Namco's. Models leave that joint there.
class OriginController final : public Controller {
 public:
  static SkeletonPtr rig() {
    constexpr Vec3 kOne{1, 1, 1};
    return Skeleton::create({{"origin", kNoJoint, {{}, {}, kOne}, JointKind::kBone},
                             {"hips", 0, {{0, 1, 0}, {}, kOne}, JointKind::kBone},
                             {"knee", 1, {{0.1F, -0.5F, 0.05F}, {}, kOne}, JointKind::kBone},
                             {"ankle", 2, {{0, -0.4F, -0.05F}, {}, kOne}, JointKind::kBone},
                             {"head", 1, {{0, 0.7F, 0}, {}, kOne}, JointKind::kBone}})
        .value();
  }
  OriginController()
      : Controller({.skeleton = rig(),
                    .rate_hz = 30,
                    .contact_joints = {3},
                    .legs = {{.hip = 1, .knee = 2, .ankle = 3, .ankle_height_m = 0.1F}},
                    .styles = {},
                    .actions = {}}) {}
  const char* type() const override { return "origin"; }
  std::size_t model_bytes() const override { return 0; }

 protected:
  struct State final : ControllerState {
    PlanarRoot root;
    void describe(StateArchive& archive) override { archive.finite(root); }
  };
  std::unique_ptr<ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    auto& own = static_cast<State&>(state);
    own.root = {};
    show(own, now);
  }
  void step(const StepItem& item) const noexcept override {
    auto& own = static_cast<State&>(*item.state);
    own.root.position += item.intent->velocity_at(0) * static_cast<float>(step_s());
    own.root.facing_rad += 0.6F * static_cast<float>(step_s());
    show(own, *item.now);
  }

 private:
  void show(const State& state, CharacterFrame& now) const {
    now.root = state.root;
    for (int j = 0; j < 5; ++j) {
      now.pose.translations[static_cast<std::size_t>(j)] = skeleton()->rest_local(j).translation;
      now.pose.rotations[static_cast<std::size_t>(j)] = {};
    }
    now.pose.translations[1] += state.root.position;
    now.pose.rotations[1] = rotation_of(state.root);
  }
};

TEST(Stand, ABodyBelowAJointAtTheOriginDoesNotSwingAboutIt) {
  const OriginController controller;
  const auto state = controller.make_state();
  const auto joints = [&] {
    std::vector<Affine> out(5);
    compute_model_from_joint(*controller.skeleton(), state->pose(), out);
    return out;
  };
  const double dt_s = controller.step_s();
  const auto fastest_mps = [&](const Intent& intent, double seconds) {
    float most = 0;
    for (double time_s = 0; time_s < seconds; time_s += dt_s) {
      const std::vector<Affine> before = joints();
      controller.tick(*state, intent, dt_s);
      const std::vector<Affine> now = joints();
      for (std::size_t j = 0; j < now.size(); ++j)
        most = std::max(most, distance(now[j].t, before[j].t) / static_cast<float>(dt_s));
    }
    return most;
  };
  EXPECT_LT(fastest_mps(Intent::move({0, 0, 1.5F}), 5), 2.5F);
  EXPECT_LT(planar_distance(joints()[0].t, joints()[1].t), 0.01F) << "the first joint carries the body";
  EXPECT_LT(fastest_mps(Intent::stand(), 2), 4) << "at a stop";
  EXPECT_LT(fastest_mps(Intent::move({0, 0, 1.5F}), 2), 6) << "at a start, where its foot steps";
}

}  // namespace
}  // namespace zoe::control
