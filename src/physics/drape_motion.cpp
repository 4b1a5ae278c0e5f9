// SPDX-License-Identifier: MIT
#include "zoe/physics/drape_motion.h"

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

namespace zoe::physics {

Motion drape_motion(const BodyModel& model, const Motion& motion, const Ground& ground, double flat_y_m) {
  const BodyPlan& plan = model.plan();
  // The mean over a step's length: a root does not jump where the ground does.
  const double reach_m = 0.2 * plan.height_m;
  Motion out = motion;
  anatomy::ModelPose posed;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    anatomy::compute_model_pose(model.skeleton(), motion.frame(frame), posed);
    const Vec3d root = to_double(posed.positions[idx(plan.bones[0].joint)]) * plan.metres_per_unit;
    double sum = 0;
    int count = 0;
    for (int x = -2; x <= 2; ++x)
      for (int z = -2; z <= 2; ++z, ++count)
        sum += static_cast<double>(ground.height(static_cast<float>(root.x + 0.5 * x * reach_m),
                                                 static_cast<float>(root.z + 0.5 * z * reach_m)));
    const double lift_m = sum / count - flat_y_m;
    for (int joint = 0; joint < motion.num_joints(); ++joint)
      if (model.skeleton().parent(joint) == kNoJoint)
        out.translations[idx(frame) * idx(motion.num_joints()) + idx(joint)].y +=
            static_cast<float>(lift_m / plan.metres_per_unit);
  }
  return out;
}

}  // namespace zoe::physics
