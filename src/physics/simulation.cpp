// SPDX-License-Identifier: MIT
#include "physics/simulation.h"

#include "zoe/core/index.h"

#include "physics/ground_contact.h"

namespace zoe::physics {

Simulation::Simulation(std::shared_ptr<const mjModel> given_model, GroundPtr given_ground)
    : model(std::move(given_model)), ground(std::move(given_ground)) {
  data = std::shared_ptr<mjData>(mj_makeData(model.get()), FreeData{});
  acceleration.resize(idx(model->nv));
  inertial.resize(idx(model->nv));
}

double Simulation::height_m(double x, double z) const {
  return ground == nullptr ? 0 : static_cast<double>(ground->height(static_cast<float>(x), static_cast<float>(z)));
}

void Simulation::forward() {
  const GroundScope scope(ground.get());
  mj_forward(model.get(), data.get());
}

void Simulation::begin_step() {
  const GroundScope scope(ground.get());
  mj_step1(model.get(), data.get());
  mj_mulM(model.get(), data.get(), inertial.data(), acceleration.data());
  mj_subtreeVel(model.get(), data.get());
}

void Simulation::end_step() {
  const GroundScope scope(ground.get());
  mj_step2(model.get(), data.get());
}

void Simulation::end_tick() {
  mj_kinematics(model.get(), data.get());
  mj_comPos(model.get(), data.get());
}

bool Simulation::has_warnings() const {
  return data->warning[mjWARN_BADQPOS].number > 0 || data->warning[mjWARN_BADQVEL].number > 0 ||
         data->warning[mjWARN_BADQACC].number > 0;
}

void Simulation::clear_warnings() {
  for (mjWarningStat& warning : data->warning) warning = {};
}

std::shared_ptr<Simulation> simulation_of(const BodyModelPtr& model) {
  return std::make_shared<Simulation>(std::shared_ptr<const mjModel>(model, model->inside().model.get()),
                                      model->options().ground);
}

}  // namespace zoe::physics
