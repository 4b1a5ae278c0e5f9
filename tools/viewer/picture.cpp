// SPDX-License-Identifier: MIT
#include "picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/render/debug_draw.h"
#include "zoe/scene/clip_actor.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/surroundings.h"

namespace zoe::viewer {
namespace {

constexpr int kGhosts = 3;  // In each direction of time.
constexpr double kGhostStep_s = 0.16;

// Faint poses before and after the displayed one.
void add_ghosts(ecs::World& world, const StageItem& item, double time_s, render::RenderFrame& frame) {
  std::array<scene::GhostPose, 2 * kGhosts> ghosts;
  std::size_t count = 0;
  for (int i = -kGhosts; i <= kGhosts; ++i) {
    const double ghost_s = time_s + kGhostStep_s * i;
    if (i == 0 || ghost_s < 0 || ghost_s > item.motion().duration_s() - 1e-4) continue;
    ghosts[count++] = {ghost_s, 0.34F * (1 - 0.22F * static_cast<float>(std::abs(i)))};
  }
  scene::add_ghosts(world, item.entity, std::span(ghosts).first(count), frame);
}

void add_root(const Stage& stage, std::size_t index, float ground_m, render::RenderFrame& frame) {
  const float size = stage.items()[index].size_m;
  Affine place = stage.root_place(index);
  place.t.y = ground_m + 0.004F * size;
  frame.overlay.circle(place.t, {0, 1, 0}, 0.16F * size, {0.98F, 0.62F, 0.16F, 1}, 2.5F, 40);
  frame.overlay.arrow(place.t, place.t + place.z * (0.34F * size), {0.98F, 0.62F, 0.16F, 1}, 2.5F);
}

void add_skeleton(const Stage& stage, const StageItem& item, std::vector<Affine>& scratch, render::RenderFrame& frame) {
  const ecs::World& world = stage.scene().world();
  const auto& mesh = world.get<scene::SkinnedMesh>(item.entity);
  const auto& actor = world.get<scene::Actor>(item.entity);
  // Invisible bodies have no pose between steps.
  const auto& joints = mesh.visible ? mesh.model_from_joint : actor.model_from_joint;
  scratch.resize(joints.size());
  const Affine place = item.world_from_model();
  std::transform(joints.begin(), joints.end(), scratch.begin(), [&](const Affine& joint) { return place * joint; });
  render::draw_skeleton_lines(frame, scratch, item.motion().skeleton->parents(), {0.25F, 0.85F, 0.95F, 1}, 2);
}

bool is_software(const std::string& driver) {
  return driver.find("llvmpipe") != std::string::npos || driver.find("softpipe") != std::string::npos;
}

}  // namespace

void set_quality(const std::string& quality, const std::string& driver, render::Settings& settings) {
  const bool low = quality == "low" || (quality == "auto" && is_software(driver));
  render::set_quality(settings, low                 ? render::Quality::kLow
                                : quality == "high" ? render::Quality::kHigh
                                                    : render::Quality::kMedium);
  if (low) settings.shadow_resolution = 1024;  // A still picture shows errors that a film hides.
}

void set_theme(bool dark, render::Environment& env) {
  env = {};
  if (!dark) {
    env.zenith_color = {0.62F, 0.70F, 0.80F};
    env.horizon_color = {0.82F, 0.85F, 0.88F};
    env.ground_color = {0.60F, 0.61F, 0.62F};
    env.grid_color = {0.44F, 0.46F, 0.48F};
    return;
  }
  env.zenith_color = {0.030F, 0.036F, 0.048F};
  env.horizon_color = {0.060F, 0.069F, 0.084F};
  env.ground_color = {0.048F, 0.054F, 0.064F};
  env.grid_color = {0.105F, 0.118F, 0.138F};
  env.sky_light = {0.30F, 0.34F, 0.41F};
  env.ground_light = {0.10F, 0.10F, 0.11F};
}

const scene::BodyExtent& largest_extent(const Stage& stage) {
  static const scene::BodyExtent kNobody{.samples = {{}}};
  const scene::BodyExtent* largest = &kNobody;
  for (const StageItem& item : stage.items()) {
    const auto& extent = stage.scene().world().get<scene::ClipDisplay>(item.entity).extent;
    if (largest == &kNobody || extent.size_m > largest->size_m) largest = &extent;
  }
  return *largest;
}

void fill_picture(Session& session, render::RenderFrame& frame) {
  static thread_local std::vector<Affine> joints;
  Stage& stage = session.stage;
  const Shown& shown = session.settings.shown;
  scene::fill_frame(stage.scene(), frame, {.trajectories = false, .ik_targets = false});
  frame.camera = session.camera.seen();
  set_theme(session.settings.dark, frame.environment);
  scene::fit_surroundings(largest_extent(stage), session.camera.eye(), session.camera.looked_at(), frame);
  // Few samples over a wide disc give noise on every lit face.
  if (frame.settings.shadow_samples < 8) frame.settings.shadow_softness_m *= 0.3F;
  const bool mirrored = stage.playback().mirrored;
  for (std::size_t i = 0; i < stage.items().size(); ++i) {
    const StageItem& item = stage.items()[i];
    const double time_s = scene::clip_time_s(item.motion(), stage.playback().time_s);
    const auto& side = stage.scene().world().get<ShownClip>(item.entity);
    stage.match_side(i, mirrored && side.mirrored != nullptr ? side.mirrored : nullptr);
    if (shown.ghosts && !session.poses) add_ghosts(stage.scene().world(), item, time_s, frame);
    ecs::World& world = stage.scene().world();
    world.get<scene::ClipDisplay>(item.entity).signs = {shown.trajectory, shown.velocities, shown.contacts,
                                                        shown.names};
    if (!session.poses) scene::add_signs(world, item.entity, time_s, frame);
    if (shown.skeleton) add_skeleton(stage, item, joints, frame);
    if (shown.root) add_root(stage, i, frame.environment.ground_height_m, frame);
  }
}

}  // namespace zoe::viewer
