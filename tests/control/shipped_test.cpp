// SPDX-License-Identifier: MIT
// What is displayed of the shipped models: feet that hold the ground, joints that do not jitter. And time that goes on
// over a recovery.
#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/control/prop_user.h"
#include "zoe/core/thread_pool.h"

#include "control/toy_controller.h"
#include "support/allocation.h"

namespace zoe::control {
namespace {

struct Measured {
  double contact_mps = 0;    // Mean speed over the ground of feet in contact.
  double jitter_rad_s2 = 0;  // Mean change of a joint's angular velocity, per second.
};

// A minute of walking, turning and stopping, at the model's own rate.
Measured measure(const char* name) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const ControllerPtr controller =
      load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models" / name).value();
  const Skeleton& skeleton = *controller->skeleton();
  const auto num_joints = static_cast<std::size_t>(skeleton.num_joints());
  const auto state = controller->make_state();
  const double dt_s = controller->step_s();
  std::vector<Vec3> at(num_joints), before(num_joints);
  std::vector<Quat> model(num_joints), last(num_joints);
  std::vector<Vec3> speed(num_joints), last_speed(num_joints);
  double way_m = 0, contact_s = 0, change = 0, num_changes = 0;
  const int num_ticks = static_cast<int>((zoe::test::kSanitized ? 5 : 60) / dt_s);
  for (int i = 0; i < num_ticks; ++i) {
    const float angle = 0.4F * static_cast<float>(i * dt_s);
    const Vec3 velocity{1.2F * std::sin(angle), 0, 1.2F * std::cos(angle)};
    controller->tick(*state, i * dt_s - 12 * std::floor(i * dt_s / 12) < 10 ? Intent::move(velocity) : Intent::stand(),
                     dt_s);
    for (std::size_t j = 0; j < num_joints; ++j) {
      const int parent = skeleton.parent(static_cast<int>(j));
      const auto p = static_cast<std::size_t>(std::max(parent, 0));
      const Vec3 t = state->pose().translations[j];
      const Quat q = state->pose().rotations[j];
      at[j] = parent == kNoJoint ? t : at[p] + rotate(model[p], t);
      model[j] = parent == kNoJoint ? q : model[p] * q;
      speed[j] = to_rotation_vector(q * conjugate(last[j])) * static_cast<float>(1 / dt_s);
      if (i > 30) change += static_cast<double>(length(speed[j] - last_speed[j])) / dt_s, ++num_changes;
      last[j] = q;
    }
    for (std::size_t c = 0; i > 30 && c < controller->contact_joints().size(); ++c) {
      if (state->contacts()[c] < 0.5F) continue;
      const auto j = static_cast<std::size_t>(controller->contact_joints()[c]);
      way_m += static_cast<double>(std::hypot(at[j].x - before[j].x, at[j].z - before[j].z));
      contact_s += dt_s;
    }
    std::swap(before, at);
    std::swap(last_speed, speed);
  }
  return {way_m / contact_s, change / num_changes};
}

TEST(Shipped, FeetHoldTheGroundAndJointsDoNotJitter) {
  for (const char* name : {"walker", "dog"}) {
    const Measured found = measure(name);
    std::printf("%s: feet in contact %.1f cm/s, jitter %.2f rad/s2\n", name, 100 * found.contact_mps,
                found.jitter_rad_s2);
    const bool is_walker = std::string(name) == "walker";
    EXPECT_LT(found.contact_mps, is_walker ? 0.07 : 0.03) << name;
    EXPECT_LT(found.jitter_rad_s2, is_walker ? 23 : 47) << name;
  }
}

// Characters far away run every third step, for minutes. Their phases must not run away in between.
TEST(Shipped, FarAwayNeverStartsAgain) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  for (const char* name : {"walker", "dog"}) {
    const ControllerPtr controller =
        load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models" / name).value();
    CrowdOptions options;
    options.detail = DetailOptions{.eye = {1e4F, 0, 0}};
    const std::vector<PlanarRoot> roots(2);
    Crowd crowd(controller, roots, options);
    ThreadPool pool(0);
    std::vector<Intent> intents(2);
    for (int tick = 0; tick < (zoe::test::kSanitized ? 900 : 3000); ++tick) {
      const float angle = 0.01F * static_cast<float>(tick), pace = controller->motion_range().pace_mps;
      intents[0] = Intent::move({pace * std::sin(angle), 0, pace * std::cos(angle)});
      intents[1] = Intent::move({0, 0, pace});
      crowd.tick(intents, 1.0 / 30, pool);
    }
    EXPECT_EQ(crowd.steps_an_answer(0), 3);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(crowd.state(i).num_recoveries(), 0) << name << " " << i;
  }
}

struct Errand {
  float walked_m = 0, pulled_m = 0;
  PlanarRoot end;
  std::string note;
  bool finite = true;
};
Errand run_errand(std::vector<Prop> props, const PropTask& task, double seconds) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const ControllerPtr controller =
      load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models" / "nsm").value();
  PropUser user(*controller, std::move(props), task);
  const auto state = controller->make_state();
  Errand out;
  for (double time_s = 0; time_s < seconds; time_s += controller->step_s()) {
    const Vec3 before = state->root().position;
    user.tick(*controller, *state, controller->step_s());
    out.walked_m += distance(before, state->root().position);
    for (const Quat& q : state->pose().rotations) out.finite = out.finite && std::isfinite(q.x + q.y + q.z + q.w);
  }
  out.pulled_m = state->deed().value().pulled_m;
  out.end = state->root();
  out.note = user.note();
  return out;
}

// The network travels; the run time leads it by a tenth of its motion at most.
TEST(Shipped, RootsOfDeedsAreHardlyMoved) {
  const Errand walks = run_errand({make_obstacle({0.6F, 1, 0.6F}, {0, 0, 2}, 0)},
                                  {.deed = Deed::kWalk, .destination = {{0.2F, 0, 4}, 1}}, 12);
  EXPECT_LT(distance(walks.end.position, {0.2F, 0, 4}), 0.2F);
  EXPECT_LT(walks.pulled_m, 0.1F * walks.walked_m);
  const Errand sits = run_errand({make_seat({.height_m = 0.3F}, {0.5F, 0, 2.4F}, 2.6F)}, {.deed = Deed::kSit}, 12);
  EXPECT_GT(sits.walked_m, 1.5F);
  EXPECT_LT(sits.pulled_m, 0.1F * sits.walked_m);
}

TEST(Shipped, AGoalInAWallAndABodyInAPropAreSaid) {
  const Prop wall = make_obstacle({3, 2, 0.8F}, {0, 0, 3}, 0);
  const Errand to_wall = run_errand({wall}, {.deed = Deed::kWalk, .destination = {{0, 0, 3}, 0}}, 8);
  EXPECT_NE(to_wall.note.find("inside a prop"), std::string::npos) << to_wall.note;
  EXPECT_TRUE(to_wall.finite);
  EXPECT_GT(signed_distance(wall, to_wall.end.position + Vec3{0, 0.5F, 0}), 0);
  const Prop crate = make_obstacle({0.5F, 1, 0.5F}, {0.1F, 0, 0.1F}, 0.3F);
  const Errand from_crate = run_errand({crate}, {.deed = Deed::kWalk, .destination = {{0, 0, 3}, 0}}, 10);
  EXPECT_NE(from_crate.note.find("leaves it first"), std::string::npos) << from_crate.note;
  EXPECT_TRUE(from_crate.finite);
  EXPECT_LT(distance(from_crate.end.position, {0, 0, 3}), 0.3F);
}

TEST(Shipped, ASeatWhoseFrontIsNotFreeIsRefused) {
  const Prop seat = make_seat({.height_m = 0.3F}, {0, 0, 2.5F}, 3.14159265F);
  // Walls at its front and its sides, as near as a knee.
  const Errand errand = run_errand({seat, make_obstacle({2, 1.5F, 0.1F}, {0, 0, 1.9F}, 0)}, {.deed = Deed::kSit}, 6);
  EXPECT_NE(errand.note.find("front of the seat is not free"), std::string::npos) << errand.note;
  EXPECT_LT(errand.walked_m, 0.5F);
  EXPECT_TRUE(errand.finite);
}

// The steps that a tick still owes are made after a recovery too.
TEST(Recovery, LosesNoTime) {
  test::ToyController controller;
  controller.poison_at_step = 30;
  const auto state = controller.make_state();
  for (int i = 0; i < 20; ++i) controller.tick(*state, Intent::move({1, 0, 0}), 0.1);
  EXPECT_EQ(state->num_recoveries(), 1);
  EXPECT_EQ(state->num_steps(), 120);
}

}  // namespace
}  // namespace zoe::control
