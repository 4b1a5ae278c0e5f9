// SPDX-License-Identifier: MIT
#include "play/play_picture.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/trajectory.h"
#include "zoe/render/debug_draw.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/surroundings.h"

#include "picture.h"

namespace zoe::viewer {
namespace {

constexpr Vec4 kWanted{0.98F, 0.62F, 0.16F, 1}, kPast{0.55F, 0.62F, 0.72F, 0.8F}, kPath{0.30F, 0.72F, 0.95F, 0.9F},
    kGoal{0.45F, 0.9F, 0.45F, 1};
constexpr float kAbove_m = 0.006F;  // Lines are slightly above the ground.
constexpr float kPathSeen_m = 12;

Vec3 on_ground(Vec3 place) { return {place.x, kAbove_m, place.z}; }

scene::BodyExtent extent_of(const PlayStage& stage) {
  const float h = stage.height_m();
  const Vec3 at = stage.root_drawn().position;
  scene::BodyExtent extent{.size_m = h};
  extent.samples.push_back({0, at - Vec3{h / 2, 0, h / 2}, at + Vec3{h / 2, h, h / 2}, {}});
  return extent;
}

}  // namespace

// The intent over the next second and a half.
PlayPicture::PlayPicture()
    : wanted_(features::ControlSeries::standing({.start_s = 0, .end_s = 1.5, .count = 11}, {})) {}

void PlayPicture::fill(PlayStage& stage, const ViewCamera& camera, const Settings& settings,
                       render::RenderFrame& frame) {
  const Shown& shown = settings.shown;
  scene::fill_frame(stage.scene(), frame, {.trajectories = false, .ik_targets = false});
  frame.camera = camera.seen();
  set_theme(settings.dark, frame.environment);
  scene::fit_surroundings(extent_of(stage), camera.eye(), camera.looked_at(), frame);
  if (frame.settings.shadow_samples < 8) frame.settings.shadow_softness_m *= 0.3F;
  if (const control::Path* path = stage.driver().path()) add_path(*path, stage, frame);
  if (const auto& goal = stage.steering().goal()) {
    const float size = 0.16F * stage.height_m();
    const Vec3 at = on_ground(*goal * stage.scale());
    frame.overlay.circle(at, {0, 1, 0}, size, kGoal, 3, 40);
    frame.overlay.circle(at, {0, 1, 0}, 0.4F * size, kGoal, 3, 24);
  }
  if (shown.trajectory) add_way(stage, frame);
  const auto& mesh = stage.scene().world().get<scene::SkinnedMesh>(stage.actor());
  if (shown.contacts) {
    // The controller's own feet: the character's are at the same positions, scaled.
    joints_.resize(static_cast<std::size_t>(stage.controller().skeleton()->num_joints()));
    compute_model_from_joint(*stage.controller().skeleton(), stage.state().pose(), joints_);
    places_.clear();
    for (const int joint : stage.controller().contact_joints()) {
      places_.push_back(joints_[static_cast<std::size_t>(joint)].t * stage.scale());
    }
    render::draw_contacts(frame, places_, stage.state().contacts(), 0, 0.04F * stage.height_m());
  }
  if (shown.skeleton) {
    const scene::Actor& actor = stage.scene().world().get<scene::Actor>(stage.actor());
    const float unit_m = stage.controlled().body().metres_per_unit;
    joints_.assign(mesh.model_from_joint.begin(), mesh.model_from_joint.end());
    for (Affine& joint : joints_) joint.t = joint.t * unit_m;
    render::draw_skeleton_lines(frame, joints_, actor.skeleton().parents(), {0.25F, 0.85F, 0.95F, 1}, 2);
  }
}

void PlayPicture::add_way(const PlayStage& stage, render::RenderFrame& frame) {
  stage.driver().past(places_);
  for (Vec3& place : places_) place = on_ground(place * stage.scale());
  frame.overlay.polyline(places_, kPast, 2);

  control::TrajectoryPoint now;
  now.root = stage.root_drawn();
  now.velocity_mps = stage.velocity_mps();
  control::Intent intent = stage.intent();
  if (const auto& goal = stage.steering().goal()) {  // The path to the goal is the controller's own; the goal is not.
    const Vec3 way = *goal - stage.state().root().position;
    intent.wanted[0].velocity_mps = normalized(Vec3{way.x, 0, way.z}) * std::min(length(way), 1.4F);
  }
  for (auto& wanted : intent.wanted) wanted.velocity_mps = wanted.velocity_mps * stage.scale();
  control::predict(now, intent, wanted_);
  places_.clear();
  directions_.clear();
  for (const PlanarRoot& root : wanted_.roots) {
    places_.push_back(on_ground(root.position));
    directions_.push_back(rotate(rotation_of(root), Vec3{0, 0, 1}));
  }
  render::draw_trajectory(frame, places_, directions_, kWanted, 0.008F * stage.height_m());
}

void PlayPicture::add_path(const control::Path& path, const PlayStage& stage, render::RenderFrame& frame) {
  const Vec3 near = stage.root_drawn().position;
  for (std::size_t i = 1; i < path.places().size(); ++i) {
    Vec3 from = path.places()[i - 1] * stage.scale(), to = path.places()[i] * stage.scale();
    // Of a long straight line only the near part: far ends lose their precision on the screen.
    const Vec3 way = to - from;
    const float length_m = length(way);
    const float at = dot(near - from, way) / length_m;
    const Vec3 unit = way / length_m;
    const Vec3 beside = from + unit * at - near;
    if (length(Vec3{beside.x, 0, beside.z}) > kPathSeen_m || at < -kPathSeen_m || at > length_m + kPathSeen_m) continue;
    to = from + unit * std::min(at + kPathSeen_m, length_m);
    from = from + unit * std::max(at - kPathSeen_m, 0.0F);
    frame.overlay.line(on_ground(from), on_ground(to), kPath, 2);
  }
}

}  // namespace zoe::viewer
