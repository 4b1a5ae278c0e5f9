// SPDX-License-Identifier: MIT
#include "zoe/control/crowd.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/eval/crowd_scenes.h"

#include "support/allocation.h"
#include "support/executors.h"
#include "support/pool.h"
#include "toy_controller.h"
#include "walker.h"

namespace zoe::control {
namespace {

using test::ToyController;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Vec3 on_ground(float angle, float far) { return {far * std::sin(angle), 0, far * std::cos(angle)}; }

// Whether two discs that keep their velocities come closer than `reach` before the horizon.
bool meet(Vec3 way, Vec3 velocity, float reach, float horizon_s) {
  for (int i = 0; i <= 4000; ++i) {
    const float t = horizon_s * static_cast<float>(i) / 4000;
    if (length(way - velocity * t) < reach) return true;
  }
  return false;
}

TEST(HalfPlanes, WhoeverKeepsToThemDoesNotMeet) {
  Random random(3);
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const MovingDisc a{{}, on_ground(random.uniform(0, 6.3F), random.uniform(0, 2)), 0.3F};
    const MovingDisc b{on_ground(random.uniform(0, 6.3F), random.uniform(0.7F, 5)),
                       on_ground(random.uniform(0, 6.3F), random.uniform(0, 2)), 0.4F};
    const AvoidTimes times{.horizon_s = 2};
    const HalfPlane for_a = allowed_beside(a, b, 0.5F, times), for_b = allowed_beside(b, a, 0.5F, times);
    ASSERT_NEAR(length(for_a.normal), 1, 1e-4F);
    const Vec3 way = b.position - a.position;
    if (meet(way, a.velocity_mps - b.velocity_mps, 0.69F, 2)) ++met;
    // Each takes the nearest velocity that its half-plane allows.
    const auto chosen = [](const HalfPlane& plane, Vec3 v) {
      return plane.depth(v) >= 0 ? v : v - plane.normal * plane.depth(v);
    };
    const Vec3 va = chosen(for_a, a.velocity_mps), vb = chosen(for_b, b.velocity_mps);
    ASSERT_FALSE(meet(way, va - vb, 0.69F, 2)) << i;
    // Alone it makes all of the way.
    const Vec3 alone = chosen(allowed_beside(a, b, 1, times), a.velocity_mps);
    ASSERT_FALSE(meet(way, alone - b.velocity_mps, 0.69F, 2)) << i;
  }
  EXPECT_GT(met, 20) << "the draw shows nothing";
}

// Cells from the middle of the grid to its border. Under a sanitizer the fine grid takes a minute.
constexpr int kGridHalf = zoe::test::kSanitized ? 60 : 300;

// The same by looking at every velocity of a fine grid over the circle.
struct GridAnswer {
  float nearest = 1e30F;      // Distance to the wish of the best allowed one.
  float best_depth = -1e30F;  // The largest worst depth anywhere.
};
GridAnswer search_grid(std::span<const HalfPlane> planes, Vec3 wanted, float max_speed) {
  GridAnswer answer;
  for (int x = -kGridHalf; x <= kGridHalf; ++x) {
    for (int z = -kGridHalf; z <= kGridHalf; ++z) {
      const Vec3 v{max_speed * static_cast<float>(x) / kGridHalf, 0, max_speed * static_cast<float>(z) / kGridHalf};
      if (length(v) > max_speed) continue;
      float worst = 1e30F;
      for (const HalfPlane& plane : planes) worst = std::min(worst, plane.depth(v));
      answer.best_depth = std::max(answer.best_depth, worst);
      if (worst >= 0) answer.nearest = std::min(answer.nearest, distance(v, wanted));
    }
  }
  return answer;
}

TEST(HalfPlanes, TheChosenVelocityIsTheNearestOrTheLeastBad) {
  Random random(11);
  int feasible = 0, infeasible = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<HalfPlane> planes;
    const auto count = 1 + random.below(9);
    for (std::uint64_t k = 0; k < count; ++k) {
      planes.push_back(
          {on_ground(random.uniform(0, 6.3F), random.uniform(0, 1.5F)), on_ground(random.uniform(0, 6.3F), 1)});
    }
    const Vec3 wanted = on_ground(random.uniform(0, 6.3F), random.uniform(0, 2));
    const float max_speed = 1.6F, cell = max_speed / kGridHalf * 1.5F;
    const ChosenVelocity chosen = nearest_allowed(planes, wanted, max_speed);
    ASSERT_LE(length(chosen.velocity_mps), max_speed + 1e-4F);
    float worst = 1e30F;
    for (const HalfPlane& plane : planes) worst = std::min(worst, plane.depth(chosen.velocity_mps));
    const GridAnswer grid = search_grid(planes, wanted, max_speed);
    if (chosen.allowed) {
      ++feasible;
      EXPECT_GE(worst, -1e-4F) << i;
      EXPECT_LE(distance(chosen.velocity_mps, wanted), grid.nearest + 1e-4F) << i;
    } else {
      ++infeasible;
      EXPECT_LT(grid.best_depth, 1e-4F) << i;
      EXPECT_GE(worst, grid.best_depth - 2.5e-3F) << i;
      EXPECT_LE(worst, grid.best_depth + cell) << i;
    }
  }
  EXPECT_GT(feasible, 10);
  EXPECT_GT(infeasible, 10);
}

TEST(HalfPlanes, AbsurdSpeedsComeToAnEnd) {
  for (const float absurd : {1e10F, 1e20F, 3e38F, std::numeric_limits<float>::infinity(), kNan}) {
    const HalfPlane planes[] = {
        {{absurd, 0, 0}, {1, 0, 0}}, {{-absurd, 0, 0}, {-1, 0, 0}}, {{0, 0, absurd}, {0, 0, 1}}};
    EXPECT_FALSE(nearest_allowed(planes, {1, 0, 1}, 1.5F).allowed && std::isfinite(absurd)) << absurd;
  }
}

TEST(NeighbourGrid, FindsWhatComparingAllFinds) {
  Random random(5);
  std::vector<Vec3> places;
  for (int i = 0; i < 500; ++i) places.push_back({random.uniform(-20, 20), 0, random.uniform(-20, 20)});
  places.push_back({3e6F, 0, -3e6F});  // Beyond the last cell.
  NeighbourGrid grid(places.size());
  grid.build(places, 3);
  for (std::size_t i = 0; i < places.size(); i += 7) {
    std::vector<std::uint32_t> found, all;
    grid.near(places[i], 2.5F, [&](std::uint32_t other, float squared) {
      EXPECT_NEAR(squared, dot(places[other] - places[i], places[other] - places[i]), 1e-3F);
      found.push_back(other);
    });
    for (std::uint32_t k = 0; k < places.size(); ++k)
      if (distance(places[k], places[i]) <= 2.5F) all.push_back(k);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, all);
  }
}

struct Walk {
  int arrived = 0;
  float deepest_m = 0;
  std::uint64_t hash = 0;
};
Walk walk(const std::string& scene, int count, double seconds, bool avoid, Executor& pool, float half_life_s = 0.02F) {
  const auto controller = std::make_shared<ToyController>(30);
  controller->half_life_s = half_life_s;
  eval::CrowdScene made = eval::make_scene(scene, count).value();
  CrowdOptions options;
  if (avoid) options.avoidance.emplace();
  Crowd crowd(controller, made.places, options);
  eval::CrowdDirector director(made, 1.3F);
  std::vector<Intent> intents(made.places.size());
  std::vector<MovingDisc> discs(made.places.size());
  NeighbourGrid grid(made.places.size());
  std::vector<Vec3> scratch(made.places.size());
  Walk out;
  for (int tick = 0; tick < static_cast<int>(seconds * 30); ++tick) {
    director.direct(crowd, intents);
    crowd.tick(intents, 1.0 / 30, pool);
    for (std::size_t i = 0; i < discs.size(); ++i) {
      discs[i] = {crowd.state(static_cast<int>(i)).root().position, {}, crowd.radius_m(static_cast<int>(i))};
    }
    out.deepest_m = std::max(out.deepest_m, find_overlaps(discs, grid, scratch).deepest_m);
    if (scene == "swap" && director.num_arrivals() == count) break;
  }
  out.arrived = director.num_arrivals();
  out.hash = crowd.hash();
  return out;
}

TEST(Crowd, EverybodyOfACircleArrivesUntouched) {
  ThreadPool none(0), pool(3);
  zoe::test::wait_for_threads(pool);
  const Walk swap = walk("swap", 100, 90, true, none);
  EXPECT_EQ(swap.arrived, 100);
  EXPECT_LT(swap.deepest_m, 0.02F);
  // The same for bodies that take their time, as walkers do.
  const Walk slow = walk("swap", 100, 90, true, none, 0.2F);
  EXPECT_EQ(slow.arrived, 100);
  EXPECT_LT(slow.deepest_m, 0.1F);
  EXPECT_GT(walk("swap", 100, 22, false, none).deepest_m, 0.3F) << "the scene is no test";
  const Walk streams = walk("streams", 60, 20, true, none);
  EXPECT_LT(streams.deepest_m, 0.1F);  // Tight where the blocks meet.
  EXPECT_GT(streams.arrived, 50);
  EXPECT_EQ(walk("goals", 150, 4, true, pool).hash, walk("goals", 150, 4, true, none).hash) << "threads";
}

// A game's own job system, in another order and on other threads, gives the same bits.
TEST(Crowd, AForeignExecutorGivesTheSameBits) {
  ThreadPool none(0);
  zoe::test::ReversedExecutor reversed;
  zoe::test::FreshThreadsExecutor fresh(3);
  const std::uint64_t expected = walk("goals", 150, 2, true, none).hash;
  EXPECT_EQ(walk("goals", 150, 2, true, reversed).hash, expected);
  EXPECT_EQ(walk("goals", 150, 2, true, fresh).hash, expected);
  EXPECT_GT(reversed.runs, 0);
  EXPECT_GT(fresh.runs, 0);
}

TEST(Crowd, TwoWhoMeetHeadOnPass) {
  const auto controller = std::make_shared<ToyController>(30);
  CrowdOptions options;
  options.avoidance.emplace();
  const PlanarRoot places[] = {{{0, 0, -4}, 0}, {{0, 0, 4}, 3.14159265F}};
  Crowd crowd(controller, places, options);
  ThreadPool none(0);
  const Intent intents[] = {Intent::move({0, 0, 1.3F}), Intent::move({0, 0, -1.3F})};
  float nearest = 1e30F;
  for (int i = 0; i < 240; ++i) {
    crowd.tick(intents, 1.0 / 30, none);
    nearest = std::min(nearest, distance(crowd.state(0).root().position, crowd.state(1).root().position));
  }
  EXPECT_GT(crowd.state(0).root().position.z, 3);
  EXPECT_LT(crowd.state(1).root().position.z, -3);
  EXPECT_GT(nearest, 0.5F);
}

TEST(Crowd, TheOrderOfCharactersDoesNotMatter) {
  const auto controller = std::make_shared<ToyController>(30);
  const eval::CrowdScene scene = eval::make_scene("goals", 40).value();
  CrowdOptions options;
  options.avoidance.emplace();
  std::vector<PlanarRoot> turned(scene.places.rbegin(), scene.places.rend());
  Crowd crowd(controller, scene.places, options), other(controller, turned, options);
  ThreadPool none(0);
  std::vector<Intent> intents, turned_intents;
  for (const PlanarRoot& place : scene.places) intents.push_back(Intent::move(place.position * -0.2F));
  turned_intents.assign(intents.rbegin(), intents.rend());
  for (int i = 0; i < 200; ++i) {
    crowd.tick(intents, 1.0 / 30, none);
    other.tick(turned_intents, 1.0 / 30, none);
  }
  for (int i = 0; i < crowd.size(); ++i) {
    ASSERT_EQ(crowd.state(i).hash(), other.state(crowd.size() - 1 - i).hash()) << i;
  }
}

TEST(Crowd, WaitingForOthersIsNoReasonToGiveAGoalUp) {
  const auto controller = std::make_shared<ToyController>(30);
  CrowdOptions options;
  options.avoidance.emplace();
  // A wall of people who stand close, and one who wants to go through it.
  std::vector<PlanarRoot> places{{{0, 0, -3}, 0}};
  for (int i = -30; i <= 30; ++i) places.push_back({{0.4F * static_cast<float>(i), 0, 0}, 0});
  Crowd crowd(controller, places, options);
  std::vector<Intent> intents(places.size());
  intents[0].goal = WantedPlace{{0, 0, 5}, {}};
  ThreadPool none(0);
  for (int i = 0; i < 300; ++i) crowd.tick(intents, 1.0 / 30, none);
  EXPECT_NE(crowd.state(0).progress(), Progress::kUnreachable);
  EXPECT_LT(crowd.state(0).root().position.z, 0);
}

TEST(Crowd, TakesAnyNumberAndAnyGoal) {
  const auto controller = std::make_shared<ToyController>(30);
  ThreadPool none(0);
  for (const int count : {0, 1, 2, 10000}) {
    for (const char* name : eval::scene_names()) {
      if (count == 10000 && name != eval::scene_names()[0]) continue;
      eval::CrowdScene scene = eval::make_scene(name, count).value();
      ASSERT_EQ(static_cast<int>(scene.places.size()), count);
      CrowdOptions options;
      options.avoidance.emplace();
      options.detail = DetailOptions{.max_full = 5};
      Crowd crowd(controller, scene.places, options);
      std::vector<Intent> intents(scene.places.size());
      for (std::size_t i = 0; i < intents.size(); ++i) {
        if (i % 3 == 0) intents[i].goal = WantedPlace{{kNan, 0, 1}, {}};
        if (i % 3 == 1) intents[i] = Intent::move({kNan, 0, 1e30F});
        if (i % 5 == 0) controller->place(crowd.state(static_cast<int>(i)), {});  // All at one place.
      }
      const zoe::test::AllocationMeter meter;
      for (int tick = 0; tick < 3; ++tick) crowd.tick(intents, 1.0 / 30, none);
      EXPECT_EQ(meter.allocations(), 0U);
      for (int i = 0; i < count; ++i) ASSERT_TRUE(is_finite(crowd.state(i).root().position));
    }
  }
  EXPECT_FALSE(eval::make_scene("stream", 3));
}

TEST(DetailLevels, FollowDistanceAndBudgetWithoutGoingToAndFro) {
  const std::vector<Vec3> places{{0, 0, 5}, {0, 0, 25}, {0, 0, 60}, {0, 0, 6}, {0, 0, 7}};
  DetailLevels levels(places.size());
  DetailOptions options;
  const auto now = [&] {
    levels.update(places, options);
    std::vector<int> out;
    for (std::size_t i = 0; i < places.size(); ++i) out.push_back(levels.steps_an_answer(i));
    return out;
  };
  EXPECT_EQ(now(), (std::vector<int>{1, 2, 3, 1, 1}));
  options.max_full = 2;
  EXPECT_EQ(now(), (std::vector<int>{1, 2, 3, 1, 2}));
  options.max_half = 1;
  EXPECT_EQ(now(), (std::vector<int>{1, 3, 3, 1, 2}));
  options = {};
  options.eye = {0, 0, 6};  // 19 m: inside the border, by less than the slack.
  EXPECT_EQ(now()[1], 2);
  options.eye = {0, 0, 8};
  EXPECT_EQ(now()[1], 1);
  options.eye = {0, 0, 6};
  EXPECT_EQ(now()[1], 1);
  int asked = 0;
  for (int step = 0; step < 30; ++step) asked += levels.asks(2, step) ? 1 : 0;
  EXPECT_EQ(asked, 10);
}

// A network that stands and wobbles, on a body with legs.
struct Stander {
  test::Walker walker = test::make_walker(*author::find_type("mann").value());
  ControllerPtr controller =
      make_neural_controller({"mann", test::walker_body(walker), test::random_network(walker, 0.1F), {}}).value();
};
const Stander& stander() {
  static const Stander one;
  return one;
}

// World places of all joints.
std::vector<Vec3> joints_of(const ControllerState& state) {
  const Skeleton& skeleton = *stander().controller->skeleton();
  std::vector<Affine> models(static_cast<std::size_t>(skeleton.num_joints()));
  compute_model_from_joint(skeleton, state.pose(), models);
  std::vector<Vec3> places;
  for (const Affine& model : models) places.push_back(model.t);
  return places;
}

TEST(Crowd, WithAllDetailItEqualsSingleCharacters) {
  const ControllerPtr& controller = stander().controller;
  CrowdOptions options;
  options.detail.emplace();
  std::vector<PlanarRoot> places;
  for (int i = 0; i < 70; ++i) {
    places.push_back({on_ground(static_cast<float>(i), 5), 0});
    options.proportions.push_back({0.7F + 0.01F * static_cast<float>(i), 1.1F});
  }
  Crowd crowd(controller, places, options);
  ThreadPool none(0);
  std::vector<std::unique_ptr<ControllerState>> singles;
  for (std::size_t i = 0; i < places.size(); ++i)
    singles.push_back(controller->make_state(
        {.root = places[i], .proportions = options.proportions[i], .lane = static_cast<int>(i)}));
  std::vector<Intent> intents(places.size(), Intent::move({0, 0, 0.5F}));
  for (int tick = 0; tick < 12; ++tick) {
    crowd.tick(intents, 1.0 / 60, none);
    for (std::size_t i = 0; i < singles.size(); ++i) controller->tick(*singles[i], intents[i], 1.0 / 60);
  }
  for (std::size_t i = 0; i < singles.size(); ++i) {
    const PoseView a = singles[i]->pose(), b = crowd.state(static_cast<int>(i)).pose();
    for (std::size_t j = 0; j < a.translations.size(); ++j)
      ASSERT_LT(distance(a.translations[j], b.translations[j]), 1e-5F) << i;
  }
}

TEST(Crowd, ComingNearAndGoingAwayMovesNothingAtOnce) {
  const ControllerPtr& controller = stander().controller;
  const PlanarRoot places[] = {{}, {{2, 0, 0}, 1}};
  CrowdOptions options;
  options.detail = DetailOptions{.half_from_m = 10, .third_from_m = 30};
  Crowd near(controller, places), changing(controller, places, options);
  ThreadPool none(0);
  const std::vector<Intent> intents(2, Intent::move({0, 0, 0.8F}));
  const float eyes_m[] = {0, 15, 100, 0, 100, 15, 0};
  const auto largest_step = [&](Crowd& crowd) {
    float largest = 0;
    std::vector<Vec3> before = joints_of(crowd.state(0));
    for (int tick = 0; tick < 7 * 40; ++tick) {
      crowd.set_eye({0, eyes_m[tick / 40], 0});
      crowd.tick(intents, 1.0 / 60, none);
      const std::vector<Vec3> now = joints_of(crowd.state(0));
      for (std::size_t j = 0; j < now.size(); ++j) largest = std::max(largest, distance(now[j], before[j]));
      before = now;
    }
    return largest;
  };
  const float usual_m = largest_step(near), with_changes_m = largest_step(changing);
  EXPECT_GT(usual_m, 1e-4F);
  EXPECT_LT(with_changes_m, 1.5F * usual_m);
  EXPECT_EQ(changing.state(0).num_recoveries(), 0);
}

TEST(Proportions, FeetStandWhereTheModelsWouldOnTheLargerGround) {
  const ControllerPtr& controller = stander().controller;
  const Proportions size{0.6F, 1.3F};
  const auto plain = controller->make_state(), other = controller->make_state({.proportions = size});
  const Skeleton& skeleton = *controller->skeleton();
  const auto legs = joints_of_legs(skeleton, controller->contact_joints());
  int num_legs = 0, num_upper = 0;
  for (int tick = 0; tick < 60; ++tick) {
    controller->tick(*plain, Intent::move({0.2F, 0, 1}), 1.0 / 60);
    controller->tick(*other, Intent::move({0.2F * size.legs, 0, size.legs}), 1.0 / 60);
    const std::vector<Vec3> a = joints_of(*plain), b = joints_of(*other);
    num_legs = num_upper = 0;
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      if (legs[i] != 0) {  // Places are the model's own, enlarged: so are speeds, and zero stays zero.
        ASSERT_LT(distance(b[i], a[i] * size.legs), 2e-3F) << skeleton.name(j);
        ++num_legs;
      } else if (const int parent = skeleton.parent(j); legs[static_cast<std::size_t>(parent)] == 0) {
        const auto p = static_cast<std::size_t>(parent);
        ASSERT_NEAR(distance(b[i], b[p]), distance(a[i], a[p]) * size.upper, 2e-3F) << skeleton.name(j);
        ++num_upper;
      }
    }
    ASSERT_LT(distance(other->root().position, plain->root().position * size.legs), 1e-3F);
  }
  EXPECT_GT(num_legs, 6);
  EXPECT_GT(num_upper, 6);
  for (const int foot : controller->contact_joints()) EXPECT_EQ(legs[static_cast<std::size_t>(foot)], 1);
  EXPECT_EQ(sanitised(Proportions{kNan, 1e9F}).legs, 1);
  EXPECT_EQ(sanitised(Proportions{kNan, 1e9F}).upper, 10);
}

TEST(Proportions, AGoalIsReachedInTheWorldsMetres) {
  const ToyController controller;
  const auto state = controller.make_state({.root = {{1, 0, 1}, 0.5F}, .proportions = Proportions::uniform(0.5F)});
  Intent go;
  go.goal = WantedPlace{{3, 0, 4}, {}};
  for (int i = 0; i < 900; ++i) controller.tick(*state, go, 1.0 / 60);
  EXPECT_LT(distance(state->root().position, go.goal->position), 0.2F);
  // Told a speed, it goes at that speed, on legs of any length.
  Vec3 before;
  for (int i = 0; i < 120; ++i) {
    before = state->root().position;
    controller.tick(*state, Intent::move({1, 0, 0}), 1.0 / 60);
  }
  EXPECT_NEAR(distance(state->root().position, before) * 60, 1, 0.02F);
  EXPECT_NEAR(state->speed_mps(), 1, 0.02F);
  EXPECT_NEAR(state->velocity_mps().x, 1, 0.02F);
}

}  // namespace
}  // namespace zoe::control
