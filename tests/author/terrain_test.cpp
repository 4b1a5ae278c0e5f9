// SPDX-License-Identifier: MIT
// Clips on uneven ground: fitted patches, the plane, signals, and what the trainer is told.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/author/evaluate_terrain.h"
#include "zoe/control/config.h"
#include "zoe/control/ground_plane.h"
#include "zoe/control/neural.h"
#include "zoe/features/ground_signals.h"
#include "zoe/motion/contacts.h"
#include "zoe/nn/graph_builder.h"

#include "author/fake_networks.h"
#include "author/network/schemas.h"
#include "author/terrain/fit_ground.h"
#include "author/terrain/terrain_clips.h"
#include "author/walks.h"

namespace zoe::author {
namespace {

synth::Body walker_body() { return synth::make_body(BodyFamily::kBiped, Random(5), {.mesh = false}); }

synth::Clip walk_on(const synth::Body& body, synth::TerrainKind terrain, std::uint64_t seed) {
  return synth::make_clip(body, {.terrain = terrain, .seconds = 6, .fps = 30}, Random(seed)).value();
}

FootMarks marks_of_steps() {
  FootMarks marks;
  for (int i = 0; i < 12; ++i) {
    const float side = i % 2 == 0 ? 0.12F : -0.12F, z = 0.35F * static_cast<float>(i);
    marks.stances.push_back({side, 0.02F * static_cast<float>(i % 3), z});
    for (int k = 1; k < 6; ++k)  // The other foot swings past.
      marks.swings.push_back({-side, 0.06F, z - 0.3F + 0.12F * static_cast<float>(k)});
  }
  return marks;
}

TEST(FitGround, AgreesWithContactsAndIsBelowFeetInTheAir) {
  const FootMarks marks = marks_of_steps();
  const std::vector<FittedGround> found = fit_grounds(marks, 0.9F, 6, Random(3));
  ASSERT_EQ(found.size(), 6U);
  for (const FittedGround& one : found) {
    EXPECT_LT(one.contact_error_m, 0.015F);
    EXPECT_LT(one.swing_error_m, 0.03F);
    float worst = 0;
    for (const Vec3& p : marks.stances) worst = std::max(worst, std::abs(one.ground->height(p.x, p.z) - p.y));
    EXPECT_LT(worst, 0.035F);
  }
  for (std::size_t i = 2; i < found.size(); ++i) EXPECT_GE(found[i].patch_error_m, 0);
  // Patches differ where no foot tells them how high to be.
  EXPECT_NE(found[1].ground->height(1.2F, 2), found[2].ground->height(1.2F, 2));
  EXPECT_EQ(fit_grounds(marks, 0.9F, 6, Random(3))[4].ground->height(0.3F, 1), found[4].ground->height(0.3F, 1));
}

TEST(TerrainClips, ContactsBySpeedAreThoseOfTheClip) {
  const synth::Body body = walker_body();
  const features::Schema schema = features::Schema::parse(kMannSchema).value();
  for (const synth::TerrainKind kind :
       {synth::TerrainKind::kFlat, synth::TerrainKind::kSlope, synth::TerrainKind::kStairs}) {
    SCOPED_TRACE(to_string(kind));
    const synth::Clip clip = walk_on(body, kind, 11);
    const TerrainBody on = terrain_body(schema, clip.motion).value();
    ASSERT_EQ(on.contact_joints.size(), 4U);
    const FootTracks feet = track_feet(on, clip.motion).value();
    const FootMarks marks = foot_marks(on, feet);
    // Soles in contact are on the synthetic ground.
    const GroundPtr ground = ground_at_contacts(clip.terrain.ground, marks);
    ASSERT_NE(ground, nullptr);
    double off = 0;
    for (const Vec3& p : marks.stances) off += std::abs(p.y - ground->height(p.x, p.z));
    EXPECT_LT(off / static_cast<double>(marks.stances.size()), 0.03);
    // A ground that has nothing to do with the clip is refused.
    EXPECT_EQ(
        ground_at_contacts(Ground::function([](float x, float z) { return std::sin(5 * x) + std::cos(4 * z); }), marks),
        nullptr);
  }
}

TEST(TerrainClips, LoweredClipsStandOnThePlaneOfTheRunTime) {
  const synth::Body body = walker_body();
  const features::Schema schema = features::Schema::parse(kMannSchema).value();
  synth::Clip clip = walk_on(body, synth::TerrainKind::kSlope, 4);
  const TerrainBody on = terrain_body(schema, clip.motion).value();
  const FootTracks feet = track_feet(on, clip.motion).value();
  const TerrainClip placed = put_on_ground(on, clip.motion, feet, clip.terrain.ground).value();
  // On a slope the plane has no lag: it is as high as the ground at the root.
  for (std::size_t f = 40; f + 40 < placed.roots.size(); ++f) {
    const Vec3 at = placed.roots[f].position;
    EXPECT_NEAR(placed.plane_m[f], clip.terrain.ground->height(at.x, at.z), 0.02F) << f;
  }
  const float before = clip.motion.frame(50).translations[0].y;
  subtract_plane(placed, clip.motion);
  EXPECT_NEAR(clip.motion.frame(50).translations[0].y, before - placed.plane_m[50], 1e-6F);
  // Signals of a piece are those of its frames; mirrored ones change sides.
  Motion piece = make_motion(clip.motion.skeleton, "piece", 30, 20, false);
  piece.start_time_s = clip.motion.start_time_s + 1;
  const auto plain = ground_signals_of(on, placed, piece, false, true, true),
             mirrored = ground_signals_of(on, placed, piece, true, true, true);
  ASSERT_EQ(plain.size(), 4U);
  const auto& under = plain[2].values;
  EXPECT_EQ(plain[2].name, features::kUnderfootSignal);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 foot = placed.contact_places[(30 + 7) * 4 + k];
    EXPECT_NEAR(under[7 * 4 + k], clip.terrain.ground->height(foot.x, foot.z) - placed.plane_m[37], 1e-5F);
    EXPECT_EQ(mirrored[2].values[7 * 4 + k], under[7 * 4 + static_cast<std::size_t>(on.mirrored[k])]);
    EXPECT_NE(on.mirrored[k], static_cast<int>(k));
  }
  EXPECT_EQ(plain[0].values[3 * 5], mirrored[0].values[3 * 5 + 2]);
}

TEST(TerrainChannels, AreAddedAndRemoved) {
  const features::Schema plain = features::Schema::parse(kMannSchema).value();
  for (const char* word : {"blind", "heights", "grid"}) {
    features::Schema schema = plain;
    ASSERT_TRUE(add_ground_channels(schema, parse_ground_sight(word).value(), 4));
    EXPECT_NE(schema.to_toml(), plain.to_toml()) << word;
    remove_ground_channels(schema);
    EXPECT_EQ(schema.to_toml(), plain.to_toml()) << word;
  }
  EXPECT_NE(parse_ground_sight("gird").error().message.find("grid"), std::string::npos);
}

// Through the whole of TrainController up to the trainer: data, columns of the ground, chains of bones.
TEST(TerrainTraining, TellsTheTrainerWhereTheGroundIs) {
  const std::filesystem::path folder = test::synthetic_walks("terrain_training", 3, 4, [](int) { return 0; });
  test::FakeTrainer trainer;
  TrainController job{
      .type = find_type("mann").value(), .data = {folder}, .folder = folder.parent_path() / "run", .trainer = &trainer};
  job.terrain = GroundSight::kGrid;
  job.terrain_patches = 2;
  job.own_bodies = true;
  test::Heard heard;
  EXPECT_FALSE(job.run(heard.listener())) << "the fake trainer writes no network";
  ASSERT_EQ(trainer.requests.size(), 1U);
  EXPECT_TRUE(heard.has("6 on fitted ground"));
  int known = 0;
  for (const std::string& setting : trainer.requests[0].settings) {
    known += setting.starts_with("model.ground=") ? 1 : 0;
    known += setting.starts_with("model.feet=") ? 1 : 0;
    known += setting.starts_with("model.foot_bones=") ? 1 : 0;
  }
  EXPECT_EQ(known, 3);
  job.type = find_type("cxm").value();
  EXPECT_NE(job.validate().error().message.find("does not see terrain"), std::string::npos);
}

// The mean pose, with the hips raised by the cell 60 cm ahead: what is displayed shows what the network saw.
control::ControllerPtr hips_by_cell(const std::filesystem::path& run, int* hips_out) {
  const dataset::DatasetPtr data = dataset::Dataset::open(run / "dataset").value();
  const dataset::Group& group = data->groups()[0];
  const features::Layout& layout = group.layout;
  using features::BlockKind;
  const int width = layout.width(BlockKind::kInput);
  const features::Column cells = layout.find_column(BlockKind::kInput, "signal name=ground_grid width=288").value();
  const int cell = cells.begin + 10 * features::kGroundGridColumns + 4;
  std::vector<float> mean = group.normalisation.block(BlockKind::kOutput).means;
  std::vector<float> weights(mean.size() * static_cast<std::size_t>(width), 0.0F);
  const std::vector<std::string> names = features::column_names(layout, BlockKind::kOutput);
  const std::string hips = layout.joint_names()[static_cast<std::size_t>(layout.root_joints().hip)];
  const auto row = std::find(names.begin(), names.end(), "position " + hips + " y") - names.begin();
  EXPECT_LT(row, static_cast<std::ptrdiff_t>(names.size()));
  weights[static_cast<std::size_t>(row * width + cell)] = 1;
  nn::GraphBuilder b;
  b.output("y", b.linear(b.input("x", width), "all", {mean.size(), static_cast<std::size_t>(width)}, weights, mean));
  nn::Graph graph = std::move(b).build().value();
  graph.metadata["layout"] = layout.to_toml();
  *hips_out = layout.root_joints().hip;
  return control::make_neural_controller({.body = control::load_body(run / "body.safetensors").value(),
                                          .network = nn::Network::compile(graph).value(),
                                          .options = {.lock_feet = false}})
      .value();
}

TEST(TerrainRunTime, NetworksSeeTheGroundOfTheMoment) {
  const std::filesystem::path folder = test::synthetic_walks("terrain_run_time", 3, 4, [](int) { return 0; });
  test::FakeTrainer trainer;
  trainer.make = test::make_mean_network;
  TrainController job{
      .type = find_type("mann").value(), .data = {folder}, .folder = folder.parent_path() / "run", .trainer = &trainer};
  job.terrain = GroundSight::kGrid;
  job.terrain_patches = 1;
  job.own_bodies = true;
  const auto made = job.run();
  ASSERT_TRUE(made) << made.error().format();
  int hips = 0;
  const control::ControllerPtr controller = hips_by_cell(job.folder, &hips);
  EXPECT_TRUE(controller->sees_ground());
  // A hard lock that is given back slowly drags the foot behind its swing, which takes some 0.4 s.
  const control::LockOptions locks = control::load_controller_config(job.folder).value().neural.locks;
  EXPECT_EQ(locks.soft_s, 0);
  EXPECT_LE(locks.release_s, 0.15F);
  const auto height = [](float x, float z) { return 0.05F * z + 0.02F * x; };
  const GroundPtr slope = Ground::function(height);
  const auto flat = controller->make_state(), state = controller->make_state({.ground = slope});
  for (control::ControllerState* one : {flat.get(), state.get()}) one->set_foot_placement(false);
  const control::Intent forward = control::Intent::move({0, 0, 1.2F});
  std::vector<Affine> a(static_cast<std::size_t>(controller->skeleton()->num_joints())), b = a;
  for (int i = 0; i < 90; ++i) {
    // What the network sees in this tick is around the root of the last one.
    const PlanarRoot root = state->root();
    controller->tick(*flat, forward, controller->step_s());
    controller->tick(*state, forward, controller->step_s());
    if (i < 45) continue;  // Leaves its stand, and the spring of the plane settles.
    compute_model_from_joint(*controller->skeleton(), flat->pose_in_root(), a);
    compute_model_from_joint(*controller->skeleton(), state->pose_in_root(), b);
    const float ahead =
        height(root.position.x + 0.6F * std::sin(root.facing_rad), root.position.z + 0.6F * std::cos(root.facing_rad));
    EXPECT_NEAR(b[static_cast<std::size_t>(hips)].t.y - a[static_cast<std::size_t>(hips)].t.y, ahead - root.position.y,
                4e-3F);
  }
  // All courses, and rollouts from the clips, with foot IK on and off.
  EvaluateTerrain evaluation;
  evaluation.held_out = folder;
  evaluation.courses.num_seeds = 1;
  evaluation.courses.seconds = 2;
  const TerrainEvaluation measured = evaluation.run(job.folder).value();
  EXPECT_TRUE(measured.sees_ground);
  for (const TerrainEvaluation::Half* half : {&measured.with_ik, &measured.without_ik}) {
    EXPECT_EQ(half->courses.size(), static_cast<std::size_t>(kNumTerrainShapes));
    EXPECT_GT(half->rollouts.num_rollouts, 3);
    EXPECT_GT(half->rollouts.joints_cm, 1);
    EXPECT_LT(half->rollouts.joints_cm, 60);
    // The parts and grounds make up the whole. The network stands still: the clip's own moment is not the nearest one.
    const eval::PartErrors &all = half->rollouts.everywhere, &uneven = half->rollouts.uneven,
                           &level = half->rollouts.level;
    EXPECT_NEAR(uneven.share + level.share, 1, 1e-9);
    EXPECT_NEAR(uneven.share * uneven.legs_cm + level.share * level.legs_cm, all.legs_cm, 1e-6);
    EXPECT_GT(all.trunk_cm, 0);
    EXPECT_GT(all.arms_cm, 0);
    EXPECT_LT(half->rollouts.in_step.joints_cm, 0.95 * all.joints_cm);
  }
  EXPECT_LT(measured.with_ik.courses.at("slope").penetration_cm, 0.1);
  // A ground that fails is empty, and the character goes on.
  const auto lost = controller->make_state(
      {.ground = Ground::function([](float, float) { return std::numeric_limits<float>::quiet_NaN(); })});
  for (int i = 0; i < 60; ++i) controller->tick(*lost, forward, controller->step_s());
  EXPECT_EQ(lost->num_recoveries(), 0);
  EXPECT_TRUE(is_finite(lost->root().position));
}

}  // namespace
}  // namespace zoe::author
