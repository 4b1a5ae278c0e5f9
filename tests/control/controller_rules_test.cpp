// SPDX-License-Identifier: MIT
// What every type of controller gets from its base: intents towards goals, progress, the displayed moment between two
// steps, sizes, places and fingerprints. Each rule alone, by its numbers.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/control/controller.h"
#include "zoe/control/crowd.h"
#include "zoe/core/thread_pool.h"
#include "zoe/math/spring.h"

#include "control/grounding.h"
#include "toy_controller.h"

namespace zoe::control {
namespace {

// Moves as the test tells it, and keeps what it is asked.
class Puppet : public Controller {
 public:
  struct State : ControllerState {
    PlanarRoot root;

   protected:
    void describe(StateArchive& archive) override { archive.bits(root); }
  };
  static Setup setup(double rate_hz) {
    Setup out{.skeleton = Skeleton::create({{"hips", kNoJoint, {{0, 1, 0}, {}, {1, 1, 1}}},
                                            {"leg", 0, {{0, -0.9F, 0}, {}, {1, 1, 1}}},
                                            {"head", 0, {{0, 0.6F, 0}, {}, {1, 1, 1}}}})
                              .value(),
              .rate_hz = rate_hz,
              .contact_joints = {1},
              .styles = {"calm", "old"},
              .actions = {"wave"}};
    return out;
  }
  explicit Puppet(double rate_hz = 60) : Controller(setup(rate_hz)) {}
  explicit Puppet(Setup given) : Controller(std::move(given)) {}
  using Controller::Setup;

  const char* type() const override { return "puppet"; }
  std::size_t model_bytes() const override { return 0; }

  mutable Vec3 velocity_mps;
  mutable float turn_speed_rad_s = 0, leg_angle = 0, contact = 0;
  mutable Intent asked;
  mutable int steps = 0;

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override { return std::make_unique<State>(); }
  void start(ControllerState& state, CharacterFrame& now) const noexcept override {
    static_cast<State&>(state).root = {};
    pose(static_cast<State&>(state), now);
  }
  void step(const StepItem& item) const noexcept override {
    auto& own = static_cast<State&>(*item.state);
    const auto dt_s = static_cast<float>(step_s());
    own.root.position += velocity_mps * dt_s;
    own.root.facing_rad += turn_speed_rad_s * dt_s;
    asked = *item.intent;
    ++steps;
    pose(own, *item.now);
  }

 private:
  void pose(const State& own, CharacterFrame& now) const {
    now.root = own.root;
    now.pose.translations = {own.root.position + Vec3{0, 1, 0}, {0, -0.9F, 0}, {0, 0.6F, 0}};
    now.pose.rotations = {rotation_of(own.root), from_rotation_vector(Vec3{leg_angle, 0, 0}), Quat{}};
    now.contacts[0] = contact;
  }
};

TEST(ControllerProgress, IsStuckBelowAFractionOfTheDesiredSpeedForASecond) {
  const auto after = [](float speed, float desired, int steps) {
    const Puppet puppet;
    puppet.velocity_mps = {0, 0, speed};
    const auto state = puppet.make_state();
    for (int i = 0; i < steps; ++i) puppet.tick(*state, Intent::move({desired, 0, 0}), 1.0 / 60);
    EXPECT_NEAR(state->speed_mps(), speed, 1e-3F);
    return state->progress();
  };
  EXPECT_EQ(after(0.14F, 1, 55), Progress::kMoving);
  EXPECT_EQ(after(0.14F, 1, 65), Progress::kStuck);
  EXPECT_EQ(after(0.16F, 1, 200), Progress::kMoving);
  EXPECT_EQ(after(0.28F, 2, 65), Progress::kStuck);
  EXPECT_EQ(after(0.32F, 2, 200), Progress::kMoving);
  EXPECT_EQ(after(0, 0.19F, 200), Progress::kStanding) << "so slow a wish is none";
  EXPECT_EQ(after(0, 0.21F, 10), Progress::kMoving);
  EXPECT_EQ(after(0, 0.21F, 65), Progress::kStuck);
  // One good step in between, and the second begins again. What counts is the wish 0.2 s ahead.
  const Puppet puppet;
  const auto state = puppet.make_state();
  Intent intent = Intent::move({0, 0, 0});
  intent.num_wanted = 2;
  intent.wanted[1] = {0.2F, {1, 0, 0}, {}};
  for (int i = 0; i < 100; ++i) {
    puppet.velocity_mps = {0, 0, i == 50 ? 1.0F : 0.0F};
    puppet.tick(*state, intent, 1.0 / 60);
    EXPECT_NE(state->progress(), Progress::kStanding);
    EXPECT_NE(state->progress(), Progress::kStuck) << i;
  }
}

TEST(ControllerProgress, AbsurdStepsStartAgainWhereTheyWere) {
  for (const float speed : {24.9F, 25.1F}) {
    const Puppet puppet;
    const auto state = puppet.make_state({.root = {{2, 0, 3}, 0.5F}});
    puppet.tick(*state, {}, 1.0 / 60);
    puppet.velocity_mps = {0, 0, speed};
    const Vec3 before = state->root().position;
    puppet.tick(*state, {}, 1.0 / 60);
    const bool recovered = speed > 25;
    EXPECT_EQ(state->progress() == Progress::kRecovered, recovered);
    EXPECT_EQ(state->num_recoveries(), recovered ? 1 : 0);
    EXPECT_NEAR(distance(state->root().position, before), recovered ? 0 : speed / 60, 1e-4F);
    EXPECT_EQ(state->num_steps(), 2);
  }
  // Up does not count: only the way over the ground.
  const Puppet puppet;
  puppet.velocity_mps = {0, 40, 1};
  const auto state = puppet.make_state();
  puppet.tick(*state, {}, 1.0 / 60);
  EXPECT_EQ(state->num_recoveries(), 0);
  EXPECT_NEAR(state->speed_mps(), 1, 1e-3F);
}

Intent go(Vec3 place, std::optional<float> facing = {}) {
  Intent intent;
  intent.goal = WantedPlace{place, facing};
  return intent;
}

TEST(ControllerGoal, GoesAtTheGaitsSpeedAndSlowsDownTheLastMetre) {
  const Puppet puppet;
  const auto asked = [&](const Intent& intent, const CharacterSetup& setup = {}) {
    const auto state = puppet.make_state(setup);
    puppet.tick(*state, intent, 1.0 / 60);
    return puppet.asked;
  };
  const MotionRange range;
  Intent intent = go({3, 5, 4}, 1.0F);
  EXPECT_LT(distance(asked(intent).velocity_at(0), Vec3{0.6F, 0, 0.8F} * range.walk_mps), 1e-5F);
  EXPECT_FALSE(asked(intent).wanted[0].facing_rad.has_value()) << "along the way";
  intent.gait = Gait::kRun;
  EXPECT_NEAR(length(asked(intent).velocity_at(0)), range.run_mps, 1e-4F);
  // From a metre on: in proportion, with its facing, and never slower than the least speed.
  EXPECT_NEAR(length(asked(go({0, 0, 0.9F}, 1.0F)).velocity_at(0)), range.walk_mps * 0.9F, 1e-4F);
  EXPECT_NEAR(asked(go({0, 0, 0.9F}, 1.0F)).wanted[0].facing_rad.value(), 1, 1e-5F);
  EXPECT_NEAR(length(asked(go({0, 0, 0.16F})).velocity_at(0)), 0.6F * range.walk_mps, 1e-4F);
  EXPECT_EQ(asked(go({0, 0, 0.14F}, 1.0F)).velocity_at(0), Vec3{}) << "arrived";
  EXPECT_NEAR(asked(go({0, 0, 0.14F}, 1.0F)).wanted[0].facing_rad.value(), 1, 1e-5F);
  // A goal with a velocity of its own is left alone.
  intent = go({3, 0, 4});
  intent.num_wanted = 2;
  intent.wanted[1] = {1, {0.5F, 0, 0}, {}};
  EXPECT_EQ(asked(intent).num_wanted, 2);
  EXPECT_EQ(asked(intent).wanted[0].velocity_mps, Vec3{});
  // Seen from the character's place, in the model's own size.
  const CharacterSetup there{.root = {{1, 0, 0}, std::numbers::pi_v<float> / 2}, .proportions = {2, 2}};
  const Intent seen = asked(go({7, 0, 0}), there);  // 6 m ahead in the world: 3 m for the model.
  EXPECT_LT(distance(seen.goal->position, {0, 0, 3}), 1e-5F);
  EXPECT_LT(distance(seen.velocity_at(0), {0, 0, range.walk_mps}), 1e-5F);
}

TEST(ControllerGoal, IsOutOfReachAfterThreeSecondsWithoutGettingNearer) {
  Puppet puppet;
  const auto run = [&](ControllerState& state, const Intent& intent, int steps) {
    for (int i = 0; i < steps; ++i) puppet.tick(state, intent, 1.0 / 60);
    return state.progress();
  };
  {
    const auto state = puppet.make_state();
    EXPECT_NE(run(*state, go({9, 0, 0}), 175), Progress::kUnreachable);
    EXPECT_EQ(run(*state, go({9, 0, 0}), 10), Progress::kUnreachable);
    EXPECT_EQ(puppet.asked.velocity_at(0), Vec3{}) << "it waits";
    EXPECT_EQ(run(*state, go({9.04F, 0, 0}), 5), Progress::kUnreachable) << "the same goal";
    EXPECT_NE(run(*state, go({9.2F, 0, 0}), 5), Progress::kUnreachable) << "another one";
    EXPECT_GT(length(puppet.asked.velocity_at(0)), 1.0F);
    EXPECT_NE(run(*state, {}, 400), Progress::kUnreachable) << "no goal at all";
  }
  {
    // Nearer by 5 cm every second or so is enough; sideways is not.
    const auto state = puppet.make_state();
    puppet.velocity_mps = {0.05F, 0, 0};
    EXPECT_NE(run(*state, go({90, 0, 0}), 900), Progress::kUnreachable);
    puppet.velocity_mps = {0, 0, 0.3F};
    EXPECT_EQ(run(*state, go({90, 0, 0}), 260), Progress::kUnreachable);
    puppet.velocity_mps = {};
  }
  {
    // A path around something leads away from its goal at times.
    const auto state = puppet.make_state();
    Intent on_path = go({9, 0, 0});
    on_path.wanted[0].velocity_mps = {0, 0, 1};
    puppet.velocity_mps = {0, 0, 1};
    EXPECT_EQ(run(*state, on_path, 400), Progress::kMoving);
    puppet.velocity_mps = {};
  }
  {
    // Who has arrived may stay.
    const auto state = puppet.make_state();
    EXPECT_EQ(run(*state, go({0.1F, 0, 0}), 400), Progress::kStanding);
    EXPECT_EQ(run(*state, go({0.2F, 0, 0}), 400), Progress::kUnreachable);
  }
}

TEST(ControllerDisplay, IsBetweenTheLastTwoStepsInSizeAndPlace) {
  const Puppet puppet(10);
  const PlanarRoot place{{5, 0.5F, -2}, 0.7F};
  const Proportions size{1.5F, 0.8F};
  const auto state = puppet.make_state({.root = place, .proportions = size});
  puppet.velocity_mps = {0.2F, 0, 1};
  puppet.turn_speed_rad_s = 0.6F;
  puppet.leg_angle = 0.2F;
  puppet.contact = 1;
  puppet.tick(*state, {}, 0.1);  // From the start (leg straight, no contact) to the first step.
  const auto check = [&](float t, float contact) {
    const PlanarRoot model{Vec3{0.02F, 0, 0.1F} * t, 0.06F * t};
    const PlanarRoot world = moved_by(place, {model.position * 1.5F, model.facing_rad});
    EXPECT_LT(distance(state->root().position, world.position), 1e-5F) << t;
    EXPECT_NEAR(state->root().facing_rad, world.facing_rad, 1e-5F) << t;
    const PoseView pose = state->pose(), in_root = state->pose_in_root();
    EXPECT_LT(distance(pose.translations[0], world.position + Vec3{0, 1.5F, 0}), 1e-5F) << t;
    EXPECT_LT(distance(pose.translations[1], {0, -1.35F, 0}), 1e-5F) << "a leg";
    EXPECT_LT(distance(pose.translations[2], {0, 0.48F, 0}), 1e-5F) << "above";
    EXPECT_GT(std::abs(dot(pose.rotations[0], rotation_of(world))), 0.999999F) << t;
    EXPECT_LT(distance(in_root.translations[0], {0, 1.5F, 0}), 1e-5F) << t;
    EXPECT_GT(std::abs(dot(in_root.rotations[0], Quat{})), 0.999999F) << t;
    EXPECT_LT(distance(in_root.translations[2], {0, 0.48F, 0}), 1e-5F) << t;
    EXPECT_GT(dot(pose.rotations[1], from_rotation_vector(Vec3{0.2F * t, 0, 0})), 0.99999F) << t;
    EXPECT_EQ(in_root.rotations[1], pose.rotations[1]);
    EXPECT_EQ(state->contacts()[0], contact) << t;
  };
  check(1, 1);
  // Half a step back: a state that is asked for less time.
  const auto other = puppet.make_state({.root = place, .proportions = size});
  const ControllerState* shown = other.get();
  puppet.tick(*other, {}, 0.04);
  EXPECT_EQ(shown->num_steps(), 1);
  EXPECT_LT(distance(other->root().position, moved_by(place, {Vec3{0.02F, 0, 0.1F} * 0.6F, 0}).position), 1);
  const Vec3 velocity = state->velocity_mps();
  const Vec3 expected = rotate(rotation_of(place), Vec3{0.2F, 0, 1}) * 1.5F;
  EXPECT_LT(distance(velocity, expected), 1e-3F);
  EXPECT_NEAR(state->speed_mps(), length(expected), 1e-3F);
}

TEST(ControllerDisplay, ContactsAreThoseOfTheNearerStep) {
  const Puppet puppet(10);
  const auto state = puppet.make_state();
  puppet.tick(*state, {}, 0.1);
  puppet.contact = 1;
  puppet.velocity_mps = {0, 0, 1};
  puppet.tick(*state, {}, 0.04);  // The step is made; 0.4 of it is displayed.
  EXPECT_EQ(state->num_steps(), 2);
  EXPECT_NEAR(state->root().position.z, 0.04F, 1e-5F);
  EXPECT_EQ(state->contacts()[0], 0);
  puppet.tick(*state, {}, 0.02);
  EXPECT_EQ(state->num_steps(), 2);
  EXPECT_NEAR(state->root().position.z, 0.06F, 1e-5F);
  EXPECT_EQ(state->contacts()[0], 1);
}

TEST(ControllerPlace, PutsTheDisplayedRootThere) {
  const Puppet puppet(10);
  puppet.velocity_mps = {0.5F, 0, 1};
  puppet.turn_speed_rad_s = 0.4F;
  const auto state = puppet.make_state({.root = {{1, 0, 1}, 0.3F}, .proportions = {1.5F, 1.5F}});
  for (int i = 0; i < 5; ++i) puppet.tick(*state, {}, 0.13);
  const std::vector<Vec3> before(state->pose_in_root().translations.begin(), state->pose_in_root().translations.end());
  const PlanarRoot there{{7, 0, -3}, 2.5F};
  puppet.place(*state, there);
  EXPECT_LT(distance(state->root().position, there.position), 1e-5F);
  EXPECT_NEAR(wrapped(state->root().facing_rad - 2.5F), 0, 1e-5F);
  for (std::size_t j = 0; j < before.size(); ++j)
    EXPECT_LT(distance(state->pose_in_root().translations[j], before[j]), 1e-5F);
  for (const PlanarRoot& bad : {PlanarRoot{{NAN, 0, 0}, 0}, PlanarRoot{{0, 0, 0}, INFINITY}}) {
    puppet.place(*state, bad);
    EXPECT_LT(distance(state->root().position, there.position), 1e-5F);
  }
  puppet.reset(*state);
  EXPECT_LT(distance(state->root().position, there.position), 1e-5F);
  EXPECT_EQ(state->speed_mps(), 0);
  EXPECT_EQ(state->progress(), Progress::kStanding);
}

TEST(ControllerFingerprint, TellsModelsApart) {
  const auto fingerprint = [](const auto& change) {
    Puppet::Setup setup = Puppet::setup(60);
    setup.content = 7;
    change(setup);
    return Puppet(std::move(setup)).fingerprint();
  };
  using Setup = Puppet::Setup;
  const auto with = [](std::vector<JointDesc> joints) { return Skeleton::create(std::move(joints)).value(); };
  const JointDesc hips{"hips", kNoJoint, {{0, 1, 0}, {}, {1, 1, 1}}}, leg{"leg", 0, {{0, -0.9F, 0}, {}, {1, 1, 1}}},
      head{"head", 0, {{0, 0.6F, 0}, {}, {1, 1, 1}}}, on_leg{"head", 1, {{0, 0.6F, 0}, {}, {1, 1, 1}}},
      high{"head", 0, {{0, 0.7F, 0}, {}, {1, 1, 1}}}, face{"face", 0, {{0, 0.6F, 0}, {}, {1, 1, 1}}};
  const std::uint64_t plain = fingerprint([](Setup&) {});
  EXPECT_EQ(fingerprint([&](Setup& s) { s.skeleton = with({hips, leg, head}); }), plain);
  EXPECT_NE(fingerprint([&](Setup& s) { s.skeleton = with({hips, leg, on_leg}); }), plain);
  EXPECT_NE(fingerprint([&](Setup& s) { s.skeleton = with({hips, leg, high}); }), plain);
  EXPECT_NE(fingerprint([&](Setup& s) { s.skeleton = with({hips, leg, face}); }), plain);
  EXPECT_NE(fingerprint([&](Setup& s) { s.skeleton = with({hips, leg}); }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.content = 8; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.rate_hz = 30; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.contact_joints = {2}; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.contact_joints = {1, 2}; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.styles = {"calm", "young"}; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.actions = {}; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.styles = {"calmold"}; }), plain);
  EXPECT_NE(fingerprint([](Setup& s) { s.styles = {"calm"}, s.actions = {"old", "wave"}; }), plain);
}

TEST(ControllerSkeleton, MayDifferByAMillimetreAndAtTheRoot) {
  const SkeletonPtr model = test::toy_skeleton();
  const auto with = [](Vec3 hips, Vec3 leg, int kind = 0) {
    return Skeleton::create({{"hips", kNoJoint, {hips, {}, {1, 1, 1}}, JointKind::kBone},
                             {"leg", kind == 0 ? 0 : kNoJoint, {leg, {}, {1, 1, 1}}, JointKind::kBone}});
  };
  EXPECT_TRUE(check_same_skeleton(*model, *with({0, 1, 0}, {0, -0.9009F, 0}).value()));
  EXPECT_FALSE(check_same_skeleton(*model, *with({0, 1, 0}, {0, -0.9011F, 0}).value()));
  EXPECT_TRUE(check_same_skeleton(*model, *with({3, 1, 0}, {0, -0.9F, 0}).value()));
}

struct FlatBody {
  SkeletonPtr skeleton = test::toy_skeleton();
  PlanarRoot place{{2, 1, 3}, 0.6F};
  GroundedBody body{*skeleton, {}, {}, 0.9F, place, 1.5F};
};

// The mean of the ground here (half), 0.3 leg lengths ahead and behind (a quarter each), twice a spring's lag ahead.
TEST(GroundingReference, TheRootFollowsTheMeanHeightAroundIt) {
  const FlatBody made;
  const auto height = [](float x, float z) { return 0.1F * x - 0.2F * z + 0.05F * x * x + 0.02F * z * z * z; };
  const GroundPtr ground = Ground::function(height);
  Grounding grounding(0);
  CharacterFrame now{{{0.3F, 0, 0.4F}, 0.2F}, make_pose(*made.skeleton), {0}};
  const PlanarRoot before{{0.28F, 0, 0.37F}, 0.2F};
  const auto mean = [&](Vec3 model) {
    const Vec3 at = made.place.position + rotate(rotation_of(made.place), model * 1.5F);
    const float facing = 0.6F + 0.2F, reach = 0.3F * 0.9F * 1.5F;
    const Vec3 off{reach * std::sin(facing), 0, reach * std::cos(facing)};
    return 0.25F * height(at.x - off.x, at.z - off.z) + 0.5F * height(at.x, at.z) +
           0.25F * height(at.x + off.x, at.z + off.z);
  };
  grounding.follow(ground.get(), made.body, before, now, 0);
  const float first = mean(now.root.position);
  EXPECT_NEAR(grounding.frame_now.height_m, first, 1e-4F);
  EXPECT_EQ(grounding.frame_now.hip_drop, 0);
  EXPECT_FALSE(grounding.frame_now.has_legs);
  // A step: as far ahead as the spring lags at this speed.
  const float dt_s = 1.0F / 60, ahead = 2 / spring_rate(0.12F) / dt_s;
  const Vec3 at = now.root.position + (now.root.position - before.position) * ahead;
  const Spring<float> expected = advance(Spring<float>{first, 0}, mean(at), 0.12F, dt_s);
  grounding.follow(ground.get(), made.body, before, now, dt_s);
  EXPECT_NEAR(grounding.frame_now.height_m, expected.value, 1e-4F);
  EXPECT_NEAR(grounding.height_m.velocity, expected.velocity, 1e-3F);
  // Without a ground it is the place's own height, at once; a ground that fails keeps the height.
  grounding.follow(nullptr, made.body, before, now, dt_s);
  EXPECT_EQ(grounding.frame_now.height_m, 1);
  EXPECT_EQ(grounding.height_m.velocity, 0);
  // Feet begin anew after flat ground, and after none.
  const GroundPtr flat = Ground::flat(0.5F);
  for (const Ground* level : {static_cast<const Ground*>(flat.get()), static_cast<const Ground*>(nullptr)}) {
    grounding.feet.started = true;
    grounding.feet.hip_drop_m = 0.1F;
    grounding.follow(level, made.body, before, now, dt_s);
    EXPECT_FALSE(grounding.feet.started);
    EXPECT_EQ(grounding.feet.hip_drop_m, 0);
  }
  const GroundPtr broken = Ground::function([](float, float) { return NAN; });
  grounding.follow(broken.get(), made.body, before, now, dt_s);
  EXPECT_EQ(grounding.frame_now.height_m, 1);
}

// How a crowd uses avoidance: the same as by hand, from what its characters do and want.
TEST(CrowdReference, GivesWayByChosenAndBodilyVelocities) {
  const auto puppet = std::make_shared<Puppet>(10);
  const std::vector<PlanarRoot> roots{{{0, 0, 0}, 0}, {{0.3F, 0, 3}, 3.1F}, {{2, 0, 1.5F}, -1.5F}, {{-1.5F, 0, 1}, 1}};
  const std::vector<Proportions> sizes{{1, 1}, {1.4F, 0.9F}, {0.8F, 1.2F}, {1, 1}};
  AvoidanceOptions avoidance;
  Crowd crowd(puppet, roots, {.proportions = sizes, .radius_m = 0.3F, .avoidance = avoidance});
  std::vector<Intent> intents{Intent::move({0, 0, 1.2F}), Intent::move({0, 0, -1}), Intent::move({-1, 0, 0}),
                              Intent::move({0.04F, 0, 0})};
  Avoidance reference(roots.size(), avoidance);
  std::vector<Vec3> chosen(roots.size());
  ThreadPool pool(0);
  for (int tick = 0; tick < 4; ++tick) {
    std::vector<Pedestrian> people;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const ControllerState& state = crowd.state(static_cast<int>(i));
      const Vec3 wanted = intents[i].velocity_at(0);
      const Vec3 velocity = chosen[i] * 0.7F + state.velocity_mps() * 0.3F;
      people.push_back({{state.root().position, velocity, 0.3F * std::max(sizes[i].legs, sizes[i].upper)},
                        wanted,
                        std::max(1.2F * length(wanted), sizes[i].legs),
                        length(wanted) > 0.05F});
    }
    reference.run(people, chosen, pool);
    // The last of them is the one that the puppet remembers.
    const Vec3 expected = rotate(conjugate(rotation_of(roots[3])), chosen[3]);
    crowd.tick(intents, 0.1, pool);
    EXPECT_LT(distance(puppet->asked.velocity_at(0), expected), 1e-4F) << tick;
    std::rotate(intents.begin(), intents.begin() + 1, intents.end());
  }
}

}  // namespace
}  // namespace zoe::control
