// SPDX-License-Identifier: MIT
// Feel: springs lag and settle, squash keeps the volume, smears keep the leading side.
#include "zoe/sprite/feel.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/math/portable_quat.h"
#include "zoe/motion/frame_span.h"
#include "zoe/sprite/timing.h"

#include "sprite/follow.h"
#include "sprite/loose.h"
#include "sprite/smear.h"
#include "sprite/squash.h"
#include "sprite/stage.h"
#include "support.h"

namespace zoe::sprite {
namespace {

constexpr float kDegree = std::numbers::pi_v<float> / 180;

// A head with two named ears of two joints, a chain without a name, a jaw; a trunk with a tail.
Character eared() {
  Character out;
  out.skeleton = Skeleton::create({{.name = "hips", .rest_local = {.translation = {0, 1, 0}}},
                                   {.name = "head", .parent = 0, .rest_local = {.translation = {0, 0.7F, 0}}},
                                   {.name = "Ear1.L", .parent = 1, .rest_local = {.translation = {0.1F, 0.1F, 0}}},
                                   {.name = "Ear2.L", .parent = 2, .rest_local = {.translation = {0, 0.2F, 0}}},
                                   {.name = "x1", .parent = 1, .rest_local = {.translation = {0, 0.1F, -0.1F}}},
                                   {.name = "x2", .parent = 4, .rest_local = {.translation = {0, 0, -0.2F}}},
                                   {.name = "jaw", .parent = 1},
                                   {.name = "forearm", .parent = 0},
                                   {.name = "Tail.001", .parent = 0, .rest_local = {.translation = {0, 0, -0.2F}}},
                                   {.name = "Tail.002", .parent = 8, .rest_local = {.translation = {0, 0, -0.3F}}}})
                     .value();
  Skin skin;
  for (int i = 0; i < out.skeleton->num_joints(); ++i) {
    skin.joints.push_back(i);
    skin.joint_from_mesh.push_back(inverse(out.skeleton->rest_model()[static_cast<std::size_t>(i)]));
  }
  out.skins.push_back(skin);
  return out;
}

SkeletonAnalysis eared_body() {
  SkeletonAnalysis body;
  body.height_m = 2;
  body.hips = 0;
  body.head = 1;
  return body;
}

// The head nods by an angle between 0.3 and 0.45 s and keeps it until 3 s.
Motion nod(const SkeletonPtr& skeleton, float angle_deg) {
  Motion motion = make_motion(skeleton, "nod", 60, 181, false);
  for (int i = 0; i < motion.num_frames; ++i) {
    const float t = std::clamp((static_cast<float>(i) / 60 - 0.3F) / 0.15F, 0.0F, 1.0F);
    frame_span(motion, i).rotations[1] = portable_from_axis_angle({1, 0, 0}, angle_deg * kDegree * t);
  }
  return motion;
}

// Angle of the ear's end behind its rigid position, degrees; positive: behind the nod.
float lag_deg(const Motion& rigid, const Motion& sprung, int frame) {
  std::vector<Affine> a(static_cast<std::size_t>(rigid.num_joints())), b = a;
  compute_model_from_joint(*rigid.skeleton, rigid.frame(frame), a);
  compute_model_from_joint(*sprung.skeleton, sprung.frame(frame), b);
  const Vec3 u = a[3].t - a[2].t, v = b[3].t - b[2].t;
  return std::atan2(cross(v, u).x, dot(u, v)) / kDegree;
}

TEST(Loose, ChainsByNameAndByShape) {
  const LooseParts parts = find_loose_parts(eared(), eared_body());
  std::vector<std::vector<int>> chains;
  for (const LooseChain& chain : parts.chains) chains.push_back(chain.joints);
  EXPECT_EQ(chains, (std::vector<std::vector<int>>{{2, 3}, {4, 5}, {8, 9}}));
  EXPECT_TRUE(parts.pendants.empty());
  // Joints that move no vertex are controls.
  Character bare = eared();
  bare.skins.clear();
  EXPECT_TRUE(find_loose_parts(bare, eared_body()).empty());
}

TEST(Follow, SpringsLagSwingOutAndSettle) {
  const Character character = eared();
  const LooseParts parts = find_loose_parts(character, eared_body());
  const auto motion = std::make_shared<const Motion>(nod(character.skeleton, 50));
  const FollowThrough followed = follow_through(motion, parts, eared_body(), 2, 1, false);
  EXPECT_EQ(lag_deg(*motion, *followed.motion, 10), 0);  // Before the nod nothing moves.
  EXPECT_GT(lag_deg(*motion, *followed.motion, 25), 10);
  float least = 0;
  for (int i = 27; i < 90; ++i) least = std::min(least, lag_deg(*motion, *followed.motion, i));
  EXPECT_LT(least, -3);                                           // Beyond the goal …
  EXPECT_NEAR(lag_deg(*motion, *followed.motion, 180), 0, 0.5F);  // … and at rest 2.5 s later.
  // Half the strength swings half as far at first; none keeps the motion.
  const FollowThrough half = follow_through(motion, parts, eared_body(), 2, 0.5F, false);
  EXPECT_NEAR(lag_deg(*motion, *half.motion, 22) / lag_deg(*motion, *followed.motion, 22), 0.5F, 0.05F);
  EXPECT_EQ(follow_through(motion, parts, eared_body(), 2, 0, false).motion, motion);
  // Only loose joints change.
  for (const int joint : {0, 1, 6, 7}) {
    for (int i = 0; i < motion->num_frames; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * 10 + static_cast<std::size_t>(joint);
      EXPECT_EQ(followed.motion->rotations[at], motion->rotations[at]);
    }
  }
}

TEST(Follow, LoopsRepeat) {
  const Character character = eared();
  Motion motion = make_motion(character.skeleton, "sway", 60, 61, false);
  for (int i = 0; i <= 60; ++i) {
    const float wave = std::sin(2 * std::numbers::pi_v<float> * static_cast<float>(i) / 60);
    frame_span(motion, i).rotations[1] = portable_from_axis_angle({1, 0, 0}, 30 * kDegree * wave);
  }
  const auto shared = std::make_shared<const Motion>(motion);
  const LooseParts parts = find_loose_parts(character, eared_body());
  const FollowThrough followed = follow_through(shared, parts, eared_body(), 2, 1, true);
  float largest = 0;
  for (int i = 0; i <= 60; ++i) largest = std::max(largest, std::abs(lag_deg(motion, *followed.motion, i)));
  EXPECT_GT(largest, 5);
  EXPECT_NEAR(lag_deg(motion, *followed.motion, 0), lag_deg(motion, *followed.motion, 60), 1.5F);
}

// A cape that is bound to the chest alone.
TEST(Follow, CapesBendBelowTheirAttachment) {
  Character character = eared();
  Mesh cape;
  cape.name = "Knight_Cape";
  cape.positions = {{-0.2F, 0.4F, -0.2F}, {0.2F, 0.4F, -0.2F}, {-0.2F, -0.6F, -0.2F}, {0.2F, -0.6F, -0.2F}};
  cape.normals.assign(4, {0, 0, -1});
  cape.indices = {0, 1, 2, 1, 3, 2};
  cape.submeshes = {{0, 6, -1}};
  character.meshes.push_back(cape);
  character.instances.push_back({.mesh = 0, .joint = 0});
  const LooseParts parts = find_loose_parts(character, eared_body());
  ASSERT_EQ(parts.pendants.size(), 1U);
  EXPECT_EQ(parts.pendants[0].joint, 0);
  EXPECT_EQ(parts.pendants[0].loose, (std::vector<float>{0, 0, 1, 1}));
  // The body is thrown forwards: the lower end stays behind, the upper end does not.
  Motion motion = make_motion(character.skeleton, "dash", 60, 61, false);
  for (int i = 0; i <= 60; ++i) {
    const float t = std::clamp(static_cast<float>(i - 20) / 10, 0.0F, 1.0F);
    frame_span(motion, i).translations[0].z = t * t;
  }
  const FollowThrough followed =
      follow_through(std::make_shared<const Motion>(motion), parts, eared_body(), 2, 1, false);
  Warnings warnings;
  const auto shared = std::make_shared<const Character>(character);
  const render::SoftwareModel model = render::SoftwareModel::create(shared, {}, warnings);
  std::vector<Affine> joints(10);
  compute_model_from_joint(*motion.skeleton, motion.frame(28), joints);
  render::PosedVertices rigid, bent;
  render::pose_vertices(model, joints, {}, rigid);
  bent = rigid;
  bend_pendants(parts, followed.pendants, 28 / 60.0, joints, model, bent);
  EXPECT_LT(length(bent.positions[0] - rigid.positions[0]), 1e-5F);
  EXPECT_LT(bent.positions[2].z, rigid.positions[2].z - 0.1F);
  EXPECT_NEAR(length(bent.positions[2] - bent.positions[0]), 1, 0.02F);
}

// A jump: crouch, fly, land.
Motion jump() {
  const SkeletonPtr skeleton =
      Skeleton::create({{.name = "hips", .rest_local = {.translation = {0, 1, 0}}},
                        {.name = "head", .parent = 0, .rest_local = {.translation = {0, 1, 0}}},
                        {.name = "foot", .parent = 0, .rest_local = {.translation = {0, -1, 0}}}})
          .value();
  Motion motion = make_motion(skeleton, "jump", 60, 91, false);
  for (int i = 0; i <= 90; ++i) {
    const float t = (static_cast<float>(i) / 60 - 0.5F) / 0.5F;  // In the air from 0 to 1.
    const float y = t > 0 && t < 1 ? 4.5F * t * (1 - t) : 0.0F;
    frame_span(motion, i).translations[0].y = 1 + y;
  }
  return motion;
}

float volume(const std::vector<Vec3>& positions, const render::SoftwareModel& model, const Affine& placed) {
  double sum = 0;
  for (const render::SoftwareModel::Triangle& t : model.triangles()) {
    const Vec3 a = placed.apply_point(positions[t.vertices[0]]), b = placed.apply_point(positions[t.vertices[1]]),
               c = placed.apply_point(positions[t.vertices[2]]);
    sum += static_cast<double>(dot(a, cross(b, c))) / 6;
  }
  return static_cast<float>(sum);
}

TEST(Squash, StretchesInFlightAndIsLowAtLanding) {
  SkeletonAnalysis body;
  body.hips = 0;
  body.feet = {2};
  const SquashTrack track(jump(), body, {}, {}, 2, 1, false);
  const auto tall_at = [&](double time_s) { return track.at(time_s, 0).y.y; };
  EXPECT_NEAR(tall_at(0), 1, 1e-4F);
  EXPECT_GT(tall_at(0.57), 1.05F);       // Upwards …
  EXPECT_NEAR(tall_at(0.75), 1, 0.01F);  // … at the top …
  EXPECT_GT(tall_at(0.93), 1.05F);       // … down …
  EXPECT_LT(tall_at(1.0), 0.93F);        // … landed …
  EXPECT_NEAR(tall_at(1.5), 1, 1e-4F);   // … and calm.
  for (int i = 0; i <= 150; ++i) {
    const Affine map = track.at(i / 100.0, 0);
    EXPECT_NEAR(determinant(map), 1, 1e-4F);
    // Feet stay where they are.
    const float foot = i > 50 && i < 100 ? 4.5F * (i - 50) / 50.0F * (100 - i) / 50.0F : 0.0F;
    EXPECT_NEAR(map.apply_point({0, foot, 0}).y, foot, 0.02F);
  }
  EXPECT_TRUE(SquashTrack(jump(), body, {}, {}, 2, 0, false).empty());
}

TEST(Squash, KeepsTheVolumeOfTheDrawnBody) {
  Request request = test::walker(Style::kToon);
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3));
  const auto motion = std::make_shared<const Motion>(
      synth::make_clip(body, {.gait = synth::Gait::kJump, .seconds = 2}, Random(1)).value().motion);
  request.clips = {{"jump", motion, even_exposures(*motion, 12, 0, false), false, Feel{0, 1, 0, 0}},
                   {"plain", motion, even_exposures(*motion, 12, 0, false), false, kNoFeel}};
  Warnings warnings;
  const render::SoftwareModel model = render::SoftwareModel::create(request.character, {}, warnings);
  const CastMember member = cast_of(request, model);
  const ClipStage squashed(request, request.clips[0], {}, member), plain(request, request.clips[1], {}, member);
  float most = 0;
  for (const Exposure& exposure : request.clips[0].exposures) {
    render::PosedVertices vertices;
    plain.pose(model, exposure.time_s, vertices);
    const Affine a = squashed.sprite_from_model(exposure.time_s), b = plain.sprite_from_model(exposure.time_s);
    const float with = volume(vertices.positions, model, a), without = volume(vertices.positions, model, b);
    EXPECT_NEAR(with / without, 1, 1e-3F);
    most = std::max(most, std::abs(length(a.y) - 1));
  }
  EXPECT_GT(most, 0.03F);
}

TEST(Smear, KeepsTheLeadingSideAndSlowBodies) {
  Character box;
  box.skeleton = Skeleton::create({JointDesc{.name = "box"}}).value();
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back({(i & 1) != 0 ? 0.1F : -0.1F, (i & 2) != 0 ? 0.1F : -0.1F, (i & 4) != 0 ? 0.1F : -0.1F});
  mesh.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  mesh.submeshes = {{0, 36, -1}};
  box.meshes.push_back(mesh);
  box.instances.push_back({.mesh = 0, .joint = 0});
  Warnings warnings;
  const auto shared = std::make_shared<const Character>(box);
  const render::SoftwareModel model = render::SoftwareModel::create(shared, {}, warnings);
  const auto at = [&](float x) {
    std::vector<Affine> joints(1);
    joints[0].t.x = x;
    render::PosedVertices vertices;
    render::pose_vertices(model, joints, {}, vertices);
    return vertices;
  };
  const std::vector<std::uint32_t> welded = weld(model);
  render::PosedVertices now = at(1), slow = at(0.05F);
  const std::size_t moved = smear(model, welded, at(0.5F), at(0), 1.5F, 1, now);
  EXPECT_EQ(moved, 4U);
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec3 sharp = at(1).positions[i];
    if (sharp.x > 1) {
      EXPECT_EQ(now.positions[i], sharp);
    } else {
      EXPECT_LT(now.positions[i].x, sharp.x - 0.2F);  // Backwards, on the path, not beyond its beginning.
      EXPECT_GE(now.positions[i].x, -0.1F);
      EXPECT_NEAR(now.positions[i].y, sharp.y, 1e-5F);
    }
  }
  EXPECT_EQ(smear(model, welded, at(0.025F), at(0), 1.5F, 1, slow), 0U);
  EXPECT_EQ(slow.positions[0], at(0.05F).positions[0]);
}

TEST(Feel, PresetsAndStatedValues) {
  EXPECT_EQ(feel_of(Pace::kSmooth, {}), (Feel{0, 0, 1, 0}));
  EXPECT_EQ(feel_of(Pace::kArcade, {}), (Feel{1, 1, 1, 1}));
  EXPECT_EQ(feel_of(Pace::kArcade, {.smear = 0}), (Feel{0, 1, 1, 1}));
  EXPECT_GT(feel_of(Pace::kArcade, {}).squash, feel_of(Pace::kSnappy, {}).squash);
}

}  // namespace
}  // namespace zoe::sprite
