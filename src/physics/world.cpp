// SPDX-License-Identifier: MIT
#include "zoe/physics/world.h"

#include "zoe/core/hash64.h"
#include "zoe/core/index.h"

#include "physics/ground_contact.h"
#include "physics/simulation.h"
#include "physics/world_mjcf.h"

namespace zoe::physics {

World::World() = default;
World::~World() = default;

Result<std::unique_ptr<World>> World::create(std::span<const BodyModelPtr> models, const WorldOptions& options) {
  ZOE_CHECK(!models.empty(), "World: no bodies");
  const BodyModelOptions& common = models[0]->options();
  std::vector<PlacedPlan> plans;
  for (const BodyModelPtr& model : models) {
    ZOE_CHECK(model->options().frame_s == common.frame_s && model->options().steps_per_frame == common.steps_per_frame,
              "World: bodies have different ticks");
    plans.push_back({&model->plan(), std::to_string(plans.size()) + "/"});
  }
  ZOE_TRY_ASSIGN(auto engine, load_mjcf(world_mjcf(plans, options.props, options.ground != nullptr)));
  const double step_s = common.frame_s / common.steps_per_frame;
  engine->opt.timestep = step_s;
  if (options.ground != nullptr) use_ground_contacts(*engine);
  std::vector<BodyModel::Inside> insides(models.size());
  for (std::size_t i = 0; i < models.size(); ++i)
    ZOE_TRY(set_servos(*engine, *plans[i].plan, plans[i].prefix, step_s, insides[i]));
  std::unique_ptr<World> world(new World);
  const mjModel& model = *engine;
  for (int body = 1; body < model.nbody; ++body) {
    const std::size_t from_end = idx(model.nbody - body);
    if (from_end <= options.props.size()) world->prop_bodies_.push_back(body);
  }
  world->simulation_ = std::make_shared<Simulation>(
      std::shared_ptr<const mjModel>(engine.release(),
                                     [](const mjModel* m) { mj_deleteModel(const_cast<mjModel*>(m)); }),
      options.ground);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const BodyModel::Inside &own = models[i]->inside(), &here = insides[i];
    const int first_body = here.body_of_bone[0] - own.body_of_bone[0];
    for (std::size_t b = 0; b < here.body_of_bone.size(); ++b)
      ZOE_CHECK(here.body_of_bone[b] - own.body_of_bone[b] == first_body, "World: the engine reordered bones");
    world->first_bodies_.push_back(here.body_of_bone[0]);
    world->bodies_.push_back(BodyState(models[i], world->simulation_, first_body,
                                       here.qpos_of_bone[0] - own.qpos_of_bone[0],
                                       here.dof_of_bone[0] - own.dof_of_bone[0]));
  }
  world->reports_.resize(models.size());
  world->steps_per_frame_ = common.steps_per_frame;
  return world;
}

std::span<const TickReport> World::tick(std::span<const PoseView> targets, std::span<const TickOptions> options) {
  ZOE_CHECK(targets.size() == bodies_.size() && options.size() == bodies_.size(), "World::tick: one of each per body");
  for (std::size_t i = 0; i < bodies_.size(); ++i) bodies_[i].begin_tick(targets[i], options[i]);
  for (int step = 0; step < steps_per_frame_; ++step) {
    simulation_->begin_step();
    for (BodyState& body : bodies_) body.drive(step);
    simulation_->end_step();
    for (BodyState& body : bodies_) body.mend();
    simulation_->clear_warnings();
  }
  simulation_->end_tick();
  for (std::size_t i = 0; i < bodies_.size(); ++i) reports_[i] = bodies_[i].end_tick();
  return reports_;
}

Vec3d World::prop_position_m(int prop) const {
  const mjtNum* at = simulation_->data->xpos + 3 * prop_bodies_[idx(prop)];
  return {at[0], at[1], at[2]};
}

Quatd World::prop_rotation(int prop) const {
  const mjtNum* q = simulation_->data->xquat + 4 * prop_bodies_[idx(prop)];
  return {q[1], q[2], q[3], q[0]};
}

double World::prop_speed_m_s(int prop) const {
  mjtNum velocity[6];
  mj_objectVelocity(simulation_->model.get(), simulation_->data.get(), mjOBJ_BODY, prop_bodies_[idx(prop)], velocity,
                    0);
  return length(Vec3d{velocity[3], velocity[4], velocity[5]});
}

bool World::touch(int body, int other) const {
  const mjData& data = *simulation_->data;
  const auto is_of = [&](int which, int geom) {
    const int first = first_bodies_[idx(which)], bone = simulation_->model->geom_bodyid[geom] - first;
    return bone >= 0 && bone < static_cast<int>(bodies_[idx(which)].num_bones());
  };
  for (int i = 0; i < data.ncon; ++i) {
    const int a = data.contact[i].geom1, b = data.contact[i].geom2;
    if ((is_of(body, a) && is_of(other, b)) || (is_of(body, b) && is_of(other, a))) return true;
  }
  return false;
}

std::uint64_t World::hash() const {
  const mjData& data = *simulation_->data;
  Hash64 hash;
  hash.add(std::as_bytes(std::span(data.qpos, idx(simulation_->model->nq))));
  hash.add(std::as_bytes(std::span(data.qvel, idx(simulation_->model->nv))));
  return hash.finish();
}

}  // namespace zoe::physics
