// SPDX-License-Identifier: MIT
// Placed feet against the rules of the job, written out: what it keeps of each foot from frame to frame, how far the
// hips come down, and where ankles, balls and soles are afterwards.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/ik/foot_placement_job.h"

namespace zoe {
namespace {

constexpr float kAnkle_m = 0.08F, kBall_m = 0.02F, kDt_s = 1.0F / 60;

float smooth(float t) {
  t = std::clamp(t, 0.0F, 1.0F);
  return 3 * t * t - 2 * t * t * t;
}

// The shortest turn from one direction to another.
Quat shortest(Vec3 from, Vec3 to) {
  const Vec3 axis = cross(from, to);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + dot(from, to)});
}

// Hips and two legs on bent knees. They walk: the hips go forward, legs swing and lift by turns.
struct Walker {
  SkeletonPtr skeleton;
  std::vector<Leg> legs;
  bool has_balls;

  explicit Walker(bool with_balls) : has_balls(with_balls) {
    std::vector<JointDesc> joints{{"hips", kNoJoint, {{0, 0.9F, 0}, {}}}};
    for (const float side : {0.1F, -0.1F}) {
      const int first = static_cast<int>(joints.size());
      joints.push_back({"hip", 0, {{side, 0, 0}, {}}});
      joints.push_back({"knee", first, {{0, -0.43F, 0}, {}}});
      joints.push_back({"ankle", first + 1, {{0, -0.43F, 0}, {}}});
      if (with_balls) joints.push_back({"ball", first + 2, {{0, kBall_m - kAnkle_m, 0.13F}, {}}});
      legs.push_back({.hip = first,
                      .knee = first + 1,
                      .ankle = first + 2,
                      .ball = with_balls ? first + 3 : kNoJoint,
                      .ankle_height_m = kAnkle_m,
                      .ball_height_m = kBall_m});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
  }
  Pose pose(int frame) const {
    Pose out = make_pose(*skeleton);
    const float t = kDt_s * static_cast<float>(frame);
    out.translations[0] = {0.05F * std::sin(3 * t), 0.89F, 1.1F * t};
    for (std::size_t l = 0; l < 2; ++l) {
      const float swing = std::sin(6 * t + (l == 0 ? 0.0F : 3.14F)),
                  lift = std::max(std::cos(6 * t + (l == 0 ? 0.0F : 3.14F)), 0.0F);
      const auto hip = static_cast<std::size_t>(legs[l].hip);
      out.rotations[hip] = from_rotation_vector(Vec3{-0.3F - 0.35F * swing - 0.3F * lift, 0.1F * swing, 0.03F});
      out.rotations[hip + 1] = from_rotation_vector(Vec3{0.6F + 0.7F * lift, 0, 0});
      out.rotations[hip + 2] = from_rotation_vector(Vec3{-0.3F + 0.3F * swing - 0.2F * lift, 0.05F, 0.02F});
    }
    return out;
  }
  std::vector<Affine> models(const Pose& pose) const {
    std::vector<Affine> out(static_cast<std::size_t>(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, pose.view(), out);
    return out;
  }
};

struct Reference {
  const FootPlacementJob& job;
  const Walker& body;
  FootPlacementState state;

  float height(Vec3 at) const { return job.ground.height(at.x, at.z); }
  Vec3 normal(Vec3 at) const { return job.ground.normal(at.x, at.z); }

  float ahead(Vec3 now, Vec3 before, float swings) const {
    if (!state.started) return height(now);
    const Vec3 velocity{(now.x - before.x) / kDt_s, 0, (now.z - before.z) / kDt_s};
    const float speed = length(velocity);
    if (speed <= 1e-3F || speed > 15) return height(now);
    const float first = 2 * job.ground_half_life_s / 1.67834699F, last = std::max(job.look_ahead_s * swings, first);
    float highest = -1e9F;
    for (const float share : {0.0F, 1 / 3.0F, 2 / 3.0F, 1.0F})
      highest = std::max(highest, height(now + velocity * (first + (last - first) * share)));
    return highest;
  }
  float rise(Vec3 at, float x, float z) const {  // Of the ground per metre along (x, z).
    const Vec3 n = normal(at);
    const float most = std::tan(job.max_pitch_rad);
    return std::clamp(-(n.x * x + n.z * z) / n.y, -most, most);
  }
  Vec3 raised(Vec3 point, float target, float standing, Spring<float>& ground) const {
    ground = state.started ? advance(ground, target, job.ground_half_life_s, kDt_s) : Spring<float>{target, 0};
    const float least = height(point) + standing - point.y;
    if (ground.value < least) ground = {least, std::max(ground.velocity, 0.0F)};
    return point + Vec3{0, ground.value, 0};
  }

  struct Targets {
    Vec3 ankle, ball;
  };
  Targets update(std::size_t l, const std::vector<Affine>& m) {
    const Leg& leg = body.legs[l];
    FootPlacementState::Foot& foot = state.feet[l];
    constexpr float kLeg = 0.86F;
    const Vec3 ankle = m[static_cast<std::size_t>(leg.ankle)].t,
               ball = body.has_balls ? m[static_cast<std::size_t>(leg.ball)].t : Vec3{};
    const float swings = smooth((ankle.y - kAnkle_m) / (0.12F * kLeg));
    float ankle_m = ahead(ankle, foot.ankle, swings), ball_m = 0;
    Targets out{ankle, ball};
    if (body.has_balls) {
      ball_m = ahead(ball, foot.ball, swings);
      const float x = ball.x - ankle.x, z = ball.z - ankle.z, far = std::hypot(x, z);
      if (ankle_m >= ball_m) {
        ball_m = std::max(ball_m, ankle_m + far * rise(ankle, x / far, z / far));
      } else {
        ankle_m = std::max(ankle_m, ball_m - far * rise(ball, x / far, z / far));
      }
    }
    out.ankle = raised(ankle, ankle_m, kAnkle_m, foot.ankle_ground_m);
    if (body.has_balls) {
      out.ball = raised(ball, ball_m, kBall_m, foot.ball_ground_m);
      const float bone = std::hypot(0.13F, kAnkle_m - kBall_m), up = out.ball.y - out.ankle.y;
      const float x = ball.x - ankle.x, z = ball.z - ankle.z, far = std::hypot(x, z);
      const float left = far - std::sqrt(std::max(bone * bone - up * up, 0.0F));
      const Vec3 excess{x / far * left, 0, z / far * left};
      const float ankle_up = ankle.y - kAnkle_m, ball_up = ball.y - kBall_m;
      const float ball_holds = smooth(0.5F + 0.5F * (ankle_up - ball_up) / (0.04F * kLeg));
      if (state.started) {
        foot.shift_m += (excess - foot.excess_m) * (ball_holds - 0.5F);
        const float flies = smooth((std::min(ankle_up, ball_up) / kLeg - 0.02F) / 0.06F);
        foot.shift_m = foot.shift_m * std::exp2(-kDt_s * flies / job.shift_half_life_s);
      }
      foot.excess_m = excess;
      out.ankle += foot.shift_m + excess * 0.5F;
      out.ball += foot.shift_m - excess * 0.5F;
    }
    const Vec3 n = normal(body.has_balls ? (ankle + ball) * 0.5F : ankle);
    Vec3 tilt = to_rotation_vector(shortest({0, 1, 0}, n));
    if (length(tilt) > job.max_pitch_rad) tilt = tilt * (job.max_pitch_rad / length(tilt));
    foot.tilt_rad = state.started ? tilt + (foot.tilt_rad - tilt) * std::exp2(-kDt_s / job.tilt_half_life_s) : tilt;
    foot.ankle = ankle;
    foot.ball = ball;
    out.ankle.y -= job.pose_height_m;
    out.ball.y -= job.pose_height_m;
    return out;
  }
  float drop(std::size_t l, const std::vector<Affine>& m, Vec3 target) const {
    constexpr float kLeg = 0.86F;
    const Vec3 hip = m[static_cast<std::size_t>(body.legs[l].hip)].t;
    const float reach = job.max_reach * kLeg, aside = std::hypot(hip.x - target.x, hip.z - target.z);
    const float needed = std::max(hip.y - target.y - std::sqrt(std::max(reach * reach - aside * aside, 0.0F)), 0.0F);
    const FootPlacementState::Foot& foot = state.feet[l];
    float up = foot.ankle.y - kAnkle_m;
    if (body.has_balls) up = std::min(up, foot.ball.y - kBall_m);
    return std::min(needed, job.max_hip_drop * kLeg) * smooth(1 - up / (0.1F * kLeg));
  }
};

void expect_near(Vec3 a, Vec3 b, float tolerance, const char* what, int frame) {
  EXPECT_LT(distance(a, b), tolerance) << what << " in frame " << frame;
}

void follow(bool with_balls, const GroundPtr& ground, float pose_height_m) {
  const Walker body(with_balls);
  FootPlacementState state = make_foot_placement_state(2);
  Pose placed = body.pose(0);
  FootPlacementJob job{.skeleton = body.skeleton.get(),
                       .legs = body.legs,
                       .ground = {ground.get(), {}, 0, 1},
                       .pose_height_m = pose_height_m,
                       .dt_s = kDt_s,
                       .pose = ik_pose(placed),
                       .state = &state};
  Reference reference{job, body, make_foot_placement_state(2)};
  float most_drop = 0, most_tilt = 0;
  int reached = 0;
  for (int frame = 0; frame < 150; ++frame) {
    placed = body.pose(frame);
    const std::vector<Affine> before = body.models(placed);
    Reference::Targets targets[2];
    float drop = 0;
    for (std::size_t l = 0; l < 2; ++l) {
      targets[l] = reference.update(l, before);
      drop = std::max(drop, reference.drop(l, before, targets[l].ankle));
    }
    const float risen = drop + (reference.state.hip_drop_m - drop) * std::exp2(-kDt_s / job.hip_half_life_s);
    reference.state.hip_drop_m = reference.state.started ? std::max(risen, drop) : drop;
    reference.state.started = true;
    job.pose = ik_pose(placed);
    ASSERT_TRUE(job.run());
    EXPECT_NEAR(state.hip_drop_m, reference.state.hip_drop_m, 1e-4F) << frame;
    most_drop = std::max(most_drop, state.hip_drop_m);
    const std::vector<Affine> after = body.models(placed);
    EXPECT_NEAR(after[0].t.y, before[0].t.y - state.hip_drop_m, 1e-5F);
    for (std::size_t l = 0; l < 2; ++l) {
      const FootPlacementState::Foot &found = state.feet[l], &wanted = reference.state.feet[l];
      EXPECT_NEAR(found.ankle_ground_m.value, wanted.ankle_ground_m.value, 2e-4F) << frame;
      EXPECT_NEAR(found.ankle_ground_m.velocity, wanted.ankle_ground_m.velocity, 2e-2F) << frame;
      EXPECT_NEAR(found.ball_ground_m.value, wanted.ball_ground_m.value, 2e-4F) << frame;
      expect_near(found.tilt_rad, wanted.tilt_rad, 1e-5F, "tilt", frame);
      expect_near(found.shift_m, wanted.shift_m, 5e-6F, "shift", frame);
      expect_near(found.excess_m, wanted.excess_m, 2e-5F, "excess", frame);
      most_tilt = std::max(most_tilt, length(found.tilt_rad));
      // The leg: an ankle within reach is at its target.
      const Leg& leg = body.legs[l];
      const Vec3 ankle = after[idx(leg.ankle)].t, target = targets[l].ankle;
      if (distance(after[idx(leg.hip)].t, target) < 0.99F * 0.86F) {
        expect_near(ankle, target, 1e-3F, "ankle", frame);
        ++reached;
      }
      // The foot: aimed, then rolled about its own length; without a ball tilted as the ground.
      const Quat flat = rotation_of(before[idx(leg.ankle)]), turned = rotation_of(after[idx(leg.ankle)]);
      Quat expected = from_rotation_vector(wanted.tilt_rad) * flat;
      if (with_balls) {
        const Vec3 aim = targets[l].ball + (ankle - target) - ankle;
        const Vec3 from = normalized(rotate(flat, Vec3{0, kBall_m - kAnkle_m, 0.13F})), to = normalized(aim);
        const float planar = std::max(to.x * to.x + to.z * to.z, 0.25F);
        const float roll = std::clamp((wanted.tilt_rad.x * to.x + wanted.tilt_rad.z * to.z) / planar, -job.max_roll_rad,
                                      job.max_roll_rad);
        expected = from_rotation_vector(to * roll) * shortest(from, to) * flat;
      }
      EXPECT_GT(std::abs(dot(expected, turned)), 0.99999F) << frame << " leg " << l;
    }
    state = reference.state;  // Rounding must not add up.
  }
  EXPECT_GT(reached, 100);
  EXPECT_GT(most_tilt, 0.05F);
  EXPECT_GT(most_drop, 0.005F);
}

GroundPtr hills() {
  return Ground::function([](float x, float z) { return 0.12F * std::sin(2.1F * z + x) + 0.3F * x; });
}
GroundPtr stairs() {
  return Ground::function([](float, float z) { return 0.12F * std::floor(z / 0.4F); },
                          [](float, float) {
                            return Vec3{0, 1, 0};
                          });
}
GroundPtr steep() {
  return Ground::function([](float x, float z) { return 0.9F * x - 0.25F * z; },
                          [](float, float) {
                            return normalized(Vec3{-0.9F, 1, 0.25F});
                          });
}

TEST(FootPlacementReference, OverHills) {
  follow(true, hills(), 0);
  follow(false, hills(), 0.05F);
}
TEST(FootPlacementReference, AcrossASteepSlope) {
  follow(true, steep(), -0.1F);
  follow(false, steep(), 0);
}

// Steps have no slope to tilt with, but edges to look out for.
TEST(FootPlacementReference, FeetRiseBeforeTheEdgesOfStairs) {
  const Walker body(true);
  FootPlacementState state = make_foot_placement_state(2);
  Pose placed = body.pose(0);
  const GroundPtr ground = stairs();
  FootPlacementJob job{.skeleton = body.skeleton.get(),
                       .legs = body.legs,
                       .ground = {ground.get(), {}, 0, 1},
                       .dt_s = kDt_s,
                       .pose = ik_pose(placed),
                       .state = &state};
  Reference reference{job, body, make_foot_placement_state(2)};
  for (int frame = 0; frame < 120; ++frame) {
    placed = body.pose(frame);
    job.pose_height_m = 0.12F / 0.4F * placed.translations[0].z;  // Higher steps than 0.6 legs above it are walls.
    const std::vector<Affine> before = body.models(placed);
    for (std::size_t l = 0; l < 2; ++l) reference.update(l, before);
    reference.state.started = true;
    job.pose = ik_pose(placed);
    ASSERT_TRUE(job.run());
    for (std::size_t l = 0; l < 2; ++l) {
      EXPECT_NEAR(state.feet[l].ankle_ground_m.value, reference.state.feet[l].ankle_ground_m.value, 1e-3F) << frame;
      EXPECT_NEAR(state.feet[l].ball_ground_m.value, reference.state.feet[l].ball_ground_m.value, 1e-3F) << frame;
    }
    const float hips = state.hip_drop_m;
    state = reference.state;
    state.hip_drop_m = hips;
  }
}

TEST(FootPlacementReference, RefusalsAtTheirBorders) {
  const Walker body(true);
  FootPlacementState state = make_foot_placement_state(2);
  Pose pose = body.pose(0);
  const FootPlacementJob good{
      .skeleton = body.skeleton.get(), .legs = body.legs, .dt_s = kDt_s, .pose = ik_pose(pose), .state = &state};
  const auto runs = [&](const auto& change) {
    FootPlacementJob job = good;
    change(job);
    pose = body.pose(0);
    job.pose = ik_pose(pose);
    EXPECT_EQ(job.run(), job.validate() == nullptr);
    return job.validate() == nullptr;
  };
  EXPECT_TRUE(runs([](FootPlacementJob&) {}));
  EXPECT_TRUE(runs([](FootPlacementJob& j) { j.dt_s = 0; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.dt_s = -1e-6F; }));
  EXPECT_TRUE(runs([](FootPlacementJob& j) { j.max_reach = 1; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.max_reach = 1.001F; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.max_reach = 0; }));
  EXPECT_TRUE(runs([](FootPlacementJob& j) { j.max_hip_drop = 0; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.max_hip_drop = -0.01F; }));
  EXPECT_TRUE(runs([](FootPlacementJob& j) { j.max_pitch_rad = 0; }));
  EXPECT_TRUE(runs([](FootPlacementJob& j) { j.max_pitch_rad = 1.49F; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.max_pitch_rad = 1.5F; }));
  EXPECT_FALSE(runs([](FootPlacementJob& j) { j.max_pitch_rad = -0.1F; }));
  std::vector<Leg> many(64, body.legs[0]);
  FootPlacementState states = make_foot_placement_state(64);
  EXPECT_TRUE(runs([&](FootPlacementJob& j) { j.legs = many, j.state = &states; }));
  many.push_back(body.legs[0]);
  states = make_foot_placement_state(65);
  EXPECT_FALSE(runs([&](FootPlacementJob& j) { j.legs = many, j.state = &states; }));
}

}  // namespace
}  // namespace zoe
