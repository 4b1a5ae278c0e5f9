// SPDX-License-Identifier: MIT
// Bodies whose feet hang on no leg: they go along with their legs, steps lead the body, and feet hold.
#include "zoe/generate/plant_feet.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/features/schema.h"
#include "zoe/generate/gait_judge.h"
#include "zoe/generate/ground_move.h"
#include "zoe/generate/loose_parts.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::generate {
namespace {

constexpr double kFps = 30;
constexpr float kUpper = 0.4F, kHeight = 0.75F;

struct Horse {
  SkeletonPtr skeleton;
  SkeletonAnalysis analysis;
  std::vector<int> tips, hooves;  // [legs]
};

// Four legs of two bones that end in nodes, hooves below the root of the file, a tail on a bone of its own.
Horse make_horse() {
  Horse horse;
  std::vector<JointDesc> joints;
  const auto add = [&](const char* name, int parent, Vec3 offset, JointKind kind = JointKind::kBone) {
    joints.push_back({name, parent, Transform{offset, {}, {1, 1, 1}}, kind});
    return static_cast<int>(joints.size()) - 1;
  };
  SkeletonAnalysis& body = horse.analysis;
  const int file = add("file", kNoJoint, {}, JointKind::kNode);
  body.root = body.hips = add("hips", file, {0, kHeight, -0.5F});
  const int chest = add("chest", body.hips, {0, 0, 1});
  body.head = add("head", chest, {0, 0.3F, 0.3F});
  body.spine = {body.hips, chest};
  const float knee_m = std::sqrt(kUpper * kUpper - 0.25F * kHeight * kHeight);  // Ahead of the line from hip to hoof.
  for (int leg = 0; leg < 4; ++leg) {
    const float side = leg % 2 == 0 ? 0.2F : -0.2F;
    const int above = leg < 2 ? body.hips : chest;
    const int thigh = add("thigh", above, {side, 0, 0});
    const int shank = add("shank", thigh, {0, -0.5F * kHeight, knee_m});
    const int tip = add("tip", shank, {0, -0.5F * kHeight, -knee_m}, JointKind::kNode);
    body.limbs.push_back({LimbKind::kLeg, leg % 2 == 0 ? Side::kLeft : Side::kRight, {thigh, shank}});
    body.feet.push_back(shank);
    horse.tips.push_back(tip);
  }
  for (int leg = 0; leg < 4; ++leg)
    horse.hooves.push_back(add("hoof", file, {leg % 2 == 0 ? 0.2F : -0.2F, 0, leg < 2 ? -0.5F : 0.5F}));
  add("tail", file, {0, kHeight, -0.6F});
  body.family = BodyFamily::kQuadruped;
  body.height_m = 1.2;
  horse.skeleton = Skeleton::create(std::move(joints)).value();
  for (const Affine& m : horse.skeleton->rest_model()) body.reference_positions.push_back(m.t);
  return horse;
}

// Legs swing by a sine; diagonal ones together. The body travels at speed_m_s whatever its legs do; hooves drift.
Motion trotting(const Horse& horse, int frames, float speed_m_s, float swing_rad = 0.35F) {
  Motion motion = make_motion(horse.skeleton, "trot", kFps, frames, false);
  const auto n = static_cast<std::size_t>(horse.skeleton->num_joints());
  for (int f = 0; f < frames; ++f) {
    const auto t = static_cast<float>(f / kFps);
    const std::size_t row = static_cast<std::size_t>(f) * n;
    for (std::size_t j = 0; j < n; ++j)
      motion.translations[row + j] = horse.skeleton->rest_local(static_cast<int>(j)).translation;
    for (std::size_t j = 0; j < n; ++j)
      if (horse.skeleton->parent(static_cast<int>(j)) == 0) motion.translations[row + j].z += speed_m_s * t;
    for (std::size_t leg = 0; leg < 4; ++leg) {
      const float phase = 6.2831853F * 1.5F * t + (leg == 0 || leg == 3 ? 0 : 3.1415927F);
      const auto thigh = static_cast<std::size_t>(horse.analysis.limbs[leg].joints[0]);
      // Forwards with a bent knee, backwards stretched.
      const float lift = std::max(0.0F, std::cos(phase)) * swing_rad;
      motion.rotations[row + thigh] = from_axis_angle(Vec3{1, 0, 0}, -swing_rad * std::sin(phase) - lift);
      motion.rotations[row + thigh + 1] = from_axis_angle(Vec3{1, 0, 0}, 2 * lift);
      motion.translations[row + static_cast<std::size_t>(horse.hooves[leg])].x += 0.3F * std::sin(40 * t);
    }
  }
  return motion;
}

BodyLayout layout_of(const Horse& horse) {
  const auto schema = features::Schema::parse(features::preset_text("anytop").value()).value();
  return make_body_layout(schema, horse.skeleton, horse.analysis).value();
}

std::vector<float> no_contacts(const BodyLayout& body, int frames) {
  return std::vector<float>(static_cast<std::size_t>(frames) * body.tokens.joints.size() * features::kTokenWidth, 0);
}

// Mean speed over the ground of the lowest hoof of each frame: something must carry the body.
double carrying_speed(const Motion& motion, std::span<const int> feet) {
  const std::vector<Vec3> p = model_positions(motion, feet);
  double sum = 0;
  for (int f = 5; f + 5 < motion.num_frames; ++f) {
    double slowest = 1e9;
    for (std::size_t leg = 0; leg < feet.size(); ++leg) {
      const Vec3 d =
          p[static_cast<std::size_t>(f + 1) * feet.size() + leg] - p[static_cast<std::size_t>(f) * feet.size() + leg];
      slowest = std::min(slowest, std::hypot(double{d.x}, double{d.z}) * kFps);
    }
    sum += slowest;
  }
  return sum / (motion.num_frames - 10);
}

TEST(LooseParts, FeetBelongToTheLegsTheyAreAt) {
  const Horse horse = make_horse();
  const std::vector<LoosePart> parts = find_loose_parts(*horse.skeleton, horse.analysis);
  ASSERT_EQ(parts.size(), 5U);
  for (std::size_t leg = 0; leg < 4; ++leg) {
    EXPECT_EQ(parts[leg].joint, horse.hooves[leg]);
    EXPECT_EQ(parts[leg].carrier, horse.tips[leg]);
    EXPECT_TRUE(parts[leg].is_foot);
  }
  EXPECT_EQ(horse.skeleton->name(parts[4].joint), "tail");
  EXPECT_EQ(parts[4].carrier, horse.analysis.hips);
  EXPECT_FALSE(parts[4].is_foot);

  Motion motion = trotting(horse, 20, 1);
  attach_parts(motion, parts);
  const std::vector<Vec3> hooves = model_positions(motion, horse.hooves), tips = model_positions(motion, horse.tips);
  for (std::size_t i = 0; i < hooves.size(); ++i) EXPECT_LT(distance(hooves[i], tips[i]), 1e-5F) << i;

  // A clip in which a part goes its own way: it keeps it.
  const Motion drifting = trotting(horse, 20, 1);
  EXPECT_EQ(find_loose_parts(*horse.skeleton, horse.analysis, {&drifting, 1}).size(), 1U);
  EXPECT_EQ(find_loose_parts(*horse.skeleton, horse.analysis, {&motion, 1}).size(), 5U);
  // A clip in which hooves stand still while the legs swing: what moved them is not in the file.
  Motion still = trotting(horse, 20, 0);
  const auto n = static_cast<std::size_t>(horse.skeleton->num_joints());
  for (std::size_t i = 0; i < still.translations.size(); ++i)
    still.translations[i] = horse.skeleton->rest_local(static_cast<int>(i % n)).translation;
  EXPECT_EQ(find_loose_parts(*horse.skeleton, horse.analysis, {&still, 1}).size(), 5U);
}

TEST(PlantFeet, StepsLeadTheBody) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  for (const float speed_m_s : {0.0F, 0.4F, 2.5F}) {
    const Motion motion = trotting(horse, 90, speed_m_s);
    PlantReport report;
    const Motion planted = plant_feet(motion, horse.analysis, body, no_contacts(body, 90), {}, &report).value();
    EXPECT_TRUE(validate(planted));
    EXPECT_EQ(report.num_loose_feet, 4);
    EXPECT_EQ(report.num_stepping, 4);
    EXPECT_EQ(report.feet.num_legs, 4);
    EXPECT_NEAR(report.speed_before_m_s, speed_m_s, 0.02);
    // Whatever the speed was: as fast as these legs push back, and hooves hold.
    EXPECT_GT(report.speed_m_s, 0.8) << speed_m_s;
    // A body that would go faster makes longer strides first.
    EXPECT_EQ(report.stride_stretch > 1, speed_m_s > 2) << speed_m_s;
    EXPECT_LT(report.speed_m_s, 1.8 * report.stride_stretch) << speed_m_s;
    EXPECT_LT(report.change_m, 0.25) << speed_m_s;
    // Between two steps of a sine no foot holds.
    EXPECT_LT(carrying_speed(planted, horse.hooves), 0.25 * report.speed_m_s) << speed_m_s;
    EXPECT_LT(carrying_speed(planted, horse.hooves), 0.7 * carrying_speed(motion, horse.tips)) << speed_m_s;
    EXPECT_LT(report.feet.slide_after_m_s, 0.5 * report.feet.slide_before_m_s) << speed_m_s;
  }
}

// Handles of an IK rig step, and the network has left the legs behind.
TEST(PlantFeet, LegsReachForFeetThatHangOnNone) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  Motion motion = trotting(horse, 90, 0.4F, 0.01F);
  const auto n = static_cast<std::size_t>(horse.skeleton->num_joints());
  for (std::size_t f = 0; f < 90; ++f) {
    for (std::size_t leg = 0; leg < 4; ++leg) {
      const auto hoof = static_cast<std::size_t>(horse.hooves[leg]);
      const float phase = 6.2831853F * 1.5F * static_cast<float>(static_cast<double>(f) / kFps) +
                          (leg == 0 || leg == 3 ? 0 : 3.1415927F);
      Vec3& p = motion.translations[f * n + hoof];
      p.x = horse.skeleton->rest_local(horse.hooves[leg]).translation.x;
      p.y += 0.1F * std::max(0.0F, std::cos(phase));
      p.z += 0.25F * std::sin(phase);
    }
  }
  PlantReport report;
  const Motion planted = plant_feet(motion, horse.analysis, body, no_contacts(body, 90), {}, &report).value();
  EXPECT_EQ(report.num_stepping, 4);
  EXPECT_GT(report.speed_m_s, 0.8);
  EXPECT_LT(carrying_speed(planted, horse.hooves), 0.25 * report.speed_m_s);
}

// A body that glides with still feet stays where it is; one that hovers comes down.
TEST(PlantFeet, StillFeetHoldABodyThatGlides) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  Motion motion = trotting(horse, 60, 1.5F, 0.01F);
  const auto n = static_cast<std::size_t>(horse.skeleton->num_joints());
  for (std::size_t i = 0; i < motion.translations.size(); ++i)
    if (horse.skeleton->parent(static_cast<int>(i % n)) == 0) motion.translations[i].y += 0.2F;
  PlantReport report;
  const Motion planted = plant_feet(motion, horse.analysis, body, no_contacts(body, 60), {}, &report).value();
  EXPECT_NEAR(report.speed_before_m_s, 1.5, 0.05);
  EXPECT_LT(report.speed_m_s, 0.2);
  SkeletonAnalysis tips = horse.analysis;
  tips.feet.assign(horse.tips.begin(), horse.tips.end());
  const GaitFigures before = judge_gait(motion, tips), after = judge_gait(planted, tips);
  EXPECT_NEAR(before.hover_m, 0.2, 0.05);
  EXPECT_LT(after.hover_m + after.sink_m, 0.02);
}

TEST(GaitJudge, SeesHowFarStepsCarry) {
  const Horse horse = make_horse();
  SkeletonAnalysis tips = horse.analysis;
  tips.feet.assign(horse.tips.begin(), horse.tips.end());
  const auto verdict = [&](float speed_m_s) { return judge_gait(trotting(horse, 90, speed_m_s), tips).verdict; };
  const double own = judge_gait(trotting(horse, 90, 0), tips).step_speed_m_s;
  EXPECT_GT(own, 0.5);
  EXPECT_EQ(verdict(0), GaitVerdict::kOnTheSpot);
  EXPECT_EQ(verdict(static_cast<float>(own)), GaitVerdict::kCarried);
  EXPECT_EQ(verdict(static_cast<float>(3 * own)), GaitVerdict::kSlides);
  EXPECT_EQ(verdict(static_cast<float>(-own)), GaitVerdict::kBackwards);
  EXPECT_EQ(judge_gait(trotting(horse, 90, 0, 0.005F), tips).verdict, GaitVerdict::kNone);
  EXPECT_STREQ(to_string(GaitVerdict::kOnTheSpot), "on_the_spot");
}

TEST(PlantFeet, ATrajectoryIsKept) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  const Motion motion = trotting(horse, 90, 1);
  const Motion planted = plant_feet(motion, horse.analysis, body, no_contacts(body, 90), {.keep_path = true}).value();
  const RootTrajectory before = find_root(motion, horse.analysis), after = find_root(planted, horse.analysis);
  for (std::size_t f = 0; f < before.roots.size(); ++f)
    EXPECT_NEAR(before.roots[f].position.z, after.roots[f].position.z, 1e-4F);
}

// Jitter of a body that stands is no gait.
TEST(PlantFeet, StandingBodiesStay) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  const Motion motion = trotting(horse, 60, 0, 0.01F);
  PlantReport report;
  const Motion planted = plant_feet(motion, horse.analysis, body, no_contacts(body, 60), {}, &report).value();
  EXPECT_EQ(report.num_stepping, 0);
  EXPECT_LT(report.speed_m_s, 0.02);
  SkeletonAnalysis footless = horse.analysis;
  footless.feet.clear();
  const Motion held = plant_feet(motion, footless, body, no_contacts(body, 60), {}, &report).value();
  EXPECT_EQ(report.num_loose_feet, 4);
}

// Without feet: a body that is below the ground, or above it, comes to it as a whole.
TEST(PlantFeet, FootlessBodiesLieOnTheGround) {
  const Horse horse = make_horse();
  const BodyLayout body = layout_of(horse);
  SkeletonAnalysis footless = horse.analysis;
  footless.feet.clear();
  const auto n = static_cast<std::size_t>(horse.skeleton->num_joints());
  const auto lowest = [&](const Motion& motion) {
    float low = 1e9F;
    const std::vector<Vec3> positions = all_positions(motion);
    for (std::size_t i = n; i < positions.size(); ++i)
      if (i % n != 0 && horse.skeleton->kind(static_cast<int>(i % n)) == JointKind::kBone)
        low = std::min(low, positions[i].y);
    return low;
  };
  for (const float up_m : {-0.3F, 0.4F}) {
    Motion motion = trotting(horse, 40, 0, 0.01F);
    for (std::size_t i = 0; i < motion.translations.size(); ++i)
      if (horse.skeleton->parent(static_cast<int>(i % n)) == 0) motion.translations[i].y += up_m;
    PlantReport report;
    const Motion held = plant_feet(motion, footless, body, no_contacts(body, 40), {}, &report).value();
    EXPECT_NEAR(lowest(held), 0, 0.02) << up_m;
    EXPECT_GT(report.raised_m, 0.1) << up_m;
  }
}

TEST(GaitJudge, SaysWhyAMotionIsNoWalk) {
  MotionQuality walk;
  walk.gait = {.verdict = GaitVerdict::kCarried, .speed_m_s = 1, .step_speed_m_s = 1};
  walk.low_foot_speed_m_s = 0.2;
  EXPECT_EQ(defect_of_walk(walk, 1.2), nullptr);
  EXPECT_STREQ(defect_of_walk(walk, 4), "it hardly travels");
  walk.low_foot_speed_m_s = 0.6;
  EXPECT_STREQ(defect_of_walk(walk, 1.2), "its feet slide");
  walk.low_foot_speed_m_s = 0.2;
  for (const GaitVerdict verdict :
       {GaitVerdict::kNone, GaitVerdict::kSlides, GaitVerdict::kOnTheSpot, GaitVerdict::kBackwards}) {
    walk.gait.verdict = verdict;
    EXPECT_NE(defect_of_walk(walk, 1.2), nullptr);
  }
}

TEST(GaitJudge, ASwingIsTheAngleFromTheMean) {
  Motion motion =
      make_motion(Skeleton::create({{"a", kNoJoint, {}, JointKind::kBone}, {"b", 0, {}, JointKind::kBone}}).value(),
                  "m", 30, 60, false);
  for (std::size_t f = 0; f < 60; ++f) {
    const float angle = 0.4F * std::sin(static_cast<float>(f) * 0.31415927F);
    motion.rotations[2 * f + 1] = {0, std::sin(0.5F * angle), 0, std::cos(0.5F * angle)};
  }
  const int swings[] = {1}, still[] = {0};
  EXPECT_NEAR(swing_rad(motion, swings), 0.4 / std::sqrt(2.0), 1e-3);
  EXPECT_NEAR(swing_rad(motion, still), 0, 1e-3);
  EXPECT_EQ(swing_rad(motion, {}), 0);
}

}  // namespace
}  // namespace zoe::generate
