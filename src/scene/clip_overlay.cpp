// SPDX-License-Identifier: MIT
// Ghosts and signs beside a clip's body.
#include <algorithm>
#include <cmath>

#include "zoe/render/debug_draw.h"
#include "zoe/scene/clip_actor.h"

#include "scene/clip_memory.h"

namespace zoe::scene {
namespace {

constexpr Vec3 kGhost{0.55F, 0.72F, 0.95F};  // A cool tint distinguishes ghosts from the body.
constexpr double kInside_s = 1e-4;  // The last moment of a clip is the first of the next cycle: stays before it.
constexpr double kTrajectoryEvery_s = 0.08;   // 12 points in each direction.
constexpr double kVelocityOver_s = 1.0 / 60;  // In each direction.

// One actor's signs at one moment.
struct SignPainter {
  const Motion& motion;
  const Affine& world_from_model;
  ClipDisplay& display;
  double time_s;
  render::RenderFrame& frame;
  ClipMemory& memory = display.memory();
  float size_m = display.extent.size_m;
  double duration_s = motion.duration_s();

  Vec3 position(std::size_t joint) const {
    return world_from_model.apply_point(memory.pose.model_from_joint()[joint].t);
  }
  std::size_t num_joints() const { return static_cast<std::size_t>(motion.num_joints()); }

  void add_trajectory() const {
    const float height_m = frame.environment.ground_height_m + 0.006F * size_m;
    std::size_t root = 0;  // The first joint that moves: markers of the origin do not count.
    while (root + 1 < num_joints() && motion.skeleton->kind(static_cast<int>(root)) == JointKind::kNode) ++root;
    memory.positions.clear();
    for (int i = -12; i <= 12; ++i) {
      const double t = time_s + kTrajectoryEvery_s * i;
      if (t < 0 || t > duration_s) continue;
      memory.pose.sample(motion, std::min(t, duration_s - kInside_s));
      memory.positions.push_back({position(root).x, height_m, position(root).z});
    }
    render::draw_trajectory(frame, memory.positions, {}, {0.95F, 0.50F, 0.08F, 1}, 0.009F * size_m);
  }

  void add_velocities() const {
    const double before = std::max(time_s - kVelocityOver_s, 0.0),
                 after = std::min(time_s + kVelocityOver_s, std::max(duration_s - kInside_s, kInside_s));
    std::vector<Vec3>&positions = memory.positions, &velocities = memory.velocities;
    positions.resize(num_joints());
    velocities.resize(num_joints());
    memory.pose.sample(motion, before);
    for (std::size_t j = 0; j < positions.size(); ++j) velocities[j] = position(j);
    memory.pose.sample(motion, after);
    for (std::size_t j = 0; j < positions.size(); ++j)
      velocities[j] = (position(j) - velocities[j]) / static_cast<float>(after - before);
    memory.pose.sample(motion, time_s);
    for (std::size_t j = 0; j < positions.size(); ++j) positions[j] = position(j);
    render::draw_velocities(frame, positions, velocities, {0.10F, 0.55F, 0.85F, 1}, 0.1F, 0.05F * size_m);
  }

  void add_contacts() const {
    const Contacts& contacts = display.contacts;
    const double wrapped = duration_s > 0 ? std::fmod(time_s, duration_s) : 0;
    const int row = std::clamp(static_cast<int>(std::lround(wrapped * motion.fps)), 0, contacts.num_frames - 1);
    memory.positions.clear();
    for (const int foot : display.feet) memory.positions.push_back(position(static_cast<std::size_t>(foot)));
    const auto weights =
        std::span(contacts.weights).subspan(static_cast<std::size_t>(row * contacts.num_joints), display.feet.size());
    render::draw_contacts(frame, memory.positions, weights, frame.environment.ground_height_m, 0.05F * size_m);
  }

  void add_names() const {
    const float height_px = 0.014F * static_cast<float>(frame.settings.height);
    for (std::size_t j = 0; j < num_joints(); ++j) {
      const std::string_view name = motion.skeleton->name(static_cast<int>(j));
      render::draw_label(frame, position(j), name.substr(name.rfind(':') + 1), height_px, {0.05F, 0.06F, 0.08F, 0.9F});
    }
  }
};

}  // namespace

void add_ghosts(ecs::World& world, Entity actor, std::span<const GhostPose> ghosts, render::RenderFrame& frame) {
  const auto& drawn = world.get<DrawnBody>(actor);
  const Affine& world_from_model = world.get<WorldTransform>(actor).world_from_entity;
  const Motion& motion = *world.get<MotionPlayer>(actor).motion();
  ClipMemory& memory = world.get<ClipDisplay>(actor).memory();
  while (drawn.model != nullptr && memory.ghosts.size() < ghosts.size()) memory.ghosts.emplace_back(*drawn.model);
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    const Vec4 tint{kGhost.x, kGhost.y, kGhost.z, ghosts[i].alpha};
    memory.pose.sample(motion, ghosts[i].time_s);
    if (drawn.model != nullptr) {
      memory.ghosts[i].set_pose(memory.pose.model_from_joint(), memory.pose.morph_weights());
      memory.ghosts[i].add_to(frame, world_from_model, actor.index + 1, tint, drawn.skinning);
    } else if (drawn.bones) {
      drawn.bones->add_to(frame, memory.pose.model_from_joint(), world_from_model, actor.index + 1, {tint, tint});
    }
  }
}

void add_signs(ecs::World& world, Entity actor, double time_s, render::RenderFrame& frame) {
  auto& display = world.get<ClipDisplay>(actor);
  const SignPainter painter{*world.get<MotionPlayer>(actor).motion(),
                            world.get<WorldTransform>(actor).world_from_entity, display, time_s, frame};
  if (display.signs.trajectory) painter.add_trajectory();
  if (display.signs.velocities) painter.add_velocities();
  if (!display.signs.contacts && !display.signs.names) return;
  painter.memory.pose.sample(painter.motion, time_s);
  if (display.signs.contacts && display.contacts.num_joints > 0) painter.add_contacts();
  if (display.signs.names) painter.add_names();
}

}  // namespace zoe::scene
