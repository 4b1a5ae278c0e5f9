// SPDX-License-Identifier: MIT
// Part of Zoetrope. Several simulated bodies and boxes that push each other, in one model of the engine.
//
//   const auto world = physics::World::create(models, {.ground = hills, .props = {{.position_m = {0, 0.25, 2}}}});
//   for (int i = 0; i < world->num_bodies(); ++i) world->body(i).reset(poses[i].view());
//   world->tick(targets, options);
#pragma once

#include "zoe/physics/body_model.h"
#include "zoe/physics/prop.h"

namespace zoe::physics {

struct WorldOptions {
  GroundPtr ground = {};  // World space, metres. Null: flat at zero.
  std::vector<Prop> props = {};
};

// Sized once; ticks never allocate. Not thread-safe.
class World {
 public:
  // Models may repeat; their ticks must be of equal length and equally many steps. Grounds of the models are not used.
  static Result<std::unique_ptr<World>> create(std::span<const BodyModelPtr> models, const WorldOptions& options = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int num_bodies() const { return static_cast<int>(bodies_.size()); }
  // To reset and to read. It ticks with the world only.
  BodyState& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const BodyState& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  // [bodies] each. The reports are valid until the next call.
  std::span<const TickReport> tick(std::span<const PoseView> targets, std::span<const TickOptions> options);

  int num_props() const { return static_cast<int>(prop_bodies_.size()); }
  Vec3d prop_position_m(int prop) const;
  Quatd prop_rotation(int prop) const;
  double prop_speed_m_s(int prop) const;
  // True if a bone of one body touches a bone of the other.
  bool touch(int body, int other) const;
  std::uint64_t hash() const;  // Of positions and velocities.

 private:
  World();
  std::shared_ptr<Simulation> simulation_;
  std::vector<BodyState> bodies_;
  std::vector<TickReport> reports_;
  std::vector<int> first_bodies_, prop_bodies_;  // The engine's.
  int steps_per_frame_ = 0;
};

}  // namespace zoe::physics
