// SPDX-License-Identifier: MIT
// Part of Zoetrope. Targets of getting up: from the pose of a lying body to a standing one, feet below the hips.
#pragma once

#include "zoe/anatomy/model_pose.h"
#include "zoe/physics/body_plan.h"

namespace zoe::physics {

class GetUpPlan {
 public:
  GetUpPlan(const BodyPlan& plan, const Skeleton& skeleton);

  // Remembers the lying pose.
  void begin(const Pose& lying);
  // share: 0 the lying pose, 1 `standing`. The root turns and rises, limbs fold towards the standing pose, and feet go
  // to where `standing` has them. Joints turn by at most `most_turn_rad` since the last target. Never allocates.
  void target(const Pose& standing, double share, double most_turn_rad, Pose& out);

 private:
  const BodyPlan* plan_;
  const Skeleton* skeleton_;
  std::vector<std::vector<int>> legs_;  // Joints from hip to foot, each the parent of the next.
  Pose lying_;
  std::vector<Quat> last_;     // [joints] Rotations of the last target.
  Quatd lying_root_rotation_;  // World.
  Vec3d lying_root_at_;        // World, units of the skeleton.
  anatomy::ModelPose posed_, standing_posed_;
};

}  // namespace zoe::physics
