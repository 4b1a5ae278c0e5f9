// SPDX-License-Identifier: MIT
#include "zoe/author/alive.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "zoe/author/planned_motion.h"
#include "zoe/control/load.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/io/read.h"
#include "zoe/synth/body.h"

#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::author {
namespace {

using control::GaitLeg;
using control::Locomotion;

io::Asset asset_of(BodyFamily family, std::uint64_t seed = 3) {
  io::Asset asset;
  asset.character = synth::make_body(family, Random(seed), {.mesh = !zoe::test::kSanitized}).character;
  return asset;
}

io::Asset asset_of_joints(std::vector<JointDesc> joints) {
  auto character = std::make_shared<Character>();
  character->skeleton = Skeleton::create(std::move(joints)).value();
  io::Asset asset;
  asset.character = std::move(character);
  return asset;
}

JointDesc joint(const std::string& name, int parent, Vec3 offset) {
  return {name, parent, {offset, {}, {1, 1, 1}}, JointKind::kBone};
}

// Places of all feet over a walk along a circle, with the controller's own contacts.
struct Walk {
  std::vector<std::vector<Vec3>> points;     // [frames][legs]
  std::vector<std::vector<float>> contacts;  // [frames][legs]
};
Walk walk_in_a_circle(const Alive& alive, int num_frames) {
  const auto controller = control::make_gait_controller(alive.body, alive.plan).value();
  const auto state = controller->make_state();
  std::vector<Affine> model(idx(alive.body.skeleton->num_joints()));
  Walk walk;
  for (int f = 0; f < num_frames; ++f) {
    const float angle = 0.6F * static_cast<float>(f) / 60;
    const float speed = alive.plan.settings.walk_mps;
    controller->tick(*state, control::Intent::move({speed * std::sin(angle), 0, speed * std::cos(angle)}), 1.0 / 60);
    compute_model_from_joint(*alive.body.skeleton, state->pose(), model);
    walk.points.emplace_back(alive.plan.legs.size());
    control::contact_points(alive.body, alive.plan, model, walk.points.back());
    walk.contacts.emplace_back(state->contacts().begin(), state->contacts().end());
  }
  return walk;
}

TEST(Alive, LegsTakeTurnsAsTheirNumberAsks) {
  const Alive person = make_alive(asset_of(BodyFamily::kBiped)).value();
  ASSERT_EQ(person.plan.legs.size(), 2U);
  EXPECT_NEAR(std::abs(person.plan.legs[0].phase - person.plan.legs[1].phase), 0.5F, 1e-6F);

  const Alive dog = make_alive(asset_of(BodyFamily::kQuadruped)).value();
  ASSERT_EQ(dog.plan.legs.size(), 4U);
  std::set<float> walking;
  for (const GaitLeg& leg : dog.plan.legs) walking.insert(leg.phase);
  EXPECT_EQ(walking, (std::set<float>{0, 0.25F, 0.5F, 0.75F}));
  for (const GaitLeg& a : dog.plan.legs) {
    for (const GaitLeg& b : dog.plan.legs) {
      // A trot: diagonal legs together. Legs of a side, and of a pair, take turns.
      const bool front_a = a.home_m.z > 0, front_b = b.home_m.z > 0,
                 diagonal = (a.side == b.side) == (front_a == front_b);
      EXPECT_NEAR(std::abs(a.fast_phase - b.fast_phase), diagonal ? 0.0F : 0.5F, 1e-6F);
    }
  }

  const Alive ant = make_alive(asset_of(BodyFamily::kHexapod)).value();
  ASSERT_EQ(ant.plan.legs.size(), 6U);
  int first = 0;
  for (const GaitLeg& leg : ant.plan.legs) first += leg.phase < 0.25F || leg.phase > 0.75F ? 1 : 0;
  EXPECT_EQ(first, 3) << "two tripods";
}

TEST(Alive, FeetStayWhereTheyArePut) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kHexapod}) {
    SCOPED_TRACE(to_string(family));
    const Alive alive = make_alive(asset_of(family)).value();
    const Walk walk = walk_in_a_circle(alive, zoe::test::kSanitized ? 120 : 400);
    const float leg_m = alive.plan.settings.leg_length_m;
    std::vector<int> planted(alive.plan.legs.size()), lifted(planted);
    float slid_m = 0, highest_m = 0;
    for (std::size_t f = 1; f < walk.points.size(); ++f) {
      for (std::size_t i = 0; i < planted.size(); ++i) {
        const bool stays = walk.contacts[f][i] > 0.5F && walk.contacts[f - 1][i] > 0.5F;
        (stays ? planted : lifted)[i] += 1;
        if (stays) slid_m = std::max(slid_m, distance(walk.points[f][i], walk.points[f - 1][i]));
        highest_m = std::max(highest_m, walk.points[f][i].y - walk.points[0][i].y);
        EXPECT_GT(walk.points[f][i].y, walk.points[0][i].y - 0.01F * leg_m);
      }
    }
    EXPECT_LT(slid_m, 1e-3F * leg_m);
    EXPECT_GT(highest_m, 0.03F * leg_m);
    for (std::size_t i = 0; i < planted.size(); ++i) {
      EXPECT_GT(planted[i], 20);
      EXPECT_GT(lifted[i], 20);
    }
  }
}

TEST(Alive, SyntheticBodiesWalkAFigureOfEight) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "minutes of walking";
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kOctopod}) {
    SCOPED_TRACE(to_string(family));
    const io::Asset asset = asset_of(family);
    const Alive alive = make_alive(asset).value();
    const AliveReport report = measure_alive(alive, asset).value();
    EXPECT_LT(report.worst_path_error, 0.1);
    EXPECT_LT(report.skate, 0.01);
    EXPECT_LT(report.limit_rad, 5e-4) << report.limit_joint;
    EXPECT_LT(report.sunk, 0.01);
    EXPECT_EQ(report.num_recoveries, 0);
  }
}

TEST(Alive, RealRigsWalkAFigureOfEight) {
  ZOE_NEED_DATA(data);
  if (zoe::test::kSanitized) GTEST_SKIP() << "minutes of walking";
  for (const char* file : {"characters/khronos/Fox.glb", "creatures/quaternius/Spider.glb"}) {
    SCOPED_TRACE(file);
    const io::Asset asset = io::read_asset(data / file).value();
    const Alive alive = make_alive(asset).value();
    EXPECT_EQ(alive.plan.locomotion, Locomotion::kLegs);
    const AliveReport report = measure_alive(alive, asset).value();
    EXPECT_LT(report.worst_path_error, 0.1);
    EXPECT_LT(report.skate, 0.01);
    EXPECT_LT(report.found_skate, 1.5 * report.synthetic_skate);
    EXPECT_LT(report.limit_rad, 5e-4) << report.limit_joint;
    EXPECT_LT(report.stretch, report.allowed_stretch);
  }
}

TEST(Alive, BodiesWithoutLegsMoveInTheirOwnWay) {
  EXPECT_EQ(make_alive(asset_of(BodyFamily::kSnake)).value().plan.locomotion, Locomotion::kCrawl);
  EXPECT_EQ(make_alive(asset_of(BodyFamily::kFish)).value().plan.locomotion, Locomotion::kSwim);
}

TEST(Alive, ARunFolderIsTheSameController) {
  const Alive alive = make_alive(asset_of(BodyFamily::kQuadruped)).value();
  const std::filesystem::path folder = zoe::test::temporary_dir("alive_run");
  ASSERT_TRUE(control::save_gait_run(folder, alive.body, alive.plan, "CC0"));
  const auto made = control::make_gait_controller(alive.body, alive.plan).value();
  const auto loaded = control::load_controller(folder);
  ASSERT_TRUE(loaded) << loaded.error().format();
  EXPECT_EQ((*loaded)->fingerprint(), made->fingerprint());
  const auto a = made->make_state(), b = (*loaded)->make_state();
  for (int f = 0; f < 200; ++f) {
    const control::Intent intent = control::Intent::move({f < 100 ? 0.5F : -0.3F, 0, 1});
    made->tick(*a, intent, 1.0 / 60);
    (*loaded)->tick(*b, intent, 1.0 / 60);
    ASSERT_EQ(a->hash(), b->hash()) << f;
  }
  ASSERT_TRUE(control::pack_controller(folder, folder / "packed.zoe"));
  EXPECT_TRUE(control::load_controller(folder / "packed.zoe"));

  const MappedFile file = MappedFile::open(folder / control::kGaitFile).value();
  const std::filesystem::path damaged = folder / "damaged.safetensors";
  zoe::test::MutateOptions few;
  few.flips = 100;
  few.max_ratio = 64;
  zoe::test::expect_survives_damage(
      "gait plan", file.bytes(),
      [&](std::span<const std::byte> bytes) {
        std::ofstream(damaged, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (const auto opened = Safetensors::open(damaged); opened)
          (void)control::load_gait_plan(*opened, *alive.body.skeleton);
      },
      few);
}

// Skins are bound with other scales than the nodes of some files have.
TEST(Alive, ARunFolderKeepsScales) {
  Alive alive = make_alive(asset_of(BodyFamily::kBiped)).value();
  const std::filesystem::path file = zoe::test::temporary_dir("alive_scales") / "body.safetensors";
  ASSERT_TRUE(control::save_body(file, alive.body));
  EXPECT_EQ(control::load_body(file).value().start.scales, alive.body.start.scales);
  alive.body.start.scales[2] = {2, 2, 2};
  ASSERT_TRUE(control::save_body(file, alive.body));
  EXPECT_EQ(control::load_body(file).value().start.scales, alive.body.start.scales);
}

TEST(Alive, RefusesPlansThatDoNotFit) {
  const Alive alive = make_alive(asset_of(BodyFamily::kBiped)).value();
  const auto defect = [&](auto change) {
    control::GaitPlan plan = alive.plan;
    change(plan);
    return control::defect_of(plan, *alive.body.skeleton) != nullptr &&
           !control::make_gait_controller(alive.body, plan);
  };
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.legs.clear(); }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.legs[0].hip = 9999; }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { std::swap(plan.legs[0].hip, plan.legs[0].end); }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.legs[0].pole = {}; }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.settings.stride_hz = NAN; }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.settings.walk_duty = 0; }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.limits.pop_back(); }));
  EXPECT_TRUE(defect([](control::GaitPlan& plan) { plan.parts.push_back(plan.parts.front()); }));
  EXPECT_FALSE(defect([](control::GaitPlan&) {}));
}

TEST(Alive, OddRigsGetAClearWordOrTheBestThatCanBeDone) {
  const auto none = make_alive(io::Asset{});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no joints"), std::string::npos);

  const auto moves = [](const io::Asset& asset) {
    const Result<Alive> alive = make_alive(asset);
    EXPECT_TRUE(alive) << alive.error().format();
    if (!alive) return false;
    const auto controller = control::make_gait_controller(alive->body, alive->plan).value();
    const auto state = controller->make_state();
    for (int f = 0; f < 240; ++f)
      controller->tick(*state, control::Intent::move({0, 0, alive->plan.settings.walk_mps}), 1.0 / 60);
    return state->num_recoveries() == 0 && state->root().position.z > 2 * alive->plan.settings.walk_mps;
  };
  EXPECT_TRUE(moves(asset_of_joints({joint("only", kNoJoint, {0, 1, 0})})));
  std::vector<JointDesc> many{joint("link0", kNoJoint, {0, 0.1F, 0})};
  for (int i = 1; i < 400; ++i) many.push_back(joint("link" + std::to_string(i), i - 1, {0, 0, -0.02F}));
  EXPECT_TRUE(moves(asset_of_joints(many)));
  // Two skeletons, and bones without any length.
  EXPECT_TRUE(moves(asset_of_joints({joint("a", kNoJoint, {0, 1, 0}), joint("a1", 0, {0, 0.5F, 0}),
                                     joint("b", kNoJoint, {1, 1, 0}), joint("b1", 2, {0, -1, 0})})));
  EXPECT_TRUE(moves(asset_of_joints({joint("x", kNoJoint, {}), joint("x", 0, {}), joint("x", 1, {})})));
}

// Distance that the trunk goes over the ground.
float travelled(const Alive& alive, const Motion& motion) {
  std::vector<Affine> model(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(0), model);
  const Vec3 begin = model[idx(alive.plan.trunk)].t;
  compute_model_from_joint(*motion.skeleton, motion.frame(motion.num_frames - 1), model);
  const Vec3 way = model[idx(alive.plan.trunk)].t - begin;
  return std::hypot(way.x, way.z);
}

TEST(PlannedMotion, TravelsAtItsPaceFromTheFirstFrameOn) {
  for (const BodyFamily family :
       {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kOctopod, BodyFamily::kSnake, BodyFamily::kFish}) {
    const Alive alive = make_alive(asset_of(family)).value();
    const Motion walk = planned_motion(alive, {.seconds = 2, .seed = 3}).value();
    EXPECT_EQ(walk.num_frames, 60);
    const float expected = alive.plan.settings.walk_mps * 59 / 30;
    EXPECT_NEAR(travelled(alive, walk), expected, 0.2F * expected) << to_string(family);
    EXPECT_TRUE(validate(walk));
    // A seed is a motion.
    EXPECT_EQ(planned_motion(alive, {.seconds = 2, .seed = 3}).value().rotations, walk.rotations);
    EXPECT_NE(planned_motion(alive, {.seconds = 2, .seed = 4}).value().rotations, walk.rotations);
    EXPECT_GT(travelled(alive, planned_motion(alive, {.seconds = 2, .fast = true}).value()), travelled(alive, walk));
    EXPECT_EQ(carrying_joints(alive.plan).empty(), !alive.plan.legs.empty());
  }
}

TEST(PlannedMotion, FollowsAPathToItsEnd) {
  const Alive alive = make_alive(asset_of(BodyFamily::kQuadruped)).value();
  const float m = alive.plan.settings.body_length_m;
  const auto path = control::Path::create({{0, 0, 0}, {0, 0, 4 * m}, {2 * m, 0, 6 * m}}).value();
  const double seconds = static_cast<double>(path.length_m() / alive.plan.settings.walk_mps);
  const Motion walk = planned_motion(alive, {.seconds = seconds, .path = path}).value();
  std::vector<Affine> model(idx(walk.num_joints()));
  for (int f = 0; f < walk.num_frames; f += walk.num_frames - 1) {
    compute_model_from_joint(*walk.skeleton, walk.frame(f), model);
    const Vec3 at = model[idx(alive.plan.trunk)].t, wanted = path.at(f == 0 ? 0.0F : path.length_m());
    EXPECT_LT(std::hypot(at.x - wanted.x, at.z - wanted.z), 0.6F * m) << f;
  }
}

TEST(PlannedMotion, NeckAndTailComeFromAnotherMotionWithinLimits) {
  const Alive alive = make_alive(asset_of(BodyFamily::kQuadruped)).value();
  Motion planned = planned_motion(alive, {.seconds = 1}).value();
  const Motion before = planned, other = planned_motion(alive, {.seconds = 1, .seed = 9}).value();
  Motion wild = other;
  for (Quat& q : wild.rotations) q = normalized(q * Quat{0.9F, 0, 0, 0.4F});
  const int taken = take_neck_and_tail(alive, wild, planned);
  EXPECT_GT(taken, 1);
  std::set<int> changed;
  for (std::size_t i = 0; i < planned.rotations.size(); ++i) {
    const int j = static_cast<int>(i % idx(planned.num_joints()));
    EXPECT_LT(limit_violation_rad(alive.plan.limits[idx(j)], planned.rotations[i]), 1e-3F);
    if (std::abs(dot(planned.rotations[i], before.rotations[i])) < 0.9999F) changed.insert(j);
  }
  EXPECT_GT(changed.size(), 1U);
  EXPECT_LE(changed.size(), static_cast<std::size_t>(taken));
}

TEST(Alive, ABirdFliesOnRequest) {
  const io::Asset bird = asset_of(BodyFamily::kBird);
  EXPECT_EQ(make_alive(bird).value().plan.locomotion, Locomotion::kLegs);
  const Alive flying = make_alive(bird, {}, {.fly = true}).value();
  EXPECT_EQ(flying.plan.locomotion, Locomotion::kFly);
  EXPECT_FALSE(carrying_joints(flying.plan).empty());
  // A horse does not.
  EXPECT_EQ(make_alive(asset_of(BodyFamily::kQuadruped), {}, {.fly = true}).value().plan.locomotion, Locomotion::kLegs);
}

}  // namespace
}  // namespace zoe::author
