// SPDX-License-Identifier: MIT
#include "physics/engine.h"

#include <cstring>
#include <mutex>

#include "zoe/core/index.h"

#include "physics/ground_contact.h"
#include "physics/world_mjcf.h"

namespace zoe::physics {
namespace {

// MuJoCo would write a log file into the working folder. Bad states are found by their warning counters instead.
void ignore_warning(const char*) {}

}  // namespace

Result<std::unique_ptr<mjModel, FreeModel>> load_mjcf(const std::string& xml) {
  static std::mutex mutex;  // MuJoCo's parser keeps the last model in a global.
  const std::scoped_lock lock(mutex);
  mju_user_warning = ignore_warning;
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  constexpr const char* kName = "body.xml";
  if (mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(xml.size())) != 0)
    return Error{ErrorCode::kLimit, "the body is too large for MuJoCo's file table", {}};
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char message[500] = "";
  std::unique_ptr<mjModel, FreeModel> model(mj_loadXML(kName, files.get(), message, sizeof(message)));
  mj_deleteFileVFS(files.get(), kName);
  if (!model) return Error{ErrorCode::kInvalid, std::string("MuJoCo refuses the body: ") + message, {}};
  return model;
}

BodyModel::BodyModel() : inside_(std::make_unique<Inside>()) {}
BodyModel::~BodyModel() = default;
const BodyPlan& BodyModel::plan() const { return inside_->plan; }
const Skeleton& BodyModel::skeleton() const { return *inside_->skeleton; }
const BodyModelOptions& BodyModel::options() const { return inside_->options; }
int BodyModel::num_dofs() const { return inside_->model->nv; }

Result<void> set_servos(mjModel& model, const BodyPlan& plan, const std::string& prefix, double step_s,
                        BodyModel::Inside& out) {
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const int body = mj_name2id(&model, mjOBJ_BODY, (prefix + plan.names[b]).c_str());
    if (body < 0 || model.body_jntnum[body] != 1)
      return Error{ErrorCode::kInvalid, "a bone is not in MuJoCo's model", {.joint = plan.names[b]}};
    const int joint = model.body_jntadr[body], dof = model.jnt_dofadr[joint];
    out.body_of_bone.push_back(body);
    out.qpos_of_bone.push_back(model.jnt_qposadr[joint]);
    out.dof_of_bone.push_back(dof);
    const double kp = b == 0 ? 0 : model.jnt_stiffness[joint], kd = b == 0 ? 0 : model.dof_damping[dof];
    out.stiffness.push_back(kp);
    out.damping.push_back(kd);
    if (b == 0) continue;
    // Implicit servo: M a = f - kp (q + h v') - kd v' with v' = v + h a gives (M + h (kd + h kp)) a = f - kp q -
    // (kd + h kp) v. The added inertia is MuJoCo's armature.
    model.jnt_stiffness[joint] = 0;
    for (int i = 0; i < 3; ++i) {
      model.dof_damping[dof + i] = 0;
      model.dof_armature[dof + i] = step_s * (kd + step_s * kp);
    }
  }
  return {};
}

Result<std::shared_ptr<const BodyModel>> BodyModel::create(BodyPlan plan, SkeletonPtr skeleton,
                                                           const BodyModelOptions& options) {
  ZOE_CHECK(options.steps_per_frame > 0 && options.frame_s > 0, "BodyModel: a tick needs a length and steps");
  const bool uneven = options.ground != nullptr;
  const PlacedPlan placed{&plan, {}};
  ZOE_TRY_ASSIGN(auto model, load_mjcf(world_mjcf(std::span(&placed, 1), {}, uneven)));
  std::shared_ptr<BodyModel> made(new BodyModel);
  Inside& inside = *made->inside_;
  const double step_s = options.frame_s / options.steps_per_frame;
  model->opt.timestep = step_s;
  if (uneven) use_ground_contacts(*model);
  ZOE_TRY(set_servos(*model, plan, {}, step_s, inside));
  if (!options.self_contacts) {
    for (int geom = 0; geom < model->ngeom; ++geom) {
      const bool is_floor = model->geom_bodyid[geom] == 0;
      model->geom_contype[geom] = is_floor ? 1 : 0;
      model->geom_conaffinity[geom] = is_floor ? 0 : 1;
    }
  }
  const double arm = 0.25 * plan.height_m;
  inside.assist_inertia = plan.mass_kg * arm * arm;
  inside.plan = std::move(plan);
  inside.skeleton = std::move(skeleton);
  inside.options = options;
  inside.model = std::move(model);
  return std::shared_ptr<const BodyModel>(std::move(made));
}

}  // namespace zoe::physics
