// SPDX-License-Identifier: MIT
// Part of Zoetrope. MuJoCo's objects behind BodyModel; only this module sees them.
#pragma once

#include <mujoco/mujoco.h>

#include "zoe/physics/body_model.h"

namespace zoe::physics {

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

struct BodyModel::Inside {
  BodyPlan plan;
  SkeletonPtr skeleton;
  BodyModelOptions options;
  std::unique_ptr<mjModel, FreeModel> model;
  std::vector<int> body_of_bone;           // [bones] MuJoCo's body.
  std::vector<int> qpos_of_bone;           // [bones] First of its positions.
  std::vector<int> dof_of_bone;            // [bones] First of its velocities.
  std::vector<double> stiffness, damping;  // [bones]
  double assist_inertia = 0;               // kg m²: of the whole body, roughly.
};

// Servos of the plan as armature and, in BodyModel::Inside, as gains. prefix: of the names in the XML.
Result<void> set_servos(mjModel& model, const BodyPlan& plan, const std::string& prefix, double step_s,
                        BodyModel::Inside& out);

// Parses MuJoCo's XML from memory. The message of a failure is MuJoCo's.
Result<std::unique_ptr<mjModel, FreeModel>> load_mjcf(const std::string& xml);

}  // namespace zoe::physics
